#include "core/load/worker.h"

#include <algorithm>
#include <ctime>
#include <utility>

// The worker's clockwork: where the window opens, how seconds are told apart, and what is left at its end.

namespace lapbench {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

std::int64_t threadCpuNs()
{
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::int64_t{used.tv_sec} * kSecondNs + used.tv_nsec;
}

} // namespace

void Worker::passTime(std::int64_t nowNs)
{
    if (nowNs < m_passNs)
        return;
    if (!m_windowOpen) {
        openWindow(nowNs);
        if (nowNs < m_passNs)
            return;
    }
    while (nowNs >= m_passNs && m_passNs < m_stage.closeNs) {
        closeSecond(coresUntil(nowNs));
        m_passNs += kSecondNs;
    }
    if (m_passNs >= m_stage.closeNs)
        m_passNs = Stage::kNever; // the rest belongs to closeWindow()
}

/// Of this thread since it was last asked; where several seconds pass at once, each of them has the same.
double Worker::coresUntil(std::int64_t nowNs)
{
    if (nowNs > m_passedNs) {
        const std::int64_t cpuNs = threadCpuNs();
        m_passedCores = static_cast<double>(cpuNs - std::exchange(m_passedCpuNs, cpuNs)) /
                        static_cast<double>(nowNs - std::exchange(m_passedNs, nowNs));
    }
    return m_passedCores;
}

void Worker::openWindow(std::int64_t nowNs)
{
    m_windowOpen = true;
    forTouched(m_live->touched(), [this](std::size_t index) { m_copied[index] = m_live->latencyAt(index); });
    m_openCpuNs = m_passedCpuNs = threadCpuNs();
    m_passedNs = nowNs;
    m_passNs = m_stage.openNs + kSecondNs;
}

void Worker::closeSecond(double cpuCores)
{
    SecondShare share;
    share.t = m_second++;
    share.failed = std::exchange(m_secondFailed, 0);
    share.cpuCores = cpuCores;
    forTouched(m_live->touched(), [&](std::size_t index) {
        const std::uint64_t now = m_live->latencyAt(index);
        if (now != m_copied[index])
            share.latency.add(static_cast<std::uint32_t>(index), now - std::exchange(m_copied[index], now));
    });
    share.latency.trim(); // it is kept for the rest of the run
    share.ok = share.latency.total();
    m_figures.seconds.push_back(std::move(share));
}

void Worker::closeWindow(std::int64_t nowNs)
{
    if (!m_windowOpen)
        return;
    closeSecond(coresUntil(nowNs));
    m_figures.cpuNs = threadCpuNs() - m_openCpuNs;
    const std::int64_t closedNs = std::min(nowNs, m_stage.closeNs);
    if (m_stage.arrivals) {
        leaveArrivals(closedNs);
        return;
    }
    for (const OpenRequest& request : m_transport->openRequests()) {
        if (request.startNs >= m_stage.closeNs)
            continue;
        ++m_figures.unfinished;
        m_figures.requestNs += closedNs - std::max(request.startNs, m_stage.openNs);
        m_figures.censored.record(closedNs - request.startNs);
    }
}

} // namespace lapbench
