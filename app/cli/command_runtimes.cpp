#include "app/cli/commands.h"
#include "app/cli/install.h"
#include "app/cli/plan_argument.h"
#include "app/cli/signals.h"
#include "app/cli/terminal.h"
#include "core/base/units.h"
#include "core/result/export/text_table.h"
#include "core/runtimes/catalog.h"

#include <cstdio>

namespace lapbench {

namespace {

struct InstallOptions {
    std::vector<std::string> names;
    std::string plan;
};

void tell(const std::string& line)
{
    std::fprintf(stderr, "%s\n", withoutControls(line).c_str());
}

ExitCode list(const SessionPlaces& places)
{
    TextTable table;
    table.header = {"runtime", "version", "size", "program"};
    table.allLeft = true;
    const auto add = [&](const std::vector<Runtime>& runtimes) {
        for (const Runtime& runtime : runtimes)
            table.rows.push_back({runtime.kind, runtime.version,
                                  runtime.installed ? formatBytes(static_cast<double>(runtime.sizeBytes)) : "on PATH",
                                  runtime.program.string()});
    };
    add(findOnPath());
    add(NpmStore(places.home).installed());
    if (table.rows.empty())
        printOut("No runtime was found on PATH or in " + (places.home / "runtimes").string() +
                 "; install one with lapbench-cli runtimes install node@22.9.0\n");
    else
        printOut(formatAligned(table));
    return ExitCode::done;
}

/// Tells what went wrong with an installation.
ExitCode failed(const Problem& problem, const SessionControl& control)
{
    complain(problem);
    return control.stopping() ? ExitCode::interrupted : ExitCode::nothingMeasured;
}

ExitCode installNames(const std::vector<std::string>& texts, const SessionPlaces& places, const SessionControl& control)
{
    std::vector<RuntimeName> names;
    for (const std::string& text : texts) {
        auto name = parseRuntimeName(text);
        if (!name) {
            complain(name.problem());
            return ExitCode::badInput;
        }
        names.push_back(std::move(name).value());
    }
    NpmStore store(places.home);
    for (const RuntimeName& name : names) {
        const auto installed = store.install(name, tell, &control.stopFlag());
        if (!installed)
            return failed(installed.problem(), control);
        printOut(name.kind + "@" + installed.value().version + " is in " + installed.value().program.string() + "\n");
    }
    return ExitCode::done;
}

ExitCode installPlan(const std::string& name, const SessionPlaces& places, const SessionControl& control)
{
    const auto plan = readPlanOrComplain(name, places);
    if (!plan)
        return ExitCode::badInput;
    const MissingPieces missing = missingPieces(*plan, places);
    if (const auto installed = install(missing, places, tell, control); !installed)
        return failed(installed.problem(), control);
    printOut(missing.empty() ? "The plan " + name + " has all it needs\n" : "Installed " + describe(missing) + "\n");
    return ExitCode::done;
}

ExitCode installAny(const InstallOptions& options, const SessionPlaces& places)
{
    if (options.names.empty() == options.plan.empty()) {
        complain(Problem{"runtimes install", "needs runtimes or a plan", "give KIND@VERSION, or --plan PLAN"});
        return ExitCode::badInput;
    }
    SessionControl control;
    StopSignals signals(control);
    signals.setPatient(true);
    return options.plan.empty() ? installNames(options.names, places, control)
                                : installPlan(options.plan, places, control);
}

ExitCode remove(const std::string& text, const SessionPlaces& places)
{
    const auto name = parseRuntimeName(text);
    if (!name) {
        complain(name.problem());
        return ExitCode::badInput;
    }
    if (const auto removed = NpmStore(places.home).remove(name.value()); !removed) {
        complain(removed.problem());
        return ExitCode::badInput;
    }
    return ExitCode::done;
}

} // namespace

void addRuntimes(CLI::App& app, const SessionPlaces& places, Body& body)
{
    CLI::App* command = app.add_subcommand("runtimes", "List, install and remove JavaScript runtimes");
    command->require_subcommand(0, 1);
    command->callback([&places, &body] {
        if (!body)
            body = [&places] { return list(places); };
    });
    command->add_subcommand("list", "Those on PATH and those installed")->callback([&places, &body] {
        body = [&places] { return list(places); };
    });

    const auto options = std::make_shared<InstallOptions>();
    CLI::App* installing = command->add_subcommand("install", "Install exact versions into Lapbench's own folder");
    installing->add_option("runtimes", options->names, "KIND@VERSION, such as node@22.9.0");
    installing->add_option("--plan", options->plan, "Everything that this plan needs, packages of its apps included");
    installing->callback(
        [options, &places, &body] { body = [options, &places] { return installAny(*options, places); }; });

    const auto name = std::make_shared<std::string>();
    CLI::App* removing = command->add_subcommand("remove", "Remove an installed runtime");
    removing->add_option("runtime", *name, "KIND@VERSION")->required();
    removing->callback([name, &places, &body] { body = [name, &places] { return remove(*name, places); }; });
}

} // namespace lapbench
