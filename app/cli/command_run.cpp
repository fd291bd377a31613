#include "app/cli/commands.h"
#include "app/cli/control_reader.h"
#include "app/cli/install.h"
#include "app/cli/plan_argument.h"
#include "app/cli/progress.h"
#include "app/cli/result_place.h"
#include "app/cli/signals.h"
#include "core/base/atomic_file.h"
#include "core/base/processors.h"
#include "core/host/host_info.h"
#include "core/plan/plan_check.h"
#include "core/plan/schedule.h"
#include "core/result/export/session_text.h"
#include "core/result/journal.h"
#include "core/session/trial_run.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

struct RunOptions {
    std::string plan, result, progress = "bar", rounds, untilCi, budget;
    std::vector<std::string> only;
    double scale = 1;
    bool control = false, resume = false, yes = false, strict = false;
};

/// An info is no doubt.
bool anyDoubt(const std::vector<Warning>& warnings)
{
    return std::any_of(warnings.begin(), warnings.end(),
                       [](const Warning& warning) { return warning.severity != "info"; });
}

/// One `run`, in order: read the plan, see where the result goes, install what is missing, run, report. Each step tells
/// its problems itself and leaves the exit code of a run that ends there.
class Run {
public:
    Run(const RunOptions& options, const SessionPlaces& places) : m_options(options), m_places(places) {}

    ExitCode execute()
    {
        if (m_options.progress == "jsonl")
            m_progress = std::make_unique<JsonlProgress>(m_control);
        else if (m_options.progress == "bar")
            m_progress = std::make_unique<BarProgress>(m_plan);
        else
            m_progress = std::make_unique<NoProgress>();
        for (const auto step : {&Run::readThePlan, &Run::adjustThePlan, &Run::chooseThePlace, &Run::installThePieces})
            if (const auto end = (this->*step)())
                return *end;
        return measure();
    }

private:
    using End = std::optional<ExitCode>;

    ExitCode fail(const Problem& problem, ExitCode code)
    {
        m_progress->failed(format(problem));
        complain(problem);
        return code;
    }

    End readThePlan()
    {
        const auto file = findPlan(m_options.plan, m_places.resources);
        if (!file)
            return fail(file.problem(), ExitCode::badInput);
        PlanReading reading = readWholePlan(file.value(), m_places);
        for (Problem& problem : reading.problems) {
            problem.path =
                m_options.plan + (problem.path.empty() || problem.path == file.value() ? "" : ": " + problem.path);
            complain(problem);
        }
        if (!reading.ok()) {
            m_progress->failed(format(reading.problems.front()));
            return ExitCode::badInput;
        }
        m_plan = std::move(reading.plan);
        return {};
    }

    End adjustThePlan()
    {
        if (!m_options.only.empty())
            if (auto selected = selectTargets(m_plan, m_options.only); !selected)
                return fail({"--only", selected.problem().message, selected.problem().cure}, ExitCode::badInput);
        if (auto end = applyOptions())
            return end;
        applyControl(m_plan);
        if (auto scaled = applyScale(m_plan, m_options.scale); !scaled)
            return fail({"--scale", scaled.problem().message, scaled.problem().cure}, ExitCode::badInput);
        return {};
    }

    End applyOptions()
    {
        // A number of rounds beside no until_ci is not meant as the most of them.
        if (!m_options.untilCi.empty() && !m_plan.untilCi)
            dropOption(m_plan, "rounds");
        const std::tuple<const char*, const char*, const std::string&> options[] = {
            {"--rounds", "rounds", m_options.rounds},
            {"--until-ci", "until_ci", m_options.untilCi},
            {"--budget", "budget", m_options.budget}};
        for (const auto& [flag, key, text] : options)
            if (!text.empty())
                if (auto applied = applyOption(m_plan, key, text); !applied)
                    return fail({flag, applied.problem().message, applied.problem().cure}, ExitCode::badInput);
        if (Problems problems = checkRounds(m_plan); !problems.empty()) {
            problems.front().path = m_options.plan + ": " + problems.front().path;
            return fail(problems.front(), ExitCode::badInput);
        }
        return {};
    }

    End chooseThePlace()
    {
        std::error_code ignored;
        const bool named = !m_options.result.empty();
        if (named) {
            m_result = m_options.result;
        } else if (m_options.resume) {
            const auto place = resultToResume(m_plan, m_places.home);
            if (!place)
                return fail(place.problem(), ExitCode::badInput);
            m_result = place.value();
        } else {
            m_place.emplace(newResultPlace(m_plan.name, m_places.home));
            m_result = m_place->path();
        }
        if (auto writable = checkDestination(m_result, !named); !writable)
            return fail(writable.problem(), ExitCode::unwritable);
        const fs::path journal = Journal::pathFor(m_result);
        if (Journal::inUse(m_result))
            return fail({journal.string(), "is being written by a session that is running",
                         "wait for its end or choose another -o"},
                        ExitCode::badInput);
        if (!m_options.resume && fs::exists(journal, ignored))
            return fail({journal.string(), "is the journal of a session that did not end",
                         "go on with it by --resume, or remove it"},
                        ExitCode::badInput);
        if (const auto free = mayReplace(m_result, m_options.yes); !free)
            return fail(free.problem(), ExitCode::badInput);
        return {};
    }

    End installThePieces()
    {
        const MissingPieces missing = missingPieces(m_plan, m_places);
        if (missing.empty())
            return {};
        const std::string what = describe(missing);
        if (!m_options.yes) {
            const Problem problem{m_options.plan, "needs " + what + ", not installed yet",
                                  "give --yes to install it, or run lapbench-cli runtimes install --plan " +
                                      m_options.plan};
            if (!canAsk() || !askYesNo("The plan needs " + what + ". Install it into " + m_places.home.string() + "?"))
                return fail(problem, ExitCode::badInput);
        }
        listen();
        m_signals->setPatient(true);
        const auto installed = install(
            missing, m_places, [this](const std::string& line) { m_progress->preparation(line); }, m_control);
        m_signals->setPatient(false);
        if (!installed)
            return fail(installed.problem(), m_control.stopping() ? ExitCode::interrupted : ExitCode::nothingMeasured);
        return {};
    }

    /// From here on the user may stop; before, a question may wait for its answer.
    void listen()
    {
        if (m_signals)
            return;
        m_signals.emplace(m_control);
        if (m_options.control)
            m_reader.emplace(STDIN_FILENO, m_control);
    }

    /// What this machine cannot do is told before the first server starts.
    Result<void> checkMachineForAll() const
    {
        if (std::any_of(m_plan.targets.begin(), m_plan.targets.end(),
                        [](const Target& target) { return target.selected && target.url.empty(); }))
            if (auto able = checkProcessors(m_plan.affinity.server, "affinity.server"); !able)
                return able;
        for (const TrialPlan& trial : makeSchedule(m_plan)) {
            if (trial.round != 1)
                break;
            const std::string& url = m_plan.targets[trial.target].url;
            auto task = loadTaskOf(m_plan, trial, url.empty() ? "http://127.0.0.1" : url);
            if (!task)
                return task.problem();
            if (auto able = checkMachine(task.value()); !able)
                return able;
        }
        return {};
    }

    ExitCode measure()
    {
        listen();
        raiseDescriptorLimit();
        if (auto able = checkMachineForAll(); !able)
            return fail(able.problem(), ExitCode::badInput);
        const auto end = runSession(m_plan, m_places, {m_result, m_options.resume}, m_control, *m_progress);
        if (!end) {
            const bool writable = checkDestination(m_result).ok();
            return fail(end.problem(), writable ? ExitCode::badInput : ExitCode::unwritable);
        }
        return report(end.value());
    }

    ExitCode report(const SessionEnd& end)
    {
        const bool told =
            m_options.progress == "jsonl" ||
            printOut(comparisonAsText(end.result) + (end.unsaved ? "" : "Saved " + m_result.string() + "\n"));
        if (end.unsaved)
            return fail(*end.unsaved, ExitCode::unwritable);
        m_progress->finished(fs::absolute(m_result).string());
        if (!told)
            return fail({"stdout", "cannot be written", "the result is saved in " + m_result.string()},
                        ExitCode::unwritable);
        const auto& trials = end.result.trials;
        if (end.interrupted) {
            complain("interrupted: what was measured is saved in " + m_result.string());
            return ExitCode::interrupted;
        }
        if (std::none_of(trials.begin(), trials.end(),
                         [](const Trial& trial) { return trial.outcome == Outcome::done; })) {
            complain("nothing could be measured: no trial came to its end; see " + m_result.string());
            return ExitCode::nothingMeasured;
        }
        const bool doubts =
            anyDoubt(end.result.warnings) || std::any_of(trials.begin(), trials.end(), [](const Trial& trial) {
                return anyDoubt(trial.warnings) || trial.outcome == Outcome::failed || trial.load.failed > 0;
            });
        return m_options.strict && doubts ? ExitCode::warnings : ExitCode::done;
    }

    const RunOptions& m_options;
    const SessionPlaces& m_places;
    Plan m_plan;
    std::optional<NewPlace> m_place; ///< where -o did not say
    fs::path m_result;
    SessionControl m_control;
    std::unique_ptr<Progress> m_progress;
    std::optional<StopSignals> m_signals;
    std::optional<ControlReader> m_reader;
};

} // namespace

void addRun(CLI::App& app, const SessionPlaces& places, Body& body)
{
    const auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Run a plan: its table is printed, its result saved");
    command->add_option("plan", options->plan, "A plan file, or the name of a plan that comes with Lapbench")
        ->required();
    command->add_option("-o,--output", options->result,
                        "Where the result goes; default HOME/results/NAME-UTC.lapbench.json");
    command->add_option("--progress", options->progress, "bar, jsonl (events on stdout) or none")
        ->check(CLI::IsMember({"bar", "jsonl", "none"}));
    command->add_flag("--control", options->control,
                      "Take stop, stop-after-trial, pause, continue, skip INDEX from stdin");
    command->add_option("--scale", options->scale, "Shrink counts, windows, warm-ups and pauses: above 0, at most 1");
    command->add_option("--only", options->only, "Run only these targets; all: even those not selected")
        ->delimiter(',')
        ->allow_extra_args(false);
    command->add_option("--rounds", options->rounds, "Rounds instead of the plan's; with --until-ci the most");
    command->add_option("--until-ci", options->untilCi,
                        "Rounds until the interval of every comparison is within +/- this share, such as 2%");
    command->add_option("--budget", options->budget, "No round begins that would end later than this, such as 30m");
    command->add_flag("--resume", options->resume, "Go on with the journal of a session that did not end");
    command->add_flag("--yes", options->yes, "Install what is missing and replace the result without asking");
    command->add_flag("--strict", options->strict, "Exit 3 where there are warnings");
    command->callback(
        [options, &places, &body] { body = [options, &places] { return Run(*options, places).execute(); }; });
}

} // namespace lapbench
