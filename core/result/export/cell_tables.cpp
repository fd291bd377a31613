#include "core/result/export/cell_tables.h"

#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/result/export/figure_table.h"
#include "core/result/export/goal_text.h"
#include "core/result/export/verdict_text.h"
#include "core/stats/verdict_sentence.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lapbench {

namespace {

constexpr std::array<FigureColumn, 9> kColumns = {{{"req/s", "rps", Measure::rate},
                                                   {"p25", "p25_us", Measure::latency},
                                                   {"p50", "p50_us", Measure::latency},
                                                   {"p75", "p75_us", Measure::latency},
                                                   {"p99", "p99_us", Measure::latency},
                                                   {"max", "max_us", Measure::latency},
                                                   {"CPU cores", "cpu_cores_mean", Measure::cores},
                                                   {"peak RSS", "rss_bytes_peak", Measure::bytes},
                                                   {"start-up", "startup_ms", Measure::milliseconds}}};

/// How many requests failed; nothing where a trial of another tool does not tell.
std::optional<std::uint64_t> failedOf(const SessionResult& result, const Cell& cell)
{
    std::uint64_t failed = 0;
    for (const Trial& trial : result.trials) {
        if (trial.superseded || trial.target != cell.target || trial.workload != cell.workload ||
            trial.level != cell.level)
            continue;
        if (trial.imported && !trial.imported->failed)
            return std::nullopt;
        failed += trial.load.failed;
    }
    return failed;
}

using CellText = std::string (*)(const SessionResult&, const Cell&);

std::string failedText(const SessionResult& result, const Cell& cell)
{
    const auto failed = failedOf(result, cell);
    if (!failed)
        return std::string(kMissing);
    return *failed > 0 ? "! " + std::to_string(*failed) : "";
}

std::string ratioText(const SessionResult&, const Cell& cell)
{
    return cell.rpsRatio ? formatRatio(*cell.rpsRatio) : std::string();
}

/// One more column on the right; left out where no cell has anything to say, unless it is always to be there.
void addColumn(TextTable& table, const SessionResult& result, const std::vector<const Cell*>& cells,
               const std::string& header, CellText text, std::string_view instead, bool always = false)
{
    if (!always &&
        std::all_of(cells.begin(), cells.end(), [&](const Cell* cell) { return text(result, *cell).empty(); }))
        return;
    table.header.push_back(header);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string said = text(result, *cells[i]);
        table.rows[i].push_back(said.empty() ? std::string(instead) : said);
    }
}

std::size_t roundsIn(const std::vector<const Cell*>& cells)
{
    std::size_t rounds = 0;
    for (const Cell* cell : cells)
        if (const auto rps = cell->figures.find("rps"); rps != cell->figures.end())
            rounds = std::max(rounds, rps->second.rounds.size());
    return rounds;
}

} // namespace

CellTable compareCells(const SessionResult& result, const std::vector<const Cell*>& cells, const Labels& labels)
{
    CellTable made;
    made.table = figureTable(cells, kColumns, labels, true);
    addColumn(made.table, result, cells, "failed", &failedText, "0");
    addColumn(made.table, result, cells, "ratio", &ratioText, kMissing, true);
    addColumn(made.table, result, cells, "verdict", &verdictText, kMissing);
    addColumn(made.table, result, cells, "limit", &limitText, kMissing);
    const std::size_t rounds = roundsIn(cells);
    made.title = placeText(*cells.front()) + (rounds > 1 ? ", medians of " + std::to_string(rounds) + " rounds" : "");
    made.lines = verdictLines(result, cells, labels);
    return made;
}

std::string placeText(const Cell& cell)
{
    return "Workload " + cell.workload + ", " + formatLevel(cell.level);
}

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
