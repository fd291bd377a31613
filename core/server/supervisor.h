#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapbench {

/// How to start one server under test.
struct ServerCommand {
    std::vector<std::string> argv; ///< the program (absolute, or found on PATH) and its arguments
    std::vector<std::pair<std::string, std::string>> env; ///< added to Lapbench's own environment
    std::filesystem::path folder;                         ///< working folder; empty: Lapbench's
    std::optional<std::uint16_t> port;                    ///< absent: a free one; handed over as PORT
    std::string readyPath = "/";
    Nanoseconds readyTimeout = std::chrono::seconds(30);
    std::vector<unsigned> cores;                         ///< the processors it and all below it are kept to; empty: any
    std::vector<std::filesystem::path> temporaryFolders; ///< absolute; the guard removes them after the server's end
};

/// How a server ended.
struct ServerExit {
    bool bySignal = false;
    int code = 0; ///< exit status, or the signal's number

    std::string text() const; ///< "exit code 1", "signal 9 (Killed)"
};

/// One server under test with all its descendants, started through the guard (ARCHITECTURE, decision 13): none of them
/// outlives this object, or Lapbench. One thread; output lines arrive on a thread of the supervisor's own.
class Supervisor {
public:
    using OutputLine = std::function<void(const std::string&)>;

    /// Starts the server and waits until the readiness probe is answered (any HTTP status below 500) by a process of
    /// the tree that was started. Problems: program not found, port taken (with pid and name of the holder), a
    /// processor that is not there or not allowed, ended before it was ready or never ready (with the last lines of its
    /// output). `stop` breaks the wait off. `guardProgram` is lapbench-cli itself. `lastOutput` gets the last lines of
    /// a server that did not get ready, which the problem's message then leaves out. The probe goes to 127.0.0.1.
    static Result<std::unique_ptr<Supervisor>> start(const ServerCommand& command,
                                                     const std::filesystem::path& guardProgram, OutputLine onLine = {},
                                                     const std::atomic<bool>* stop = nullptr,
                                                     std::vector<std::string>* lastOutput = nullptr);
    ~Supervisor(); ///< stop()
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;

    pid_t pid() const; ///< of the server itself
    /// The guard: every process below it is the server's, also those that left the server's own tree (daemons). For
    /// Sampler, with Watch::belowRoot.
    pid_t treeRoot() const;
    std::uint16_t port() const;
    std::string url() const;         ///< "http://127.0.0.1:PORT"
    Nanoseconds startupTime() const; ///< the server's exec to the first answer accepted
    /// Set once the server has ended by itself. A launcher that ends with 0 and leaves processes has not.
    std::optional<ServerExit> exited();
    std::vector<std::string> lastLines() const; ///< the last 20 lines of its output

    /// TERM, 500 ms, KILL for every descendant; returns when all are gone. Idempotent.
    void stop();

private:
    struct State;
    explicit Supervisor(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// The body of the guard: `lapbench-cli guard-server ...` calls this first of all, before any thread is started, and
/// exits with what it returns. Internal.
int guardMain(int argc, char** argv);

/// The internal command's name: argv[1] of the guard.
inline constexpr const char* kGuardCommand = "guard-server";

} // namespace lapbench
