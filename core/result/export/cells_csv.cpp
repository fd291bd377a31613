#include "core/result/export/cells_csv.h"

#include "core/result/export/text_table.h"
#include "core/result/export/verdict_text.h"

#include <algorithm>

namespace lapbench {

namespace {

std::string figureText(const Cell& cell, std::string_view key)
{
    const auto found = cell.figures.find(std::string(key));
    if (found == cell.figures.end() || !found->second.median)
        return {};
    return (found->second.atLeast ? ">=" : "") + formatExact(*found->second.median);
}

void addVerdictHeader(std::vector<std::string>& header)
{
    for (const std::string_view metric : kComparedMetrics)
        for (const std::string_view part : {"_compared", "_low", "_high", "_verdict"})
            header.push_back(std::string(metric) + std::string(part));
    header.insert(header.end(), {"compared_rounds", "thin", "sign_flip_p", "noise_floor", "rank", "limit"});
}

std::string rankOf(const SessionResult& result, const Cell& cell)
{
    for (const Ranking& ranking : result.rankings)
        if (ranking.workload == cell.workload && ranking.level == cell.level)
            for (const Ranking::Place& place : ranking.places)
                if (place.target == cell.target)
                    return std::to_string(place.rank);
    return {};
}

void addVerdicts(const SessionResult& result, const Cell& cell, std::vector<std::string>& row)
{
    for (const std::string_view metric : kComparedMetrics) {
        const Comparison* comparison = comparisonOf(result, cell, metric);
        if (comparison == nullptr) {
            row.insert(row.end(), 4, "");
            continue;
        }
        const PairedRatio& figures = comparison->figures;
        row.insert(row.end(), {figures.rounds > 0 ? formatExact(figures.ratio) : "", formatExact(figures.low),
                               formatExact(figures.high), std::string(verdictName(figures.verdict))});
    }
    const Comparison* rps = comparisonOf(result, cell, "rps");
    row.insert(row.end(),
               {rps == nullptr ? "" : std::to_string(rps->figures.rounds),
                rps == nullptr ? "" : (rps->figures.thin ? "true" : "false"),
                rps == nullptr ? "" : formatExact(rps->figures.signFlipP),
                rps == nullptr ? "" : formatExact(rps->noiseFloor), rankOf(result, cell), limitText(result, cell)});
}

} // namespace

std::string cellsAsCsv(const SessionResult& result)
{
    TextTable table;
    table.header = {"target", "workload", "connections", "rate", "rounds"};
    table.header.insert(table.header.end(), kCellFigures.begin(), kCellFigures.end());
    table.header.push_back("rps_ratio");
    addVerdictHeader(table.header);
    for (const Cell& cell : result.cells) {
        const auto rps = cell.figures.find("rps");
        std::vector<std::string> row = {cell.target, cell.workload,
                                        cell.level.connections > 0 ? std::to_string(cell.level.connections) : "",
                                        cell.level.rate ? std::to_string(*cell.level.rate) : "",
                                        rps == cell.figures.end() ? "" : std::to_string(rps->second.rounds.size())};
        for (const std::string_view key : kCellFigures)
            row.push_back(figureText(cell, key));
        row.push_back(formatExact(cell.rpsRatio));
        addVerdicts(result, cell, row);
        table.rows.push_back(std::move(row));
    }
    return formatCsv(table);
}

} // namespace lapbench
