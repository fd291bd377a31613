#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lapbench {

/// What a rising counter stood at, read from samples in the order of time; between two samples it is taken to rise
/// evenly, before the first and after the last to stand still. A Sample has an `atNs`; there is at least one. Any
/// thread that may read the samples.
template <typename Sample>
double counterAt(const std::vector<Sample>& samples, double Sample::*counter, std::int64_t ns)
{
    const auto next = std::lower_bound(samples.begin(), samples.end(), ns,
                                       [](const Sample& sample, std::int64_t at) { return sample.atNs < at; });
    if (next == samples.begin())
        return samples.front().*counter;
    if (next == samples.end())
        return samples.back().*counter;
    const Sample& before = *(next - 1);
    const double share = static_cast<double>(ns - before.atNs) / static_cast<double>(next->atNs - before.atNs);
    return before.*counter + share * ((*next).*counter - before.*counter);
}

/// The counter's mean rise a second over what the samples cover of a stretch of time; nothing where that is shorter
/// than `shortestNs`.
template <typename Sample>
std::optional<double> meanRise(const std::vector<Sample>& samples, double Sample::*counter, std::int64_t fromNs,
                               std::int64_t toNs, std::int64_t shortestNs)
{
    if (samples.empty())
        return std::nullopt;
    const std::int64_t from = std::max(fromNs, samples.front().atNs), to = std::min(toNs, samples.back().atNs);
    if (to <= from || to - from < shortestNs)
        return std::nullopt;
    return (counterAt(samples, counter, to) - counterAt(samples, counter, from)) * 1e9 / static_cast<double>(to - from);
}

} // namespace lapbench
