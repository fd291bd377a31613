#pragma once

#include "core/base/clock.h"
#include "core/load/engine.h"
#include "core/result/session_result.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace lapbench {

/// What the live display gets a few times a second.
struct SessionInterval {
    LoadInterval load;
    std::optional<double> serverCpuCores;
    std::optional<std::uint64_t> serverRssBytes;
    std::optional<double> noise; ///< share of the machine that others and steal took in the last second
};

/// Looks on while a session runs; every function is called on the thread that runs the session, none may block long.
/// log() is the exception: it may come from any thread, one call at a time.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void sessionStarted(std::size_t trials, Nanoseconds estimate) = 0;
    virtual void trialStarted(const TrialPlan& trial, const Plan& plan, Nanoseconds remaining) = 0;
    /// "cold start", "audit", "start", "connect", "warmup", "measure", "finish", "stop", "cooldown", "paused".
    virtual void phase(const std::string& name) = 0;
    virtual void interval(const SessionInterval& interval) = 0;
    virtual void trialFinished(const Trial& trial) = 0;
    /// All trials and what can be said of them so far.
    virtual void roundFinished(unsigned round, const std::vector<Trial>& trials,
                               const std::vector<Comparison>& comparisons) = 0;
    virtual void warning(const Warning& warning) = 0;
    virtual void log(const std::string& source, const std::string& line) = 0;
};

/// What the user may ask of a running session; any thread, and stop() from a signal handler.
class SessionControl {
public:
    void stop() { m_stop.store(true); }
    void stopAfterTrial() { m_stopAfterTrial.store(true); }
    void pause() { m_paused.store(true); }
    void resume() { m_paused.store(false); }
    void skip(std::size_t index)
    {
        const std::lock_guard lock(m_mutex);
        m_skipped.insert(index);
    }

    bool stopping() const { return m_stop.load(); }
    bool stoppingAfterTrial() const { return m_stopAfterTrial.load(); }
    bool paused() const { return m_paused.load(); }
    bool skipped(std::size_t index) const
    {
        const std::lock_guard lock(m_mutex);
        return m_skipped.contains(index);
    }
    const std::atomic<bool>& stopFlag() const { return m_stop; }

private:
    std::atomic<bool> m_stop{false}, m_stopAfterTrial{false}, m_paused{false};
    mutable std::mutex m_mutex;
    std::set<std::size_t> m_skipped;
};

} // namespace lapbench
