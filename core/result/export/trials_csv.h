#pragma once

#include "core/result/session_result.h"

#include <string>

namespace lapbench {

/// Every figure of every trial unrounded, a row a trial: RFC 4180, the figures as in JSON with their units in the
/// header. What is not known is empty, a percentile beyond the censored tail is ">=2000000". Where trials come from
/// other tools, columns say what their figures mean.
std::string trialsAsCsv(const SessionResult& result);

/// Every second of every trial, a row a second, in the same form.
std::string secondsAsCsv(const SessionResult& result);

} // namespace lapbench
