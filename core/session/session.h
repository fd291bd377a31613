#pragma once

#include "core/plan/plan.h"
#include "core/result/session_result.h"
#include "core/session/observer.h"

#include <filesystem>
#include <optional>
#include <string>

namespace lapbench {

/// Where a session finds what it needs.
struct SessionPlaces {
    std::filesystem::path home;      ///< LAPBENCH_HOME
    std::filesystem::path resources; ///< the resources folder
    std::filesystem::path program;   ///< lapbench-cli itself, for the guard and the built-in server
};

struct SessionOptions {
    std::filesystem::path result; ///< where the result goes; its journal stands beside it while the session runs
    bool resume = false;          ///< go on with the journal beside `result`; its trials are not run again
};

/// How a session ended, with its record. `interrupted`: stopped by the control; what was measured is saved.
struct SessionEnd {
    SessionResult result;
    bool interrupted = false;
    std::optional<Problem> unsaved; ///< the journal (which ends the session) or the result could not be written
};

/// Runs every trial of a plan, each journalled before the next starts, and saves the result. Runs on the caller's
/// thread. The plan has been checked, its runtimes and packages are installed (see missingPieces).
/// Problems, all before anything is started: destination not writable, a leftover journal without `resume`, a journal
/// of another plan, scale or choice of targets, a runtime that is not there. Later ones are in SessionEnd.
Result<SessionEnd> runSession(const Plan& plan, const SessionPlaces& places, const SessionOptions& options,
                              SessionControl& control, Observer& observer);

/// What must be installed before a plan can run.
struct MissingPieces {
    std::vector<RuntimeAsk> runtimes;
    std::vector<std::filesystem::path> apps; ///< folders with a package.json
    bool empty() const { return runtimes.empty() && apps.empty(); }
};
MissingPieces missingPieces(const Plan& plan, const SessionPlaces& places);

/// $LAPBENCH_HOME, or ~/.local/share/lapbench.
std::filesystem::path defaultHome();
/// $LAPBENCH_RESOURCES, or the folder found beside the program (installed or in a build tree). Empty where none is.
std::filesystem::path defaultResources(const std::filesystem::path& program);

} // namespace lapbench
