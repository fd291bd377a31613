#include "core/result/comparisons.h"

#include "core/base/units.h"
#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"
#include "core/stats/rounds.h"
#include "core/stats/verdict_sentence.h"

#include <algorithm>
#include <set>

namespace lapbench {

namespace {

constexpr double kError = 0.05;

/// The trials of one workload at one level that count, by target and round.
struct Group {
    std::string workload;
    Level level;
    std::map<std::string, std::map<unsigned, const Trial*>> trials;
    std::set<unsigned> rounds;

    const Trial* find(const std::string& target, unsigned round) const
    {
        const auto own = trials.find(target);
        const auto found =
            own == trials.end() ? std::map<unsigned, const Trial*>::const_iterator{} : own->second.find(round);
        return own == trials.end() || found == own->second.end() ? nullptr : found->second;
    }
    bool inOneRound(const std::string& a, const std::string& b) const
    {
        return std::any_of(rounds.begin(), rounds.end(),
                           [&](unsigned round) { return find(a, round) != nullptr && find(b, round) != nullptr; });
    }
};

std::vector<Group> groupsOf(const std::vector<Trial>& trials)
{
    std::vector<Group> groups;
    for (const Trial& trial : trials) {
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& one) {
            return one.workload == trial.workload && one.level == trial.level;
        });
        if (group == groups.end())
            group = groups.insert(group, Group{trial.workload, trial.level, {}, {}});
        if (trial.superseded)
            continue;
        group->rounds.insert(trial.round);
        if (trial.outcome == Outcome::done)
            group->trials[trial.target][trial.round] = &trial;
    }
    return groups;
}

/// What limited the first trial of a target that says nothing about it; null where all do.
const Bottleneck* obstacle(const Group& group, const std::string& target)
{
    const auto own = group.trials.find(target);
    if (own != group.trials.end())
        for (const auto& [round, trial] : own->second)
            if (trial->bottleneck && !trial->bottleneck->rankable)
                return &*trial->bottleneck;
    return nullptr;
}

std::string boundText(std::string_view metric, double value)
{
    return metric == "rps" ? formatRate(value) + " requests/s" : formatLatencyUs(value);
}

/// The values of both in every round that both finished, and why they cannot be compared where that is so.
struct Pairs {
    std::vector<double> a, b;
    std::vector<std::optional<double>> ratios;
    std::string hindrance;
};

Pairs pairsOf(const Group& group, std::string_view metric, const std::string& a, const std::string& b,
              const ComparisonRules& rules)
{
    Pairs pairs;
    const auto take = [&](const Trial& trial) {
        const auto value = comparedFigure(trial, metric);
        const bool known = value && !value->atLeast && value->us > 0;
        if (!known && pairs.hindrance.empty())
            pairs.hindrance =
                "of " + labelOf(rules.labels, trial.target) +
                (value && value->atLeast ? " it is only known to be at least " + boundText(metric, value->us)
                                         : " there is none") +
                " in round " + std::to_string(trial.round);
        return known ? std::optional(value->us) : std::nullopt;
    };
    for (const unsigned round : group.rounds) {
        const Trial* first = group.find(a, round);
        const Trial* second = group.find(b, round);
        pairs.ratios.emplace_back();
        if (first == nullptr || second == nullptr)
            continue;
        const auto valueA = take(*first), valueB = take(*second);
        if (!valueA || !valueB)
            continue;
        pairs.a.push_back(*valueA);
        pairs.b.push_back(*valueB);
        pairs.ratios.back() = *valueB / *valueA;
    }
    return pairs;
}

/// Says so and takes the verdict back where a trial of either says nothing about its server.
void judgeTrials(Comparison& made, const Group& group, const ComparisonRules& rules)
{
    for (const std::string& target : {made.a, made.b}) {
        const Bottleneck* limit = obstacle(group, target);
        if (limit == nullptr)
            continue;
        made.rankable = false;
        made.figures.verdict = Verdict::cannotTell;
        made.sentence = "no verdict on " + labelOf(rules.labels, made.a) + " and " + labelOf(rules.labels, made.b) +
                        ": " + labelOf(rules.labels, target) + " was limited by " +
                        std::string(limitInWords(limit->limit)) + " (" + limit->reason + ")";
        return;
    }
}

/// `sharing`: how many comparisons share the error.
Comparison compare(const Group& group, std::string_view metric, const std::string& b, std::size_t sharing,
                   const ComparisonRules& rules)
{
    Comparison made;
    made.workload = group.workload;
    made.level = group.level;
    made.metric = metric;
    made.a = rules.targets.front();
    made.b = b;
    made.control = b == rules.control;
    made.confidence = 1 - kError / static_cast<double>(std::max<std::size_t>(1, sharing));
    Pairs pairs = pairsOf(group, metric, made.a, b, rules);
    made.ratios = std::move(pairs.ratios);
    if (pairs.hindrance.empty())
        if (const auto figures = compareRounds(pairs.a, pairs.b, {sharing, rules.zone, metric == "rps"}))
            made.figures = *figures;
    if (made.figures.rounds == 0)
        made.sentence = labelOf(rules.labels, b) + " and " + labelOf(rules.labels, made.a) + " cannot be compared by " +
                        made.metric + ": " + pairs.hindrance;
    judgeTrials(made, group, rules);
    return made;
}

std::optional<double> noiseFloorOf(const Comparison& control)
{
    if (!control.figures.low || !control.figures.high)
        return std::nullopt;
    return std::max(*control.figures.high - 1, 1 - *control.figures.low);
}

bool isSearch(const Group& group)
{
    for (const auto& [target, trials] : group.trials)
        for (const auto& [round, trial] : trials)
            if (trial->search)
                return true;
    return false;
}

/// Whether the rate of a target is the one that was asked for and not the most it can do; a noisy trial does not say.
bool reachedRate(const Group& group, const std::string& target)
{
    bool reached = false;
    for (const auto& [round, trial] : group.trials.at(target)) {
        const Limit limit = trial->bottleneck ? trial->bottleneck->limit : Limit::unknown;
        if (limit != Limit::rate && limit != Limit::noise)
            return false;
        reached = reached || limit == Limit::rate;
    }
    return reached;
}

std::string sentenceOf(const Comparison& made, const Group& group, const ComparisonRules& rules)
{
    std::string text = verdictSentence(made.figures, {labelOf(rules.labels, made.a), labelOf(rules.labels, made.b),
                                                      made.metric, made.confidence, rules.zone, made.noiseFloor});
    if (made.metric == "rps" && reachedRate(group, made.a) && reachedRate(group, made.b))
        text += "; both reached the rate asked for, which need not be the most they can do";
    return text;
}

void addComparisons(const Group& group, const ComparisonRules& rules, std::vector<Comparison>& comparisons)
{
    std::vector<std::string> others;
    for (const std::string& target : rules.targets)
        if (target != rules.targets.front() && target != rules.control &&
            group.inOneRound(rules.targets.front(), target))
            others.push_back(target);
    const bool controlled = !rules.control.empty() && group.inOneRound(rules.targets.front(), rules.control);
    for (const std::string_view metric : kComparedMetrics) {
        if (metric != "rps" && isSearch(group))
            continue;
        std::vector<Comparison> made;
        for (const std::string& target : others)
            made.push_back(compare(group, metric, target, others.size(), rules));
        std::optional<double> floor;
        if (controlled) {
            made.push_back(compare(group, metric, rules.control, 1, rules));
            floor = noiseFloorOf(made.back());
        }
        for (Comparison& one : made) {
            one.noiseFloor = floor;
            if (one.sentence.empty())
                one.sentence = sentenceOf(one, group, rules);
            comparisons.push_back(std::move(one));
        }
    }
}

/// The targets that may be ranked, by their median rate, without ranks.
std::vector<Ranking::Place> rankableOf(const Group& group, const ComparisonRules& rules)
{
    std::vector<Ranking::Place> places;
    for (const std::string& target : rules.targets) {
        const auto own = group.trials.find(target);
        if (target == rules.control || own == group.trials.end() || obstacle(group, target) != nullptr)
            continue;
        std::vector<double> values;
        for (const auto& [round, trial] : own->second)
            if (const auto rps = comparedFigure(*trial, "rps"))
                values.push_back(rps->us);
        if (const auto middle = median(values))
            places.push_back({target, 1, *middle});
    }
    std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.rps > b.rps; });
    return places;
}

/// A better one of which only "at least" is known is better all the more; of the other one it leaves everything open.
bool isSlower(const Group& group, const std::string& target, const std::string& better, const CompareRules& rules)
{
    std::vector<double> a, b;
    for (const unsigned round : group.rounds) {
        const Trial* first = group.find(better, round);
        const Trial* second = group.find(target, round);
        if (first == nullptr || second == nullptr)
            continue;
        const auto valueA = comparedFigure(*first, "rps"), valueB = comparedFigure(*second, "rps");
        if (!valueA || !valueB)
            continue;
        if (valueB->atLeast)
            return false;
        a.push_back(valueA->us);
        b.push_back(valueB->us);
    }
    const auto found = compareRounds(a, b, rules);
    return found && found->verdict == Verdict::slower;
}

} // namespace

const std::string& labelOf(const Labels& labels, const std::string& target)
{
    const auto found = labels.find(target);
    return found == labels.end() ? target : found->second;
}

std::optional<Quantile> comparedFigure(const Trial& trial, std::string_view metric)
{
    if (metric != "rps")
        return trialFigure(trial, std::string(metric) + "_us");
    return trialFigure(trial, trial.search ? "goal_rate" : "rps");
}

ComparisonRules comparisonRulesOf(const SessionResult& result)
{
    const Plan plan = parsePlan(result.planJson, {}).plan;
    ComparisonRules rules;
    rules.zone = plan.equivalence;
    const auto ran = [&](const std::string& target) {
        return std::any_of(result.trials.begin(), result.trials.end(),
                           [&](const Trial& trial) { return trial.target == target; });
    };
    for (const Target& target : plan.targets) {
        rules.labels[target.name] = target.shownName();
        if (ran(target.name))
            rules.targets.push_back(target.name);
    }
    // Not by controlName(): which targets were selected on the command line only the trials tell.
    const auto first = std::find_if(plan.targets.begin(), plan.targets.end(), [&](const Target& target) {
        return !rules.targets.empty() && target.name == rules.targets.front();
    });
    if (plan.aaControl && first != plan.targets.end()) {
        const Target control = controlOf(*first);
        if (ran(control.name)) {
            rules.control = control.name;
            rules.labels[control.name] = control.shownName();
        }
    }
    for (const Trial& trial : result.trials)
        if (trial.target != rules.control &&
            std::find(rules.targets.begin(), rules.targets.end(), trial.target) == rules.targets.end())
            rules.targets.push_back(trial.target);
    return rules;
}

std::vector<Comparison> makeComparisons(const std::vector<Trial>& trials, const ComparisonRules& rules)
{
    std::vector<Comparison> comparisons;
    if (rules.targets.empty())
        return comparisons;
    for (const Group& group : groupsOf(trials))
        addComparisons(group, rules, comparisons);
    return comparisons;
}

std::vector<Ranking> makeRankings(const std::vector<Trial>& trials, const ComparisonRules& rules)
{
    std::vector<Ranking> rankings;
    for (const Group& group : groupsOf(trials)) {
        Ranking ranking{group.workload, group.level, rankableOf(group, rules)};
        auto& places = ranking.places;
        if (places.empty())
            continue;
        std::size_t best = 0;
        for (std::size_t i = 1; i < places.size(); ++i) {
            if (isSlower(group, places[i].target, places[best].target, {places.size() - 1, rules.zone, true}))
                best = i;
            places[i].rank = static_cast<unsigned>(best + 1);
        }
        rankings.push_back(std::move(ranking));
    }
    return rankings;
}

} // namespace lapbench
