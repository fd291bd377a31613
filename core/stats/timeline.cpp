#include "core/stats/timeline.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

void Timeline::add(const SecondShare& share)
{
    Sum& sum = m_sums[share.t];
    sum.ok += share.ok;
    sum.failed += share.failed;
    sum.cpuCores += share.cpuCores;
    for (const auto& [index, count] : share.latency.counts)
        sum.latency[index] += count;
}

std::vector<SecondFigures> Timeline::seconds(double windowSeconds) const
{
    auto length = static_cast<std::size_t>(std::max(0.0, std::ceil(windowSeconds)));
    // A worker closes its last second a moment after the window: that is no second of its own.
    for (const auto& [t, sum] : m_sums)
        if (sum.ok + sum.failed != 0)
            length = std::max(length, std::size_t{t} + 1);
    std::vector<SecondFigures> seconds(length);
    for (std::size_t t = 0; t < length; ++t) {
        seconds[t].t = static_cast<unsigned>(t);
        const auto found = m_sums.find(static_cast<unsigned>(t));
        if (found == m_sums.end())
            continue;
        const Sum& sum = found->second;
        seconds[t].ok = sum.ok;
        seconds[t].failed = sum.failed;
        seconds[t].latency.counts.assign(sum.latency.begin(), sum.latency.end());
        seconds[t].generatorCpuCores = sum.cpuCores;
    }
    return seconds;
}

} // namespace lapbench
