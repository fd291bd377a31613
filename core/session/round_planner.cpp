#include "core/session/round_planner.h"

#include "core/plan/schedule.h"

#include <algorithm>
#include <limits>

namespace lapbench {

RoundRules roundRulesOf(const Plan& plan)
{
    return {roundsOf(plan), mostRoundsOf(plan), plan.untilCi, plan.budget};
}

std::optional<double> widestInterval(const std::vector<Comparison>& comparisons)
{
    std::optional<double> widest;
    for (const Comparison& comparison : comparisons) {
        const PairedRatio& figures = comparison.figures;
        if (comparison.metric != "rps" || comparison.control || figures.rounds == 0)
            continue;
        const double reach = figures.low && figures.high
                                 ? std::max(1 - *figures.low / figures.ratio, *figures.high / figures.ratio - 1)
                                 : std::numeric_limits<double>::infinity();
        widest = std::max(widest.value_or(0), reach);
    }
    return widest;
}

bool fitsBudget(const RoundRules& rules, const RoundsSoFar& soFar)
{
    return !rules.budget || soFar.elapsed + soFar.nextTakes <= *rules.budget;
}

NextRound nextRound(const RoundRules& rules, const RoundsSoFar& soFar, const std::vector<Comparison>& comparisons)
{
    if (soFar.done == 0)
        return NextRound::begins;
    if (soFar.done >= rules.most)
        return NextRound::allDone;
    // No comparison, as with a single target: nothing that more rounds could narrow.
    if (rules.untilCi && soFar.done >= rules.fewest && widestInterval(comparisons).value_or(0) <= *rules.untilCi)
        return NextRound::narrowEnough;
    return fitsBudget(rules, soFar) ? NextRound::begins : NextRound::overBudget;
}

} // namespace lapbench
