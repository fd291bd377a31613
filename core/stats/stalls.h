#pragma once

#include "core/stats/summary.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapbench {

/// A crowd of answers at a latency that the network stack is known for.
struct Stall {
    std::string name;        ///< "40ms", "200ms", "1s", "3s", "timeout"
    std::string at;          ///< the same for people: "40 ms"; empty at the timeout
    std::string explanation; ///< for people, one clause
    std::uint64_t count = 0; ///< answers in the crowd; at the timeout, requests that ended there
    double share = 0;        ///< of the right answers; at the timeout, of the completed requests
};

/// The crowds in a trial's latencies: at least 20 answers and 0.1 % of them at such a latency or as far above it
/// as timers are late, at least four times as dense there (per share of latency) as on either side. Pure.
std::vector<Stall> findStalls(const LoadFigures& load);

} // namespace lapbench
