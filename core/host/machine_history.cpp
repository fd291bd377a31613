#include "core/host/machine_history.h"

#include "core/base/counter_series.h"

#include <algorithm>

namespace lapbench {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
// The kernel counts processor time in ticks of 10 ms, so a mean over less than this says nothing.
constexpr std::int64_t kShortestMean = kSecond / 10;
constexpr std::int64_t kShortestSecond = kSecond / 2;

} // namespace

void MachineHistory::add(const MachineSample& sample)
{
    if (m_samples.size() >= kMostSamples)
        m_samples.erase(m_samples.begin(), m_samples.begin() + kMostSamples / 10);
    m_samples.push_back(sample);
}

MachineUse MachineHistory::mean(std::int64_t fromNs, std::int64_t toNs, std::int64_t shortestNs) const
{
    const auto cores = [&](double MachineSample::*counter) {
        auto rise = meanRise(m_samples, counter, fromNs, toNs, shortestNs);
        // The kernel may take back a little of what it counted as stolen.
        if (rise)
            rise = std::max(0.0, *rise);
        return rise;
    };
    return {cores(&MachineSample::busySeconds), cores(&MachineSample::irqSeconds), cores(&MachineSample::stealSeconds)};
}

MachineUse MachineHistory::use(std::int64_t fromNs, std::int64_t toNs) const
{
    return mean(fromNs, toNs, std::max(kShortestMean, (toNs - fromNs) / 2));
}

std::vector<MachineUse> MachineHistory::seconds(std::int64_t fromNs, std::int64_t toNs) const
{
    std::vector<MachineUse> all;
    for (std::int64_t at = fromNs; toNs - at >= kShortestSecond; at += kSecond)
        all.push_back(mean(at, std::min(at + kSecond, toNs), kShortestSecond));
    return all;
}

MachineUse MachineHistory::recent() const
{
    if (m_samples.empty())
        return {};
    const std::int64_t now = m_samples.back().atNs;
    return mean(now - kSecond, now, kShortestSecond);
}

} // namespace lapbench
