#include "core/result/export/figure_table.h"

#include "core/base/units.h"

#include <algorithm>
#include <array>

namespace lapbench {

const CellFigure* figureOf(const Cell& cell, std::string_view key)
{
    const auto found = cell.figures.find(std::string(key));
    return found == cell.figures.end() || !found->second.median ? nullptr : &found->second;
}

FigureUnit unitOf(const FigureColumn& column, const std::vector<const Cell*>& cells)
{
    std::vector<double> values;
    for (const Cell* cell : cells)
        if (const CellFigure* figure = figureOf(*cell, column.key); figure && !figure->atLeast)
            values.push_back(*figure->median);
    std::sort(values.begin(), values.end());
    const auto pick = [&](const std::array<FigureUnit, 3>& units) {
        if (values.empty())
            return units[1];
        for (const FigureUnit& unit : units)
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

std::string headerOf(const FigureColumn& column, const FigureUnit& unit)
{
    return std::string(column.header) + (unit.name.empty() ? "" : " " + std::string(unit.name));
}

std::string valueText(double value, const FigureColumn& column, const FigureUnit& unit)
{
    return column.measure == Measure::rate ? formatRate(value) : formatSignificant(value / unit.size);
}

std::string figureText(const CellFigure* figure, const FigureColumn& column, const FigureUnit& unit)
{
    if (!figure)
        return std::string(kMissing);
    if (figure->atLeast)
        return ">= " +
               (column.measure == Measure::rate ? formatRate(*figure->median) : formatLatencyUs(*figure->median));
    return valueText(*figure->median, column, unit);
}

TextTable figureTable(const std::vector<const Cell*>& cells, std::span<const FigureColumn> columns,
                      const Labels& labels, bool whole)
{
    TextTable table;
    table.header = {"target"};
    for (const Cell* cell : cells)
        table.rows.push_back({labelOf(labels, cell->target)});
    for (const FigureColumn& column : columns) {
        if (!whole && std::none_of(cells.begin(), cells.end(),
                                   [&](const Cell* cell) { return figureOf(*cell, column.key) != nullptr; }))
            continue;
        const FigureUnit unit = unitOf(column, cells);
        table.header.push_back(headerOf(column, unit));
        for (std::size_t i = 0; i < cells.size(); ++i)
            table.rows[i].push_back(figureText(figureOf(*cells[i], column.key), column, unit));
    }
    return table;
}

} // namespace lapbench
