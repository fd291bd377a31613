#include "core/load/worker.h"

#include <algorithm>
#include <utility>

namespace lapbench {

namespace {

// Beyond the connect timeout; then a counted stage without a single connection is given up.
constexpr std::int64_t kHopelessNs = 5'000'000'000;

} // namespace

Worker::Worker(WorkerTask task, Poller poller, Course& course)
    : m_task(std::move(task)), m_poller(std::move(poller)), m_course(course), m_live(std::make_unique<LiveCounters>()),
      m_failures(m_task.connections), m_everOpened(m_task.connections), m_copied(hdr::kCounters)
{}

void Worker::run()
{
    m_transport = m_task.makeTransport(m_poller, *this, m_task.connections);
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

void Worker::opened(unsigned slot, std::int64_t connectNs)
{
    m_figures.connectTime.record(connectNs);
    if (m_everOpened[slot] && !m_task.newConnections)
        ++m_figures.reconnects;
    else
        ++m_figures.opened;
    m_everOpened[slot] = true;
    m_failures[slot] = 0;
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
    m_credit = 0;
    m_restarts.clear();
    std::int64_t nowNs = steadyNs();
    m_lastConnectedNs = nowNs;
    m_passNs = m_stage.measured ? m_stage.openNs : Stage::kNever;
    passTime(nowNs);
    for (unsigned slot = 0; slot < m_task.connections; ++slot)
        startOrRest(slot, nowNs);
    for (;;) {
        m_stage.closeNs = m_course.closeNs.load(std::memory_order_relaxed);
        const bool exhausted = m_credit == 0 && m_course.budget.empty();
        if (m_course.abandoned.load(std::memory_order_relaxed) || isOver(m_stage, nowNs, exhausted, m_outstanding) ||
            hopeless(nowNs))
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

std::int64_t Worker::nextWakeNs(std::int64_t nowNs) const
{
    std::int64_t wake = std::min(m_stage.closeNs, m_passNs);
    if (!m_restarts.empty())
        wake = std::min(wake, m_restarts.front().dueNs);
    // Past its end a stage only drains; then the answers themselves wake.
    return wake <= nowNs && m_stage.closeNs <= nowNs ? m_passNs : wake;
}

bool Worker::hopeless(std::int64_t nowNs)
{
    if (!m_stage.counted)
        return false;
    const std::uint64_t openings = m_figures.opened + m_figures.reconnects;
    if (m_transport->open() != 0 || openings != std::exchange(m_seenOpenings, openings))
        m_lastConnectedNs = nowNs;
    m_gaveUp = nowNs - m_lastConnectedNs > m_task.connectTimeout.count() + kHopelessNs;
    return m_gaveUp;
}

bool Worker::takeRequest(std::int64_t nowNs)
{
    if (!mayStart(m_stage, nowNs))
        return false;
    if (!m_stage.counted)
        return true;
    if (m_credit == 0)
        m_credit = m_course.budget.claim();
    if (m_credit == 0)
        return false;
    --m_credit;
    return true;
}

void Worker::startOrRest(unsigned slot, std::int64_t nowNs)
{
    if (!takeRequest(nowNs))
        return;
    ++m_outstanding;
    m_transport->start(slot, nowNs);
}

void Worker::startDue(std::int64_t nowNs)
{
    while (!m_restarts.empty() && m_restarts.front().dueNs <= nowNs) {
        const unsigned slot = m_restarts.front().slot;
        std::pop_heap(m_restarts.begin(), m_restarts.end(), std::greater<>());
        m_restarts.pop_back();
        startOrRest(slot, nowNs);
    }
}

bool Worker::finished(unsigned slot, const Sample& sample)
{
    if (!m_running) [[unlikely]]
        return false; // it was left unfinished when the window closed
    account(sample);
    std::int64_t dueNs = m_pacer.dueNs(sample.endNs);
    if (sample.failure != nullptr && sample.failure->phase == Phase::connect) [[unlikely]] {
        m_failures[slot] = static_cast<std::uint8_t>(std::min(m_failures[slot] + 1, 255));
        dueNs += backOffNs(m_failures[slot]);
    }
    if (dueNs > sample.endNs) {
        --m_outstanding;
        m_restarts.push_back({dueNs, slot});
        std::push_heap(m_restarts.begin(), m_restarts.end(), std::greater<>());
        return false;
    }
    if (takeRequest(sample.endNs))
        return true;
    --m_outstanding;
    return false;
}

void Worker::account(const Sample& sample)
{
    if (sample.endNs >= m_passNs) [[unlikely]]
        passTime(sample.endNs);
    const Part part = partOf(m_stage, sample.endNs);
    if (part == Part::after) [[unlikely]] {
        if (sample.startNs < m_stage.closeNs) {
            ++m_figures.unfinished;
            m_figures.censored.record(m_stage.closeNs - sample.startNs);
        }
        return;
    }
    const bool right = sample.failure == nullptr && m_task.check.isRightStatus(sample.status) &&
                       m_task.check.isRightLength(sample.body);
    if (right) [[likely]]
        m_live->recordOk(sample.endNs - sample.startNs);
    else
        m_live->recordFailed();
    if (part == Part::warmup)
        return;

    m_figures.lastEndNs = sample.endNs;
    m_figures.received += sample.received;
    m_figures.sent += sample.sent;
    m_figures.body += sample.body;
    if (sample.failure == nullptr)
        ++m_figures.status[static_cast<std::size_t>(sample.status)];
    if (right) [[likely]] {
        ++m_figures.ok;
        m_figures.latency.record(sample.endNs - sample.startNs);
    } else {
        accountFailure(sample);
    }
}

Failure Worker::failureOf(const Sample& sample) const
{
    if (sample.failure != nullptr)
        return *sample.failure;
    if (!m_task.check.isRightStatus(sample.status))
        return {ErrorKind::unexpectedStatus, Phase::check, "status " + std::to_string(sample.status)};
    return {ErrorKind::failedCheck, Phase::check,
            "the body has " + std::to_string(sample.body) + " bytes, not " +
                std::to_string(m_task.check.bytes().value_or(0))};
}

void Worker::accountFailure(const Sample& sample)
{
    const Failure failure = failureOf(sample);
    ++m_figures.failed;
    ++m_secondFailed;
    m_figures.errors.add(failure.kind, failure.phase, sample.endNs, failure.message, sample.head);
    if (failure.kind == ErrorKind::timeout)
        m_figures.censored.record(m_task.timeout.count());
    else
        m_figures.failedLatency.record(sample.endNs - sample.startNs);
}

} // namespace lapbench
