#include "core/session/goal_step.h"

#include "core/base/units.h"
#include "core/stats/bottleneck.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace lapbench {

namespace {

constexpr double kCompletedShare = 0.99;

struct Bound {
    std::string_view key; ///< of kReportedPercentiles
    std::string_view word;
    double us;
};

std::vector<Bound> boundsOf(const Goal& goal)
{
    std::vector<Bound> bounds;
    const auto add = [&](std::string_view key, std::string_view word, const std::optional<Nanoseconds>& limit) {
        if (limit)
            bounds.push_back({key, word, static_cast<double>(limit->count()) / 1e3});
    };
    add("p50", "p50", goal.p50);
    add("p90", "p90", goal.p90);
    add("p95", "p95", goal.p95);
    add("p99", "p99", goal.p99);
    add("p99_9", "p99.9", goal.p99_9);
    return bounds;
}

/// As people write it: no digits that the plan did not have.
std::string plain(double value, const char* unit)
{
    constexpr int kDigits = 6;
    std::array<char, 40> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, kDigits).ptr;
    return std::string(text.data(), end) + " " + unit;
}

std::string limitText(double us)
{
    return us < 1e6 ? plain(us / 1e3, "ms") : plain(us / 1e6, "s");
}

void put(const std::optional<Quantile>& found, std::optional<double>& us, bool& atLeast)
{
    if (!found)
        return;
    us = found->us;
    atLeast = found->atLeast;
}

/// Why a percentile is not within its limit; empty where it is.
std::string excess(const Bound& bound, const std::optional<Quantile>& found)
{
    const std::string word(bound.word);
    if (!found)
        return word + " is not known: no request was answered rightly";
    if (found->us > bound.us)
        return word + " was " + (found->atLeast ? "at least " : "") + formatLatencyUs(found->us);
    if (found->atLeast)
        return word + " is not known: too many requests were still open at the end";
    return {};
}

/// Of the requests due in the window those that may still be open at its end, within the goal or as any last one.
double mayBeOpen(const std::vector<Bound>& bounds, double rate)
{
    double longestUs = 0;
    for (const Bound& bound : bounds)
        longestUs = std::max(longestUs, bound.us);
    return rate * longestUs / 1e6 + 1;
}

} // namespace

std::string describeGoal(const Goal& goal)
{
    std::string text;
    for (const Bound& bound : boundsOf(goal))
        text += std::string(bound.word) + " <= " + limitText(bound.us) + ", ";
    return text + (goal.errors > 0 ? "at most " + plain(goal.errors * 100, "%") + " errors" : "no errors");
}

GoalStep judgeStep(const Goal& goal, double rate, const LoadFigures& load)
{
    GoalStep step;
    step.rate = rate;
    step.rps = load.rps;
    put(load.latency.percentile("p50"), step.p50Us, step.p50AtLeast);
    put(load.latency.percentile("p99"), step.p99Us, step.p99AtLeast);
    const auto completed = static_cast<double>(load.completed());
    if (load.completed() != 0)
        step.failedShare = static_cast<double>(load.failed) / completed;
    const std::vector<Bound> bounds = boundsOf(goal);
    double nearest = 0;
    for (const Bound& bound : bounds) {
        const auto found = load.latency.percentile(bound.key);
        if (step.why.empty())
            step.why = excess(bound, found);
        if (found && found->us / bound.us > nearest) {
            nearest = found->us / bound.us;
            put(found, step.goalUs, step.goalAtLeast);
        }
    }
    const double due = rate * load.durationSeconds;
    if (step.why.empty() && step.failedShare.value_or(0) > goal.errors)
        step.why = plain(*step.failedShare * 100, "%") + " of the requests failed";
    if (step.why.empty() && completed < due * kCompletedShare - mayBeOpen(bounds, rate))
        step.why = "only " + formatRate(completed / load.durationSeconds) + " requests/s were completed";
    step.held = step.why.empty();
    return step;
}

std::string generatorLimit(const LoadFigures& load)
{
    if (load.busiestWorkerCores && *load.busiestWorkerCores > bottleneck_bounds::kWorkerCores)
        return "a thread of the generator used " + formatSignificant(*load.busiestWorkerCores) + " of a core";
    if (load.peakOpen < load.connectionsAsked &&
        std::any_of(load.errors.begin(), load.errors.end(),
                    [](const ErrorCount& error) { return error.kind == ErrorKind::clientLimit; }))
        return "no more than " + std::to_string(load.peakOpen) + " of " +
               formatCounted(load.connectionsAsked, "connection") + " could be opened";
    return {};
}

} // namespace lapbench
