#include "core/result/import/jmeter_csv.h"

#include "core/result/import/csv_rows.h"
#include "core/result/import/formats.h"
#include "core/result/import/jmeter_run.h"
#include "core/result/import/measure_text.h"

#include <algorithm>
#include <array>

namespace lapbench {

namespace {

/// How much of a text, and how many of its lines, are looked through for the first row.
constexpr std::size_t kLookedThrough = std::size_t{64} << 10;
constexpr std::size_t kMostLines = 200;

/// The columns that are read, in the order of JmeterColumns::at.
enum Column { time, elapsed, label, code, message, success, failure, bytes, sent, threads, url, kColumns };
constexpr std::array<std::string_view, kColumns> kNames = {
    "timeStamp", "elapsed",   "label",      "responseCode", "responseMessage", "success", "failureMessage",
    "bytes",     "sentBytes", "allThreads", "URL"};
using Columns = std::array<int, kColumns>;

/// Where rows begin, how they are written, and where their columns stand.
struct Layout {
    std::size_t at = 0, line = 1;
    char separator = ',';
    bool hasHead = false;
    Columns columns{};
};

std::vector<std::string> rowOf(std::string_view text, char separator)
{
    std::vector<std::string> row;
    CsvRows(text, separator).next(row);
    return row;
}

std::optional<Columns> columnsOf(const std::vector<std::string>& head)
{
    Columns columns{};
    std::size_t found = 0;
    for (std::size_t i = 0; i < kColumns; ++i)
        found += (columns[i] = columnOf(head, kNames[i])) >= 0 ? 1 : 0;
    constexpr std::size_t kEnough = 3;
    return columns[elapsed] >= 0 && found >= kEnough ? std::optional(columns) : std::nullopt;
}

/// The separator may be any: what first stands between the names.
std::optional<Layout> headIn(std::string_view line)
{
    if (line.find("elapsed") == std::string_view::npos)
        return std::nullopt;
    const auto isName = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '"' || c == '_';
    };
    const auto separator = std::find_if_not(line.begin(), line.end(), isName);
    if (separator == line.end())
        return std::nullopt;
    const auto columns = columnsOf(rowOf(line, *separator));
    return columns ? std::optional(Layout{.separator = *separator, .hasHead = true, .columns = *columns})
                   : std::nullopt;
}

bool isYesOrNo(std::string_view text)
{
    return text == "true" || text == "false";
}

/// Rows without a head are in the order of the version that wrote them: the first eight columns have never changed.
std::optional<Layout> rowsIn(std::string_view line)
{
    if (line.find("true") == std::string_view::npos && line.find("false") == std::string_view::npos)
        return std::nullopt;
    for (const char separator : {',', ';', '\t', '|'}) {
        const auto row = rowOf(line, separator);
        if (row.size() < 9 || row.size() > 20 || !parseWhole(row[1]) || !isYesOrNo(trimmed(row[7])) ||
            row[0].find_first_of("0123456789") == std::string::npos || row[0].size() < 10)
            continue;
        Columns columns;
        columns.fill(-1);
        columns[time] = 0;
        columns[elapsed] = 1;
        columns[label] = 2;
        columns[code] = 3;
        columns[message] = 4;
        columns[success] = 7;
        const bool hasFailure = !parseWhole(row[8]); // else the number of bytes
        columns[failure] = hasFailure ? 8 : -1;
        columns[bytes] = hasFailure ? 9 : 8;
        constexpr std::size_t kWithSent = 16, kWithUrl = 17;
        if (row.size() >= kWithSent)
            columns[sent] = 10;
        if (row.size() == kWithUrl)
            columns[url] = 13;
        constexpr std::size_t kWithThreads = 12;
        if (row.size() >= kWithThreads) // bytes, perhaps sentBytes, grpThreads, allThreads
            columns[threads] = columns[bytes] + (row.size() >= kWithSent ? 3 : 2);
        return Layout{.separator = separator, .hasHead = false, .columns = columns};
    }
    return std::nullopt;
}

std::optional<Layout> layoutOf(std::string_view text)
{
    text = text.substr(0, kLookedThrough);
    std::size_t at = 0;
    for (std::size_t line = 1; line <= kMostLines && at < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view here = text.substr(at, end - at);
        auto layout = headIn(here);
        // A row's quoted values may go on in the next lines.
        if (!layout)
            layout = rowsIn(here.find('"') == std::string_view::npos ? here : text.substr(at));
        if (layout) {
            layout->at = at;
            layout->line = line;
            return layout;
        }
        at = end + 1;
    }
    return std::nullopt;
}

/// One row; nothing where it is no sample.
std::optional<JmeterSample> sampleOf(const std::vector<std::string>& row, const Columns& columns)
{
    const auto value = [&](Column column) {
        const int at = columns[column];
        return at >= 0 && static_cast<std::size_t>(at) < row.size()
                   ? std::string_view(row[static_cast<std::size_t>(at)])
                   : std::string_view();
    };
    const auto took = parseNumber(value(elapsed));
    const std::string_view told = trimmed(value(success));
    if (!took || *took < 0 || (columns[success] >= 0 && !isYesOrNo(told) && told != "TRUE" && told != "FALSE"))
        return std::nullopt;
    JmeterSample sample;
    sample.elapsedMs = *took;
    sample.success = columns[success] < 0 || told == "true" || told == "TRUE";
    sample.time = value(time);
    sample.label = value(label);
    sample.responseCode = trimmed(value(code));
    sample.responseMessage = value(message);
    sample.failureMessage = value(failure);
    sample.url = value(url);
    sample.bytes = parseWhole(value(bytes));
    sample.sentBytes = parseWhole(value(sent));
    sample.allThreads = parseWhole(value(threads));
    return sample;
}

} // namespace

bool isJmeterCsv(std::string_view text)
{
    return layoutOf(text).has_value();
}

Result<ImportedRuns> readJmeterCsv(std::string_view text)
{
    const auto layout = layoutOf(text);
    if (!layout)
        return Problem{"", "holds no rows of JMeter", "save the JTL file as JMeter wrote it"};
    CsvRows rows(text.substr(layout->at), layout->separator);
    std::vector<std::string> row;
    Columns columns = layout->columns;
    ImportedRuns runs;
    std::optional<JmeterRun> run(std::in_place);
    const auto finish = [&] {
        if (run->count() > 0)
            runs.push_back(run->finish());
        run.emplace();
    };
    std::size_t width = 0;
    while (rows.next(row)) {
        const bool isCut = rows.isOpen() && row.size() < width;
        width = row.size();
        if (const auto sample = isCut ? std::nullopt : sampleOf(row, columns)) {
            run->add(*sample);
        } else if (const auto head = columnsOf(row)) {
            finish();
            if (runs.size() == kMostRuns)
                return tooManyRuns(layout->line + rows.line() - 1);
            columns = *head;
        } else {
            run->skipRow(layout->line + rows.line() - 1);
        }
    }
    finish();
    if (runs.empty())
        return Problem{"line " + std::to_string(layout->line), "begins rows of JMeter, and none of them is a sample",
                       "save the JTL file after the run has ended"};
    return runs;
}

} // namespace lapbench
