#include "core/result/plateau.h"

#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/result/comparisons.h"

#include <algorithm>

namespace lapbench {

namespace {

constexpr double kTogether = 0.01;
constexpr std::size_t kFewestTargets = 3;

struct Rate {
    std::string target;
    double rps;
};

bool nearCeiling(const Trial& trial)
{
    if (trial.bottleneck && trial.bottleneck->limit == Limit::generator)
        return true;
    return std::any_of(trial.warnings.begin(), trial.warnings.end(), [](const Warning& warning) {
        return warning.code == "near_generator_ceiling" && warning.severity == "warning";
    });
}

/// The longest run of neighbours within 1 % among rates in ascending order.
std::vector<Rate> largestPlateau(const std::vector<Rate>& rates)
{
    std::vector<Rate> best;
    for (auto low = rates.begin(); low != rates.end(); ++low) {
        const auto end =
            std::find_if(low, rates.end(), [&](const Rate& rate) { return rate.rps > low->rps * (1 + kTogether); });
        if (static_cast<std::size_t>(end - low) > best.size())
            best.assign(low, end);
    }
    return best;
}

std::vector<Rate> ratesOf(const SessionResult& result, const Cell& like, const ComparisonRules& rules)
{
    std::vector<Rate> rates;
    for (const Cell& cell : result.cells) {
        if (cell.workload != like.workload || cell.level != like.level || cell.target == rules.control)
            continue;
        const auto rps = cell.figures.find("rps");
        if (rps != cell.figures.end() && *rps->second.median > 0)
            rates.push_back({cell.target, *rps->second.median});
    }
    std::sort(rates.begin(), rates.end(), [](const Rate& a, const Rate& b) { return a.rps < b.rps; });
    return rates;
}

/// How many trials of these targets were near the ceiling.
std::size_t countNear(const SessionResult& result, const Cell& like, const std::vector<Rate>& plateau)
{
    return static_cast<std::size_t>(std::count_if(result.trials.begin(), result.trials.end(), [&](const Trial& trial) {
        return trial.workload == like.workload && trial.level == like.level && !trial.superseded &&
               trial.outcome == Outcome::done && nearCeiling(trial) &&
               std::any_of(plateau.begin(), plateau.end(),
                           [&](const Rate& rate) { return rate.target == trial.target; });
    }));
}

Warning warningOf(const Cell& like, const std::vector<Rate>& plateau, std::size_t near, const ComparisonRules& rules)
{
    std::string names, figures;
    for (std::size_t i = 0; i < plateau.size(); ++i) {
        const std::string& name = labelOf(rules.labels, plateau[i].target);
        names += (i == 0 ? "" : i + 1 == plateau.size() ? " and " : ", ") + name;
        figures += (i == 0 ? "" : ", ") + name + " " + formatRate(plateau[i].rps);
    }
    return {"plateau", "warning",
            names + " are within 1 % of each other near the generator's ceiling (workload " + like.workload + ", " +
                formatLevel(like.level) + "): they may have reached its limit and not their own",
            "medians: " + figures + " requests/s; " + formatCounted(near, "trial") + " near the ceiling"};
}

} // namespace

std::vector<Warning> plateauWarnings(const SessionResult& result)
{
    std::vector<Warning> warnings;
    const ComparisonRules rules = comparisonRulesOf(result);
    for (auto cell = result.cells.begin(); cell != result.cells.end(); ++cell) {
        const bool seen = std::any_of(result.cells.begin(), cell, [&](const Cell& earlier) {
            return earlier.workload == cell->workload && earlier.level == cell->level;
        });
        if (seen)
            continue;
        const std::vector<Rate> plateau = largestPlateau(ratesOf(result, *cell, rules));
        if (plateau.size() < kFewestTargets)
            continue;
        if (const std::size_t near = countNear(result, *cell, plateau); near > 0)
            warnings.push_back(warningOf(*cell, plateau, near, rules));
    }
    return warnings;
}

} // namespace lapbench
