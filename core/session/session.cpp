#include "core/session/session.h"

#include "core/base/atomic_file.h"
#include "core/net/curl_version.h"
#include "core/plan/schedule.h"
#include "core/result/journal.h"
#include "core/result/result_json.h"
#include "core/result/sha256.h"
#include "core/session/calibration.h"
#include "core/session/target_launch.h"
#include "core/session/trial_run.h"

#include <poll.h>

#include <algorithm>
#include <utility>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

/// One execution of a plan, told in order: prepare, then round by round one server start a target, its trials, the
/// end. Lives on the stack of runSession.
class SessionRun {
public:
    SessionRun(const Plan& plan, const SessionPlaces& places, const SessionOptions& options, SessionControl& control,
               Observer& observer)
        : m_plan(plan), m_places(places), m_options(options), m_control(control), m_observer(observer)
    {}

    Result<SessionEnd> run();

private:
    Result<void> prepare();
    Result<void> openJournal();
    void readCeilings();
    Result<void> runTrials();
    Result<void> runOne(const TrialPlan& trial);
    Result<void> finishTrial(Trial trial);
    Result<void> save();

    Trial blank(const TrialPlan& planned) const;
    /// Makes sure that the server of this target and round is up; sets the trial's failure where it is not.
    bool ensureServer(const TrialPlan& planned, Trial& trial);
    void stopServer();
    void cooldown();
    void waitWhilePaused();
    bool mustEnd() const { return m_control.stopping() || m_control.stoppingAfterTrial(); }
    /// Whether a trial of a journal is the one that this schedule has in its place.
    bool isPlanned(const Trial& trial) const;
    bool isDone(std::size_t index) const;
    Nanoseconds remainingFrom(std::size_t position) const;
    Nanoseconds lengthOf() const;
    void roundMayBeOver(std::size_t position);

    const Plan& m_plan;
    const SessionPlaces& m_places;
    const SessionOptions& m_options;
    SessionControl& m_control;
    Observer& m_observer;

    std::optional<TargetCommands> m_commands;
    std::optional<Calibration> m_calibration;
    MachineIdentity m_machine;
    std::optional<Journal> m_journal;
    std::vector<TrialPlan> m_schedule;
    SessionResult m_record;

    std::unique_ptr<Supervisor> m_server;
    std::unique_ptr<Sampler> m_sampler;
    std::size_t m_serverTarget = 0;
    unsigned m_serverRound = 0;
    std::optional<Nanoseconds> m_lastTrialTook;
};

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

Result<SessionEnd> SessionRun::run()
{
    if (auto prepared = prepare(); !prepared)
        return prepared.problem();
    m_observer.sessionStarted(m_schedule.size(), estimateSession(m_plan));
    readCeilings();
    const auto ran = runTrials();
    stopServer();
    const auto saved = save();
    std::optional<Problem> unsaved;
    if (!saved || !ran)
        unsaved = saved ? ran.problem() : saved.problem();
    const bool interrupted = m_record.trials.size() < m_schedule.size() ||
                             std::any_of(m_record.trials.begin(), m_record.trials.end(),
                                         [](const Trial& trial) { return trial.outcome == Outcome::interrupted; });
    return SessionEnd{std::move(m_record), interrupted, std::move(unsaved)};
}

Result<void> SessionRun::prepare()
{
    if (auto writable = checkDestination(m_options.result, true); !writable)
        return writable.problem();
    auto commands = TargetCommands::prepare(m_plan, m_places);
    if (!commands)
        return commands.problem();
    m_commands = std::move(commands).value();
    m_schedule = makeSchedule(m_plan);

    m_record.id = newResultId();
    m_record.created = std::chrono::system_clock::now();
    m_record.tool = {LAPBENCH_VERSION, LAPBENCH_GIT, LAPBENCH_BUILD, libcurlVersion()};
    m_record.scale = m_plan.scale;
    m_record.planJson = m_plan.sourceJson;
    m_record.planSha256 = sha256Hex(m_plan.sourceJson);
    m_record.host = readHostInfo();
    m_record.runtimes = m_commands->usedRuntimes();
    m_record.publishedJson = m_plan.publishedJson;
    return openJournal();
}

/// A calibration that cannot be read costs a session nothing but the look at the ceiling.
void SessionRun::readCeilings()
{
    auto calibration = readCalibration(m_places.home);
    if (calibration) {
        m_calibration = std::move(calibration).value();
        m_machine = thisMachine();
        return;
    }
    m_record.warnings.push_back({"calibration_unreadable", "info", format(calibration.problem()), ""});
    m_observer.warning(m_record.warnings.back());
}

Result<void> SessionRun::openJournal()
{
    std::error_code error;
    const fs::path path = Journal::pathFor(m_options.result);
    if (!m_options.resume || !fs::exists(path, error)) {
        auto journal = Journal::create(m_options.result, m_record);
        if (!journal)
            return journal.problem();
        m_journal.emplace(std::move(journal).value());
        return {};
    }
    auto before = readResultOrJournal(path);
    if (!before)
        return before.problem();
    if (before.value().planSha256 != m_record.planSha256 || before.value().scale != m_record.scale)
        return Problem{path.string(), "is of another plan or another scale",
                       "resume with the plan and the scale it was started with"};
    if (!std::all_of(before.value().trials.begin(), before.value().trials.end(),
                     [this](const Trial& trial) { return isPlanned(trial); }))
        return Problem{path.string(), "is of another choice of targets", "resume with the --only it was started with"};
    auto journal = Journal::reopen(m_options.result);
    if (!journal)
        return journal.problem();
    m_journal.emplace(std::move(journal).value());
    m_record.id = before.value().id;
    m_record.created = before.value().created;
    for (Trial& trial : before.value().trials)
        if (trial.outcome != Outcome::interrupted)
            m_record.trials.push_back(std::move(trial));
    return {};
}

bool SessionRun::isPlanned(const Trial& trial) const
{
    if (trial.index >= m_schedule.size())
        return false;
    const Trial planned = blank(m_schedule[trial.index]);
    return planned.target == trial.target && planned.workload == trial.workload && planned.level == trial.level &&
           planned.round == trial.round;
}

bool SessionRun::isDone(std::size_t index) const
{
    return std::any_of(m_record.trials.begin(), m_record.trials.end(),
                       [&](const Trial& trial) { return trial.index == index; });
}

Result<void> SessionRun::runTrials()
{
    for (std::size_t position = 0; position < m_schedule.size(); ++position) {
        const TrialPlan& planned = m_schedule[position];
        if (isDone(planned.index))
            continue;
        waitWhilePaused();
        if (mustEnd())
            return {};
        m_observer.trialStarted(planned, m_plan, remainingFrom(position));
        const std::int64_t begin = steadyNs();
        if (auto ran = runOne(planned); !ran)
            return ran.problem();
        if (m_record.trials.back().outcome == Outcome::done)
            m_lastTrialTook = Nanoseconds(steadyNs() - begin);
        roundMayBeOver(position);
        if (position + 1 < m_schedule.size() && !mustEnd())
            cooldown();
    }
    return {};
}

Result<void> SessionRun::runOne(const TrialPlan& planned)
{
    Trial trial = blank(planned);
    if (m_control.skipped(planned.index)) {
        trial.outcome = Outcome::skipped;
        return finishTrial(std::move(trial));
    }
    const Target& target = m_plan.targets[planned.target];
    std::string url = target.url;
    if (url.empty()) {
        if (!ensureServer(planned, trial))
            return finishTrial(std::move(trial));
        url = m_server->url();
        trial.server.startupMs = std::chrono::duration<double, std::milli>(m_server->startupTime()).count();
    } else {
        stopServer();
    }
    TrialRun run;
    auto task = loadTaskOf(m_plan, planned, url);
    if (!task) {
        trial.outcome = Outcome::failed;
        trial.failure = TrialFailure{"start", format(task.problem()), {}};
        return finishTrial(std::move(trial));
    }
    run.task = std::move(task).value();
    run.sampler = m_sampler.get();
    run.server = m_server.get();
    run.stop = &m_control.stopFlag();
    run.onPhase = [this](const std::string& name) { m_observer.phase(name); };
    run.onInterval = [this](const SessionInterval& interval) { m_observer.interval(interval); };
    runTrial(run, trial);
    if (m_calibration)
        if (auto warning = ceilingWarning(*m_calibration, m_machine, trial))
            trial.warnings.push_back(*std::move(warning));
    return finishTrial(std::move(trial));
}

bool SessionRun::ensureServer(const TrialPlan& planned, Trial& trial)
{
    if (m_server && m_serverTarget == planned.target && m_serverRound == planned.round && !m_server->exited())
        return true;
    stopServer();
    m_observer.phase("start");
    const Target& target = m_plan.targets[planned.target];
    std::vector<std::string> output;
    auto server = Supervisor::start(
        m_commands->commandFor(target), m_places.program,
        [this, name = target.name](const std::string& line) { m_observer.log(name, line); }, &m_control.stopFlag(),
        &output);
    if (server) {
        m_server = std::move(server).value();
        m_sampler = std::make_unique<Sampler>(m_server->treeRoot(), "/proc", Watch::belowRoot);
        m_serverTarget = planned.target;
        m_serverRound = planned.round;
        return true;
    }
    if (m_control.stopping()) {
        trial.outcome = Outcome::interrupted;
    } else {
        trial.outcome = Outcome::failed;
        trial.failure = TrialFailure{"start", format(server.problem()), std::move(output)};
    }
    return false;
}

void SessionRun::stopServer()
{
    if (!m_server)
        return;
    m_observer.phase("stop");
    m_sampler.reset();
    m_server->stop();
    m_server.reset();
}

Result<void> SessionRun::finishTrial(Trial trial)
{
    const auto kept = m_journal->append(trial);
    m_observer.trialFinished(trial);
    for (const Warning& warning : trial.warnings)
        m_observer.warning(warning);
    m_record.trials.push_back(std::move(trial));
    return kept;
}

void SessionRun::roundMayBeOver(std::size_t position)
{
    const unsigned round = m_schedule[position].round;
    if (position + 1 == m_schedule.size() || m_schedule[position + 1].round != round)
        m_observer.roundFinished(round, m_record.trials, m_record.comparisons);
}

Result<void> SessionRun::save()
{
    std::stable_sort(m_record.trials.begin(), m_record.trials.end(),
                     [](const Trial& a, const Trial& b) { return a.index < b.index; });
    m_record.cells = makeCells(m_record.trials, targetsOf(m_record.planJson));
    if (auto written = writeFileAtomically(m_options.result, formatResult(m_record)); !written) {
        Problem problem = written.problem();
        const fs::path journal = Journal::pathFor(m_options.result);
        std::error_code ignored;
        problem.cure = fs::exists(journal, ignored) ? "what was measured stands in " + journal.string()
                                                    : "its journal is gone too: the folder was removed or moved";
        return problem;
    }
    m_journal->discard();
    return {};
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

/// What one trial takes: as the plan says, or where it counts requests, as the last one took.
Nanoseconds SessionRun::lengthOf() const
{
    if (m_plan.measure.requests && m_lastTrialTook)
        return *m_lastTrialTook + m_plan.cooldown;
    return estimateTrial(m_plan);
}

Nanoseconds SessionRun::remainingFrom(std::size_t position) const
{
    Nanoseconds left{};
    for (std::size_t i = position; i < m_schedule.size(); ++i)
        if (!isDone(m_schedule[i].index) && !m_control.skipped(m_schedule[i].index))
            left += lengthOf();
    return left;
}

} // namespace

Result<SessionEnd> runSession(const Plan& plan, const SessionPlaces& places, const SessionOptions& options,
                              SessionControl& control, Observer& observer)
{
    return SessionRun(plan, places, options, control, observer).run();
}

} // namespace lapbench
