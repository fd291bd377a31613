#include "core/session/trial_run.h"

#include "core/base/units.h"
#include "core/plan/rate_course.h"
#include "core/plan/schedule.h"
#include "core/plan/words.h"
#include "core/session/bottleneck.h"
#include "core/session/machine_watch.h"
#include "core/session/trial_warnings.h"

#include <utility>

namespace lapbench {

namespace {

std::string phaseWord(LoadPhase phase)
{
    switch (phase) {
    case LoadPhase::connect:
        return "connect";
    case LoadPhase::warmup:
        return "warmup";
    case LoadPhase::measure:
        return "measure";
    case LoadPhase::finish:
        return "finish";
    }
    return {};
}

double treeSeconds(const Sampler& sampler)
{
    const auto sample = sampler.latest();
    return sample ? sample->cpuSeconds : 0;
}

/// Follows the load on the caller's thread: hands on what the window shows, and ends the load when the server is gone.
class TrialWatch {
public:
    explicit TrialWatch(const TrialRun& run) : m_run(run), m_machine(run.sampler) {}

    LoadWatch watch()
    {
        LoadWatch watch;
        watch.stopAsked = [this] { return stopAsked(); };
        watch.onPhase = [this](LoadPhase phase) { enter(phaseWord(phase)); };
        watch.onInterval = [this](const LoadInterval& interval) { look(interval); };
        return watch;
    }

    const std::optional<ServerExit>& serverExit() const { return m_serverExit; }
    double serverGoneAt() const { return m_serverGoneAt; }
    const std::string& serverGoneIn() const { return m_serverGoneIn; }
    const std::optional<double>& openSeconds() const { return m_openSeconds; }
    const MachineWatch& machine() const { return m_machine; }
    /// Of the server, when the window opened.
    const std::vector<ProcessTime>& processesBefore() const { return m_processesBefore; }
    double treeSecondsBefore() const { return m_treeSecondsBefore; }

    /// A server that ended in the last moments of the window.
    void lookOnceMore(double atSeconds)
    {
        m_machine.tick();
        checkServer(atSeconds);
    }

private:
    void enter(std::string phase)
    {
        if (phase == phaseWord(LoadPhase::connect))
            m_connectNs = steadyNs();
        else if (m_connectNs != 0 && !m_openSeconds && phase != phaseWord(LoadPhase::finish))
            m_openSeconds = static_cast<double>(steadyNs() - m_connectNs) / 1e9;
        if (phase == phaseWord(LoadPhase::measure)) {
            m_lookedAt = 0;
            m_lookedNs = steadyNs();
        }
        if (phase == phaseWord(LoadPhase::measure) && m_run.sampler != nullptr) {
            m_processesBefore = m_run.sampler->processes();
            m_treeSecondsBefore = treeSeconds(*m_run.sampler);
        }
        m_phase = std::move(phase);
        if (m_run.onPhase)
            m_run.onPhase(m_phase);
    }

    void look(const LoadInterval& interval)
    {
        m_lookedAt = interval.t;
        m_lookedNs = steadyNs();
        if (!m_run.onInterval)
            return;
        SessionInterval shown{interval, std::nullopt, std::nullopt, std::nullopt};
        if (m_run.sampler != nullptr) {
            shown.serverCpuCores = m_run.sampler->recentCpuCores();
            if (const auto sample = m_run.sampler->latest())
                shown.serverRssBytes = sample->rssBytes;
            shown.noise = m_machine.recentNoise();
        }
        m_run.onInterval(shown);
    }

    bool stopAsked()
    {
        m_machine.tick();
        const double since = m_lookedNs == 0 ? 0 : static_cast<double>(steadyNs() - m_lookedNs) / 1e9;
        checkServer(m_lookedAt + since);
        return m_serverExit || (m_run.stop != nullptr && m_run.stop->load());
    }

    void checkServer(double atSeconds)
    {
        if (m_run.server == nullptr || m_serverExit)
            return;
        m_serverExit = m_run.server->exited();
        if (m_serverExit) {
            m_serverGoneAt = atSeconds;
            // Once the load is over, it is the window's last moments that are looked at.
            m_serverGoneIn = m_phase == phaseWord(LoadPhase::finish) ? phaseWord(LoadPhase::measure) : m_phase;
        }
    }

    const TrialRun& m_run;
    MachineWatch m_machine;
    std::vector<ProcessTime> m_processesBefore;
    double m_treeSecondsBefore = 0;
    std::string m_phase = "connect", m_serverGoneIn;
    std::optional<ServerExit> m_serverExit;
    double m_serverGoneAt = 0;
    double m_lookedAt = 0; ///< opening of the window or end of the last interval, seconds since the window opened
    std::int64_t m_lookedNs = 0;
    std::int64_t m_connectNs = 0; ///< when connecting began
    std::optional<double> m_openSeconds;
};

/// What stands already is of before the window.
ServerFigures serverFigures(const TrialRun& run, const ServerFigures& before, const LoadReport& report)
{
    ServerFigures figures = before;
    if (run.sampler == nullptr || !report.windowOpened)
        return figures;
    const TreeUse use = run.sampler->use(report.windowOpenedNs, report.windowClosedNs);
    figures.cpuCoresMean = use.cpuCoresMean;
    figures.cpuCoresPeak = use.cpuCoresPeak;
    figures.rssBytesMean = use.rssBytesMean;
    figures.rssBytesPeak = use.rssBytesPeak;
    figures.processesPeak = use.processesPeak;
    return figures;
}

std::vector<TrialSecond> secondsOf(const TrialRun& run, const MachineWatch& machine, const LoadReport& report)
{
    const std::vector<MachineSecond> machineSeconds = machine.seconds(report);
    std::vector<TreeSecond> tree;
    if (run.sampler != nullptr && report.windowOpened)
        tree = run.sampler->seconds(report.windowOpenedNs, report.windowClosedNs);
    std::vector<TrialSecond> seconds;
    for (const SecondFigures& second : report.figures.seconds) {
        TrialSecond joined;
        joined.load = second;
        if (second.t < tree.size()) {
            joined.serverCpuCores = tree[second.t].cpuCores;
            joined.serverRssBytes = tree[second.t].rssBytes;
        }
        if (second.t < machineSeconds.size()) {
            joined.noise = machineSeconds[second.t].noise;
            joined.tcpRetransmits = machineSeconds[second.t].tcpRetransmits;
            joined.listenOverflows = machineSeconds[second.t].listenOverflows;
        }
        seconds.push_back(std::move(joined));
    }
    return seconds;
}

std::string joined(const std::string& text, const std::string& cause)
{
    return cause.empty() ? text : text + ": " + cause;
}

/// "1200 of 1200 requests failed: unexpected_status (status 500)".
std::string nothingRight(const LoadFigures& load)
{
    std::string text;
    if (load.failed > 0)
        text = std::to_string(load.failed) + " of " + std::to_string(load.sent()) + " requests failed";
    else if (load.unfinished > 0)
        text = "no request was answered: " + std::to_string(load.unfinished) + " unfinished after " +
               formatLatencyUs(load.durationSeconds * 1e6);
    else
        text = "no request was made";
    return joined(text, firstError(load));
}

void conclude(const TrialRun& run, const TrialWatch& watch, const LoadReport& report, Trial& trial)
{
    const auto fail = [&](const std::string& phase, std::string message) {
        trial.outcome = Outcome::failed;
        trial.failure = TrialFailure{phase, std::move(message), {}};
        if (run.server != nullptr)
            trial.failure->output = run.server->lastLines();
    };
    if (watch.serverExit()) {
        const std::string when = watch.serverGoneIn() == phaseWord(LoadPhase::measure)
                                     ? "at " + formatSignificant(watch.serverGoneAt()) + " s of the window"
                                     : "before the window opened";
        fail(watch.serverGoneIn(), "the server ended " + when + " with " + watch.serverExit()->text());
    } else if (report.interrupted) {
        trial.outcome = Outcome::interrupted;
    } else if (!report.windowOpened) {
        fail("connect", joined("no connection could be opened", firstError(report.figures)));
    } else if (report.figures.ok == 0) {
        fail("measure", nothingRight(report.figures));
    } else {
        trial.outcome = Outcome::done;
    }
}

/// Only between two stretches of time does the load go on; a warm-up of so many requests is waited for.
bool opensEmpty(const LoadTask& task)
{
    const Extent& warmup = task.warmup;
    const bool warm = warmup.untilSteady || warmup.duration.value_or(Nanoseconds::zero()) > Nanoseconds::zero();
    return !warm || warmup.requests || !task.measure.duration;
}

TrialCircumstances circumstancesOf(const TrialRun& run, const TrialWatch& watch, const LoadReport& report,
                                   const Trial& trial)
{
    TrialCircumstances circumstances;
    circumstances.newConnections = run.task.newConnections;
    circumstances.gaveUp = report.gaveUp;
    circumstances.openedEmpty = onlyRate(run.task.course) && opensEmpty(run.task);
    circumstances.rateAsked = meanRate(run.task.course, Nanoseconds(report.windowClosedNs - report.windowOpenedNs));
    circumstances.stoodStillSeconds = watch.machine().stoodStill(report);
    if (run.calibration != nullptr)
        if (const auto ceiling = trialCeiling(*run.calibration, run.machine, trial); ceiling && !ceiling->atLeast)
            circumstances.ceilingRps = ceiling->rps;
    if (run.sampler != nullptr) {
        const std::vector<ProcessTime> processes = run.sampler->processes();
        circumstances.busiestProcessCores =
            busiestProcess(watch.processesBefore(), processes, trial.server.cpuCoresMean,
                           treeSeconds(*run.sampler) - watch.treeSecondsBefore());
        circumstances.serverAllowedCores = allowedCores(processes);
    }
    return circumstances;
}

/// What can be said of a trial whose figures stand.
void judge(const TrialRun& run, const TrialWatch& watch, const LoadReport& report, Trial& trial)
{
    const auto warn = [&trial](std::optional<Warning> warning) {
        if (warning)
            trial.warnings.push_back(*std::move(warning));
    };
    if (const auto& steady = trial.load.steady; steady && !steady->afterSeconds)
        warn(neverSteady(*steady));
    if (report.gaveUp && report.windowOpened)
        warn(gaveUp(run.task.measure.requests.value_or(0), trial.load));
    if (trial.outcome != Outcome::done)
        return;
    if (run.calibration != nullptr)
        warn(ceilingWarning(*run.calibration, run.machine, trial));
    const bool noisy = noiseWarning(trial.host, {}).has_value();
    warn(noiseWarning(trial.host, noisy ? watch.machine().others() : std::string()));
    warn(littlesLaw(trial.load, run.task.course.empty()));
    for (Warning& warning : stallWarnings(trial.load, trial.server.cpuCoresMean))
        trial.warnings.push_back(std::move(warning));
    trial.bottleneck = findBottleneck(evidenceOf(trial, circumstancesOf(run, watch, report, trial)));
}

} // namespace

Result<LoadTask> loadTaskOf(const Plan& plan, const TrialPlan& trial, const std::string& url)
{
    LoadTask task;
    static_cast<WireOptions&>(task) = plan.load;
    task.url = url;
    task.workload = plan.workloads[trial.workload];
    task.folder = plan.folder;
    task.seed = plan.load.seed;
    task.connections = trial.level.connections;
    task.threads = plan.load.threads;
    task.cores = plan.affinity.generator;
    task.warmup = plan.warmup;
    task.measure = plan.measure;
    auto course = courseOf(plan.load, trial.level.rate);
    if (!course)
        return course.problem();
    task.course = std::move(course).value();
    for (RateStretch& stretch : task.course)
        stretch.length = scaled(stretch.length, plan.scale);
    return task;
}

void runTrial(const TrialRun& run, Trial& trial)
{
    trial.started = std::chrono::system_clock::now();
    TrialWatch watch(run);
    auto report = runLoad(run.task, watch.watch());
    if (!report) {
        trial.outcome = Outcome::failed;
        trial.failure = TrialFailure{"connect", format(report.problem()), {}};
        return;
    }
    watch.lookOnceMore(report.value().figures.durationSeconds);
    if (run.sampler != nullptr && report.value().windowOpened)
        run.sampler->awaitSampleAt(report.value().windowClosedNs);
    trial.transport = nameOf(report.value().transport);
    trial.httpVersion = report.value().httpVersion;
    trial.server = serverFigures(run, trial.server, report.value());
    trial.openSeconds = watch.openSeconds();
    trial.host = watch.machine().figures(report.value());
    trial.seconds = secondsOf(run, watch.machine(), report.value());
    conclude(run, watch, report.value(), trial);
    trial.load = std::move(report.value().figures);
    judge(run, watch, report.value(), trial);
    trial.load.seconds.clear();
}

} // namespace lapbench
