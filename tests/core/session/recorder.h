#pragma once

#include "core/session/observer.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lapbench::test {

/// Remembers what a session told, and lets a test act when something happens.
class Recorder : public Observer {
public:
    std::vector<std::string> events;
    std::vector<Trial> trials;
    std::vector<std::vector<Comparison>> comparisons; ///< after each round
    std::vector<Warning> warnings;
    std::size_t intervals = 0;
    std::function<void(const TrialPlan&)> onTrialStarted;
    std::function<void(const Trial&)> onTrialFinished;
    std::function<void(const std::string&)> onPhase;

    void sessionStarted(std::size_t count, Nanoseconds) override { tell("session " + std::to_string(count)); }
    void trialStarted(const TrialPlan& trial, const Plan& plan, Nanoseconds) override
    {
        tell("trial " + plan.targets[trial.target].name + " r" + std::to_string(trial.round));
        if (onTrialStarted)
            onTrialStarted(trial);
    }
    void phase(const std::string& name) override
    {
        tell(name);
        if (onPhase)
            onPhase(name);
    }
    void interval(const SessionInterval&) override { ++intervals; }
    void trialFinished(const Trial& trial) override
    {
        trials.push_back(trial);
        if (onTrialFinished)
            onTrialFinished(trial);
    }
    void roundFinished(unsigned round, const std::vector<Trial>&, const std::vector<Comparison>& soFar) override
    {
        comparisons.push_back(soFar);
        tell("round " + std::to_string(round) + " over");
    }
    void warning(const Warning& warning) override { warnings.push_back(warning); }
    void log(const std::string&, const std::string&) override {}

    std::size_t count(const std::string& event) const
    {
        return static_cast<std::size_t>(std::count(events.begin(), events.end(), event));
    }

private:
    void tell(std::string event) { events.push_back(std::move(event)); }
};

} // namespace lapbench::test
