#pragma once

#include "core/result/comparisons.h"
#include "core/result/export/text_table.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// What a figure of a cell is, and with that its unit.
enum class Measure { rate, latency, cores, bytes, milliseconds };

/// One figure as a column: "p50", "p50_us".
struct FigureColumn {
    std::string_view header;
    std::string_view key; ///< of kCellFigures
    Measure measure;
};

/// What a column shares: values are divided by `size` and stand without it.
struct FigureUnit {
    std::string_view name; ///< "ms"; empty where there is none
    double size = 1;
};

/// Stands where a value is not known.
inline constexpr std::string_view kMissing = "-";

/// A cell's figure; null where it has none.
const CellFigure* figureOf(const Cell& cell, std::string_view key);

/// The unit in which the middle one of the cells' values reads well; bounds ("at least") are written with their own.
FigureUnit unitOf(const FigureColumn& column, const std::vector<const Cell*>& cells);

/// "p50 ms".
std::string headerOf(const FigureColumn& column, const FigureUnit& unit);

/// A value of that column: "5.28".
std::string valueText(double value, const FigureColumn& column, const FigureUnit& unit);
/// A figure's median: "5.28", ">= 2.00 s", or kMissing where it is null.
std::string figureText(const CellFigure* figure, const FigureColumn& column, const FigureUnit& unit);

/// A row a cell, by its target: the columns of which any cell has a value, or all where `whole`.
TextTable figureTable(const std::vector<const Cell*>& cells, std::span<const FigureColumn> columns,
                      const Labels& labels, bool whole = false);

} // namespace lapbench
