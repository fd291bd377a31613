#include "core/result/comparisons_json.h"

#include "core/result/comparisons.h"
#include "core/result/record_json.h"

namespace lapbench {

namespace {

PairedRatio readFigures(JsonReader& json)
{
    PairedRatio figures;
    figures.ratio = json.number("ratio").value_or(1);
    figures.low = json.number("low");
    figures.high = json.number("high");
    figures.rounds = json.count("rounds").value_or(0);
    if (const auto verdict = parseVerdict(json.text("verdict")))
        figures.verdict = *verdict;
    else
        json.fail("verdict", "must be faster, slower, equivalent or cannot_tell");
    figures.thin = json.flag("thin").value_or(true);
    figures.signFlipP = json.number("sign_flip_p");
    return figures;
}

Comparison readComparison(JsonReader json)
{
    Comparison made;
    made.workload = json.text("workload");
    made.level = readLevel(json.child("level"));
    made.metric = json.text("metric");
    made.a = json.text("a");
    made.b = json.text("b");
    made.figures = readFigures(json);
    made.confidence = json.number("level_of_confidence").value_or(made.confidence);
    if (const Json* ratios = json.array("ratios"))
        for (const Json& ratio : *ratios) {
            if (!ratio.is_number() && !ratio.is_null())
                json.fail("ratios", "must be a list of numbers, or null where a round has none");
            made.ratios.push_back(ratio.is_number() ? std::optional(ratio.get<double>()) : std::nullopt);
        }
    made.control = json.flag("control").value_or(false);
    made.rankable = json.flag("rankable").value_or(true);
    made.noiseFloor = json.number("noise_floor");
    made.sentence = json.text("sentence");
    made.unknownJson = json.unknown();
    return made;
}

Ranking readRanking(JsonReader json)
{
    Ranking made;
    made.workload = json.text("workload");
    made.level = readLevel(json.child("level"));
    const Json* places = json.array("places");
    for (std::size_t i = 0; places != nullptr && i < places->size(); ++i) {
        JsonReader place = json.element("places", *places, i);
        made.places.push_back(
            {place.text("target"), place.smallCount("rank").value_or(1), place.number("rps").value_or(0)});
    }
    return made;
}

} // namespace

Json comparisonToJson(const Comparison& comparison)
{
    const PairedRatio& figures = comparison.figures;
    Json json{{"workload", comparison.workload},
              {"level", levelToJson(comparison.level)},
              {"metric", comparison.metric},
              {"a", comparison.a},
              {"b", comparison.b}};
    if (figures.rounds > 0)
        json["ratio"] = figures.ratio;
    if (figures.low && figures.high) {
        json["low"] = *figures.low;
        json["high"] = *figures.high;
        json["level_of_confidence"] = comparison.confidence;
    }
    json["rounds"] = figures.rounds;
    json["ratios"] = Json::array();
    for (const auto& ratio : comparison.ratios)
        json["ratios"].push_back(ratio ? Json(*ratio) : Json(nullptr));
    json["verdict"] = verdictName(figures.verdict);
    json["thin"] = figures.thin;
    put(json, "sign_flip_p", figures.signFlipP);
    json["control"] = comparison.control;
    json["rankable"] = comparison.rankable;
    put(json, "noise_floor", comparison.noiseFloor);
    json["sentence"] = comparison.sentence;
    if (!comparison.unknownJson.empty())
        json.update(Json::parse(comparison.unknownJson));
    return json;
}

Result<Comparison> comparisonFromJson(const Json& json)
{
    std::optional<Problem> problem;
    Comparison made = readComparison(JsonReader(json, "", problem));
    if (problem)
        return *problem;
    return made;
}

Json rankingToJson(const Ranking& ranking)
{
    Json json{{"workload", ranking.workload}, {"level", levelToJson(ranking.level)}, {"places", Json::array()}};
    for (const Ranking::Place& place : ranking.places)
        json["places"].push_back({{"rank", place.rank}, {"target", place.target}, {"rps", place.rps}});
    return json;
}

void putComparisons(Json& json, const SessionResult& result)
{
    json["comparisons"] = Json::array();
    for (const Comparison& comparison : result.comparisons)
        json["comparisons"].push_back(comparisonToJson(comparison));
    json["ranking"] = Json::array();
    for (const Ranking& ranking : result.rankings)
        json["ranking"].push_back(rankingToJson(ranking));
}

void readComparisons(JsonReader& json, SessionResult& result)
{
    if (const Json* list = json.array("comparisons"))
        for (std::size_t i = 0; i < list->size(); ++i)
            result.comparisons.push_back(readComparison(json.element("comparisons", *list, i)));
    else
        result.comparisons = makeComparisons(result.trials, comparisonRulesOf(result));
    if (const Json* list = json.array("ranking"))
        for (std::size_t i = 0; i < list->size(); ++i)
            result.rankings.push_back(readRanking(json.element("ranking", *list, i)));
    else
        result.rankings = makeRankings(result.trials, comparisonRulesOf(result));
}

} // namespace lapbench
