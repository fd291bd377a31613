#include "core/load/engine_run.h"

#include "core/base/processors.h"
#include "core/load/curl_multi_transport.h"
#include "core/load/keep_alive_transport.h"
#include "core/stats/steady_state.h"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <numeric>
#include <system_error>
#include <utility>

namespace lapbench {

namespace {

constexpr std::int64_t kLookNs = 20'000'000;   // how often the stop flag is looked at
constexpr std::int64_t kNoticeNs = 10'000'000; // ahead of which all workers are told of an opening or a closing
constexpr std::int64_t kSteadyStepNs = 100'000'000;
constexpr std::size_t kMostProgress = 6000; // ten minutes
constexpr std::size_t kSteadyPart = 10;     // steps at either end of a warm-up that tell how it went
constexpr Nanoseconds kLongestWarmup = std::chrono::seconds(60); // until steady, where the task does not say

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

} // namespace

EngineRun::EngineRun(const LoadTask& task, const LoadWatch& watch, Endpoint endpoint, RequestScript script,
                     Shared shared, unsigned threads)
    : m_task(task), m_watch(watch), m_endpoint(std::move(endpoint)), m_script(std::move(script)), m_shared(shared),
      m_threadCount(threads)
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
        WorkerTask work{share * m_task.streams,
                        m_task.newConnections,
                        m_task.timeout,
                        m_task.connectTimeout,
                        m_script,
                        i,
                        m_threadCount,
                        {}};
        work.makeTransport = [this, curl, share](Poller& on, TransportSink& sink) {
            const WireTask wire{m_endpoint, m_script, m_task, m_shared.trust, m_shared.negotiated, share};
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
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
        std::vector<unsigned> place;
        if (!m_task.cores.empty())
            place = {m_task.cores[i % m_task.cores.size()]};
        try {
            m_threads.emplace_back([worker = m_workers[i].get(), place = std::move(place)] {
                keepThreadTo(place); // that it may be was checked before
                worker->run();
            });
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

    const Extent& warmup = m_task.warmup;
    const bool warm = warmup.untilSteady || warmup.requests.value_or(0) != 0 ||
                      warmup.duration.value_or(Nanoseconds::zero()) > Nanoseconds::zero();
    // Between two stretches of time the load need not pause.
    const bool continuous = warm && !warmup.requests && m_task.measure.duration;
    if (warm && !continuous && !warmUp())
        return;
    Stage stage;
    stage.measured = true;
    stage.counted = m_task.measure.requests.has_value();
    stage.openNs = steadyNs();
    if (continuous)
        stage.openNs = warmup.untilSteady ? Stage::kNever : stage.openNs + warmup.duration->count();
    if (m_task.measure.duration && stage.openNs != Stage::kNever)
        stage.closeNs = stage.openNs + m_task.measure.duration->count();
    measure(stage);
}

/// A warm-up that comes to rest before the window.
bool EngineRun::warmUp()
{
    tell(LoadPhase::warmup);
    Stage stage;
    stage.counted = m_task.warmup.requests.has_value();
    stage.drains = true;
    if (m_task.warmup.duration && !m_task.warmup.untilSteady)
        stage.closeNs = steadyNs() + m_task.warmup.duration->count();
    // Where the clock does not end the warm-up nobody knows when the window will open; its intervals lie just before
    // it.
    m_openedNs = stage.closeNs == Stage::kNever ? 0 : stage.closeNs;
    publish(stage);
    if (m_task.warmup.untilSteady) {
        if (!awaitSteady())
            return false;
        close(steadyNs());
    }
    if (!await(Stage::kNever, true))
        return false;
    tellInterval(steadyNs());
    // Its connections are still being asked for, so no further stage can begin on them.
    return std::none_of(m_workers.begin(), m_workers.end(), [](const auto& worker) { return worker->gaveUp(); });
}

void EngineRun::measure(Stage stage)
{
    m_openedNs = stage.openNs == Stage::kNever ? 0 : stage.openNs;
    publish(stage);
    if (stage.openNs > steadyNs()) {
        tell(LoadPhase::warmup);
        if (stage.openNs == Stage::kNever) {
            if (!awaitSteady())
                return;
            stage.openNs = m_openedNs = openingAfter(steadyNs() + kNoticeNs);
            stage.closeNs = stage.openNs + m_task.measure.duration->count();
            m_course.openNs.store(stage.openNs, std::memory_order_relaxed);
            close(stage.closeNs);
        }
        if (!await(stage.openNs, true))
            return;
        tellInterval(steadyNs());
    }
    m_windowOpened = true;
    tell(LoadPhase::measure);
    m_closedNs = stage.closeNs;
    if (await(Stage::kNever, true))
        return;
    m_closedNs = std::min(stage.closeNs, steadyNs() + kNoticeNs);
    close(m_closedNs);
}

/// When the window may open, not before `ns`: with the next arrival of an open loop, so that they stay evenly spaced.
std::int64_t EngineRun::openingAfter(std::int64_t ns) const
{
    const auto& arrivals = m_course.stage.arrivals;
    return arrivals ? arrivals->dueNs(arrivals->dueBefore(ns)) : ns;
}

/// Waits until the load is steady, or for as long as that may take; false where the watch asks to stop.
bool EngineRun::awaitSteady()
{
    const std::int64_t fromNs = steadyNs();
    const std::int64_t longestNs = m_task.warmup.duration.value_or(kLongestWarmup).count();
    std::vector<double> series;
    std::uint64_t seen = m_reader->right();
    SteadyFigures figures;
    while (!figures.afterSeconds && steadyNs() - fromNs < longestNs) {
        if (!await(fromNs + static_cast<std::int64_t>(series.size() + 1) * kSteadyStepNs, true))
            return false;
        const std::uint64_t right = m_reader->right();
        series.push_back(static_cast<double>(right - std::exchange(seen, right)));
        if (const auto since = findSteady(series))
            figures.afterSeconds = static_cast<double>(*since) * seconds(kSteadyStepNs);
    }
    figures.warmupSeconds = seconds(steadyNs() - fromNs);
    const auto perSecond = [&](auto begin, auto end) {
        return std::accumulate(begin, end, 0.0) / (static_cast<double>(end - begin) * seconds(kSteadyStepNs));
    };
    const auto part = static_cast<std::ptrdiff_t>(std::min<std::size_t>(series.size(), kSteadyPart));
    if (part != 0) {
        figures.firstRps = perSecond(series.begin(), series.begin() + part);
        figures.lastRps = perSecond(series.end() - part, series.end());
    }
    m_steady = figures;
    return true;
}

/// Moves the end of the current stage.
void EngineRun::close(std::int64_t closeNs)
{
    m_course.closeNs.store(closeNs, std::memory_order_relaxed);
    for (const auto& worker : m_workers)
        worker->wake();
    if (m_interrupted)
        await(Stage::kNever, false);
}

void EngineRun::publish(Stage stage)
{
    const Extent& extent = stage.measured ? m_task.measure : m_task.warmup;
    if (const Stage& before = m_course.stage; before.arrivals)
        m_course.budget.skip(before.counted ? before.arrivalCount : before.arrivals->dueBefore(steadyNs()));
    if (m_task.course.empty()) {
        m_course.budget.fill(stage.counted ? *extent.requests : RequestBudget::kEndless, m_threadCount);
    } else {
        stage.firstNumber = m_course.budget.next();
        stage.arrivalCount = extent.requests.value_or(0);
        stage.arrivals.emplace(m_task.course, steadyNs());
        if (stage.measured && stage.openNs != Stage::kNever)
            stage.arrivals->setOpening(stage.openNs);
    }
    {
        const std::lock_guard lock(m_course.mutex);
        m_course.reported = 0;
    }
    m_course.stage = stage;
    m_course.openNs.store(stage.openNs, std::memory_order_relaxed);
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
        noteProgress(nowNs);
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

/// How the load came up, for as long as that can be of interest.
void EngineRun::noteProgress(std::int64_t nowNs)
{
    if (m_course.stageNumber.load(std::memory_order_relaxed) == 0 || m_progress.size() >= kMostProgress)
        return;
    if (m_progress.empty() || nowNs - m_progress.back().atNs >= kSteadyStepNs)
        m_progress.push_back({nowNs, m_reader->right()});
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

} // namespace lapbench
