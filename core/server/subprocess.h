#pragma once

#include "core/base/result.h"

#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapbench {

/// How to start one program with posix_spawn. It gets /dev/null as input, default signals, and no other descriptor
/// than those named here.
struct ProgramStart {
    std::vector<std::string> argv;                        ///< argv[0]: a path, or found on PATH
    std::vector<std::pair<std::string, std::string>> env; ///< added to this process's environment, later ones win
    std::filesystem::path folder;                         ///< working folder; empty: this process's
    int outputFd = -1;                                    ///< stdout and stderr; -1: /dev/null
    std::vector<int> keepFds;                             ///< stay open under their numbers
    bool ownSession = false;
};

/// The new child's pid; the caller waits for it. Problems: program not found or not executable, no folder.
Result<pid_t> startProgram(const ProgramStart& start);

/// How a program that ran to its end ended, with what it printed.
struct ProgramRun {
    int status = 0; ///< as of waitpid
    bool timedOut = false, stopped = false;
    std::vector<std::string> lastLines; ///< at most 40
    bool succeeded() const { return status == 0 && !timedOut && !stopped; }
};

/// Runs a program and gives each line of its output to `onLine`, on the caller's thread. At the time limit (none where
/// absent) or once `stop` is set, the program is ended with all its descendants. `start.outputFd` is not used.
Result<ProgramRun> runProgram(ProgramStart start, std::optional<std::chrono::nanoseconds> limit,
                              const std::function<void(const std::string&)>& onLine = {},
                              const std::atomic<bool>* stop = nullptr);

} // namespace lapbench
