#include "core/result/import/import_result.h"

#include "core/base/units.h"
#include "core/plan/nearest.h"
#include "core/result/import/formats.h"
#include "core/result/import/imported_trial.h"
#include "core/result/import/json_figures.h"
#include "core/result/import/report_lines.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace lapbench {

namespace {

/// How deep in a JSON value, and through how many values, the document of a tool is looked for.
constexpr int kDeepest = 8;
constexpr int kMostValues = 100'000;
/// The longest text within a JSON value that is looked at as JSON itself.
constexpr std::size_t kLongestInner = std::size_t{16} << 20;

/// What the formats made of a file.
struct Reading {
    std::string_view tool; ///< only this one; empty: any
    ImportedRuns runs;
    std::optional<Problem> problem; ///< the first
    int values = 0;

    bool wants(std::string_view name) const { return tool.empty() || tool == name; }

    void take(Result<ImportedRuns> read, std::string_view name, std::string_view form)
    {
        if (!read) {
            if (!problem)
                problem = read.problem();
            return;
        }
        for (ImportedRun& run : read.value()) {
            run.semantics.tool = name;
            if (run.semantics.form.empty())
                run.semantics.form = form;
            runs.push_back(std::move(run));
        }
    }
};

void readJson(const Json& value, Reading& reading, int depth);

void readInner(const std::string& text, Reading& reading, int depth)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || text[first] != '{' || text.size() > kLongestInner)
        return;
    const Json inner = Json::parse(text, nullptr, false);
    if (!inner.is_discarded())
        readJson(inner, reading, depth);
}

/// A document may be wrapped in others, as an object or as text.
void readJson(const Json& value, Reading& reading, int depth)
{
    if (depth > kDeepest || ++reading.values > kMostValues)
        return;
    if (value.is_string())
        return readInner(value.get_ref<const std::string&>(), reading, depth + 1);
    if (!value.is_structured())
        return;
    for (const JsonFormat& format : knownFormats().json)
        if (reading.wants(format.tool) && format.knows(value))
            return reading.take(format.read(value), format.tool, format.form);
    for (const Json& inner : value)
        readJson(inner, reading, depth + 1);
}

/// Names that are only where the server was, which is the same for all that were tried one after another.
bool isAddress(const ImportedRun& run)
{
    return run.target.empty() || run.url.find("//" + run.target) != std::string::npos || run.target == run.url;
}

/// In a text the runs of a document are called by the heading it stands under, where it gives them no name.
void readDocuments(const ForeignFile& file, bool isJson, Reading& reading)
{
    std::vector<std::string_view> lines;
    Headings headings(lines);
    for (const ForeignDocument& document : file.documents) {
        const std::size_t first = reading.runs.size();
        readJson(document.value, reading, 0);
        if (isJson || reading.runs.size() == first)
            continue;
        if (lines.empty())
            lines = linesOf(file.text);
        const std::string_view heading = headings.above(document.line - 1);
        for (std::size_t i = first; i < reading.runs.size() && !heading.empty(); ++i)
            if (isAddress(reading.runs[i]))
                reading.runs[i].target = heading;
    }
}

std::string toolList()
{
    std::string list;
    for (const std::string_view tool : importedTools())
        list += (list.empty() ? "" : ", ") + std::string(tool);
    return list;
}

Problem notRecognised(const ForeignFile& file, std::string_view tool)
{
    if (file.jsonProblem)
        return *file.jsonProblem;
    if (!tool.empty())
        return {file.name, "is no output of " + std::string(tool) + " that is known",
                "save the tool's whole output, or leave out --tool"};
    return {file.name, "is neither a result of Lapbench nor the output of a tool that is known (" + toolList() + ")",
            "save the tool's whole output"};
}

Problem inFile(Problem problem, const std::string& name)
{
    problem.path = problem.path.empty() ? name : name + ": " + problem.path;
    return problem;
}

std::string stemOf(const std::filesystem::path& path)
{
    return path.stem().string();
}

using CellName = std::tuple<std::string, std::string, unsigned, std::optional<unsigned>>;

CellName cellOf(const Trial& trial)
{
    return {trial.target, trial.workload, trial.level.connections, trial.level.rate};
}

/// `name` (`file`), or with a number where that is a name of `others` too.
std::string distinctName(const std::string& name, const std::string& file, const std::set<std::string>& others)
{
    std::string distinct = name == file ? name + " (2)" : name + " (" + file + ")";
    for (int number = 3; others.contains(distinct); ++number)
        distinct = name + " (" + (name == file ? "" : file + " ") + std::to_string(number) + ")";
    return distinct;
}

/// Numbers the rounds of the trials from `first` on. Where another file has a cell of the same name, the file's is
/// added to the target's.
void placeTrials(std::vector<Trial>& trials, std::size_t first, const std::string& stem, bool sameTarget)
{
    std::set<CellName> cells;
    std::set<std::string> targets;
    for (std::size_t i = 0; i < first; ++i) {
        cells.insert(cellOf(trials[i]));
        targets.insert(trials[i].target);
    }
    bool clash = false;
    for (std::size_t i = first; i < trials.size(); ++i)
        clash = clash || cells.contains(cellOf(trials[i]));
    std::map<std::string, std::string> names; // of this file's targets, by what they were called
    std::map<CellName, unsigned> rounds;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        Trial& trial = trials[i];
        if (i >= first && clash && !sameTarget) {
            std::string& name = names[trial.target];
            trial.target = name = name.empty() ? distinctName(trial.target, stem, targets) : name;
        }
        trial.round = ++rounds[cellOf(trial)];
        trial.index = i;
    }
}

/// The same measurement twice would look like two rounds that agree.
std::optional<Problem> twiceNamed(const std::vector<std::filesystem::path>& files)
{
    for (std::size_t i = 0; i < files.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
            std::error_code error;
            if (std::filesystem::equivalent(files[i], files[k], error))
                return Problem{files[i].string(), "is named twice", "name each file once"};
        }
    return std::nullopt;
}

} // namespace

std::vector<std::string_view> importedTools()
{
    std::vector<std::string_view> tools;
    const auto add = [&](const auto& formats) {
        for (const auto& format : formats)
            if (std::find(tools.begin(), tools.end(), format.tool) == tools.end())
                tools.push_back(format.tool);
    };
    add(knownFormats().text);
    add(knownFormats().json);
    std::sort(tools.begin(), tools.end());
    return tools;
}

Result<ImportedRuns> importRuns(const ForeignFile& file, std::string_view tool)
{
    const auto tools = importedTools();
    if (!tool.empty() && std::find(tools.begin(), tools.end(), tool) == tools.end()) {
        const std::string_view near = nearest(tool, tools);
        return Problem{"--tool", "\"" + std::string(tool) + "\" is no tool that is known",
                       near.empty() ? "take one of " + toolList() : "did you mean " + std::string(near) + "?"};
    }
    Reading reading{.tool = tool, .runs = {}, .problem = {}};
    const std::size_t first = file.text.find_first_not_of(" \t\n");
    const bool isJson = first != std::string::npos && (file.text[first] == '{' || file.text[first] == '[');
    readDocuments(file, isJson, reading);
    if (reading.runs.empty() || !isJson)
        for (const TextFormat& format : knownFormats().text)
            if (reading.wants(format.tool) && format.knows(file.text))
                reading.take(format.read(file.text), format.tool, format.form);
    if (!reading.runs.empty())
        return std::move(reading.runs);
    return reading.problem ? inFile(*reading.problem, file.name) : notRecognised(file, tool);
}

Result<SessionResult> importFiles(const std::vector<std::filesystem::path>& files, const ImportNames& names)
{
    if (const auto twice = twiceNamed(files))
        return *twice;
    SessionResult result;
    result.id = newResultId();
    result.tool.version = LAPBENCH_VERSION;
    std::optional<UtcTime> ended;
    for (const std::filesystem::path& path : files) {
        const auto file = readForeignFile(path);
        if (!file)
            return file.problem();
        auto runs = importRuns(file.value(), names.tool);
        if (!runs)
            return runs.problem();
        const std::size_t first = result.trials.size();
        for (ImportedRun& run : runs.value()) {
            run.target = !names.target.empty() ? names.target : isAddress(run) ? stemOf(path) : run.target;
            if (!names.workload.empty())
                run.workload = names.workload;
            result.trials.push_back(trialOf(std::move(run)));
        }
        placeTrials(result.trials, first, stemOf(path), !names.target.empty());
        ended = std::max(ended, file.value().modified);
        result.notes += (result.notes.empty() ? "Imported from " : ", ") + path.filename().string();
    }
    for (const Trial& trial : result.trials)
        if (trial.started != UtcTime{} && (result.created == UtcTime{} || trial.started < result.created))
            result.created = trial.started;
    if (result.created == UtcTime{})
        result.created = ended.value_or(UtcTime{});
    result.cells = makeCells(result.trials);
    return result;
}

Result<SessionResult> readAnyResult(const std::filesystem::path& path)
{
    auto own = readResultOrJournal(path);
    if (own)
        return own;
    auto foreign = readForeignFile(path);
    if (!foreign)
        return foreign.problem();
    const auto isOwn = [](const ForeignDocument& document) {
        return textOf(document.value, "schema").starts_with("lapbench");
    };
    const auto& documents = foreign.value().documents;
    if (std::any_of(documents.begin(), documents.end(), isOwn))
        return own;
    return importFiles({path});
}

} // namespace lapbench
