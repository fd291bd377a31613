#include "app/cli/compare_text.h"

#include "app/cli/terminal.h"
#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/result/export/export_files.h"
#include "core/result/export/text_table.h"
#include "core/result/export/verdict_text.h"
#include "core/stats/verdict_sentence.h"

#include <algorithm>
#include <functional>
#include <span>

namespace lapbench {

namespace {

constexpr std::string_view kMissing = "-";
constexpr std::array<std::string_view, kComparedMetrics.size()> kMetricNames = {"req/s", "p50", "p99"};
constexpr std::array<std::string_view, 4> kPairHeader = {"ratio", "interval", "verdict", "rounds"};
constexpr std::size_t kRps = 0;

std::string shown(const ComparedValue& value, std::size_t metric)
{
    if (!value.median)
        return std::string(kMissing);
    return (value.atLeast ? ">= " : "") + (metric == kRps ? formatRate(*value.median) : formatLatencyUs(*value.median));
}

/// Under kPairHeader.
std::vector<std::string> pairCells(const SidePair& pair)
{
    const std::string none(kMissing);
    if (!pair.figures)
        return {none, none, "not compared", none};
    const UnpairedRatio& figures = *pair.figures;
    return {formatRatio(figures.ratio),
            figures.low ? formatRatio(*figures.low) + "-" + formatRatio(*figures.high) : none,
            verdictInWords(figures.verdict),
            std::to_string(figures.roundsA) + ", " + std::to_string(figures.roundsB) + (figures.thin ? " (thin)" : "")};
}

const ComparedSide* sideOf(const ComparedRow& row, std::size_t result)
{
    const auto found = std::find_if(row.sides.begin(), row.sides.end(),
                                    [&](const ComparedSide& side) { return side.result == result; });
    return found == row.sides.end() ? nullptr : &*found;
}

TextTable differencesTable(const ResultComparison& comparison)
{
    TextTable table;
    table.allLeft = true;
    table.header = {"what differs"};
    for (const ComparedResult& result : comparison.results)
        table.header.push_back(result.name);
    for (const ResultDifference& difference : comparison.differences) {
        std::vector<std::string> row = {difference.what};
        for (const auto& value : difference.values)
            row.push_back(value.value_or(std::string(kMissing)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// One workload at one level: a row for each metric of each target, a column for each result. The ratio of two results
/// stands in the same row; those of more would make it too wide and have a table of their own.
TextTable rowsTable(const ResultComparison& comparison, std::span<const ComparedRow> rows)
{
    TextTable table;
    table.header = {"target", "figure"};
    for (const ComparedResult& result : comparison.results)
        table.header.push_back(result.name);
    const bool two = comparison.results.size() == 2;
    if (two)
        table.header.insert(table.header.end(), kPairHeader.begin(), kPairHeader.end());
    for (const ComparedRow& row : rows)
        for (std::size_t metric = 0; metric < kComparedMetrics.size(); ++metric) {
            std::vector<std::string> line = {row.label(), std::string(kMetricNames[metric])};
            for (std::size_t i = 0; i < comparison.results.size(); ++i) {
                const ComparedSide* side = sideOf(row, i);
                line.push_back(side == nullptr ? std::string(kMissing) : shown(side->values[metric], metric));
            }
            if (two)
                for (std::string& cell : pairCells(row.pairs[metric]))
                    line.push_back(std::move(cell));
            table.rows.push_back(std::move(line));
        }
    return table;
}

/// A row for each comparison of more than two results.
TextTable pairsTable(const ResultComparison& comparison, std::span<const ComparedRow> rows)
{
    TextTable table;
    table.header = {"target", "figure", "result", "to"};
    table.header.insert(table.header.end(), kPairHeader.begin(), kPairHeader.end());
    for (const ComparedRow& row : rows)
        for (const SidePair& pair : row.pairs) {
            std::vector<std::string> line = {row.label(), std::string(kMetricNames[pair.metric]),
                                             comparison.results[row.sides[pair.b].result].name,
                                             comparison.results[row.sides[pair.a].result].name};
            for (std::string& cell : pairCells(pair))
                line.push_back(std::move(cell));
            table.rows.push_back(std::move(line));
        }
    return table;
}

TextTable unmatchedTable(const ResultComparison& comparison)
{
    TextTable table;
    table.header = {"without a counterpart", "result", "workload", "level", "req/s", "p50", "p99", "why"};
    for (const UnmatchedCell& cell : comparison.unmatched) {
        std::vector<std::string> row = {cell.side.label, comparison.results[cell.side.result].name, cell.workload,
                                        formatLevel(cell.level)};
        for (std::size_t metric = 0; metric < kComparedMetrics.size(); ++metric)
            row.push_back(shown(cell.side.values[metric], metric));
        row.push_back(cell.reason);
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// What a table cannot say: the sentence of each ratio of requests a second, and why something is not compared, once
/// for all metrics of which it is true.
std::vector<std::string> remarksOn(std::span<const ComparedRow> rows)
{
    std::vector<std::string> remarks;
    for (const ComparedRow& row : rows) {
        for (const SidePair& pair : row.pairs)
            if (pair.metric == kRps && pair.figures)
                remarks.push_back(pair.sentence);
        for (std::size_t i = 0; i < row.pairs.size(); ++i) {
            const auto sameReason = [&](const SidePair& other) {
                return other.b == row.pairs[i].b && other.refused == row.pairs[i].refused;
            };
            const auto at = row.pairs.begin() + static_cast<std::ptrdiff_t>(i);
            if (at->refused.empty() || std::any_of(row.pairs.begin(), at, sameReason))
                continue;
            std::string metrics;
            for (const SidePair& pair : row.pairs)
                if (sameReason(pair))
                    metrics += (metrics.empty() ? "" : ", ") + std::string(kMetricNames[pair.metric]);
            remarks.push_back(row.label() + ", " + metrics + " not compared; " + at->refused);
        }
    }
    return remarks;
}

struct Marks {
    std::string title, section, note;
    std::string (*table)(const TextTable&);
};

std::string notesText(const std::vector<std::string>& notes, const Marks& marks)
{
    std::string text;
    for (const std::string& note : notes)
        text += marks.note + withoutControls(note) + "\n";
    return text.empty() ? text : text + "\n";
}

std::string compose(const ResultComparison& comparison, const Marks& marks)
{
    std::string names;
    for (const ComparedResult& result : comparison.results)
        names += (names.empty() ? "" : ", ") + result.name;
    std::string text = marks.title + withoutControls("Comparison of " + names) + "\n\n";
    if (!comparison.differences.empty())
        text += marks.table(differencesTable(comparison)) + "\n";
    if (comparison.differencesLeftOut > 0)
        text +=
            marks.note + "The plans differ in " + formatCounted(comparison.differencesLeftOut, "setting") + " more\n\n";
    const std::span<const ComparedRow> rows(comparison.rows);
    for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
        while (end < rows.size() && rows[end].workload == rows[begin].workload && rows[end].level == rows[begin].level)
            ++end;
        const auto part = rows.subspan(begin, end - begin);
        text += marks.section +
                withoutControls("Workload " + part.front().workload + ", " + formatLevel(part.front().level) +
                                ", medians over rounds") +
                "\n\n" + marks.table(rowsTable(comparison, part)) + "\n";
        if (comparison.results.size() > 2)
            text += marks.table(pairsTable(comparison, part)) + "\n";
        text += notesText(remarksOn(part), marks);
    }
    if (!comparison.unmatched.empty())
        text += marks.table(unmatchedTable(comparison)) + "\n";
    text += notesText(comparison.notes, marks);
    while (text.ends_with("\n\n"))
        text.pop_back();
    return text;
}

std::string exact(const ComparedValue& value)
{
    return value.median ? (value.atLeast ? ">=" : "") + formatExact(value.median) : std::string();
}

std::vector<std::string> placeCells(const std::string& workload, const Level& level, std::size_t metric)
{
    return {workload, level.connections > 0 ? std::to_string(level.connections) : "",
            level.rate ? std::to_string(*level.rate) : "", std::string(kComparedMetrics[metric])};
}

void append(std::vector<std::string>& row, std::initializer_list<std::string> cells)
{
    row.insert(row.end(), cells);
}

} // namespace

std::vector<std::string> resultNames(const std::vector<std::filesystem::path>& files)
{
    const auto isTaken = [](const std::vector<std::string>& names, const std::string& name) {
        return std::count(names.begin(), names.end(), name) > 0;
    };
    std::vector<std::string> stems, names;
    for (const auto& file : files)
        stems.push_back(resultName(file));
    for (std::size_t i = 0; i < files.size(); ++i) {
        const bool alone = std::count(stems.begin(), stems.end(), stems[i]) == 1;
        const std::string name = alone ? stems[i] : files[i].string();
        std::string unique = name;
        for (int number = 2; isTaken(names, unique); ++number)
            unique = name + " (" + std::to_string(number) + ")";
        names.push_back(std::move(unique));
    }
    return names;
}

std::string resultsAsText(const ResultComparison& comparison)
{
    return compose(comparison, {"", "", "", &formatAligned});
}

std::string resultsAsMarkdown(const ResultComparison& comparison)
{
    return compose(comparison, {"# ", "## ", "- ", &formatMarkdown});
}

std::string resultsAsCsv(const ResultComparison& comparison)
{
    TextTable table;
    table.header = {"workload", "connections", "rate",     "metric",  "a_result", "a_target",     "b_result",
                    "b_target", "a",           "b",        "ratio",   "low",      "high",         "confidence",
                    "degrees",  "rounds_a",    "rounds_b", "verdict", "thin",     "not_compared", "sentence"};
    for (const ComparedRow& row : comparison.rows)
        for (const SidePair& pair : row.pairs) {
            const ComparedSide &a = row.sides[pair.a], &b = row.sides[pair.b];
            std::vector<std::string> line = placeCells(row.workload, row.level, pair.metric);
            append(line, {comparison.results[a.result].name, a.target, comparison.results[b.result].name, b.target,
                          exact(a.values[pair.metric]), exact(b.values[pair.metric])});
            if (const auto& figures = pair.figures)
                append(line, {formatExact(figures->ratio), formatExact(figures->low), formatExact(figures->high),
                              figures->low ? formatExact(pair.confidence) : "", formatExact(figures->degrees),
                              std::to_string(figures->roundsA), std::to_string(figures->roundsB),
                              std::string(verdictName(figures->verdict)), figures->thin ? "true" : "false"});
            else
                line.resize(line.size() + 9);
            append(line, {pair.refused, pair.sentence});
            table.rows.push_back(std::move(line));
        }
    for (const UnmatchedCell& cell : comparison.unmatched)
        for (std::size_t metric = 0; metric < kComparedMetrics.size(); ++metric) {
            std::vector<std::string> line = placeCells(cell.workload, cell.level, metric);
            append(line, {comparison.results[cell.side.result].name, cell.side.target, "", "",
                          exact(cell.side.values[metric])});
            line.resize(line.size() + 10);
            append(line, {cell.reason, ""});
            table.rows.push_back(std::move(line));
        }
    return formatCsv(table);
}

} // namespace lapbench
