#pragma once

#include "core/base/result.h"

namespace lapbench {

/// Whether this process may open the descriptors that so many connections on so many workers need, beside those it has
/// open. The problem says how many are asked for, how many are allowed and how to raise that.
Result<void> checkDescriptors(unsigned connections, unsigned workers);

} // namespace lapbench
