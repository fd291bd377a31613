#include "app/cli/commands.h"
#include "app/cli/field_args.h"
#include "app/cli/load_report.h"
#include "app/cli/signals.h"
#include "app/cli/terminal.h"
#include "core/base/atomic_file.h"
#include "core/base/units.h"
#include "core/host/host_info.h"
#include "core/plan/plan_check.h"
#include "core/plan/url.h"
#include "core/result/result_json.h"
#include "core/session/calibration.h"
#include "core/session/trial_run.h"
#include "core/workload/request_script.h"

#include <cerrno>
#include <csignal>
#include <optional>

namespace lapbench {

namespace {

struct LoadOptions {
    explicit LoadOptions(CLI::App& command) : fields(command) {}

    FieldArgs fields;
    std::string url, json;
    std::optional<int> pid;
    bool quiet = false;
};

/// A problem of a plan's key, under the name of the flag that stands for it.
Problem underFlag(Problem problem)
{
    for (const FieldScope scope : {FieldScope::workload, FieldScope::load}) {
        const Field* field = findField(scope, problem.path);
        if (field != nullptr && !field->flags.empty())
            problem.path = field->flags.substr(field->flags.find("--"));
    }
    return problem;
}

/// One `load`: read what is asked, make one trial of it, tell what came of it.
class QuickLoad {
public:
    QuickLoad(const LoadOptions& options, const SessionPlaces& places) : m_options(options), m_places(places) {}

    ExitCode execute()
    {
        if (auto read = readOptions(); !read) {
            complain(read.problem());
            return ExitCode::badInput;
        }
        if (!m_options.json.empty() && m_options.json != "-") {
            if (auto writable = checkDestination(m_options.json); !writable) {
                complain(writable.problem());
                return ExitCode::unwritable;
            }
        }
        raiseDescriptorLimit();
        if (auto able = checkMachine(m_task); !able) {
            complain(able.problem());
            return ExitCode::badInput;
        }
        measure();
        return report();
    }

private:
    Result<void> readOptions()
    {
        auto url = splitUrl(m_options.url);
        if (!url)
            return url.problem();
        m_url = std::move(url).value();
        m_plan.workloads.front().path = m_url.path;
        if (auto applied = m_options.fields.apply(m_plan); !applied)
            return applied;
        if (const Problems problems = checkWorkload(m_plan.workloads.front(), ""); !problems.empty())
            return underFlag(problems.front());
        if (const auto script = RequestScript::compile(m_plan.workloads.front(), {}); !script)
            return underFlag(script.problem());
        if (const Problems problems = checkLoad(m_plan.load, ""); !problems.empty())
            return underFlag(problems.front());
        TrialPlan trial;
        trial.level.connections = m_plan.load.connections.front();
        if (!m_plan.load.rates.empty())
            trial.level.rate = m_plan.load.rates.front();
        auto task = loadTaskOf(m_plan, trial, m_url.base);
        if (!task)
            return task.problem();
        m_task = std::move(task).value();
        m_trial.level = trial.level;
        if (m_options.pid && *m_options.pid < 1)
            return Problem{"--pid", std::to_string(*m_options.pid) + " is no process", "give that of the server"};
        if (m_options.pid && ::kill(*m_options.pid, 0) != 0 && errno == ESRCH)
            return Problem{"--pid", "there is no process " + std::to_string(*m_options.pid), "give that of the server"};
        return {};
    }

    void measure()
    {
        const std::optional<Calibration> calibration = ceilings();
        SessionControl control;
        const StopSignals signals(control);
        std::optional<Sampler> sampler;
        if (m_options.pid)
            sampler.emplace(*m_options.pid);
        StatusLine line;
        TrialRun run;
        run.task = m_task;
        run.sampler = sampler ? &*sampler : nullptr;
        run.stop = &control.stopFlag();
        run.calibration = calibration ? &*calibration : nullptr;
        run.machine = thisMachine();
        if (!m_options.quiet)
            run.onInterval = [&](const SessionInterval& interval) { line.show(progressOf(interval.load)); };
        m_trial.target = m_options.url;
        m_trial.workload = m_plan.workloads.front().name;
        runTrial(run, m_trial);
    }

    /// A calibration that cannot be read is told and keeps nothing from being measured.
    std::optional<Calibration> ceilings() const
    {
        auto calibration = readCalibration(m_places.home);
        if (calibration)
            return std::move(calibration).value();
        complain(calibration.problem());
        return std::nullopt;
    }

    std::string progressOf(const LoadInterval& interval) const
    {
        std::string text = interval.t < 0 ? "warming up" : formatSignificant(interval.t) + " s";
        if (m_plan.measure.duration && interval.t >= 0)
            text += " of " + formatDuration(*m_plan.measure.duration);
        if (interval.rps)
            text += " · " + formatRate(*interval.rps) + " req/s";
        if (interval.p99Us)
            text += " · p99 " + formatLatencyUs(*interval.p99Us);
        return text;
    }

    static ExitCode cannotTell()
    {
        complain(Problem{"stdout", "cannot be written", "free space or choose another place"});
        return ExitCode::unwritable;
    }

    ExitCode report() const
    {
        const std::string json = trialToJson(m_trial).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
        if (m_options.json == "-") {
            if (!printOut(json))
                return cannotTell();
        } else {
            if (!m_options.json.empty()) {
                if (auto written = writeFileAtomically(m_options.json, json, 0644); !written) {
                    complain(written.problem());
                    return ExitCode::unwritable;
                }
            }
            if (!m_options.quiet && !printOut(formatTrial(m_trial)))
                return cannotTell();
        }
        if (m_trial.outcome == Outcome::interrupted)
            return ExitCode::interrupted;
        if (m_trial.load.ok > 0)
            return ExitCode::done;
        complain("nothing could be measured: " +
                 (m_trial.failure ? m_trial.failure->message : std::string("no request was answered right")));
        return ExitCode::nothingMeasured;
    }

    const LoadOptions& m_options;
    const SessionPlaces& m_places;
    Plan m_plan;
    SplitUrl m_url;
    LoadTask m_task;
    Trial m_trial;
};

} // namespace

void addLoad(CLI::App& app, const SessionPlaces& places, Body& body)
{
    CLI::App* command = app.add_subcommand("load", "Load a URL without a plan: one trial, the quick question");
    const auto options = std::make_shared<LoadOptions>(*command);
    command->add_option("url", options->url, "http://host:port/path")->required();
    command->add_option("--pid", options->pid, "Watch CPU and memory of the tree below this process");
    command->add_option("--json", options->json, "Write the trial as JSON into this file; - is stdout");
    command->add_flag("--quiet", options->quiet, "Print neither progress nor figures");
    command->callback(
        [options, &places, &body] { body = [options, &places] { return QuickLoad(*options, places).execute(); }; });
}

} // namespace lapbench
