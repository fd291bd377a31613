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
    const bool onlyControl = std::all_of(comparisons.begin(), comparisons.end(),
                                         [](const Comparison& comparison) { return comparison.control; });
    for (const Comparison& comparison : comparisons) {
        const PairedRatio& figures = comparison.figures;
        if (comparison.metric != "rps" || comparison.control != onlyControl || figures.rounds == 0)
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
    if (rules.untilCi && soFar.done >= rules.fewest) {
        const auto widest = widestInterval(comparisons);
        if (!widest)
            return NextRound::nothingToNarrow;
        if (*widest <= *rules.untilCi)
            return NextRound::narrowEnough;
    }
    return fitsBudget(rules, soFar) ? NextRound::begins : NextRound::overBudget;
}

} // namespace lapbench
