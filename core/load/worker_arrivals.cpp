#include "core/load/worker.h"

#include <algorithm>

// The open loop: requests are due by the clock, and wait where every connection is busy.

namespace lapbench {

void Worker::turnTo(std::uint64_t turn)
{
    m_turn = turn;
    const std::uint64_t arrival = arrivalAt(turn);
    const bool isOne = m_stage.arrivals && !(m_stage.counted && arrival >= m_stage.arrivalCount);
    m_arrivalDueNs = isOne ? m_stage.arrivals->dueNs(arrival) : Stage::kNever;
}

std::optional<std::uint64_t> Worker::takeArrival(Slot& slot, std::int64_t nowNs)
{
    if (m_arrivalDueNs > nowNs)
        return std::nullopt;
    slot.intendedNs = m_arrivalDueNs;
    // A request that waits because every connection is busy is the server's doing and not late by ours.
    if (m_stage.measured && nowNs >= m_stage.openNs)
        m_figures.ownLag.record(nowNs - std::max(m_arrivalDueNs, slot.freeNs));
    slot.number = m_stage.firstNumber + arrivalAt(m_turn);
    turnTo(m_turn + 1);
    return slot.number;
}

void Worker::startArrivals(std::int64_t nowNs)
{
    while (!m_idle.empty() && mayStart(m_stage, nowNs) && m_arrivalDueNs <= nowNs) {
        const unsigned slot = m_idle.front();
        m_idle.pop_front();
        startOrRest(slot, nowNs);
    }
}

/// Every arrival that was due before the window closed and has no answer stays in the tail: those that are under way,
/// and those that found no connection. The latter may be millions: they are counted bucket by bucket.
void Worker::leaveArrivals(std::int64_t closedNs)
{
    for (const Slot& slot : m_slots) {
        if (!slot.busy || slot.intendedNs >= closedNs)
            continue;
        ++m_figures.unfinished;
        m_figures.censored.record(closedNs - slot.intendedNs);
    }
    for (const OpenRequest& request : m_transport->openRequests())
        if (request.startNs < closedNs)
            m_figures.serviceCensored.record(closedNs - request.startNs);
    const auto dueBefore = [this](std::int64_t ns) {
        std::uint64_t count = m_stage.arrivals->dueBefore(ns);
        if (m_stage.counted)
            count = std::min(count, m_stage.arrivalCount);
        return std::max(shareOf(count, m_task.index, m_task.workers), m_turn);
    };
    std::uint64_t left = dueBefore(closedNs) - m_turn;
    m_figures.unfinished += left;
    for (std::size_t index = 0; left != 0 && index < hdr::kCounters; ++index) {
        const std::uint64_t older = dueBefore(closedNs - hdr::highestAt(index)) - m_turn;
        if (older < left)
            m_figures.censored.addAt(index, left - older);
        left = older;
    }
}

} // namespace lapbench
