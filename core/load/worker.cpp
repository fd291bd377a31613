#include "core/load/worker.h"

#include <sys/prctl.h>

#include <algorithm>
#include <utility>

namespace lapbench {

namespace {

// Beyond the connect timeout; then a counted stage without a single connection is given up.
constexpr std::int64_t kHopelessNs = 5'000'000'000;

} // namespace

Worker::Worker(WorkerTask task, Poller poller, Course& course)
    : m_task(std::move(task)), m_poller(std::move(poller)), m_course(course), m_live(std::make_unique<LiveCounters>()),
      m_slots(m_task.slots), m_copied(hdr::kCounters)
{}

void Worker::run()
{
    prctl(PR_SET_TIMERSLACK, 1UL); // arrivals are due to the microsecond; the default lets them wait for 50
    m_transport = m_task.makeTransport(m_poller, *this);
    connect();
    unsigned done = 0;
    while (!m_course.abandoned.load(std::memory_order_relaxed)) {
        const unsigned number = m_course.stageNumber.load(std::memory_order_acquire);
        if (number == done) {
            m_transport->poll(Stage::kNever);
            continue;
        }
        done = number;
        runStage();
        report();
    }
    m_figures.peakOpen = m_transport->peakOpen();
    m_transport.reset();
}

void Worker::report()
{
    {
        const std::lock_guard lock(m_course.mutex);
        ++m_course.reported;
    }
    m_course.changed.notify_one();
}

void Worker::connect()
{
    m_awaited = m_transport->openAhead();
    while (m_awaited != 0 && !m_course.abandoned.load(std::memory_order_relaxed))
        m_transport->poll(Stage::kNever);
    report();
}

void Worker::reachable()
{
    m_connected = true;
    if (m_awaited != 0)
        --m_awaited;
}

void Worker::opened(unsigned, std::int64_t connectNs, bool again)
{
    m_figures.connectTime.record(connectNs);
    m_lostNs = 0;
    if (again && !m_task.newConnections)
        ++m_figures.reconnects;
    else
        ++m_figures.opened;
    reachable();
}

void Worker::openFailed(unsigned, const Failure& failure)
{
    m_figures.errors.add(failure.kind, failure.phase, steadyNs(), failure.message, {});
    if (m_awaited != 0)
        --m_awaited;
}

void Worker::runStage()
{
    m_stage = m_course.stage;
    m_running = true;
    m_numbers = {};
    turnTo(0);
    m_restarts.clear();
    m_idle.clear();
    std::int64_t nowNs = steadyNs();
    m_lostNs = 0;
    m_gaveUp = false;
    m_passNs = m_stage.measured ? m_stage.openNs : Stage::kNever;
    passTime(nowNs);
    for (unsigned slot = 0; slot < m_task.slots; ++slot)
        startOrRest(slot, nowNs);
    for (;;) {
        readCourse();
        if (m_course.abandoned.load(std::memory_order_relaxed) || isOver(m_stage, nowNs, exhausted(), m_outstanding))
            break;
        m_gaveUp = hopeless(nowNs);
        if (m_gaveUp)
            break;
        m_transport->poll(nextWakeNs(nowNs));
        nowNs = steadyNs();
        passTime(nowNs);
        startDue(nowNs);
    }
    m_running = false;
    if (m_stage.measured)
        closeWindow(nowNs);
}

void Worker::readCourse()
{
    m_stage.closeNs = m_course.closeNs.load(std::memory_order_relaxed);
    const std::int64_t openNs = m_course.openNs.load(std::memory_order_relaxed);
    if (openNs == m_stage.openNs)
        return;
    m_stage.openNs = openNs;
    if (m_stage.arrivals)
        m_stage.arrivals->setOpening(openNs);
    turnTo(m_turn);
    if (m_stage.measured && !m_windowOpen)
        m_passNs = openNs;
}

std::int64_t Worker::nextWakeNs(std::int64_t nowNs) const
{
    std::int64_t wake = std::min(m_stage.closeNs, m_passNs);
    if (!m_restarts.empty())
        wake = std::min(wake, m_restarts.front().dueNs);
    if (!m_idle.empty())
        wake = std::min(wake, m_arrivalDueNs);
    // Past its end a stage only drains; then the answers themselves wake.
    return wake <= nowNs && m_stage.closeNs <= nowNs ? m_passNs : wake;
}

bool Worker::exhausted() const
{
    return m_stage.arrivals ? m_stage.counted && arrivalAt(m_turn) >= m_stage.arrivalCount
                            : m_numbers.empty() && m_course.budget.exhausted();
}

/// A counted stage ends by its requests alone, and none of them comes to an end in good time where there is nobody to
/// connect to. What the transport calls open may still be connecting, so the requests that were sent tell.
bool Worker::hopeless(std::int64_t nowNs) const
{
    return m_stage.counted && m_lostNs != 0 && nowNs - m_lostNs > m_task.connectTimeout.count() + kHopelessNs &&
           (m_task.newConnections || m_transport->openRequests().empty());
}

std::optional<std::uint64_t> Worker::takeNumber(Slot& slot, std::int64_t nowNs)
{
    if (!mayStart(m_stage, nowNs))
        return std::nullopt;
    if (m_stage.arrivals)
        return takeArrival(slot, nowNs);
    if (m_numbers.empty())
        m_numbers = m_course.budget.claim();
    if (m_numbers.empty())
        return std::nullopt;
    slot.number = m_numbers.next++;
    return slot.number;
}

void Worker::startOrRest(unsigned index, std::int64_t nowNs)
{
    Slot& slot = m_slots[index];
    const auto number = takeNumber(slot, nowNs);
    if (!number) {
        if (m_stage.arrivals)
            m_idle.push_back(index);
        return;
    }
    ++m_outstanding;
    slot.busy = true;
    m_transport->start(index, *number, nowNs);
}

void Worker::startDue(std::int64_t nowNs)
{
    while (!m_restarts.empty() && m_restarts.front().dueNs <= nowNs) {
        const unsigned slot = m_restarts.front().slot;
        m_slots[slot].freeNs = nowNs;
        std::pop_heap(m_restarts.begin(), m_restarts.end(), std::greater<>());
        m_restarts.pop_back();
        startOrRest(slot, nowNs);
    }
    if (m_stage.arrivals)
        startArrivals(nowNs);
}

std::optional<std::uint64_t> Worker::finished(unsigned index, const Sample& sample)
{
    if (!m_running) [[unlikely]]
        return std::nullopt; // it was left unfinished when the window closed
    Slot& slot = m_slots[index];
    account(slot, sample);
    slot.busy = false;
    slot.freeNs = sample.endNs;
    if (const std::int64_t waitNs = backOffOf(slot, sample); waitNs != 0) [[unlikely]] {
        --m_outstanding;
        m_restarts.push_back({sample.endNs + waitNs, index});
        std::push_heap(m_restarts.begin(), m_restarts.end(), std::greater<>());
        return std::nullopt;
    }
    if (const auto next = takeNumber(slot, sample.endNs)) {
        slot.busy = true;
        return next;
    }
    --m_outstanding;
    if (m_stage.arrivals)
        m_idle.push_back(index);
    return std::nullopt;
}

/// A connection that comes to nothing is asked for again later and later, so that a dead server is not stormed. The
/// first lost exchange in a row costs no wait: a server may close a connection at any time.
std::int64_t Worker::backOffOf(Slot& slot, const Sample& sample)
{
    if (sample.failure == nullptr || sample.failure->phase == Phase::check) [[likely]] {
        slot.failures = 0;
        m_lostNs = 0;
        return 0;
    }
    const bool unconnected = sample.failure->phase == Phase::connect;
    if (!unconnected)
        m_lostNs = 0;
    else if (m_lostNs == 0)
        m_lostNs = sample.startNs;
    slot.failures = static_cast<std::uint8_t>(std::min(slot.failures + 1, 255));
    return backOffNs(unconnected ? slot.failures : slot.failures - 1U);
}

} // namespace lapbench
