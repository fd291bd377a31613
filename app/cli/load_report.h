#pragma once

#include "core/result/session_result.h"

#include <string>

namespace lapbench {

/// One trial for people: what was asked, how fast, how long it took, what failed, and at what price.
std::string formatTrial(const Trial& trial);

} // namespace lapbench
