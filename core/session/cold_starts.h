#pragma once

#include "core/result/session_result.h"

#include <string>
#include <vector>

namespace lapbench {

/// The figures of a target's starts in milliseconds: median, and the 95th percentile as the nearest rank (Hyndman and
/// Fan, The American Statistician 50, 1996, definition 1), which of fewer than 20 starts is the slowest one.
ColdStarts coldStartsOf(std::string target, std::vector<double> ms, std::string failure);

} // namespace lapbench
