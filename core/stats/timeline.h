#pragma once

#include "core/stats/summary.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lapbench {

/// One worker's share of one second of the window.
struct SecondShare {
    unsigned t = 0; ///< second of the window, from 0
    std::uint64_t ok = 0, failed = 0;
    SparseHistogram latency; ///< of right answers
    double cpuCores = 0;     ///< the worker's processor time by the time it passed
};

/// Adds the workers' shares up into the per-second series. A value type; one thread at a time.
class Timeline {
public:
    void add(SecondShare share);
    /// Hands over the seconds of a window `windowSeconds` long, the last one perhaps in part, those in which nothing
    /// ended included: a gap stays a gap.
    std::vector<SecondFigures> takeSeconds(double windowSeconds);

private:
    std::map<unsigned, SecondShare> m_sums;
};

} // namespace lapbench
