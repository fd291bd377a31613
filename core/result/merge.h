#pragma once

#include "core/base/result.h"
#include "core/result/compare_results.h"
#include "core/result/session_result.h"

#include <vector>

namespace lapbench {

/// Parts of one session that ran on several machines at once, as one result. Trials are matched by target, workload,
/// level, round and attempt; mergeTrials() says how each is added up. Of the rest the first part's is taken, but for
/// tags, notes and warnings, which are of all; cells and comparisons are made anew. A trial that not all parts have is
/// kept, with a warning. The result's key "parts" names the parts, so that none is added twice.
///
/// Problems, the part's name in front: fewer than two parts, the same part twice, another plan or scale, another
/// version of the format, a session that did not end, trials of another tool or of a search for a rate.
Result<SessionResult> mergeResults(const std::vector<NamedResult>& parts);

/// What several generators measured in the same trial, one or more of them, none imported.
///
/// Added exactly: the histograms of latency and of what was censored, counts of requests, errors, statuses, bytes and
/// connections, and all of them second by second. Requests a second are the right answers of all by the longest window.
/// Percentiles are read from the added histograms, and are absent where a part has no whole one; count, least,
/// greatest, mean and standard deviation are those of all answers together. What was kept as percentiles only (service
/// time, lag, connects, failed requests) has no percentiles together, but its greatest value. Processor time of the
/// generators is added, their memory is that of the largest. CPU and memory of the server and of the whole machine are
/// not added, for it is the same server: they are those of the first part that has them. The worst outcome counts, and
/// what limited a part by the earliest rule.
Trial mergeTrials(const std::vector<const Trial*>& parts);

} // namespace lapbench
