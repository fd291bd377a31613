#include "core/result/compare_results.h"
#include "core/result/result_json.h"

namespace lapbench {

namespace {

constexpr std::array<const char*, kComparedMetrics.size()> kKeys = {"rps", "p50_us", "p99_us"};

Json valueToJson(const ComparedValue& value)
{
    Json json;
    if (value.atLeast)
        json["median"] = {{"at_least", *value.median}};
    else
        json["median"] = *value.median;
    json["rounds"] = value.rounds;
    return json;
}

Json sideToJson(const ResultComparison& comparison, const ComparedSide& side)
{
    Json json{{"result", comparison.results[side.result].name}, {"target", side.target}, {"label", side.label}};
    for (std::size_t i = 0; i < kKeys.size(); ++i)
        if (side.values[i].median)
            json[kKeys[i]] = valueToJson(side.values[i]);
    json["failed"] = side.failed;
    if (!side.struck.empty())
        json["not_compared"] = side.struck;
    return json;
}

Json whoToJson(const ResultComparison& comparison, const ComparedSide& side)
{
    return {{"result", comparison.results[side.result].name}, {"target", side.target}};
}

Json pairToJson(const ResultComparison& comparison, const ComparedRow& row, const SidePair& pair)
{
    Json json{{"workload", row.workload},
              {"level", levelToJson(row.level)},
              {"metric", kComparedMetrics[pair.metric]},
              {"a", whoToJson(comparison, row.sides[pair.a])},
              {"b", whoToJson(comparison, row.sides[pair.b])}};
    if (const auto& figures = pair.figures) {
        json["ratio"] = figures->ratio;
        if (figures->low) {
            json["confidence"] = pair.confidence;
            json["low"] = *figures->low;
            json["high"] = *figures->high;
        }
        if (figures->degrees)
            json["degrees"] = *figures->degrees;
        json["rounds_a"] = figures->roundsA;
        json["rounds_b"] = figures->roundsB;
        json["verdict"] = verdictName(figures->verdict);
        json["thin"] = figures->thin;
    } else {
        json["not_compared"] = pair.refused;
    }
    json["sentence"] = pair.sentence;
    return json;
}

Json differenceToJson(const ResultDifference& difference)
{
    Json json{{"what", difference.what}, {"values", Json::array()}};
    for (const auto& value : difference.values)
        json["values"].push_back(value ? Json(*value) : Json(nullptr));
    return json;
}

} // namespace

std::string formatComparison(const ResultComparison& comparison)
{
    Json json{{"schema", "lapbench-comparison"}, {"schema_version", 1}};
    json["results"] = Json::array();
    for (const ComparedResult& result : comparison.results)
        json["results"].push_back(
            {{"name", result.name}, {"id", result.id}, {"created_utc", formatUtc(result.created)}});
    json["differences"] = Json::array();
    for (const ResultDifference& difference : comparison.differences)
        json["differences"].push_back(differenceToJson(difference));
    if (comparison.differencesLeftOut > 0)
        json["differences_left_out"] = comparison.differencesLeftOut;
    json["equivalence"] = comparison.zone;
    json["cells"] = Json::array();
    json["comparisons"] = Json::array();
    for (const ComparedRow& row : comparison.rows) {
        Json cell{{"workload", row.workload}, {"level", levelToJson(row.level)}, {"sides", Json::array()}};
        for (const ComparedSide& side : row.sides)
            cell["sides"].push_back(sideToJson(comparison, side));
        json["cells"].push_back(std::move(cell));
        for (const SidePair& pair : row.pairs)
            json["comparisons"].push_back(pairToJson(comparison, row, pair));
    }
    json["unmatched"] = Json::array();
    for (const UnmatchedCell& cell : comparison.unmatched) {
        Json item{{"workload", cell.workload}, {"level", levelToJson(cell.level)}};
        item.update(sideToJson(comparison, cell.side));
        item["reason"] = cell.reason;
        json["unmatched"].push_back(std::move(item));
    }
    json["notes"] = comparison.notes;
    return dumpJson(json) + "\n";
}

} // namespace lapbench
