#include "core/result/import/csv_rows.h"
#include "core/result/import/formats.h"
#include "core/result/import/report_sections.h"
#include "core/result/import/request_samples.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapbench {

void addApacheBenchRows(Formats& formats);

namespace {

constexpr double kUsPerMs = 1000;
constexpr std::string_view kSharesHeader = "Percentage served";
constexpr std::string_view kRowsHeader = "starttime\tseconds\tctime\tdtime\tttime\twait";

/// The text behind each header line that begins with `header`, up to the next one.
std::vector<std::string_view> partsBehind(std::string_view text, std::string_view header)
{
    std::vector<std::string_view> parts;
    std::size_t at = text.find(header);
    while (at != std::string_view::npos) {
        const std::size_t next = text.find(header, at + header.size());
        parts.push_back(text.substr(at, next == std::string_view::npos ? next : next - at));
        at = next;
    }
    return parts;
}

bool knowsShares(std::string_view text)
{
    constexpr std::string_view kSecond = "Time in ms";
    for (std::size_t at = text.find(kSharesHeader); at != text.npos; at = text.find(kSharesHeader, at + 1))
        if (text.substr(std::min(at + kSharesHeader.size() + 1, text.size())).starts_with(kSecond))
            return true;
    return false;
}

/// Whether a time has the three decimals that ab prints: else it is cut off.
bool isWhole(std::string_view ms)
{
    constexpr std::size_t kDecimals = 3;
    const std::size_t point = ms.find_last_of(".,");
    return point != std::string_view::npos && ms.size() - point - 1 == kDecimals;
}

/// `-e`: a row a percent, 0 to 100.
Result<ImportedRun> readShares(std::string_view part)
{
    ImportedRun run;
    const char separator = separatorOf(part.substr(0, part.find('\n')));
    const NumberStyle style = separator == ',' ? NumberStyle::point : numberStyleOf(part);
    CsvRows rows(part, separator);
    std::vector<std::string> row;
    rows.next(row);
    double last = -1;
    while (rows.next(row)) {
        const auto percent = row.size() == 2 ? parseNumber(row[0], style) : std::nullopt;
        const auto ms = percent ? parseNumber(row[1], style) : std::nullopt;
        if (!ms || *percent <= last || (rows.isOpen() && !isWhole(row[1])))
            break;
        last = *percent;
        if (last == 0)
            run.latency.minUs = *ms * kUsPerMs;
        else if (last == 100)
            run.latency.maxUs = *ms * kUsPerMs;
        else if (const auto key = percentileKeyOf(last))
            run.latency.percentilesUs[*key] = *ms * kUsPerMs;
    }
    if (last < 1)
        return Problem{"", "begins as the CSV of ab -e and holds no rows", "save the tool's whole output"};
    if (last < 100)
        run.doubts.push_back("The rows end at " + std::to_string(static_cast<int>(last)) + " %: the file is cut off.");
    run.semantics.resolutionUs = 1;
    return run;
}

/// `-g`: a row a request, in order of its time. The start is told in whole seconds only, so there is no rate.
Result<ImportedRun> readRows(std::string_view part)
{
    enum Column : std::size_t { start = 1, total = 4, columns = 6 };
    ImportedRun run;
    RequestSamples samples;
    std::optional<std::uint64_t> first;
    CsvRows rows(part, '\t');
    std::vector<std::string> row;
    rows.next(row);
    std::size_t broken = 0;
    while (rows.next(row)) {
        const auto seconds = row.size() == columns ? parseWhole(row[start]) : std::nullopt;
        const auto ms = seconds ? parseNumber(row[total]) : std::nullopt;
        if (!ms || *ms < 0) {
            ++broken;
            continue;
        }
        first = std::min(first.value_or(*seconds), *seconds);
        samples.add(*ms * kUsPerMs, true);
    }
    if (samples.count() == 0)
        return Problem{"", "begins as the rows of ab -g and holds none", "save the tool's whole output"};
    samples.fill(run);
    run.failed.reset(); // the rows do not tell
    if (broken > 0)
        run.doubts.push_back(std::to_string(broken) + " lines are no rows of ab -g and are left out.");
    constexpr std::uint64_t kLatest = 4'000'000'000; // seconds; a clock that is right gives less
    if (*first > 0 && *first < kLatest)
        run.started = UtcTime(std::chrono::seconds(*first));
    run.semantics.resolutionUs = kUsPerMs;
    run.semantics.notes.push_back("The rows are sorted by time and tell the start in whole seconds: there is no rate, "
                                  "and nothing over time.");
    return run;
}

Result<ImportedRuns> readParts(std::string_view text, std::string_view header,
                               Result<ImportedRun> (*readPart)(std::string_view part))
{
    ImportedRuns runs;
    for (const std::string_view part : partsBehind(text, header)) {
        Result<ImportedRun> read = readPart(part);
        if (!read)
            return read.problem();
        ImportedRun run = std::move(read).value();
        run.semantics.latencyIncludesErrors = true;
        run.semantics.correction = Correction::none;
        run.semantics.notes.push_back("ab does not tell here whether requests failed.");
        runs.push_back(std::move(run));
    }
    return runs;
}

Result<ImportedRuns> readAllShares(std::string_view text)
{
    return readParts(text, kSharesHeader, readShares);
}

bool knowsRows(std::string_view text)
{
    return text.find(kRowsHeader) != std::string_view::npos;
}

Result<ImportedRuns> readAllRows(std::string_view text)
{
    return readParts(text, kRowsHeader, readRows);
}

} // namespace

void addApacheBenchRows(Formats& formats)
{
    formats.text.push_back({"ab", "CSV (-e)", knowsShares, readAllShares});
    formats.text.push_back({"ab", "TSV (-g)", knowsRows, readAllRows});
}

} // namespace lapbench
