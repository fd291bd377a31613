#pragma once

#include "core/result/session_result.h"

#include <string>

namespace lapbench {

/// A result as OpenMetrics text (version 1.0): each trial that counts under the labels target, workload, connections,
/// rate and round, at the time its window ended. Counters of requests, answers, errors and bytes; latency as a summary;
/// the rest as gauges, in seconds and bytes. What is not known has no sample.
std::string formatOpenMetrics(const SessionResult& result);

} // namespace lapbench
