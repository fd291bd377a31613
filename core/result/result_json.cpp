#include "core/result/result_json.h"

#include "core/base/atomic_file.h"
#include "core/result/comparisons_json.h"
#include "core/result/journal.h"
#include "core/result/json_reader.h"
#include "core/result/record_json.h"
#include "core/result/sha256.h"

#include <array>
#include <random>

namespace lapbench {

namespace {

constexpr int kSchemaVersion = 1;
constexpr std::string_view kSchema = "lapbench-result";

Json figureToJson(const CellFigure& figure)
{
    Json json;
    if (figure.atLeast)
        json["median"] = {{"at_least", *figure.median}};
    else
        json["median"] = *figure.median;
    if (figure.spread)
        json["spread"] = *figure.spread;
    json["rounds"] = Json::array();
    for (const auto& round : figure.rounds)
        json["rounds"].push_back(round ? Json(*round) : Json(nullptr));
    return json;
}

Problem named(Problem problem, const std::filesystem::path& path)
{
    problem.path = problem.path.empty() ? path.string() : path.string() + ": " + problem.path;
    return problem;
}

} // namespace

Json cellToJson(const Cell& cell)
{
    Json json{{"target", cell.target}, {"workload", cell.workload}, {"level", levelToJson(cell.level)}};
    for (const std::string_view key : kCellFigures)
        if (const auto figure = cell.figures.find(std::string(key)); figure != cell.figures.end())
            json[std::string(key)] = figureToJson(figure->second);
    if (cell.rpsRatio)
        json["rps_ratio"] = *cell.rpsRatio;
    if (!cell.merged.empty())
        json["histogram"] = {{"format", "hdr-v2-deflate-base64"}, {"unit", "ns"}, {"data", cell.merged.encodeV2()}};
    return json;
}

std::string formatResult(const SessionResult& result)
{
    Json json{{"schema", kSchema}, {"schema_version", kSchemaVersion}};
    putRecordHead(json, result);
    json["trials"] = Json::array();
    for (const Trial& trial : result.trials)
        json["trials"].push_back(trialToJson(trial));
    json["cells"] = Json::array();
    for (const Cell& cell : result.cells)
        json["cells"].push_back(cellToJson(cell));
    putComparisons(json, result);
    json["warnings"] = Json::array();
    for (const Warning& warning : result.warnings)
        json["warnings"].push_back(warningToJson(warning));
    if (!result.unknownJson.empty())
        json.update(Json::parse(result.unknownJson));
    json["integrity"] = {{"sha256", sha256Hex(dumpJson(json))}};
    return dumpJson(json) + "\n";
}

Result<SessionResult> parseResult(std::string_view text)
{
    constexpr std::size_t kLarge = std::size_t{1} << 20; // what is larger and another tool's is not parsed for nothing
    if (text.size() > kLarge && text.find(kSchema) == std::string_view::npos)
        return checkSchema(Json(), kSchema, kSchemaVersion).problem();
    auto parsed = parseJsonText(text);
    if (!parsed)
        return parsed.problem();
    Json& source = parsed.value();
    std::optional<Problem> problem;
    if (auto checked = checkSchema(source, kSchema, kSchemaVersion); !checked)
        return checked.problem();

    std::string expected;
    if (const auto integrity = source.find("integrity"); integrity != source.end()) {
        JsonReader reader(*integrity, "integrity", problem);
        expected = reader.text("sha256");
        source.erase("integrity");
    }
    JsonReader json(source, "", problem);
    SessionResult result;
    readRecordHead(json, result);
    const Json* trials = json.array("trials");
    for (std::size_t i = 0; trials != nullptr && i < trials->size(); ++i) {
        auto trial = trialFromJson((*trials)[i]);
        if (!trial) {
            Problem inTrial = trial.problem();
            inTrial.path = "trials[" + std::to_string(i) + "]" + (inTrial.path.empty() ? "" : "." + inTrial.path);
            return inTrial;
        }
        trial.value().index = i;
        result.trials.push_back(std::move(trial).value());
    }
    json.has("cells");
    readComparisons(json, result);
    readWarnings(json, result.warnings);
    result.unknownJson = json.unknown();
    if (problem)
        return *problem;
    result.cells = makeCells(result.trials, targetsOf(result.planJson));
    if (!expected.empty() && sha256Hex(dumpJson(source)) != expected)
        result.warnings.push_back({"changed", "warning", "The file was changed after Lapbench wrote it.", ""});
    return result;
}

Result<SessionResult> readResultOrJournal(const std::filesystem::path& path)
{
    const auto text = readFile(path);
    if (!text)
        return text.problem();
    const std::string_view firstLine = std::string_view(text.value()).substr(0, text.value().find('\n'));
    auto result = isJournalHead(firstLine) ? parseJournal(text.value()) : parseResult(text.value());
    if (!result)
        return named(result.problem(), path);
    return result;
}

std::string newResultId()
{
    std::random_device random;
    std::array<char, 9> piece{};
    std::string id;
    for (int i = 0; i < 4; ++i) {
        std::snprintf(piece.data(), piece.size(), "%08x", random());
        id += piece.data();
    }
    return id;
}

} // namespace lapbench
