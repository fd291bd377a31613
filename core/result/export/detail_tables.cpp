#include "core/result/export/detail_tables.h"

#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/result/export/figure_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace lapbench {

namespace {

constexpr std::array<FigureColumn, 9> kLatency = {{{"mean", "mean_us", Measure::latency},
                                                   {"p25", "p25_us", Measure::latency},
                                                   {"p50", "p50_us", Measure::latency},
                                                   {"p75", "p75_us", Measure::latency},
                                                   {"p90", "p90_us", Measure::latency},
                                                   {"p95", "p95_us", Measure::latency},
                                                   {"p99", "p99_us", Measure::latency},
                                                   {"p99.9", "p99_9_us", Measure::latency},
                                                   {"max", "max_us", Measure::latency}}};

constexpr std::array<FigureColumn, 6> kResources = {{{"CPU cores", "cpu_cores_mean", Measure::cores},
                                                     {"peak CPU cores", "cpu_cores_peak", Measure::cores},
                                                     {"mean RSS", "rss_bytes_mean", Measure::bytes},
                                                     {"peak RSS", "rss_bytes_peak", Measure::bytes},
                                                     {"idle RSS", "rss_bytes_idle", Measure::bytes},
                                                     {"settled RSS", "rss_bytes_settled", Measure::bytes}}};

constexpr std::array<FigureColumn, 5> kByRound = {{{"req/s", "rps", Measure::rate},
                                                   {"p50", "p50_us", Measure::latency},
                                                   {"p99", "p99_us", Measure::latency},
                                                   {"CPU cores", "cpu_cores_mean", Measure::cores},
                                                   {"peak RSS", "rss_bytes_peak", Measure::bytes}}};

constexpr FigureColumn kStartUp = {"start-up", "startup_ms", Measure::milliseconds};

/// In the order of the published articles.
constexpr std::array<FigureColumn, 9> kMeasurements = {{{"Requests per second", "rps", Measure::rate},
                                                        {"Mean latency", "mean_us", Measure::latency},
                                                        {"p25 latency", "p25_us", Measure::latency},
                                                        {"Median latency", "p50_us", Measure::latency},
                                                        {"p75 latency", "p75_us", Measure::latency},
                                                        {"p90 latency", "p90_us", Measure::latency},
                                                        {"Maximum latency", "max_us", Measure::latency},
                                                        {"CPU cores", "cpu_cores_mean", Measure::cores},
                                                        {"Mean RSS", "rss_bytes_mean", Measure::bytes}}};

bool counts(const Trial& trial, const Cell& cell)
{
    return !trial.superseded && trial.target == cell.target && trial.workload == cell.workload &&
           trial.level == cell.level;
}

/// The lowest percentile of the table that a round of these has too few answers for.
const ReportedPercentile* thinFrom(const SessionResult& result, const std::vector<const Cell*>& cells)
{
    for (const ReportedPercentile& percentile : kReportedPercentiles) {
        const std::string key = std::string(percentile.key) + "_us";
        if (std::none_of(kLatency.begin(), kLatency.end(), [&](const FigureColumn& one) { return one.key == key; }))
            continue;
        for (const Trial& trial : result.trials)
            for (const Cell* cell : cells)
                if (counts(trial, *cell) && trial.outcome == Outcome::done && trial.load.latency.count > 0 &&
                    isThin(trial.load.latency.count, percentile.p))
                    return &percentile;
    }
    return nullptr;
}

std::string percentileName(std::string_view key)
{
    std::string name(key);
    std::replace(name.begin(), name.end(), '_', '.');
    return name;
}

/// One kind of error of one target over its rounds.
struct ErrorRow {
    const Cell* cell = nullptr;
    ErrorCount error; ///< the first, counted together
    unsigned round = 1;
    bool timed = true; ///< when the first one came is known
};

std::vector<ErrorRow> errorsOf(const SessionResult& result, const Cell& cell)
{
    std::vector<ErrorRow> rows;
    for (const Trial& trial : result.trials) {
        if (!counts(trial, cell))
            continue;
        for (const ErrorCount& error : trial.load.errors) {
            const auto same = std::find_if(rows.begin(), rows.end(), [&](const ErrorRow& row) {
                return row.error.kind == error.kind && row.error.phase == error.phase;
            });
            if (same == rows.end())
                rows.push_back({&cell, error, trial.round, !trial.imported});
            else
                same->error.count += error.count;
        }
    }
    return rows;
}

std::string statusLine(const SessionResult& result, const Cell& cell, const std::string& label)
{
    std::map<int, std::uint64_t> statuses;
    for (const Trial& trial : result.trials)
        if (counts(trial, cell))
            for (const auto& [status, count] : trial.load.status)
                statuses[status] += count;
    std::string line;
    for (const auto& [status, count] : statuses)
        line += (line.empty() ? label + " answered with " : ", ") + std::to_string(status) + " " +
                formatCounted(count, "time");
    return line;
}

std::string inWords(std::string_view name)
{
    std::string words(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

void addRoundRow(TextTable& table, const std::string& label, const CellFigure& figure, const FigureColumn& column,
                 const FigureUnit& unit, std::size_t rounds)
{
    std::vector<std::string> row = {label, headerOf(column, unit)};
    for (std::size_t i = 0; i < rounds; ++i)
        row.push_back(i < figure.rounds.size() && figure.rounds[i] ? valueText(*figure.rounds[i], column, unit)
                                                                   : std::string(kMissing));
    row.push_back(figureText(&figure, column, unit));
    row.push_back(figure.spread ? formatSignificant(*figure.spread * 100) : std::string(kMissing));
    table.rows.push_back(std::move(row));
}

/// Every round's value of some figures of some cells.
TextTable byRound(const std::vector<const Cell*>& cells, std::span<const FigureColumn> columns, const Labels& labels)
{
    std::size_t rounds = 0;
    for (const Cell* cell : cells)
        for (const auto& [key, figure] : cell->figures)
            rounds = std::max(rounds, figure.rounds.size());
    TextTable table;
    table.header = {"target", "figure"};
    for (std::size_t i = 1; i <= rounds; ++i)
        table.header.push_back("round " + std::to_string(i));
    table.header.insert(table.header.end(), {"median", "spread %"});
    for (const FigureColumn& column : columns) {
        const FigureUnit unit = unitOf(column, cells);
        for (const Cell* cell : cells)
            if (const CellFigure* figure = figureOf(*cell, column.key))
                addRoundRow(table, labelOf(labels, cell->target), *figure, column, unit, rounds);
    }
    if (table.rows.empty())
        table.header.clear();
    return table;
}

TextTable withoutEmpty(TextTable table)
{
    if (table.header.size() < 2)
        table = {};
    return table;
}

/// A row a target, a column a level; nothing where no cell has the figure.
TextTable acrossLevels(const std::vector<const Cell*>& cells, const FigureColumn& column, const Labels& labels)
{
    std::vector<Level> levels;
    std::vector<std::string> targets;
    for (const Cell* cell : cells) {
        if (std::find(levels.begin(), levels.end(), cell->level) == levels.end())
            levels.push_back(cell->level);
        if (std::find(targets.begin(), targets.end(), cell->target) == targets.end())
            targets.push_back(cell->target);
    }
    TextTable table;
    if (std::none_of(cells.begin(), cells.end(), [&](const Cell* cell) { return figureOf(*cell, column.key); }))
        return table;
    const FigureUnit unit = unitOf(column, cells);
    table.header = {"target"};
    for (const Level& level : levels)
        table.header.push_back(formatLevel(level));
    for (const std::string& target : targets) {
        std::vector<std::string> row = {labelOf(labels, target)};
        for (const Level& level : levels) {
            const auto found = std::find_if(cells.begin(), cells.end(), [&](const Cell* cell) {
                return cell->target == target && cell->level == level;
            });
            row.push_back(figureText(found == cells.end() ? nullptr : figureOf(**found, column.key), column, unit));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace

CellTable latencyTable(const SessionResult& result, const std::vector<const Cell*>& cells, const Labels& labels)
{
    CellTable made{"Latency", withoutEmpty(figureTable(cells, kLatency, labels)), {}};
    if (const ReportedPercentile* thin = thinFrom(result, cells); thin && !made.table.header.empty())
        made.lines.push_back("Percentiles from " + percentileName(thin->key) +
                             " on are thin: in a round fewer than 20 answers lie beyond them");
    return made;
}

CellTable resourceTable(const std::vector<const Cell*>& cells, const Labels& labels)
{
    return {"Processor and memory", withoutEmpty(figureTable(cells, kResources, labels)), {}};
}

CellTable errorTable(const SessionResult& result, const std::vector<const Cell*>& cells, const Labels& labels)
{
    CellTable made{"Errors", {}, {}};
    for (const Cell* cell : cells) {
        const std::string& label = labelOf(labels, cell->target);
        const auto rows = errorsOf(result, *cell);
        for (const ErrorRow& row : rows)
            made.table.rows.push_back(
                {label, inWords(errorKindName(row.error.kind)), inWords(phaseName(row.error.phase)),
                 std::to_string(row.error.count),
                 "round " + std::to_string(row.round) + ", " + formatSignificant(row.error.firstAtSeconds) + " s",
                 row.error.firstMessage});
        const std::string statuses = statusLine(result, *cell, label);
        if (!rows.empty() && !statuses.empty())
            made.lines.push_back(statuses);
    }
    if (!made.table.rows.empty()) {
        made.table.header = {"target", "kind", "phase", "count", "first", "what it said"};
        made.table.allLeft = true;
    }
    return made;
}

CellTable roundTable(const std::vector<const Cell*>& cells, const Labels& labels)
{
    CellTable made{"Every round", byRound(cells, kByRound, labels), {}};
    if (made.table.header.size() < 6) // of one round the other tables say it all
        made.table = {};
    return made;
}

CellTable startUpTable(const SessionResult& result, const Labels& labels)
{
    // One start serves all trials of a target in a round.
    std::vector<const Cell*> cells;
    for (const Cell& cell : result.cells)
        if (figureOf(cell, kStartUp.key) &&
            std::none_of(cells.begin(), cells.end(), [&](const Cell* other) { return other->target == cell.target; }))
            cells.push_back(&cell);
    return {"Start-up", byRound(cells, {&kStartUp, 1}, labels), {}};
}

std::vector<CellTable> measurementTables(const SessionResult& result, const Labels& labels)
{
    std::vector<std::pair<std::string, std::vector<const Cell*>>> workloads;
    for (const Cell& cell : result.cells) {
        auto known = std::find_if(workloads.begin(), workloads.end(),
                                  [&](const auto& workload) { return workload.first == cell.workload; });
        if (known == workloads.end())
            known = workloads.insert(workloads.end(), {cell.workload, {}});
        known->second.push_back(&cell);
    }
    std::vector<CellTable> tables;
    for (const auto& [workload, cells] : workloads)
        for (const FigureColumn& column : kMeasurements) {
            TextTable table = acrossLevels(cells, column, labels);
            if (table.header.size() < 3) // one level: the comparison says it all
                continue;
            const FigureUnit unit = unitOf(column, cells);
            tables.push_back({std::string(column.header) + (unit.name.empty() ? "" : ", " + std::string(unit.name)) +
                                  (workloads.size() > 1 ? ", workload " + workload : ""),
                              std::move(table),
                              {}});
        }
    return tables;
}

} // namespace lapbench
