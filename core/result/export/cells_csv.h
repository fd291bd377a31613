#pragma once

#include "core/result/session_result.h"

#include <string>

namespace lapbench {

/// Every figure of every cell unrounded, and how it compares with the first target, a row a cell: latencies in
/// microseconds, memory in bytes.
std::string cellsAsCsv(const SessionResult& result);

} // namespace lapbench
