#include "core/session/target_launch.h"

#include "core/plan/plan_check.h"
#include "core/plan/words.h"
#include "core/result/sha256.h"

#include <algorithm>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

/// The asked version among those Lapbench installed, then on PATH; without a version, the newest on PATH wins.
std::optional<Runtime> findRuntime(const RuntimeAsk& ask, const NpmStore& store, const std::vector<Runtime>& onPath)
{
    if (ask.kind == RuntimeKind::program)
        return Runtime{"program", "", ask.command, false, 0};
    const std::string_view kind = nameOf(ask.kind);
    if (!ask.version.empty())
        if (auto installed = store.find(kind, ask.version))
            return installed;
    for (const Runtime& runtime : onPath)
        if (runtime.kind == kind && (ask.version.empty() || runtime.version == ask.version))
            return runtime;
    return std::nullopt;
}

/// Only runtimes that a selected target uses count.
bool isUsed(const Plan& plan, const RuntimeAsk& ask)
{
    return std::any_of(plan.targets.begin(), plan.targets.end(),
                       [&](const Target& target) { return target.selected && target.runtime == ask.name; });
}

bool needsApp(const Target& target)
{
    return target.selected && !target.app.empty();
}

/// The folder whose packages a script needs: its own, where that has a package.json.
std::optional<fs::path> packageFolder(const fs::path& script)
{
    std::error_code error;
    const fs::path folder = script.parent_path();
    return fs::exists(folder / "package.json", error) ? std::optional(folder) : std::nullopt;
}

std::string shown(const RuntimeAsk& ask)
{
    return std::string(nameOf(ask.kind)) + (ask.version.empty() ? "" : "@" + ask.version);
}

} // namespace

MissingPieces missingPieces(const Plan& plan, const SessionPlaces& places)
{
    MissingPieces missing;
    const NpmStore store(places.home);
    const std::vector<Runtime> onPath = findOnPath();
    for (const RuntimeAsk& ask : plan.runtimes)
        if (isUsed(plan, ask) && !findRuntime(ask, store, onPath))
            missing.runtimes.push_back(ask);
    for (const Target& target : plan.targets) {
        const auto script = needsApp(target) ? findApp(plan, target.app, places.resources) : std::nullopt;
        const auto folder = script ? packageFolder(*script) : std::nullopt;
        if (folder && !store.appIsPrepared(*folder) &&
            std::find(missing.apps.begin(), missing.apps.end(), *folder) == missing.apps.end())
            missing.apps.push_back(*folder);
    }
    return missing;
}

Result<TargetCommands> TargetCommands::prepare(const Plan& plan, const SessionPlaces& places)
{
    TargetCommands commands;
    commands.m_plan = &plan;
    commands.m_program = places.program;
    NpmStore store(places.home);
    const std::vector<Runtime> onPath = findOnPath();
    for (const RuntimeAsk& ask : plan.runtimes) {
        if (!isUsed(plan, ask))
            continue;
        auto runtime = findRuntime(ask, store, onPath);
        if (!runtime)
            return Problem{"runtimes." + ask.name, shown(ask) + " is not installed",
                           "run lapbench-cli runtimes install " + shown(ask)};
        commands.m_runtimes.emplace(ask.name, std::move(*runtime));
    }
    for (const Target& target : plan.targets) {
        if (!needsApp(target))
            continue;
        const auto script = findApp(plan, target.app, places.resources);
        if (!script)
            return Problem{"targets." + target.name + ".app", target.app + " is not there",
                           "it is looked for beside the plan and in resources/apps"};
        fs::path runFrom = *script;
        if (const auto folder = packageFolder(*script)) {
            const auto prepared = store.prepareApp(*folder, [](const std::string&) {});
            if (!prepared)
                return prepared.problem();
            runFrom = prepared.value() / script->filename();
        }
        commands.m_apps[target.app] = runFrom;
    }
    return commands;
}

ServerCommand TargetCommands::commandFor(const Target& target) const
{
    ServerCommand command;
    command.env = target.env;
    command.port = target.port;
    command.readyPath = target.readyPath;
    command.readyTimeout = target.readyTimeout;
    command.folder = m_plan->folder;
    command.cores = m_plan->affinity.server;
    if (target.builtin) {
        command.argv = {m_program.string(), "serve"};
    } else if (!target.command.empty()) {
        command.argv = target.command;
    } else {
        const fs::path& script = m_apps.at(target.app);
        command.argv = {m_runtimes.at(target.runtime).program.string()};
        command.argv.insert(command.argv.end(), target.flags.begin(), target.flags.end());
        command.argv.push_back(script.string());
        command.argv.insert(command.argv.end(), target.args.begin(), target.args.end());
        command.folder = script.parent_path();
    }
    return command;
}

std::map<std::string, UsedRuntime> TargetCommands::usedRuntimes() const
{
    std::map<std::string, UsedRuntime> used;
    for (const RuntimeAsk& ask : m_plan->runtimes) {
        const auto found = m_runtimes.find(ask.name);
        if (found == m_runtimes.end())
            continue;
        const auto hash = sha256HexOfFile(found->second.program);
        used[ask.name] = {std::string(nameOf(ask.kind)), ask.version, found->second.version,
                          hash ? hash.value() : std::string()};
    }
    return used;
}

} // namespace lapbench
