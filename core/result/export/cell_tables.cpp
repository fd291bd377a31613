#include "core/result/export/cell_tables.h"

#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/result/comparisons.h"
#include "core/result/export/goal_text.h"
#include "core/result/export/verdict_text.h"
#include "core/stats/verdict_sentence.h"

#include <algorithm>
#include <array>

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

std::uint64_t failedOf(const SessionResult& result, const Cell& cell)
{
    std::uint64_t failed = 0;
    for (const Trial& trial : result.trials)
        if (!trial.superseded && trial.target == cell.target && trial.workload == cell.workload &&
            trial.level == cell.level)
            failed += trial.load.failed;
    return failed;
}

CellTable compareCells(const SessionResult& result, const std::vector<const Cell*>& cells, const Labels& labels)
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
    const auto hasText = [&](std::string (*text)(const SessionResult&, const Cell&)) {
        return std::any_of(cells.begin(), cells.end(), [&](const Cell* cell) { return !text(result, *cell).empty(); });
    };
    const bool verdicts = hasText(verdictText), limits = hasText(limitText);
    if (verdicts)
        made.table.header.push_back("verdict");
    if (limits)
        made.table.header.push_back("limit");
    const auto orMissing = [](const std::string& text) { return text.empty() ? std::string(kMissing) : text; };
    for (const Cell* cell : cells) {
        row = {labelOf(labels, cell->target)};
        for (std::size_t i = 0; i < kColumns.size(); ++i)
            row.push_back(textOf(figureOf(*cell, kColumns[i].key), kColumns[i], units[i]));
        if (anyFailed) {
            const std::uint64_t failed = failedOf(result, *cell);
            row.push_back(failed > 0 ? "! " + std::to_string(failed) : "0");
        }
        row.push_back(cell->rpsRatio ? formatRatio(*cell->rpsRatio) : std::string(kMissing));
        if (verdicts)
            row.push_back(orMissing(verdictText(result, *cell)));
        if (limits)
            row.push_back(orMissing(limitText(result, *cell)));
        made.table.rows.push_back(row);
        if (const auto rps = cell->figures.find("rps"); rps != cell->figures.end())
            rounds = std::max(rounds, rps->second.rounds.size());
    }
    made.title = "Workload " + cells.front()->workload + ", " + formatLevel(cells.front()->level) +
                 (rounds > 1 ? ", medians of " + std::to_string(rounds) + " rounds" : "");
    made.lines = verdictLines(result, cells, labels);
    return made;
}

} // namespace

std::vector<std::vector<const Cell*>> groupsOf(const SessionResult& result)
{
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
    return groups;
}

std::vector<CellTable> compareTargets(const SessionResult& result)
{
    const Labels labels = comparisonRulesOf(result).labels;
    std::vector<CellTable> tables;
    for (const auto& cells : groupsOf(result))
        tables.push_back(compareCells(result, cells, labels));
    std::ranges::move(goalTables(result), std::back_inserter(tables));
    return tables;
}

} // namespace lapbench
