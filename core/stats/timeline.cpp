#include "core/stats/timeline.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace lapbench {

namespace {

using Counts = decltype(SparseHistogram::counts);

/// The counters of both, each index once: both are in order.
Counts merged(const Counts& one, const Counts& two)
{
    Counts counts;
    counts.reserve(one.size() + two.size());
    std::merge(one.begin(), one.end(), two.begin(), two.end(), std::back_inserter(counts));
    std::size_t last = 0;
    for (std::size_t i = 1; i < counts.size(); ++i) {
        if (counts[i].first == counts[last].first)
            counts[last].second += counts[i].second;
        else
            counts[++last] = counts[i];
    }
    counts.resize(counts.empty() ? 0 : last + 1);
    counts.shrink_to_fit();
    return counts;
}

} // namespace

void Timeline::add(const SecondShare& share)
{
    Sum& sum = m_sums[share.t];
    sum.ok += share.ok;
    sum.failed += share.failed;
    sum.cpuCores += share.cpuCores;
    sum.latency.counts = merged(sum.latency.counts, share.latency.unpacked().counts);
}

std::vector<SecondFigures> Timeline::takeSeconds(double windowSeconds)
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
        Sum& sum = found->second;
        seconds[t].ok = sum.ok;
        seconds[t].failed = sum.failed;
        seconds[t].latency = std::exchange(sum.latency, {});
        seconds[t].generatorCpuCores = sum.cpuCores;
    }
    return seconds;
}

} // namespace lapbench
