#include "core/server/sample_history.h"

#include "core/base/counter_series.h"

#include <algorithm>

namespace lapbench {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
// The kernel counts CPU in ticks of 10 ms, so a mean over less than this says nothing.
constexpr std::int64_t kShortestMean = kSecond / 10;
constexpr std::int64_t kShortestRecent = kSecond / 2;
constexpr std::int64_t kNextTo = kSecond / 5; ///< how old a sample may be that stands in for none in the stretch

} // namespace

void SampleHistory::add(const TreeSample& sample)
{
    if (m_samples.size() >= kMostSamples)
        m_samples.erase(m_samples.begin(), m_samples.begin() + kMostSamples / 10);
    m_samples.push_back(sample);
}

std::pair<std::size_t, std::size_t> SampleHistory::within(std::int64_t fromNs, std::int64_t toNs) const
{
    const auto first = std::lower_bound(m_samples.begin(), m_samples.end(), fromNs,
                                        [](const TreeSample& sample, std::int64_t ns) { return sample.atNs < ns; });
    const auto last = std::upper_bound(first, m_samples.end(), toNs,
                                       [](std::int64_t ns, const TreeSample& sample) { return ns < sample.atNs; });
    return {static_cast<std::size_t>(first - m_samples.begin()), static_cast<std::size_t>(last - m_samples.begin())};
}

std::optional<double> SampleHistory::meanCores(std::int64_t fromNs, std::int64_t toNs, std::int64_t shortestNs) const
{
    return meanRise(m_samples, &TreeSample::cpuSeconds, fromNs, toNs, shortestNs);
}

std::optional<double> SampleHistory::peakCores(std::int64_t fromNs, std::int64_t toNs) const
{
    std::optional<double> peak;
    const auto look = [&](std::int64_t endNs) {
        if (const auto mean = meanCores(endNs - kSecond, endNs, kSecond))
            peak = std::max(peak.value_or(0), *mean);
    };
    // Between the samples the CPU is even, so a highest second starts or ends at a sample or at an end of the stretch.
    const auto [first, last] = within(fromNs, toNs);
    for (std::size_t i = first; i < last; ++i)
        for (const std::int64_t endNs : {m_samples[i].atNs, m_samples[i].atNs + kSecond})
            if (endNs - kSecond >= fromNs && endNs <= toNs)
                look(endNs);
    if (toNs - fromNs >= kSecond) {
        look(toNs);
        look(fromNs + kSecond);
    }
    return peak;
}

std::optional<double> SampleHistory::recentCpuCores() const
{
    if (m_samples.empty())
        return std::nullopt;
    const std::int64_t now = m_samples.back().atNs;
    return meanCores(now - kSecond, now, kShortestRecent);
}

TreeUse SampleHistory::use(std::int64_t fromNs, std::int64_t toNs) const
{
    TreeUse use;
    use.cpuCoresMean = meanCores(fromNs, toNs, kShortestMean);
    use.cpuCoresPeak = peakCores(fromNs, toNs);
    auto [first, last] = within(fromNs, toNs);
    if (first == last && first > 0 && fromNs - m_samples[first - 1].atNs <= kNextTo)
        --first;
    if (first == last)
        return use;
    std::uint64_t sum = 0, peak = 0;
    unsigned processes = 0;
    for (std::size_t i = first; i < last; ++i) {
        sum += m_samples[i].rssBytes;
        peak = std::max(peak, m_samples[i].rssBytes);
        processes = std::max(processes, m_samples[i].processes);
    }
    if (processes == 0)
        return use;
    use.rssBytesMean = sum / (last - first);
    use.rssBytesPeak = peak;
    use.processesPeak = processes;
    return use;
}

std::vector<TreeSecond> SampleHistory::seconds(std::int64_t fromNs, std::int64_t toNs) const
{
    std::vector<TreeSecond> all;
    for (std::int64_t at = fromNs; at < toNs; at += kSecond) {
        const TreeUse second = use(at, std::min(at + kSecond, toNs));
        all.push_back({meanCores(at, std::min(at + kSecond, toNs), kShortestRecent), second.rssBytesMean});
    }
    return all;
}

} // namespace lapbench
