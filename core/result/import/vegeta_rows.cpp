#include "core/result/import/vegeta_rows.h"

#include "core/result/import/csv_rows.h"
#include "core/result/import/error_words.h"
#include "core/result/import/measure_text.h"
#include "core/result/import/report_lines.h"
#include "core/result/import/request_samples.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

namespace lapbench {

namespace {

constexpr double kNsPerUs = 1e3, kUsPerMs = 1e3, kNsPerSecond = 1e9;

/// The columns of `encode --to csv`, which has no header: a body and the head of the answer stand in others.
enum Column : std::size_t { sent, code, latency, bytesOut, bytesIn, error, attack = 7, method = 9, url = 10 };
constexpr std::size_t kColumns = 12;

std::optional<std::int64_t> nanoseconds(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (wrong != std::errc() || end != text.data() + text.size() || value < 0)
        return std::nullopt;
    return value;
}

bool isRequest(const std::vector<std::string>& row)
{
    constexpr std::int64_t kLeastNs = 100'000'000'000'000'000; // 1973
    if (row.size() != kColumns)
        return false;
    const auto at = nanoseconds(row[sent]);
    const auto status = parseWhole(row[code]);
    return at && *at >= kLeastNs && status && *status < 1000 && nanoseconds(row[latency]) &&
           parseWhole(row[bytesOut]) && parseWhole(row[bytesIn]) && row[url].find("://") != std::string::npos &&
           !row[method].empty();
}

/// Only its first line is looked at, which is long where a body is.
bool knowsCsv(std::string_view text)
{
    constexpr std::size_t kLongestRow = 1 << 20;
    const std::size_t start = text.find_first_not_of(" \t\n");
    if (start == std::string_view::npos || text[start] < '0' || text[start] > '9')
        return false;
    CsvRows rows(text.substr(start, kLongestRow));
    std::vector<std::string> row;
    return rows.next(row) && isRequest(row);
}

/// One attack: several may be in one file.
struct Attack {
    ImportedRun run;
    RequestSamples samples;
    std::int64_t base = 0; ///< of the first row: times since 1970 do not fit into a double exactly
    std::int64_t first = 0, last = 0;
    std::uint64_t in = 0, out = 0;
    bool sameRequest = true;

    void add(const std::vector<std::string>& row);
    ImportedRun finish();
};

void Attack::add(const std::vector<std::string>& row)
{
    const std::int64_t at = *nanoseconds(row[sent]);
    if (samples.count() == 0) {
        base = first = last = at;
        run.target = row[attack];
        setRequest(run, row[method], row[url]);
    }
    first = std::min(first, at);
    last = std::max(last, at);
    sameRequest = sameRequest && row[method] == run.method && row[url] == run.url;
    const std::uint64_t status = *parseWhole(row[code]);
    const bool good = isGoodStatus(status);
    samples.add(static_cast<double>(*nanoseconds(row[latency])) / kNsPerUs, good && row[error].empty(),
                static_cast<double>(at - base) / kNsPerUs);
    addStatus(run, status, 1);
    if (status == 0 || (good && !row[error].empty()))
        addError(run, row[error].empty() ? std::string_view("code 0: no answer") : row[error], 1);
    in += *parseWhole(row[bytesIn]);
    out += *parseWhole(row[bytesOut]);
}

ImportedRun Attack::finish()
{
    samples.fill(run);
    run.semantics = vegetaSemantics("CSV");
    run.semantics.rpsCountsErrors = true;
    run.semantics.resolutionUs = 1 / kNsPerUs;
    run.started = UtcTime(std::chrono::duration_cast<UtcTime::duration>(Nanoseconds(first)));
    if (last > first)
        run.rate = static_cast<double>(samples.count()) * kNsPerSecond / static_cast<double>(last - first);
    run.bodyReceived = in;
    run.bytesSent = out;
    if (!sameRequest) {
        run.method.clear();
        run.workload.clear();
    }
    return std::move(run);
}

Result<ImportedRuns> readCsv(std::string_view text)
{
    CsvRows rows(text);
    std::vector<std::string> row;
    std::map<std::string, Attack> attacks;
    std::uint64_t broken = 0;
    while (rows.next(row)) {
        if (!isRequest(row)) {
            ++broken;
            continue;
        }
        attacks[row[attack]].add(row);
        if (attacks.size() > kMostRuns)
            return tooManyRuns(rows.line());
    }
    ImportedRuns runs;
    for (auto& [name, one] : attacks)
        runs.push_back(one.finish());
    if (broken > 0 && !runs.empty())
        runs.front().doubts.push_back(std::to_string(broken) +
                                      " rows are no requests as vegeta writes them and are left out.");
    return runs;
}

constexpr std::string_view kPlotHeader = "Value(ms)";

bool isPlotHeader(std::string_view line)
{
    const auto words = wordsOf(line.substr(0, kLongestReportLine));
    return words.size() >= 3 && words[0] == kPlotHeader && words[1] == "Percentile" && words[2] == "TotalCount";
}

bool knowsPlot(std::string_view text)
{
    return anyLine(text, kPlotHeader, [](std::string_view line, std::size_t) { return isPlotHeader(line); });
}

/// One row of the table: milliseconds, fraction, how many requests took at most that.
void readPlotRow(const std::vector<std::string_view>& words, ImportedRun& run)
{
    const auto ms = parseNumber(words[0]), fraction = parseNumber(words[1]);
    const auto count = parseWhole(words[2]);
    if (!ms || !fraction || !count)
        return;
    constexpr double kSame = 1e-6;
    for (const ReportedPercentile& percentile : kReportedPercentiles)
        if (std::abs(*fraction - percentile.p) < kSame)
            run.latency.percentilesUs[std::string(percentile.key)] = *ms * kUsPerMs;
    if (std::abs(*fraction - 1) < kSame)
        run.latency.maxUs = *ms * kUsPerMs;
    run.completed = std::max(run.completed.value_or(0), *count);
}

Result<ImportedRuns> readPlot(std::string_view text)
{
    ImportedRuns runs;
    const auto lines = linesOf(withoutCutNumber(text));
    Headings headings(lines);
    std::size_t number = 0, header = 0;
    bool inTable = false;
    for (const std::string_view line : lines) {
        ++number;
        const auto words = wordsOf(line.substr(0, kLongestReportLine));
        if (isPlotHeader(line)) {
            if (runs.size() == kMostRuns)
                return tooManyRuns(number);
            inTable = true;
            header = number - 1;
            runs.emplace_back().semantics = vegetaSemantics("hdrplot");
            runs.back().target = headings.above(header);
            runs.back().semantics.resolutionUs = 1;
        } else if (inTable && words.size() >= 3 && number < header + kMostReportLines) {
            readPlotRow(words, runs.back());
        } else if (!words.empty()) {
            inTable = false;
        }
    }
    std::erase_if(runs, [](const ImportedRun& run) { return !run.completed; });
    if (runs.empty())
        return cutOff(kVegeta, header, "rows");
    for (ImportedRun& run : runs) {
        run.latency.count = run.completed;
        if (!run.latency.maxUs)
            run.doubts.emplace_back("The table has no row of 1: it is cut off, and there were more requests.");
    }
    return runs;
}

} // namespace

void addVegetaRows(Formats& formats)
{
    formats.text.push_back({kVegeta, "CSV", knowsCsv, readCsv});
    formats.text.push_back({kVegeta, "hdrplot", knowsPlot, readPlot});
}

} // namespace lapbench
