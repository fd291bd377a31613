#include "core/load/engine_run.h"

#include "core/load/curl_multi_transport.h"
#include "core/load/keep_alive_transport.h"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <system_error>

namespace lapbench {

namespace {

constexpr std::int64_t kLookNs = 20'000'000;   // how often the stop flag is looked at
constexpr std::int64_t kNoticeNs = 10'000'000; // ahead of which a stop is announced, so that all workers close as one

double seconds(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e9;
}

std::int64_t cpuNsOf(clockid_t clock)
{
    timespec used{};
    return clock_gettime(clock, &used) == 0 ? std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec : 0;
}

/// Worker threads take no signals: those are for the program's own thread, and a dead peer must not end it.
class SignalsBlocked {
public:
    SignalsBlocked()
    {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t m_before;
};

/// What is added up over the workers and becomes figures in the end.
struct Sums {
    Moments latency;
    Timeline timeline;
    ErrorBook errors;
    Histogram connectTime, failedLatency;
    std::int64_t cpuNs = 0, lastEndNs = 0;
};

void addUp(const WorkerFigures& found, LoadFigures& figures, Sums& sums)
{
    figures.ok += found.ok;
    figures.failed += found.failed;
    figures.unfinished += found.unfinished;
    figures.bytesReceived += found.received;
    figures.bytesSent += found.sent;
    figures.bodyReceived += found.body;
    figures.connectionsOpened += static_cast<unsigned>(found.opened);
    figures.peakOpen += found.peakOpen;
    figures.reconnects += found.reconnects;
    figures.censored.add(found.censored);
    for (std::size_t status = 0; status < found.status.size(); ++status)
        if (found.status[status] != 0)
            figures.status[static_cast<int>(status)] += found.status[status];
    sums.latency.add(found.latency);
    sums.errors.add(found.errors);
    sums.connectTime.add(found.connectTime);
    sums.failedLatency.add(found.failedLatency);
    sums.cpuNs += found.cpuNs;
    sums.lastEndNs = std::max(sums.lastEndNs, found.lastEndNs);
    for (const SecondShare& share : found.seconds) {
        sums.timeline.add(share);
        figures.histogram.add(share.latency);
    }
}

} // namespace

EngineRun::EngineRun(const LoadTask& task, const LoadWatch& watch, Endpoint endpoint, PreparedRequest request,
                     unsigned threads)
    : m_task(task), m_watch(watch), m_endpoint(std::move(endpoint)), m_request(std::move(request)),
      m_check(task.workload), m_threadCount(threads)
{}

EngineRun::~EngineRun()
{
    dismiss();
}

Result<LoadReport> EngineRun::run()
{
    m_peakIsOurs = restartPeakResident();
    if (auto started = startWorkers(); !started)
        return started.problem();
    lead();
    if (m_windowOpened)
        tellInterval(steadyNs()); // while the threads' clocks can still be read
    tell(LoadPhase::finish);
    dismiss();
    return collect();
}

Result<void> EngineRun::startWorkers()
{
    const bool curl = m_task.transport == TransportKind::curl;
    for (unsigned i = 0; i < m_threadCount; ++i) {
        auto poller = Poller::make();
        if (!poller)
            return poller.problem();
        const unsigned share = m_task.connections / m_threadCount + (i < m_task.connections % m_threadCount ? 1 : 0);
        WorkerTask work{share, m_task.newConnections, m_task.timeout, m_task.connectTimeout, m_check, {}};
        work.makeTransport = [this, curl](Poller& on, TransportSink& sink, unsigned connections) {
            const WireTask wire{m_endpoint,           m_request, connections, m_task.newConnections, m_task.timeout,
                                m_task.connectTimeout};
            return curl ? std::unique_ptr<Transport>(std::make_unique<CurlMultiTransport>(wire, on, sink))
                        : std::unique_ptr<Transport>(std::make_unique<KeepAliveTransport>(wire, on, sink));
        };
        m_workers.push_back(std::make_unique<Worker>(std::move(work), std::move(poller).value(), m_course));
    }
    std::vector<const LiveCounters*> live;
    for (const auto& worker : m_workers)
        live.push_back(&worker->live());
    m_reader.emplace(std::move(live));

    tell(LoadPhase::connect);
    const SignalsBlocked blocked;
    for (const auto& each : m_workers) {
        try {
            m_threads.emplace_back([worker = each.get()] { worker->run(); });
        } catch (const std::system_error& error) {
            return Problem{"threads", std::string("a worker thread cannot be started: ") + error.what(),
                           "ask for fewer threads"};
        }
        clockid_t clock{};
        if (pthread_getcpuclockid(m_threads.back().native_handle(), &clock) == 0)
            m_clocks.push_back(clock);
    }
    return {};
}

void EngineRun::lead()
{
    if (!await(Stage::kNever, true))
        return;
    if (std::none_of(m_workers.begin(), m_workers.end(), [](const auto& worker) { return worker->connected(); }))
        return;
    m_lastIntervalNs = steadyNs();
    m_lastCpuNs = workersCpuNs();

    const bool warm = m_task.warmup.requests.value_or(0) != 0 ||
                      m_task.warmup.duration.value_or(Nanoseconds::zero()) > Nanoseconds::zero();
    const bool continuous = warm && m_task.warmup.duration && m_task.measure.duration;
    if (warm && !continuous && !warmUp())
        return;
    Stage stage;
    stage.measured = true;
    stage.counted = m_task.measure.requests.has_value();
    stage.openNs = steadyNs() + (continuous ? m_task.warmup.duration->count() : 0);
    if (m_task.measure.duration)
        stage.closeNs = stage.openNs + m_task.measure.duration->count();
    measure(stage);
}

bool EngineRun::warmUp()
{
    tell(LoadPhase::warmup);
    Stage stage;
    stage.counted = m_task.warmup.requests.has_value();
    stage.drains = true;
    if (m_task.warmup.duration)
        stage.closeNs = steadyNs() + m_task.warmup.duration->count();
    // Where a count ends the warm-up nobody knows when the window will open; its intervals lie just before it.
    m_openedNs = stage.counted ? 0 : stage.closeNs;
    publish(stage);
    const bool through = await(Stage::kNever, true);
    if (!through)
        return false;
    tellInterval(steadyNs());
    // Its connections are still being asked for, so no further stage can begin on them.
    return std::none_of(m_workers.begin(), m_workers.end(), [](const auto& worker) { return worker->gaveUp(); });
}

void EngineRun::measure(const Stage& stage)
{
    m_openedNs = stage.openNs;
    publish(stage);
    if (stage.openNs > steadyNs()) {
        tell(LoadPhase::warmup);
        if (!await(stage.openNs, true))
            return;
        tellInterval(steadyNs());
    }
    m_windowOpened = true;
    tell(LoadPhase::measure);
    m_closedNs = stage.closeNs;
    if (!await(Stage::kNever, true)) {
        m_closedNs = std::min(stage.closeNs, steadyNs() + kNoticeNs);
        m_course.closeNs.store(m_closedNs, std::memory_order_relaxed);
        for (const auto& worker : m_workers)
            worker->wake();
        await(Stage::kNever, false);
    }
}

void EngineRun::publish(Stage stage)
{
    if (stage.counted)
        m_course.budget.fill(stage.measured ? *m_task.measure.requests : *m_task.warmup.requests, m_threadCount);
    {
        const std::lock_guard lock(m_course.mutex);
        m_course.reported = 0;
    }
    m_course.stage = stage;
    m_course.closeNs.store(stage.closeNs, std::memory_order_relaxed);
    m_course.stageNumber.fetch_add(1, std::memory_order_release);
    for (const auto& worker : m_workers)
        worker->wake();
}

/// True when every worker has reported or `untilNs` has come; false when the watch asks to stop.
bool EngineRun::await(std::int64_t untilNs, bool stoppable)
{
    for (;;) {
        const std::int64_t nowNs = steadyNs();
        if (m_lastIntervalNs != 0 && nowNs - m_lastIntervalNs >= m_watch.period.count())
            tellInterval(nowNs);
        if (stoppable && stopAsked()) {
            m_interrupted = true;
            return false;
        }
        std::int64_t wakeNs = std::min(untilNs, nowNs + kLookNs);
        if (m_lastIntervalNs != 0)
            wakeNs = std::min(wakeNs, m_lastIntervalNs + m_watch.period.count());
        std::unique_lock lock(m_course.mutex);
        if (m_course.reported == m_threadCount || nowNs >= untilNs)
            return true;
        m_course.changed.wait_for(lock, Nanoseconds(std::max<std::int64_t>(0, wakeNs - nowNs)));
    }
}

bool EngineRun::stopAsked() const
{
    return (m_watch.stop != nullptr && m_watch.stop->load(std::memory_order_relaxed)) ||
           (m_watch.stopAsked && m_watch.stopAsked());
}

void EngineRun::tell(LoadPhase phase) const
{
    if (m_watch.onPhase)
        m_watch.onPhase(phase);
}

void EngineRun::tellInterval(std::int64_t nowNs)
{
    const double length = seconds(nowNs - m_lastIntervalNs);
    LoadInterval interval = m_reader->read(length);
    const std::int64_t cpuNs = workersCpuNs();
    if (length > 0)
        interval.generatorCpuCores = seconds(cpuNs - m_lastCpuNs) / length;
    interval.generatorRssBytes = residentBytes();
    interval.t = m_openedNs == 0 ? -length : seconds(nowNs - m_openedNs);
    m_lastIntervalNs = nowNs;
    m_lastCpuNs = cpuNs;
    if (m_watch.onInterval)
        m_watch.onInterval(interval);
}

std::int64_t EngineRun::workersCpuNs() const
{
    std::int64_t sum = 0;
    for (const clockid_t clock : m_clocks)
        sum += cpuNsOf(clock);
    return sum;
}

void EngineRun::dismiss()
{
    if (m_threads.empty())
        return;
    m_course.abandoned.store(true, std::memory_order_relaxed);
    for (const auto& worker : m_workers)
        worker->wake();
    for (std::thread& thread : m_threads)
        thread.join();
    m_threads.clear();
}

LoadReport EngineRun::collect() const
{
    LoadReport report;
    report.interrupted = m_interrupted;
    report.windowOpened = m_windowOpened;
    report.transport = m_task.transport == TransportKind::curl ? TransportKind::curl : TransportKind::keepAlive;
    LoadFigures& figures = report.figures;
    figures.connectionsAsked = m_task.connections;
    figures.threads = m_threadCount;
    if (m_peakIsOurs)
        figures.generatorPeakRssBytes = peakResidentBytes();

    Sums sums;
    for (const auto& worker : m_workers)
        addUp(worker->figures(), figures, sums);
    figures.connectTime = summarizeShort(sums.connectTime);
    figures.errors = sums.errors.counts(m_windowOpened ? m_openedNs : steadyNs());
    if (!m_windowOpened)
        return report;

    report.windowOpenedNs = m_openedNs;
    report.windowClosedNs = m_closedNs != Stage::kNever ? m_closedNs : std::max(sums.lastEndNs, m_openedNs);
    figures.durationSeconds = seconds(report.windowClosedNs - report.windowOpenedNs);
    if (figures.durationSeconds > 0) {
        figures.rps = static_cast<double>(figures.ok) / figures.durationSeconds;
        figures.generatorCpuCores = seconds(sums.cpuNs) / figures.durationSeconds;
    }
    if (figures.completed() != 0)
        figures.generatorCpuUsPerRequest =
            static_cast<double>(sums.cpuNs) / 1000.0 / static_cast<double>(figures.completed());
    figures.latency = summarizeLatency(figures.histogram, sums.latency, figures.censored);
    figures.failedLatency = summarizeShort(sums.failedLatency);
    figures.seconds = sums.timeline.seconds(figures.durationSeconds);
    return report;
}

} // namespace lapbench
