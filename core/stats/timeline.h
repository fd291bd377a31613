#pragma once

#include "core/stats/packed_histogram.h"
#include "core/stats/summary.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lapbench {

/// One worker's share of one second of the window.
struct SecondShare {
    unsigned t = 0; ///< second of the window, from 0
    std::uint64_t ok = 0, failed = 0;
    PackedHistogram latency; ///< of right answers
    double cpuCores = 0;     ///< the worker's processor time by the time it passed
};

/// Adds the workers' shares up into the per-second series. A value type; one thread at a time.
class Timeline {
public:
    void add(const SecondShare& share);
    /// Hands over the seconds of a window `windowSeconds` long, the last one perhaps in part, those in which nothing
    /// ended included: a gap stays a gap.
    std::vector<SecondFigures> takeSeconds(double windowSeconds);

private:
    struct Sum {
        std::uint64_t ok = 0, failed = 0;
        SparseHistogram latency;
        double cpuCores = 0;
    };
    std::map<unsigned, Sum> m_sums; ///< by second
};

} // namespace lapbench
