#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/session/fair_work.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

// What finished trials show of the work that was done in them.

namespace lapbench {

namespace {

constexpr double kSameBytes = 0.01;            ///< bodies whose mean lengths are this close are as long
constexpr std::uint64_t kFewestAnswers = 1000; ///< fewer of a mix may hold more of one kind by chance
constexpr double kMostFailed = 0.001;          ///< share of wrong answers, whose bodies are among those counted
constexpr double kFewestReused = 0.9;

/// What the trials of one target, workload and level add up to.
struct Sum {
    std::string target, workload;
    Level level;
    std::uint64_t answers = 0, failed = 0, bodyBytes = 0, reconnects = 0;

    double bytesPerAnswer() const { return static_cast<double>(bodyBytes) / static_cast<double>(answers); }
    bool tellsBytes() const
    {
        return answers >= kFewestAnswers && static_cast<double>(failed) <= kMostFailed * static_cast<double>(answers);
    }
    double reuse() const { return std::max(0.0, 1 - static_cast<double>(reconnects) / static_cast<double>(answers)); }
};

/// In the order of the workloads' and levels' first appearance, the targets in the plan's.
std::vector<Sum> sumsOf(const Plan& plan, const std::vector<Trial>& trials)
{
    std::vector<Sum> sums;
    for (const Trial& trial : trials) {
        if (trial.outcome != Outcome::done || trial.superseded)
            continue;
        auto sum = std::find_if(sums.begin(), sums.end(), [&](const Sum& each) {
            return each.target == trial.target && each.workload == trial.workload && each.level == trial.level;
        });
        if (sum == sums.end())
            sum = sums.insert(sums.end(), {trial.target, trial.workload, trial.level});
        sum->answers += trial.load.completed();
        sum->failed += trial.load.failed;
        sum->bodyBytes += trial.load.bodyReceived;
        sum->reconnects += trial.load.reconnects;
    }
    const auto place = [&plan](const std::string& name) {
        return std::find_if(plan.targets.begin(), plan.targets.end(),
                            [&](const Target& target) { return target.name == name; }) -
               plan.targets.begin();
    };
    std::stable_sort(sums.begin(), sums.end(),
                     [&](const Sum& a, const Sum& b) { return place(a.target) < place(b.target); });
    return sums;
}

std::string labelOf(const Plan& plan, const std::string& name)
{
    const auto found = std::find_if(plan.targets.begin(), plan.targets.end(),
                                    [&](const Target& target) { return target.name == name; });
    return found == plan.targets.end() ? name : found->shownName();
}

std::string whereOf(const Sum& sum)
{
    return "workload " + sum.workload + ", " + formatLevel(sum.level);
}

void compareBytes(const Plan& plan, const std::vector<Sum>& sums, std::vector<Warning>& warnings)
{
    for (const Sum& sum : sums) {
        const auto first = std::find_if(sums.begin(), sums.end(), [&](const Sum& each) {
            return each.workload == sum.workload && each.level == sum.level;
        });
        if (!sum.tellsBytes() || !first->tellsBytes())
            continue;
        const double mine = sum.bytesPerAnswer(), theirs = first->bytesPerAnswer();
        if (std::abs(mine - theirs) <= kSameBytes * theirs)
            continue;
        const std::string share =
            theirs > 0 ? formatSignificant(std::abs(mine / theirs - 1) * 100, 2) + " % " : std::string();
        warnings.push_back({"bytes_per_answer", "warning",
                            labelOf(plan, sum.target) + "'s answers have bodies of " + formatSignificant(mine, 4) +
                                " bytes, " + labelOf(plan, first->target) + "'s " + formatSignificant(theirs, 4) +
                                " (" + share + (mine < theirs ? "smaller" : "larger") + ") in " + whereOf(sum),
                            std::to_string(sum.bodyBytes) + " bytes in " + std::to_string(sum.answers) + " answers, " +
                                std::to_string(first->bodyBytes) + " in " + std::to_string(first->answers)});
    }
}

void lookAtReuse(const Plan& plan, const std::vector<Sum>& sums, std::vector<Warning>& warnings)
{
    for (const Sum& sum : sums) {
        if (sum.answers == 0 || sum.reuse() >= kFewestReused)
            continue;
        const std::string share =
            sum.reuse() > 0 ? "only " + formatSignificant(sum.reuse() * 100, 2) + " % of the requests" : "no request";
        warnings.push_back({"connections_not_reused", "warning",
                            labelOf(plan, sum.target) + " closed connections that the plan keeps: " + share +
                                " found one open in " + whereOf(sum),
                            std::to_string(sum.reconnects) + " connections opened again for " +
                                std::to_string(sum.answers) + " requests"});
    }
}

} // namespace

std::vector<Warning> workWarnings(const Plan& plan, const std::vector<Trial>& trials)
{
    std::vector<Warning> warnings;
    const std::vector<Sum> sums = sumsOf(plan, trials);
    const std::vector<std::string>& ignore = plan.fairWork.ignore;
    if (std::find(ignore.begin(), ignore.end(), "body") == ignore.end())
        compareBytes(plan, sums, warnings);
    if (!plan.load.newConnections)
        lookAtReuse(plan, sums, warnings);
    return warnings;
}

} // namespace lapbench
