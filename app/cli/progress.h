#pragma once

#include "app/cli/terminal.h"
#include "core/plan/plan.h"
#include "core/session/observer.h"

#include <memory>
#include <mutex>
#include <string>

namespace lapbench {

/// Where a session's progress goes: an observer with a word before and after the session.
class Progress : public Observer {
public:
    /// A line of the preparations: npm's output and the like.
    virtual void preparation(const std::string& line) = 0;
    virtual void finished(const std::string& resultPath) = 0;
    virtual void failed(const std::string& message) = 0;
};

/// --progress bar: one line on stderr, or a line for each finished trial where stderr is no terminal.
class BarProgress final : public Progress {
public:
    explicit BarProgress(const Plan& plan) : m_plan(plan) {}

    void sessionStarted(std::size_t trials, Nanoseconds estimate) override;
    void trialStarted(const TrialPlan& trial, const Plan& plan, Nanoseconds remaining) override;
    void phase(const std::string& name) override;
    void interval(const SessionInterval& interval) override;
    void trialFinished(const Trial& trial) override;
    void roundFinished(unsigned, const std::vector<Trial>&, const std::vector<Comparison>&) override {}
    void warning(const Warning& warning) override;
    void log(const std::string&, const std::string&) override {}
    void preparation(const std::string& line) override;
    void finished(const std::string&) override { m_line.clear(); }
    void failed(const std::string&) override { m_line.clear(); }

private:
    void show();
    std::string placeOf(std::size_t index) const;

    const Plan& m_plan;
    StatusLine m_line;
    std::size_t m_trials = 0;
    bool m_mayGrow = false; ///< there may be more trials than that
    TrialPlan m_trial;
    std::string m_phase, m_figures;
    std::int64_t m_trialStartedNs = 0;
    Nanoseconds m_remaining{};
};

/// --progress jsonl: one event a line on stdout. Where nobody reads any more the session is stopped.
class JsonlProgress final : public Progress {
public:
    explicit JsonlProgress(SessionControl& control) : m_control(control) {}

    void sessionStarted(std::size_t trials, Nanoseconds estimate) override;
    void trialStarted(const TrialPlan& trial, const Plan& plan, Nanoseconds remaining) override;
    void phase(const std::string& name) override;
    void interval(const SessionInterval& interval) override;
    void trialFinished(const Trial& trial) override;
    void roundFinished(unsigned round, const std::vector<Trial>& trials,
                       const std::vector<Comparison>& comparisons) override;
    void warning(const Warning& warning) override;
    void log(const std::string& source, const std::string& line) override;
    void preparation(const std::string& line) override;
    void finished(const std::string& resultPath) override;
    void failed(const std::string& message) override;

private:
    void emit(const std::string& line);

    SessionControl& m_control;
    std::mutex m_mutex; ///< server output comes from another thread
};

/// --progress none.
class NoProgress final : public Progress {
public:
    void sessionStarted(std::size_t, Nanoseconds) override {}
    void trialStarted(const TrialPlan&, const Plan&, Nanoseconds) override {}
    void phase(const std::string&) override {}
    void interval(const SessionInterval&) override {}
    void trialFinished(const Trial&) override {}
    void roundFinished(unsigned, const std::vector<Trial>&, const std::vector<Comparison>&) override {}
    void warning(const Warning&) override {}
    void log(const std::string&, const std::string&) override {}
    void preparation(const std::string&) override {}
    void finished(const std::string&) override {}
    void failed(const std::string&) override {}
};

} // namespace lapbench
