#include "core/result/export/goal_text.h"

#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/result/comparisons.h"
#include "core/stats/compare.h"
#include "core/stats/goal_search.h"
#include "core/stats/rounds.h"

#include <algorithm>
#include <utility>

namespace lapbench {

namespace {

constexpr const char* kMissing = "-";

/// The searches of one target in one workload at one level.
struct Searches {
    const Cell* cell = nullptr;
    std::string label, goal;
    std::vector<double> rates; ///< found, by round
    std::size_t without = 0;   ///< rounds in which no rate kept the goal
    bool atLeast = false;
    std::vector<const GoalStep*> steps; ///< of all rounds, by rate
};

/// The rate over all rounds with its interval: the rounds beside a rate of one request a second.
std::optional<PairedRatio> overRounds(const Searches& searches)
{
    const std::vector<double> one(searches.rates.size(), 1.0);
    return compareRounds(one, searches.rates);
}

Searches searchesOf(const SessionResult& result, const Cell& cell, const Labels& labels)
{
    Searches found;
    found.cell = &cell;
    found.label = labelOf(labels, cell.target);
    for (const Trial& trial : result.trials) {
        if (trial.superseded || !trial.search || trial.target != cell.target || trial.workload != cell.workload ||
            trial.level != cell.level)
            continue;
        found.goal = trial.search->goal;
        for (const GoalStep& step : trial.search->steps)
            found.steps.push_back(&step);
        if (trial.search->rate) {
            found.rates.push_back(*trial.search->rate);
            found.atLeast = found.atLeast || trial.search->atLeast;
        } else if (trial.outcome == Outcome::failed && !trial.search->steps.empty()) {
            ++found.without;
        }
    }
    std::sort(found.steps.begin(), found.steps.end(),
              [](const GoalStep* a, const GoalStep* b) { return a->rate < b->rate; });
    return found;
}

/// Those of one workload and level stand together.
std::vector<std::vector<Searches>> searchGroupsOf(const SessionResult& result)
{
    const Labels labels = comparisonRulesOf(result).labels;
    std::vector<std::vector<Searches>> groups;
    for (const auto& cells : groupsOf(result)) {
        std::vector<Searches> group;
        for (const Cell* cell : cells)
            if (Searches searches = searchesOf(result, *cell, labels); !searches.goal.empty())
                group.push_back(std::move(searches));
        if (!group.empty())
            groups.push_back(std::move(group));
    }
    return groups;
}

std::string placeOf(const Searches& searches)
{
    return "Workload " + searches.cell->workload + ", " + formatLevel(searches.cell->level);
}

std::string sentenceOf(const Searches& searches)
{
    const std::size_t rounds = searches.rates.size() + searches.without;
    const auto found = overRounds(searches);
    if (!found)
        return "no rate that was tried kept " + searches.goal + " (" + formatCounted(rounds, "round") + ")";
    std::string text = searches.goal + ", holds up to " + (searches.atLeast ? "at least " : "") +
                       formatRate(found->ratio) + " requests/s (";
    if (found->low && !searches.atLeast)
        text += "95 % interval " + formatRate(*found->low) + "-" + formatRate(*found->high) + ", ";
    text += formatCounted(searches.rates.size(), "round");
    if (found->thin)
        text += "; rests on normal rounds, run 6 or more";
    text += ")";
    if (searches.without > 0)
        text += "; in " + formatCounted(searches.without, "further round") + " no rate kept it";
    return text;
}

CellTable rateTable(const std::vector<Searches>& group)
{
    CellTable made;
    made.title = placeOf(group.front()) + ": highest rate with " + group.front().goal;
    made.table.header = {"target", "req/s", "low", "high", "spread %", "rounds"};
    for (const Searches& searches : group) {
        const auto found = overRounds(searches);
        const bool bounded = found && found->low && !searches.atLeast;
        const auto apart = spread(searches.rates);
        std::string rounds;
        for (const double rate : searches.rates)
            rounds += (rounds.empty() ? "" : " ") + formatRate(rate);
        made.table.rows.push_back(
            {searches.label, found ? (searches.atLeast ? ">= " : "") + formatRate(found->ratio) : kMissing,
             bounded ? formatRate(*found->low) : kMissing, bounded ? formatRate(*found->high) : kMissing,
             apart ? formatSignificant(*apart * 100, 2) : kMissing, rounds.empty() ? kMissing : rounds});
        made.lines.push_back(searches.label + ": " + sentenceOf(searches));
    }
    return made;
}

/// What the rounds measured at about the same rate.
struct CurvePoint {
    std::vector<double> rates, p50, p99;
    bool p50AtLeast = false, p99AtLeast = false;
    std::size_t held = 0;

    void add(const GoalStep& step)
    {
        rates.push_back(step.rate);
        if (step.p50Us)
            p50.push_back(*step.p50Us);
        if (step.p99Us)
            p99.push_back(*step.p99Us);
        p50AtLeast = p50AtLeast || step.p50AtLeast;
        p99AtLeast = p99AtLeast || step.p99AtLeast;
        held += step.held ? 1 : 0;
    }
};

std::string medianText(const std::vector<double>& us, bool atLeast)
{
    const auto middle = median(us);
    return middle ? (atLeast ? ">= " : "") + formatLatencyUs(*middle) : kMissing;
}

CellTable curveTable(const std::vector<Searches>& group)
{
    CellTable made;
    made.title = placeOf(group.front()) + ": latency against rate";
    made.table.header = {"target", "req/s asked", "p50", "p99", "kept"};
    for (const Searches& searches : group) {
        std::vector<CurvePoint> curve;
        for (const GoalStep* step : searches.steps) {
            if (curve.empty() || step->rate > curve.back().rates.front() * (1 + goal_search::kTolerance))
                curve.emplace_back();
            curve.back().add(*step);
        }
        for (const CurvePoint& point : curve)
            made.table.rows.push_back({searches.label, formatRate(*median(point.rates)),
                                       medianText(point.p50, point.p50AtLeast), medianText(point.p99, point.p99AtLeast),
                                       std::to_string(point.held) + " of " + std::to_string(point.rates.size())});
    }
    return made;
}

} // namespace

std::vector<CellTable> goalTables(const SessionResult& result)
{
    std::vector<CellTable> tables;
    for (const auto& group : searchGroupsOf(result)) {
        tables.push_back(rateTable(group));
        tables.push_back(curveTable(group));
    }
    return tables;
}

} // namespace lapbench
