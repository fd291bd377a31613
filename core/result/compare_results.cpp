#include "core/result/compare_results.h"

#include "core/base/units.h"
#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"
#include "core/result/align_imported.h"
#include "core/result/compare_sentences.h"
#include "core/result/comparisons.h"
#include "core/result/match_targets.h"
#include "core/result/semantics_match.h"

#include <algorithm>

namespace lapbench {

namespace {

constexpr std::size_t kRps = 0;

/// A result with what is looked up again and again.
struct Source {
    const NamedResult* named = nullptr;
    Plan plan;
    Labels labels;
    std::vector<Cell> cells;

    const Cell* find(const std::string& target, const std::string& workload, const Level& level) const
    {
        const auto found = std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) {
            return cell.target == target && cell.workload == workload && cell.level == level;
        });
        return found == cells.end() ? nullptr : &*found;
    }
};

Source sourceOf(const NamedResult& named)
{
    const SessionResult& result = named.result;
    const ComparisonRules rules = comparisonRulesOf(result);
    Source source{&named, parsePlan(result.planJson, {}).plan, rules.labels,
                  result.cells.empty() ? makeCells(result.trials, targetsOf(result.planJson)) : result.cells};
    if (!rules.control.empty())
        std::erase_if(source.cells, [&](const Cell& cell) { return cell.target == rules.control; });
    return source;
}

std::vector<const Trial*> trialsOf(const Source& source, const Cell& cell)
{
    std::vector<const Trial*> trials;
    for (const Trial& trial : source.named->result.trials)
        if (trial.outcome == Outcome::done && !trial.superseded && trial.target == cell.target &&
            trial.workload == cell.workload && trial.level == cell.level)
            trials.push_back(&trial);
    return trials;
}

/// Why the figures of these rounds say nothing about their server, or are not what they are called elsewhere; empty:
/// they may be compared.
std::string whyStruck(const std::vector<const Trial*>& trials)
{
    if (trials.empty())
        return "no round of it ended";
    std::size_t limited = 0;
    const Bottleneck* first = nullptr;
    for (const Trial* trial : trials)
        if (trial->bottleneck && !trial->bottleneck->rankable) {
            ++limited;
            first = first == nullptr ? &*trial->bottleneck : first;
        }
    if (first == nullptr)
        return {};
    return std::to_string(limited) + " of " + formatCounted(trials.size(), "round") + " limited by " +
           std::string(limitInWords(first->limit)) + ", which says nothing about the server" +
           (first->reason.empty() ? "" : ": " + first->reason);
}

/// The figure of a cell that holds the median of comparedFigure().
std::string cellKeyOf(std::size_t metric, const std::vector<const Trial*>& trials)
{
    if (metric != kRps)
        return std::string(kComparedMetrics[metric]) + "_us";
    return std::any_of(trials.begin(), trials.end(), [](const Trial* trial) { return trial->search.has_value(); })
               ? "goal_rate"
               : "rps";
}

ComparedSide sideOf(std::size_t index, const Source& source, const Cell& cell)
{
    ComparedSide side;
    side.result = index;
    side.target = cell.target;
    side.label = labelOf(source.labels, cell.target);
    const auto trials = trialsOf(source, cell);
    side.struck = whyStruck(trials);
    if (!trials.empty())
        side.meaning = meaningOf(*trials.front());
    for (const Trial* trial : trials)
        side.failed += trial->load.failed;
    for (std::size_t i = 0; i < kComparedMetrics.size(); ++i) {
        ComparedValue& value = side.values[i];
        if (const auto figure = cell.figures.find(cellKeyOf(i, trials)); figure != cell.figures.end()) {
            value.median = figure->second.median;
            value.atLeast = figure->second.atLeast;
        }
        for (const Trial* trial : trials)
            if (const auto round = comparedFigure(*trial, kComparedMetrics[i])) {
                value.rounds.push_back(round->us);
                value.bounds += round->atLeast ? 1 : 0;
            }
    }
    return side;
}

/// Why two loads of the same level are not the same load.
std::string whyOtherLoad(const Load& a, const Load& b, std::size_t metric)
{
    const auto shown = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
    if (a.ramp != b.ramp)
        return "the loads differ: load.ramp is " + shown(a.ramp) + " and " + shown(b.ramp);
    if (a.steps != b.steps)
        return "the loads differ: load.steps is " + shown(a.steps) + " and " + shown(b.steps);
    if (a.find != b.find)
        return "the loads differ: their goals (load.find) are not the same";
    if (metric == kRps)
        return {};
    if (a.find)
        return "each was measured at the rate that was found for it, and latencies are compared at equal load only";
    if (a.streams != b.streams)
        return "the loads differ: " + formatCounted(a.streams, "request") + " at a time on one connection and " +
               std::to_string(b.streams);
    if (a.newConnections != b.newConnections)
        return "the latencies differ in what they are: one has a new connection for each request";
    return {};
}

std::string whyNotCompared(const std::vector<Source>& sources, const ComparedSide& a, const ComparedSide& b,
                           std::size_t metric)
{
    for (const ComparedSide* side : {&a, &b})
        if (!side->struck.empty())
            return sources[side->result].named->name + ": " + side->struck;
    if (std::string why = whyOtherLoad(sources[a.result].plan.load, sources[b.result].plan.load, metric); !why.empty())
        return why;
    for (const ComparedSide* side : {&a, &b}) {
        const ComparedValue& value = side->values[metric];
        const std::string where = std::string(kComparedMetrics[metric]) + " in " + sources[side->result].named->name;
        if (value.rounds.empty())
            return where + " is not known";
        if (value.bounds > 0)
            return where + " is only known as \"at least\" in " + std::to_string(value.bounds) + " of " +
                   formatCounted(value.rounds.size(), "round");
        if (std::any_of(value.rounds.begin(), value.rounds.end(), [](double round) { return !(round > 0); }))
            return where + " is 0 in a round";
    }
    return whyOtherMeaning(a.meaning, sources[a.result].named->name, b.meaning, sources[b.result].named->name,
                           kComparedMetrics[metric],
                           std::min(a.values[metric].median.value_or(0), b.values[metric].median.value_or(0)));
}

std::vector<SidePair> pairsOf(const std::vector<Source>& sources, const std::vector<ComparedSide>& sides)
{
    std::vector<SidePair> pairs;
    for (std::size_t b = 1; b < sides.size(); ++b)
        for (std::size_t metric = 0; metric < kComparedMetrics.size(); ++metric)
            pairs.push_back({.metric = metric,
                             .a = 0,
                             .b = b,
                             .figures = std::nullopt,
                             .refused = whyNotCompared(sources, sides.front(), sides[b], metric),
                             .sentence = {}});
    return pairs;
}

/// The comparisons of one workload and level, `rows`, share the error of 5 %, each metric for itself.
void comparePairs(const std::vector<Source>& sources, std::span<ComparedRow> rows, double zone)
{
    std::array<CompareRules, kComparedMetrics.size()> rules;
    const auto hasInterval = [](const ComparedRow& row, const SidePair& pair) {
        return pair.refused.empty() && row.sides[pair.a].values[pair.metric].rounds.size() > 1 &&
               row.sides[pair.b].values[pair.metric].rounds.size() > 1;
    };
    for (std::size_t metric = 0; metric < rules.size(); ++metric) {
        rules[metric] = {0, zone, metric == kRps};
        for (const ComparedRow& row : rows)
            for (const SidePair& pair : row.pairs)
                rules[metric].comparisons += pair.metric == metric && hasInterval(row, pair) ? 1 : 0;
    }
    for (ComparedRow& row : rows)
        for (SidePair& pair : row.pairs) {
            const ComparedSide &a = row.sides[pair.a], &b = row.sides[pair.b];
            const NamedResult &ofA = *sources[a.result].named, &ofB = *sources[b.result].named;
            pair.confidence = levelOf(rules[pair.metric]);
            if (pair.refused.empty())
                pair.figures =
                    compareUnpaired(a.values[pair.metric].rounds, b.values[pair.metric].rounds, rules[pair.metric]);
            pair.sentence = sentenceOf(pair, a.label + " in " + ofA.name, b.label + " in " + ofB.name, zone,
                                       whatRoundsDoNotShow(ofA.result, ofB.result));
        }
}

struct Place {
    std::string workload;
    Level level;

    bool operator==(const Place&) const = default;
};

template <typename T>
void addOnce(std::vector<T>& list, const T& value)
{
    if (std::find(list.begin(), list.end(), value) == list.end())
        list.push_back(value);
}

std::string whyUnmatched(const std::vector<Source>& sources, std::size_t own, const Cell& cell)
{
    const auto anyOther = [&](const auto& holds) {
        for (std::size_t i = 0; i < sources.size(); ++i)
            if (i != own && std::any_of(sources[i].cells.begin(), sources[i].cells.end(), holds))
                return true;
        return false;
    };
    const char* missing = "target";
    if (!anyOther([&](const Cell& other) { return other.workload == cell.workload; }))
        missing = "workload";
    else if (!anyOther([&](const Cell& other) { return other.workload == cell.workload && other.level == cell.level; }))
        missing = "level";
    return std::string("no such ") + missing + " in " +
           (sources.size() == 2 ? sources[1 - own].named->name : std::string("any other result"));
}

void addUnmatched(ResultComparison& made, const std::vector<Source>& sources)
{
    for (std::size_t i = 0; i < sources.size(); ++i)
        for (const Cell& cell : sources[i].cells) {
            const bool matched = std::any_of(made.rows.begin(), made.rows.end(), [&](const ComparedRow& row) {
                return row.workload == cell.workload && row.level == cell.level &&
                       std::any_of(row.sides.begin(), row.sides.end(), [&](const ComparedSide& side) {
                           return side.result == i && side.target == cell.target;
                       });
            });
            if (!matched)
                made.unmatched.push_back(
                    {cell.workload, cell.level, sideOf(i, sources[i], cell), whyUnmatched(sources, i, cell)});
        }
}

} // namespace

std::string ComparedRow::label() const
{
    std::vector<std::string> labels;
    for (const ComparedSide& side : sides)
        addOnce(labels, side.label);
    std::string text;
    for (const std::string& label : labels)
        text += (text.empty() ? "" : ", ") + label;
    return text;
}

ResultComparison compareResults(const std::vector<NamedResult>& given)
{
    ResultComparison made;
    std::vector<std::string> alignmentNotes;
    const std::vector<NamedResult> results = alignImported(given, alignmentNotes);
    std::vector<Source> sources;
    std::vector<std::vector<std::string>> targets;
    std::vector<Place> places;
    for (const NamedResult& named : results) {
        made.results.push_back({named.name, named.result.id, named.result.created});
        sources.push_back(sourceOf(named));
        targets.emplace_back();
        for (const Cell& cell : sources.back().cells) {
            addOnce(targets.back(), cell.target);
            addOnce(places, Place{cell.workload, cell.level});
        }
    }
    made.differences = differencesOf(results, made.differencesLeftOut);
    if (!sources.empty())
        made.zone = sources.front().plan.equivalence;
    for (const Place& place : places) {
        const std::size_t before = made.rows.size();
        for (const MatchedTargets& matched : matchTargets(targets)) {
            ComparedRow row{place.workload, place.level, {}, {}};
            for (std::size_t i = 0; i < sources.size(); ++i)
                if (const Cell* cell = matched[i] ? sources[i].find(*matched[i], place.workload, place.level) : nullptr)
                    row.sides.push_back(sideOf(i, sources[i], *cell));
            if (row.sides.size() < 2)
                continue;
            row.pairs = pairsOf(sources, row.sides);
            made.rows.push_back(std::move(row));
        }
        comparePairs(sources, std::span(made.rows).subspan(before), made.zone);
    }
    addUnmatched(made, sources);
    made.notes = notesOn(results, made);
    made.notes.insert(made.notes.begin(), alignmentNotes.begin(), alignmentNotes.end());
    return made;
}

} // namespace lapbench
