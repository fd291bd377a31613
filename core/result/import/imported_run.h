#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/result/semantics.h"
#include "core/stats/histogram.h"
#include "core/stats/summary.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// Latencies as another tool tells them, in microseconds. What it does not tell is absent.
struct ImportedLatency {
    std::optional<std::uint64_t> count;
    std::optional<double> minUs, meanUs, stdevUs, maxUs;
    std::map<std::string, double> percentilesUs; ///< by the keys of kReportedPercentiles: "p25", "p99_9"
};

/// One second of a run, where single requests are known.
struct ImportedSecond {
    unsigned t = 0; ///< since the first request, from 0
    std::uint64_t ok = 0, failed = 0;
    SparseHistogram latency;
};

/// One run of another tool as its output tells it. What it does not hold is absent, never 0.
struct ImportedRun {
    std::string target;   ///< heading, title, host or URL it stands under; empty: not told
    std::string workload; ///< "GET /users/42"; empty: not told
    std::string method, url;
    std::optional<unsigned> connections, threads; ///< of a closed loop; virtual users where the tool has those
    std::optional<double> rate;                   ///< requests a second that were asked for: an open loop
    std::optional<UtcTime> started;

    /// Requests that got an answer or failed. An answer with a status outside of 200-399 is a failed one, as is one
    /// that the tool itself calls failed; what was cut off by the end of the run is unfinished and not among
    /// `completed`.
    std::optional<std::uint64_t> completed, failed, unfinished;
    std::optional<double> durationSeconds;
    std::optional<double> rps; ///< as printed; computed only where the tool prints none but holds both counts and time
    ImportedLatency latency;
    std::optional<Histogram> histogram; ///< of `latency`, where single requests are known
    std::map<int, std::uint64_t> status;
    std::vector<ErrorCount> errors; ///< by kind, the tool's own words as firstMessage; may count more than `failed`
    std::optional<std::uint64_t> bytesReceived, bytesSent, bodyReceived; ///< by what Semantics::bytes says
    std::vector<ImportedSecond> seconds;

    Semantics semantics;
    /// Doubts about these figures, as sentences: "the printed time and requests / rate disagree".
    std::vector<std::string> doubts;
};

using ImportedRuns = std::vector<ImportedRun>;

} // namespace lapbench
