#include "core/result/import/csv_rows.h"
#include "core/result/import/error_words.h"
#include "core/result/import/formats.h"
#include "core/result/import/json_figures.h"
#include "core/result/import/measure_text.h"
#include "core/result/import/report_lines.h"
#include "core/result/import/request_samples.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace lapbench {

namespace {

constexpr std::string_view kTool = "oha";
constexpr double kUsPerSecond = 1e6, kUsPerMs = 1e3;
/// By oha's names in JSON and in text.
struct Rank {
    std::string_view json;
    double percent;
    std::string_view ours;
};
constexpr std::array<Rank, 8> kRanks = {{{"p25", 25, "p25"},
                                         {"p50", 50, "p50"},
                                         {"p75", 75, "p75"},
                                         {"p90", 90, "p90"},
                                         {"p95", 95, "p95"},
                                         {"p99", 99, "p99"},
                                         {"p99.9", 99.9, "p99_9"},
                                         {"p99.99", 99.99, "p99_99"}}};
constexpr std::string_view kCutOff = "aborted due to deadline";

Semantics semanticsOf(std::string_view form)
{
    Semantics semantics;
    semantics.tool = kTool;
    semantics.form = form;
    semantics.latencyIncludesErrors = true;
    semantics.rpsCountsErrors = true;
    semantics.correction = Correction::none;
    semantics.bytes = BytesKind::body;
    semantics.notes = {
        "oha's latencies are of every request that got an answer, whatever its status, and of no other.",
        "With --latency-correction and a rate oha counts latencies from when a request was due; its output does not "
        "tell."};
    return semantics;
}

/// Answers by status and failures by oha's words, as both summaries tell them.
struct Counts {
    std::uint64_t answers = 0, failures = 0, cutOff = 0;

    void addAnswers(ImportedRun& run, std::uint64_t status, std::uint64_t count)
    {
        answers += count;
        addStatus(run, status, count);
    }
    void addFailures(ImportedRun& run, std::string_view words, std::uint64_t count)
    {
        if (words == kCutOff) {
            cutOff += count;
            return;
        }
        failures += count;
        addError(run, words, count);
    }
    void finish(ImportedRun& run) const;
};

void Counts::finish(ImportedRun& run) const
{
    run.completed = answers + failures;
    run.failed = badStatuses(run) + failures;
    run.unfinished = cutOff;
    run.latency.count = answers;
    const double seconds = run.durationSeconds.value_or(0);
    if (cutOff == 0 || !(seconds > 0) || !run.rps)
        return;
    std::array<char, 160> doubt{};
    const double others = static_cast<double>(*run.completed) / seconds;
    std::snprintf(doubt.data(), doubt.size(),
                  "The printed %.2f requests a second count %llu that were cut off at the end; the others are %.2f.",
                  *run.rps, static_cast<unsigned long long>(cutOff), others);
    run.doubts.emplace_back(doubt.data());
    if (*run.completed == 0)
        run.rps = 0;
}

bool knowsJson(const Json& value)
{
    const Json& summary = memberOf(value, "summary");
    return summary.is_object() && summary.contains("successRate") && summary.contains("requestsPerSec") &&
           memberOf(value, "statusCodeDistribution").is_object();
}

std::optional<double> scaled(std::optional<double> value, double by)
{
    return value ? std::optional(*value * by) : std::nullopt;
}

void readJsonLatency(const Json& value, ImportedLatency& latency)
{
    const Json& summary = memberOf(value, "summary");
    const Json& percentiles = memberOf(value, "latencyPercentiles");
    const Json& inMs = memberOf(memberOf(value, "metrics"), "latency_ms");
    const auto either = [&](const Json& seconds, std::string_view name, std::string_view nameInMs) {
        const auto us = scaled(numberOf(seconds, name), kUsPerSecond);
        return us ? us : scaled(numberOf(inMs, nameInMs), kUsPerMs);
    };
    latency.minUs = either(summary, "fastest", "min");
    latency.meanUs = either(summary, "average", "mean");
    latency.maxUs = either(summary, "slowest", "max");
    for (const Rank& rank : kRanks)
        if (const auto us = either(percentiles, rank.json, rank.json))
            latency.percentilesUs[std::string(rank.ours)] = *us;
}

Result<ImportedRuns> readJson(const Json& value)
{
    ImportedRun run;
    run.semantics = semanticsOf("JSON");
    constexpr double kStepUs = 1e-3;
    run.semantics.resolutionUs = kStepUs;
    const Json& summary = memberOf(value, "summary");
    run.durationSeconds = numberOf(summary, "total");
    run.rps = numberOf(summary, "requestsPerSec");
    run.bodyReceived = wholeOf(summary, "totalData");
    readJsonLatency(value, run.latency);
    Counts counts;
    for (const auto& [status, count] : memberOf(value, "statusCodeDistribution").items())
        counts.addAnswers(run, parseWhole(status).value_or(0),
                          count.is_number_unsigned() ? count.get<std::uint64_t>() : 0);
    const Json& errors = memberOf(value, "errorDistribution");
    if (errors.is_object())
        for (const auto& [words, count] : errors.items())
            counts.addFailures(run, words, count.is_number_unsigned() ? count.get<std::uint64_t>() : 0);
    counts.finish(run);
    return ImportedRuns{std::move(run)};
}

/// Whether the report of oha begins in line `at`: "Summary:" and "Success rate:" under it.
bool beginsAt(const std::vector<std::string_view>& lines, std::size_t at)
{
    return trimmed(lines[at]) == "Summary:" && at + 1 < lines.size() &&
           afterLabel(lines[at + 1], "Success rate:").has_value();
}

bool knowsText(std::string_view text)
{
    return anyLine(text, "Success rate:", [&](std::string_view, std::size_t start) {
        constexpr std::string_view kBefore = "Summary:";
        const std::string_view above = text.substr(0, start == 0 ? 0 : start - 1);
        return trimmed(above.substr(above.rfind('\n') + 1)) == kBefore; // npos + 1 is the start
    });
}

/// One report, line by line.
struct Report {
    enum class Part { summary, percentiles, statuses, errors, other };

    ImportedRun run;
    Counts counts;
    NumberStyle style = NumberStyle::point;
    Part part = Part::summary;
    bool hasStatuses = false, isCut = false;

    /// Whether requests are missing in what is printed of them, by rate and time.
    bool isShort() const;
    bool enters(std::string_view line);
    void readSummary(std::string_view line);
    void readPercentile(std::string_view line);
    void readCount(std::string_view line);
    void readLine(std::string_view line);
};

bool Report::isShort() const
{
    constexpr double kMostMissing = 0.002, kHalfStep = 0.00005; // of a time with four decimals
    const double seconds = run.durationSeconds.value_or(0);
    const double all = run.rps.value_or(0) * (seconds - kHalfStep);
    return isCut ||
           static_cast<double>(counts.answers + counts.failures + counts.cutOff) + 1 < all * (1 - kMostMissing);
}

/// Whether `line` is the heading of a part.
bool Report::enters(std::string_view line)
{
    if (line == "Response time distribution:")
        part = Part::percentiles;
    else if (line == "Status code distribution:")
        part = Part::statuses;
    else if (line == "Error distribution:")
        part = Part::errors;
    else if (line.starts_with("Response time ") || line.starts_with("Details (") || line.starts_with("First byte"))
        part = Part::other;
    else
        return false;
    hasStatuses = hasStatuses || part == Part::statuses;
    return true;
}

void Report::readSummary(std::string_view line)
{
    if (const auto total = afterLabel(line, "Total:")) {
        run.durationSeconds = scaled(parseTimeUs(*total, style), 1 / kUsPerSecond);
    } else if (const auto slowest = afterLabel(line, "Slowest:")) {
        run.latency.maxUs = parseTimeUs(*slowest, style);
    } else if (const auto fastest = afterLabel(line, "Fastest:")) {
        run.latency.minUs = parseTimeUs(*fastest, style);
    } else if (const auto average = afterLabel(line, "Average:")) {
        run.latency.meanUs = parseTimeUs(*average, style);
        run.semantics.resolutionUs = printedStepUs(*average);
    } else if (const auto rate = afterLabel(line, "Requests/sec:")) {
        run.rps = parseNumber(*rate, style);
    } else if (const auto data = afterLabel(line, "Total data:")) {
        constexpr double kKilo = 1000;
        if (const auto bytes = parseBytes(*data, kKilo, style); bytes && *bytes >= 0 && *bytes < 1e18)
            run.bodyReceived = static_cast<std::uint64_t>(std::llround(*bytes));
    }
}

/// "99.90% in 0.0071 secs"
void Report::readPercentile(std::string_view line)
{
    const std::size_t in = line.find("% in ");
    if (in == std::string_view::npos)
        return;
    const auto percent = parseNumber(line.substr(0, in), style);
    const auto us = parseTimeUs(line.substr(in + 5), style);
    for (const Rank& rank : kRanks)
        if (us && percent && std::abs(*percent - rank.percent) < 1e-6)
            run.latency.percentilesUs[std::string(rank.ours)] = *us;
}

/// "[200] 20000 responses", "[20] aborted due to deadline"
void Report::readCount(std::string_view line)
{
    const std::size_t end = line.find(']');
    if (!line.starts_with('[') || end == std::string_view::npos)
        return;
    const auto number = parseWhole(line.substr(1, end - 1), style);
    const std::string_view words = trimmed(line.substr(end + 1));
    if (!number)
        return;
    isCut = words != kCutOff && kCutOff.starts_with(words); // no telling which of both it is
    if (part == Part::errors)
        return counts.addFailures(run, words, *number);
    const auto count = parseWhole(words.substr(0, words.find(" response")), style);
    if (count)
        counts.addAnswers(run, *number, *count);
}

void Report::readLine(std::string_view line)
{
    line = trimmed(line.substr(0, kLongestReportLine));
    if (enters(line))
        return;
    if (part == Part::summary)
        readSummary(line);
    else if (part == Part::percentiles)
        readPercentile(line);
    else if (part == Part::statuses || part == Part::errors)
        readCount(line);
}

/// The report that begins in line `at`, which is left behind it.
Result<ImportedRun> readReport(const std::vector<std::string_view>& lines, std::size_t /*from*/, std::size_t& at,
                               NumberStyle style)
{
    Report report;
    report.style = style;
    report.run.semantics = semanticsOf("text");
    const std::size_t begin = at;
    for (++at; at < std::min(lines.size(), begin + kMostReportLines) && !beginsAt(lines, at) &&
               !trimmed(lines[at]).starts_with("```");
         ++at)
        report.readLine(lines[at]);
    ImportedRun& run = report.run;
    if (report.hasStatuses && !report.isShort())
        report.counts.finish(run);
    else if (run.rps && run.durationSeconds && run.latency.meanUs)
        run.doubts.push_back("The report has no complete \"Status code distribution:\": it is cut off, and how many "
                             "requests there were is not known.");
    else
        return cutOff(kTool, begin, "\"Status code distribution:\"");
    return std::move(run);
}

Result<ImportedRuns> readText(std::string_view text)
{
    return readReports(text, {kTool, "\"Summary:\"", beginsAt, readReport});
}

constexpr std::string_view kCsvHeader = "request-start,";

bool knowsCsv(std::string_view text)
{
    const std::size_t at = text.find(kCsvHeader);
    if (at == std::string_view::npos || (at > 0 && text[at - 1] != '\n'))
        return false;
    return text.substr(at, text.find('\n', at) - at).find(",request-duration,bytes,status") != std::string_view::npos;
}

Result<ImportedRuns> readCsv(std::string_view text)
{
    const std::size_t start = text.find(kCsvHeader);
    CsvRows rows(text.substr(start));
    std::vector<std::string> row;
    rows.next(row);
    const std::vector<std::string> header = row;
    const auto at = [&](std::string_view name) { return static_cast<std::size_t>(columnOf(header, name)); };
    const std::size_t begin = at("request-start"), time = at("request-duration"), bytes = at("bytes"),
                      status = at("status");
    ImportedRun run;
    run.semantics = semanticsOf("CSV");
    run.semantics.resolutionUs = 1e-3;
    run.semantics.notes.emplace_back("oha's CSV has no row for a request that got no answer.");
    RequestSamples samples;
    std::uint64_t body = 0, broken = 0;
    while (rows.next(row)) {
        const bool whole = row.size() == header.size();
        const auto first = whole ? parseNumber(row[begin]) : std::nullopt;
        const auto seconds = whole ? parseNumber(row[time]) : std::nullopt;
        const auto code = whole ? parseWhole(row[status]) : std::nullopt;
        if (!first || !seconds || !code || *first < 0 || *seconds < 0 || *code < 100) {
            ++broken;
            continue;
        }
        const std::uint64_t answer = *code;
        samples.add(*seconds * kUsPerSecond, isGoodStatus(answer), *first * kUsPerSecond);
        addStatus(run, answer, 1);
        body += parseWhole(row[bytes]).value_or(0);
    }
    if (samples.count() == 0)
        return cutOff(kTool, 0, "row of a request");
    samples.fill(run);
    run.bodyReceived = body;
    if (broken > 0)
        run.doubts.push_back(std::to_string(broken) + " rows are no requests as oha writes them and are left out.");
    return ImportedRuns{std::move(run)};
}

} // namespace

void addOha(Formats& formats)
{
    formats.json.push_back({kTool, "JSON", knowsJson, readJson});
    formats.text.push_back({kTool, "text", knowsText, readText});
    formats.text.push_back({kTool, "CSV", knowsCsv, readCsv});
}

} // namespace lapbench
