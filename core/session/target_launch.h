#pragma once

#include "core/plan/plan.h"
#include "core/result/session_result.h"
#include "core/runtimes/catalog.h"
#include "core/server/sampler.h"
#include "core/server/supervisor.h"
#include "core/session/session.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace lapbench {

/// The runtimes and prepared app folders of a session: what turns a target into a command. Filled once, before the
/// first round; nothing is installed here but an app's packages.
class TargetCommands {
public:
    /// Problems: a runtime that is not installed, an app's file or packages that are missing.
    static Result<TargetCommands> prepare(const Plan& plan, const SessionPlaces& places);

    /// The command that starts a target; not for targets that are a URL.
    ServerCommand commandFor(const Target& target) const;
    /// What was used, for the record; the executable's SHA-256 included.
    std::map<std::string, UsedRuntime> usedRuntimes() const;

private:
    const Plan* m_plan = nullptr;
    std::filesystem::path m_program;
    std::map<std::string, Runtime> m_runtimes;           ///< by name in the plan
    std::map<std::string, std::filesystem::path> m_apps; ///< Target::app -> script to run
};

} // namespace lapbench
