#include "app/cli/install.h"

#include "core/plan/words.h"
#include "core/runtimes/catalog.h"

namespace lapbench {

std::string describe(const MissingPieces& missing)
{
    std::string text;
    for (const RuntimeAsk& runtime : missing.runtimes)
        text += (text.empty() ? "" : ", ") + std::string(nameOf(runtime.kind)) +
                (runtime.version.empty() ? " of any version" : "@" + runtime.version);
    std::string apps;
    for (const auto& app : missing.apps)
        apps += (apps.empty() ? "" : ", ") + app.filename().string();
    if (!apps.empty())
        text += (text.empty() ? "" : " and ") + std::string("the packages of ") + apps;
    return text;
}

Result<void> install(const MissingPieces& missing, const SessionPlaces& places,
                     const std::function<void(const std::string&)>& log, const SessionControl& control)
{
    for (const RuntimeAsk& runtime : missing.runtimes)
        if (runtime.version.empty())
            return Problem{"runtimes." + runtime.name, "there is no " + std::string(nameOf(runtime.kind)) + " on PATH",
                           "install it, or give an exact version in the plan"};
    NpmStore store(places.home);
    for (const RuntimeAsk& runtime : missing.runtimes) {
        const RuntimeName name{std::string(nameOf(runtime.kind)), runtime.version};
        log("Installing " + name.kind + "@" + name.version);
        if (auto installed = store.install(name, log, &control.stopFlag()); !installed)
            return installed.problem();
    }
    for (const auto& app : missing.apps) {
        log("Installing the packages of " + app.filename().string());
        if (auto prepared = store.prepareApp(app, log, &control.stopFlag()); !prepared)
            return prepared.problem();
    }
    return {};
}

} // namespace lapbench
