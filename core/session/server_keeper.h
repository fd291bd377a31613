#pragma once

#include "core/plan/plan.h"
#include "core/server/sampler.h"
#include "core/server/supervisor.h"
#include "core/session/observer.h"
#include "core/session/target_launch.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// The one server under test that is up at a time, watched by a sampler. Tells the observer of starts and stops. One
/// thread; what is handed to the constructor outlives it.
class ServerKeeper {
public:
    ServerKeeper(const TargetCommands& commands, std::filesystem::path guardProgram, const SessionControl& control,
                 Observer& observer);
    ~ServerKeeper() { stop(); }
    ServerKeeper(const ServerKeeper&) = delete;
    ServerKeeper& operator=(const ServerKeeper&) = delete;

    /// Ends the server that is up and starts this target's, which is no URL; `phase` is what the observer is told.
    /// `lastOutput` gets the last lines of a server that did not get ready. Problems: as Supervisor::start().
    Result<void> start(const Target& target, const std::string& phase, std::vector<std::string>* lastOutput = nullptr);
    /// Ends the server that is up, if one is.
    void stop();

    /// Whether a server is up and has not ended by itself.
    bool up() const { return m_server && !m_server->exited(); }
    Supervisor* server() const { return m_server.get(); }      ///< null: none
    const Sampler* sampler() const { return m_sampler.get(); } ///< null: none

    /// RSS of the server's tree when it had become ready.
    std::optional<std::uint64_t> idleRssBytes() const { return m_idleRssBytes; }
    /// The lowest RSS of its tree from now on: watched until it has not fallen for 300 ms, for a second at most, and
    /// not where the user has asked for the end.
    std::optional<std::uint64_t> settledRssBytes() const;

private:
    const TargetCommands& m_commands;
    std::filesystem::path m_guardProgram;
    const SessionControl& m_control;
    Observer& m_observer;
    std::unique_ptr<Supervisor> m_server;
    std::unique_ptr<Sampler> m_sampler;
    std::optional<std::uint64_t> m_idleRssBytes;
};

} // namespace lapbench
