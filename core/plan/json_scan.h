#pragma once

#include "core/base/result.h"

#include <string_view>

namespace lapbench {

/// Whether a text of any origin is JSON that may be read: its problem says the line and column of the first error,
/// nesting deeper than `deepest`, or a key that stands twice in one object. Takes no memory to speak of.
Result<void> scanJson(std::string_view text, int deepest);

} // namespace lapbench
