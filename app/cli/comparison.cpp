#include "app/cli/comparison.h"

#include "app/cli/terminal.h"
#include "core/base/units.h"
#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <map>

namespace lapbench {

namespace {

enum class Measure { rate, latency, cores, bytes, milliseconds };

struct Column {
    std::string_view header;
    std::string_view key; ///< of kCellFigures
    Measure measure;
};

constexpr std::array<Column, 9> kColumns = {{{"req/s", "rps", Measure::rate},
                                             {"p25", "p25_us", Measure::latency},
                                             {"p50", "p50_us", Measure::latency},
                                             {"p75", "p75_us", Measure::latency},
                                             {"p99", "p99_us", Measure::latency},
                                             {"max", "max_us", Measure::latency},
                                             {"CPU cores", "cpu_cores_mean", Measure::cores},
                                             {"peak RSS", "rss_bytes_peak", Measure::bytes},
                                             {"start-up", "startup_ms", Measure::milliseconds}}};

struct Unit {
    std::string_view name;
    double size;
};

constexpr std::string_view kMissing = "-";

const CellFigure* figureOf(const Cell& cell, std::string_view key)
{
    const auto found = cell.figures.find(std::string(key));
    return found == cell.figures.end() || !found->second.median ? nullptr : &found->second;
}

/// The unit in which the middle value of the column reads well; values at their bound have their own.
Unit unitOf(const Column& column, const std::vector<const Cell*>& cells)
{
    std::vector<double> values;
    for (const Cell* cell : cells)
        if (const CellFigure* figure = figureOf(*cell, column.key); figure && !figure->atLeast)
            values.push_back(*figure->median);
    std::sort(values.begin(), values.end());
    const auto pick = [&](const std::array<Unit, 3>& units) {
        if (values.empty())
            return units[1];
        for (const Unit& unit : units)
            if (values[(values.size() - 1) / 2] < 999.5 * unit.size)
                return unit;
        return units.back();
    };
    switch (column.measure) {
    case Measure::latency:
        return pick({{{"us", 1}, {"ms", 1e3}, {"s", 1e6}}});
    case Measure::milliseconds:
        return pick({{{"ms", 1}, {"ms", 1}, {"s", 1e3}}});
    case Measure::bytes:
        return pick({{{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}});
    default:
        return {"", 1};
    }
}

std::string textOf(const CellFigure* figure, const Column& column, const Unit& unit)
{
    if (!figure)
        return std::string(kMissing);
    if (figure->atLeast)
        return ">= " + formatLatencyUs(*figure->median);
    return column.measure == Measure::rate ? formatRate(*figure->median)
                                           : formatSignificant(*figure->median / unit.size);
}

std::map<std::string, std::string> labelsOf(const SessionResult& result)
{
    std::map<std::string, std::string> labels;
    for (const Target& target : parsePlan(result.planJson, {}).plan.targets)
        labels[target.name] = target.shownName();
    return labels;
}

std::string labelOf(const std::map<std::string, std::string>& labels, const std::string& target)
{
    const auto found = labels.find(target);
    return found == labels.end() ? target : found->second;
}

std::uint64_t failedOf(const SessionResult& result, const Cell& cell)
{
    std::uint64_t failed = 0;
    for (const Trial& trial : result.trials)
        if (trial.target == cell.target && trial.workload == cell.workload && trial.level == cell.level)
            failed += trial.load.failed;
    return failed;
}

CellTable compareCells(const SessionResult& result, const std::vector<const Cell*>& cells,
                       const std::map<std::string, std::string>& labels)
{
    CellTable made;
    std::size_t rounds = 0;
    std::vector<std::string> row;
    made.table.header = {"target"};
    std::vector<Unit> units;
    for (const Column& column : kColumns) {
        units.push_back(unitOf(column, cells));
        made.table.header.push_back(std::string(column.header) +
                                    (units.back().name.empty() ? "" : " " + std::string(units.back().name)));
    }
    const bool anyFailed =
        std::any_of(cells.begin(), cells.end(), [&](const Cell* cell) { return failedOf(result, *cell) > 0; });
    if (anyFailed)
        made.table.header.push_back("failed");
    made.table.header.push_back("ratio");
    for (const Cell* cell : cells) {
        row = {labelOf(labels, cell->target)};
        for (std::size_t i = 0; i < kColumns.size(); ++i)
            row.push_back(textOf(figureOf(*cell, kColumns[i].key), kColumns[i], units[i]));
        if (anyFailed) {
            const std::uint64_t failed = failedOf(result, *cell);
            row.push_back(failed > 0 ? "! " + std::to_string(failed) : "0");
        }
        row.push_back(cell->rpsRatio ? formatSignificant(*cell->rpsRatio) : std::string(kMissing));
        made.table.rows.push_back(row);
        if (const auto rps = cell->figures.find("rps"); rps != cell->figures.end())
            rounds = std::max(rounds, rps->second.rounds.size());
    }
    made.title = "Workload " + cells.front()->workload + ", " + formatLevel(cells.front()->level) +
                 (rounds > 1 ? ", medians of " + std::to_string(rounds) + " rounds" : "");
    return made;
}

/// What became of trials that have no figures, but for where and when: what is the same for several is told once.
std::string fateOf(const Trial& trial)
{
    switch (trial.outcome) {
    case Outcome::failed:
        return "failed" +
               (trial.failure ? " (" + trial.failure->phase + "): " + trial.failure->message : std::string());
    case Outcome::skipped:
        return "skipped";
    case Outcome::interrupted:
        return "interrupted";
    default:
        return {};
    }
}

std::vector<Note> fates(const SessionResult& result, const std::map<std::string, std::string>& labels)
{
    std::vector<std::pair<const Trial*, std::size_t>> groups;
    for (const Trial& trial : result.trials) {
        const std::string fate = fateOf(trial);
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return group.first->target == trial.target && fateOf(*group.first) == fate;
        });
        if (fate.empty())
            continue;
        if (same == groups.end())
            groups.emplace_back(&trial, 1);
        else
            ++same->second;
    }
    std::vector<Note> notes;
    for (const auto& [trial, count] : groups) {
        const std::string where = count == 1 ? formatLevel(trial->level) + ", round " + std::to_string(trial->round)
                                             : formatCounted(count, "trial");
        notes.push_back({labelOf(labels, trial->target) + ", " + where + ": " + fateOf(*trial), {}});
        if (trial->failure)
            notes.back().lines = trial->failure->output;
    }
    return notes;
}

/// The warnings of trials; one that several trials of a target have is told once.
std::vector<Note> doubts(const SessionResult& result, const std::map<std::string, std::string>& labels)
{
    struct Group {
        const Trial* trial;
        const Warning* warning;
        std::size_t count;
    };
    std::vector<Group> groups;
    for (const Trial& trial : result.trials)
        for (const Warning& warning : trial.warnings) {
            const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
                return group.trial->target == trial.target && group.warning->code == warning.code;
            });
            if (same == groups.end())
                groups.push_back({&trial, &warning, 1});
            else
                ++same->count;
        }
    std::vector<Note> notes;
    for (const auto& [trial, warning, count] : groups)
        notes.push_back({labelOf(labels, trial->target) + ", " +
                             (count == 1 ? "" : formatCounted(count, "trial") + ", the first with ") +
                             formatLevel(trial->level) + ", round " + std::to_string(trial->round) + ": " +
                             warning->text,
                         {}});
    return notes;
}

std::string titleOf(const SessionResult& result)
{
    const Plan plan = parsePlan(result.planJson, {}).plan;
    return plan.title.empty() ? plan.name : plan.title;
}

std::string exact(double value)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.15g", value);
    return text.data();
}

std::string compose(const SessionResult& result, const std::function<std::string(const TextTable&)>& table,
                    const std::string& titleMark, const std::string& tableMark, const std::string& noteMark)
{
    std::string text = titleMark + withoutControls(titleOf(result)) + "\n\n";
    for (const CellTable& one : compareTargets(result))
        text += tableMark + withoutControls(one.title) + "\n\n" + table(one.table) + "\n";
    for (const Note& note : notesOn(result)) {
        text += noteMark + withoutControls(note.text) + "\n";
        for (const std::string& line : note.lines)
            text += "      " + withoutControls(line) + "\n";
    }
    return text;
}

} // namespace

std::vector<CellTable> compareTargets(const SessionResult& result)
{
    const auto labels = labelsOf(result);
    std::vector<std::vector<const Cell*>> groups;
    for (const Cell& cell : result.cells) {
        const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& cells) {
            return cells.front()->workload == cell.workload && cells.front()->level == cell.level;
        });
        if (group == groups.end())
            groups.push_back({&cell});
        else
            group->push_back(&cell);
    }
    std::vector<CellTable> tables;
    for (const auto& cells : groups)
        tables.push_back(compareCells(result, cells, labels));
    return tables;
}

std::vector<Note> notesOn(const SessionResult& result)
{
    std::vector<Note> notes;
    if (result.scale != 1)
        notes.push_back(
            {"Counts, windows and pauses were scaled to " + formatSignificant(result.scale) + " of the plan's", {}});
    if (!result.complete)
        notes.push_back(
            {"The session did not end: it finished " + formatCounted(result.trials.size(), "trial") + " before that",
             {}});
    if (result.cells.empty())
        notes.push_back({"Nothing was measured", {}});
    for (Note& note : fates(result, labelsOf(result)))
        notes.push_back(std::move(note));
    for (Note& note : doubts(result, labelsOf(result)))
        notes.push_back(std::move(note));
    for (const Warning& warning : result.warnings)
        notes.push_back({warning.text, {}});
    return notes;
}

std::string comparisonAsText(const SessionResult& result)
{
    return compose(
        result, [](const TextTable& table) { return formatAligned(table); }, "", "", "");
}

std::string comparisonAsMarkdown(const SessionResult& result)
{
    return compose(
        result, [](const TextTable& table) { return formatMarkdown(table); }, "# ", "## ", "- ");
}

std::string cellsAsCsv(const SessionResult& result)
{
    TextTable table;
    table.header = {"target", "workload", "connections", "rate", "rounds"};
    table.header.insert(table.header.end(), kCellFigures.begin(), kCellFigures.end());
    table.header.push_back("rps_ratio");
    for (const Cell& cell : result.cells) {
        const auto rps = cell.figures.find("rps");
        std::vector<std::string> row = {cell.target, cell.workload, std::to_string(cell.level.connections),
                                        cell.level.rate ? std::to_string(*cell.level.rate) : "",
                                        rps == cell.figures.end() ? "" : std::to_string(rps->second.rounds.size())};
        for (const std::string_view key : kCellFigures) {
            const CellFigure* figure = figureOf(cell, key);
            row.push_back(!figure ? "" : (figure->atLeast ? ">=" : "") + exact(*figure->median));
        }
        row.push_back(cell.rpsRatio ? exact(*cell.rpsRatio) : "");
        table.rows.push_back(std::move(row));
    }
    return formatCsv(table);
}

} // namespace lapbench
