#include "core/plan/schedule.h"
#include "core/session/goal_run.h"
#include "core/session/session_run.h"
#include "core/session/trial_run.h"

#include <poll.h>

#include <algorithm>
#include <utility>

namespace lapbench {

namespace {

/// Waits for `duration`, or until `stopping` says so; looks every 20 ms.
template <typename Stopping>
void waitFor(Nanoseconds duration, Stopping stopping)
{
    const std::int64_t end = steadyNs() + duration.count();
    while (!stopping() && steadyNs() < end) {
        const std::int64_t left = (end - steadyNs()) / 1'000'000;
        ::poll(nullptr, 0, static_cast<int>(std::clamp<std::int64_t>(left, 1, 20)));
    }
}

} // namespace

Result<void> SessionRun::runOne(const TrialPlan& planned, bool lastOfServer)
{
    const std::int64_t begin = steadyNs();
    Trial trial = blank(planned);
    const std::string& url = m_plan.targets[planned.target].url;
    if (m_control.skipped(planned.index)) {
        trial.outcome = Outcome::skipped;
    } else if (!url.empty()) {
        m_keeper->stop();
        measure(planned, url, trial);
    } else if (ensureServer(planned, trial)) {
        measure(planned, m_keeper->server()->url(), trial);
        trial.server.startupMs = std::chrono::duration<double, std::milli>(m_keeper->server()->startupTime()).count();
        trial.server.rssBytesIdle = m_keeper->idleRssBytes();
        if (lastOfServer && trial.outcome == Outcome::done)
            trial.server.rssBytesSettled = m_keeper->settledRssBytes();
    }
    if (trial.outcome == Outcome::done)
        m_lastTrialTook = Nanoseconds(steadyNs() - begin);
    return finishTrial(std::move(trial));
}

void SessionRun::measure(const TrialPlan& planned, const std::string& url, Trial& trial)
{
    auto task = loadTaskOf(m_plan, planned, url);
    if (!task) {
        trial.outcome = Outcome::failed;
        trial.failure = TrialFailure{"start", format(task.problem()), {}};
        return;
    }
    TrialRun run;
    run.task = std::move(task).value();
    run.sampler = m_keeper->sampler();
    run.server = m_keeper->server();
    run.stop = &m_control.stopFlag();
    run.calibration = m_calibration ? &*m_calibration : nullptr;
    run.machine = m_machine;
    run.onPhase = [this](const std::string& name) { m_observer.phase(name); };
    run.onInterval = [this](const SessionInterval& interval) { m_observer.interval(interval); };
    if (m_plan.load.find)
        runGoalTrial(run, *m_plan.load.find, m_plan.scale, trial);
    else
        runTrial(run, trial);
}

bool SessionRun::ensureServer(const TrialPlan& planned, Trial& trial)
{
    if (m_keeper->up() && m_serves && m_serves->target == planned.target && m_serves->round == planned.round &&
        m_serves->attempt == planned.attempt)
        return true;
    std::vector<std::string> output;
    const auto started = m_keeper->start(m_plan.targets[planned.target], "start", &output);
    if (started) {
        m_serves = planned;
        return true;
    }
    if (m_control.stopping()) {
        trial.outcome = Outcome::interrupted;
    } else {
        trial.outcome = Outcome::failed;
        trial.failure = TrialFailure{"start", format(started.problem()), std::move(output)};
    }
    return false;
}

Result<void> SessionRun::finishTrial(Trial trial)
{
    auto kept = keepHead();
    if (kept)
        kept = m_journal->append(trial, elapsed());
    m_observer.trialFinished(trial);
    for (const Warning& warning : trial.warnings)
        m_observer.warning(warning);
    m_record.trials.push_back(std::move(trial));
    return kept;
}

Result<void> SessionRun::keepHead()
{
    if (!m_headChanged)
        return {};
    m_headChanged = false;
    return m_journal->appendHead(m_record);
}

Trial SessionRun::blank(const TrialPlan& planned) const
{
    Trial trial;
    trial.index = planned.index;
    trial.target = m_plan.targets[planned.target].name;
    trial.workload = m_plan.workloads[planned.workload].name;
    trial.level = planned.level;
    trial.round = planned.round;
    trial.order = planned.order;
    trial.attempt = planned.attempt;
    trial.started = std::chrono::system_clock::now();
    return trial;
}

void SessionRun::cooldown()
{
    if (m_plan.cooldown == Nanoseconds::zero())
        return;
    m_observer.phase("cooldown");
    waitFor(m_plan.cooldown, [this] { return m_control.stopping(); });
}

void SessionRun::waitWhilePaused()
{
    if (m_control.paused())
        m_observer.phase("paused");
    waitFor(std::chrono::hours(24 * 365), [this] { return !m_control.paused() || mustEnd(); });
}

bool SessionRun::isDone(std::size_t index) const
{
    return std::any_of(m_record.trials.begin(), m_record.trials.end(),
                       [&](const Trial& trial) { return trial.index == index; });
}

Nanoseconds SessionRun::lengthOf() const
{
    if (m_plan.measure.requests && m_lastTrialTook)
        return *m_lastTrialTook + m_plan.cooldown;
    return estimateTrial(m_plan);
}

/// Further rounds are counted up to the fewest there will be.
Nanoseconds SessionRun::remainingFrom(const TrialPlan& trial) const
{
    const std::size_t roundsLeft = m_rules.fewest > trial.round ? m_rules.fewest - trial.round : 0;
    Nanoseconds left{};
    for (std::size_t i = trial.index; i < m_nextIndex + roundsLeft * m_trialsOfRound; ++i)
        if (!isDone(i) && !m_control.skipped(i))
            left += lengthOf();
    return left;
}

} // namespace lapbench
