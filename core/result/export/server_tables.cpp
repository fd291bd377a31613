#include "core/result/export/server_tables.h"

#include "core/base/units.h"
#include "core/result/export/figure_table.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lapbench {

namespace {

struct Column {
    std::string_view header;
    std::string_view key; ///< of kCellFigures
    std::string (*text)(double);
};

std::string secondsText(double seconds)
{
    return formatSignificant(seconds) + " s";
}

std::string millisecondsText(double milliseconds)
{
    return formatLatencyUs(milliseconds * 1e3);
}

constexpr std::array<Column, 5> kColumns = {{{"95 % of the rate after", "warmup_to_95_s", &secondsText},
                                             {"requests a CPU second", "requests_per_cpu_second", &formatRate},
                                             {"RSS for 1,000 req/s", "rss_bytes_per_1000_rps", &formatBytes},
                                             {"idle RSS", "rss_bytes_idle", &formatBytes},
                                             {"settled RSS", "rss_bytes_settled", &formatBytes}}};

bool isKnown(const Cell& cell, const Column& column)
{
    return figureOf(cell, column.key) != nullptr;
}

std::string textOf(const Cell& cell, const Column& column)
{
    return isKnown(cell, column) ? column.text(*figureOf(cell, column.key)->median) : std::string(kMissing);
}

/// Of the cells that stand in one place; without the columns that none of them has.
CellTable beside(const std::vector<const Cell*>& cells, const Labels& labels)
{
    CellTable made;
    made.title = placeText(*cells.front()) + ": warm-up, efficiency, memory";
    made.table.header = {"target"};
    for (const Cell* cell : cells)
        made.table.rows.push_back({labelOf(labels, cell->target)});
    for (const Column& column : kColumns) {
        if (std::none_of(cells.begin(), cells.end(), [&](const Cell* cell) { return isKnown(*cell, column); }))
            continue;
        made.table.header.emplace_back(column.header);
        for (std::size_t i = 0; i < cells.size(); ++i)
            made.table.rows[i].push_back(textOf(*cells[i], column));
    }
    return made;
}

CellTable coldStartsTable(const std::vector<ColdStarts>& all, const Labels& labels)
{
    CellTable made;
    made.title = "Cold starts, before the first round";
    made.table.header = {"target", "starts", "median", "p95"};
    for (const ColdStarts& starts : all) {
        const auto text = [](std::optional<double> ms) { return ms ? millisecondsText(*ms) : std::string(kMissing); };
        made.table.rows.push_back({labelOf(labels, starts.target), std::to_string(starts.ms.size()),
                                   text(starts.medianMs), text(starts.p95Ms)});
        if (!starts.failure.empty())
            made.lines.push_back(labelOf(labels, starts.target) + ", cold start " +
                                 std::to_string(starts.ms.size() + 1) + " failed: " + starts.failure);
    }
    return made;
}

} // namespace

std::vector<CellTable> serverTables(const SessionResult& result)
{
    const Labels labels = comparisonRulesOf(result).labels;
    std::vector<CellTable> tables;
    for (const auto& cells : groupsOf(result)) {
        CellTable table = beside(cells, labels);
        if (table.table.header.size() > 1)
            tables.push_back(std::move(table));
    }
    if (!result.coldStarts.empty())
        tables.push_back(coldStartsTable(result.coldStarts, labels));
    return tables;
}

} // namespace lapbench
