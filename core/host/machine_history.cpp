#include "core/host/machine_history.h"

#include "core/base/counter_series.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
// The kernel counts processor time in ticks of 10 ms, so a mean over less than this says nothing.
constexpr std::int64_t kShortestMean = kSecond / 10;
constexpr std::int64_t kShortestSecond = kSecond / 2;

template <typename Sample>
void addTo(std::vector<Sample>& samples, const Sample& sample)
{
    if (samples.size() >= MachineHistory::kMostSamples)
        samples.erase(samples.begin(), samples.begin() + MachineHistory::kMostSamples / 10);
    samples.push_back(sample);
}

} // namespace

void MachineHistory::add(const MachineSample& sample)
{
    addTo(m_samples, sample);
}

void MachineHistory::add(const TcpSample& sample)
{
    const auto same = [&](const TcpSample& other) {
        return other.retransmits == sample.retransmits && other.listenOverflows == sample.listenOverflows;
    };
    // Where the counts stand still, two samples tell it as well as many.
    if (m_tcp.size() >= 2 && same(m_tcp.back()) && same(m_tcp[m_tcp.size() - 2]))
        m_tcp.back().atNs = sample.atNs;
    else
        addTo(m_tcp, sample);
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
    // Between two samples a count is taken to rise evenly: the seconds of a run add up to what was counted in it.
    const auto counted = [&](double TcpSample::*counter) -> std::optional<std::uint64_t> {
        if (!meanRise(m_tcp, counter, fromNs, toNs, shortestNs))
            return std::nullopt;
        const double before = std::round(counterAt(m_tcp, counter, fromNs));
        return static_cast<std::uint64_t>(std::max(0.0, std::round(counterAt(m_tcp, counter, toNs)) - before));
    };
    return {cores(&MachineSample::busySeconds), cores(&MachineSample::irqSeconds), cores(&MachineSample::stealSeconds),
            counted(&TcpSample::retransmits), counted(&TcpSample::listenOverflows)};
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
