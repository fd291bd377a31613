#pragma once

#include "core/result/import/imported_run.h"
#include "core/stats/moments.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lapbench {

/// The single requests of a run, where a file has a row for each. Figures are exact: nearest rank over the values
/// themselves, the histogram is beside them.
class RequestSamples {
public:
    /// `latencyUs` from the request to the end of its answer; `startUs` on any clock, absent where it is not told.
    void add(double latencyUs, bool ok, std::optional<double> startUs = std::nullopt);

    std::uint64_t count() const { return m_all.size(); }

    /// Sets completed, failed, latency (of all requests, failed ones included: Semantics says so), histogram, and where
    /// every request has a start: the time from the first start to the last end, requests a second (completed / that
    /// time, failed ones counted), and the seconds.
    void fill(ImportedRun& run) const;

private:
    struct Sample {
        double us;
        double startUs;
        bool ok;
    };
    /// Those in which a request ended, `firstUs` being the start of the first one.
    std::vector<ImportedSecond> secondsOf(double firstUs) const;

    std::vector<Sample> m_all;
    bool m_allStarted = true;
};

/// Figures of latencies in microseconds in any order: nearest rank. `values` is sorted.
ImportedLatency latencyOf(std::vector<double>& values);

} // namespace lapbench
