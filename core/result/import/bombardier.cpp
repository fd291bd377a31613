#include "core/result/import/error_words.h"
#include "core/result/import/formats.h"
#include "core/result/import/json_figures.h"
#include "core/result/import/measure_text.h"
#include "core/result/import/report_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lapbench {

namespace {

constexpr std::string_view kTool = "bombardier";
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kPercentiles = {
    {{"50", "p50"}, {"75", "p75"}, {"90", "p90"}, {"95", "p95"}, {"99", "p99"}}};
constexpr std::array<std::string_view, 5> kClasses = {"1xx", "2xx", "3xx", "4xx", "5xx"};

Semantics semanticsOf(std::string_view form)
{
    Semantics semantics;
    semantics.tool = kTool;
    semantics.form = form;
    semantics.latencyIncludesErrors = true;
    semantics.rpsCountsErrors = true;
    semantics.correction = Correction::none;
    semantics.notes = {
        "bombardier's requests a second are the mean of samples of some 20 ms each, not all requests / time.",
        "bombardier's standard deviation of the latency takes each distinct latency once however often it occurred, is "
        "too small and is left out."};
    return semantics;
}

/// Answers by class of status, and what got none.
void setCounts(ImportedRun& run, const std::array<std::optional<std::uint64_t>, kClasses.size()>& classes,
               std::optional<std::uint64_t> others)
{
    if (!others || !std::all_of(classes.begin(), classes.end(), [](const auto& count) { return count.has_value(); }))
        return;
    run.completed = *others;
    for (const auto& count : classes)
        run.completed = *run.completed + *count;
    const std::uint64_t bad = *classes[0] + *classes[3] + *classes[4];
    run.failed = bad + *others;
    std::string words;
    for (const std::size_t i : {0, 3, 4})
        if (*classes[i] > 0)
            words += (words.empty() ? "" : ", ") + std::string(kClasses[i]) + " - " + std::to_string(*classes[i]);
    addError(run, ErrorKind::unexpectedStatus, words, bad);
}

bool knowsJson(const Json& value)
{
    const Json& result = memberOf(value, "result");
    return memberOf(value, "spec").is_object() && result.is_object() && result.contains("req2xx") &&
           result.contains("timeTakenSeconds");
}

void setSpec(ImportedRun& run, const Json& spec)
{
    setRequest(run, textOf(spec, "method"), textOf(spec, "url"));
    if (const auto connections = wholeOf(spec, "numberOfConnections"); connections && *connections <= UINT32_MAX)
        run.connections = static_cast<unsigned>(*connections);
    run.rate = numberOf(spec, "rate");
}

Result<ImportedRuns> readJson(const Json& value)
{
    ImportedRun run;
    const Json& result = memberOf(value, "result");
    run.semantics = semanticsOf("JSON");
    run.semantics.bytes = BytesKind::wire;
    constexpr double kStepUs = 1;
    run.semantics.resolutionUs = kStepUs;
    setSpec(run, memberOf(value, "spec"));
    std::array<std::optional<std::uint64_t>, kClasses.size()> classes;
    for (std::size_t i = 0; i < kClasses.size(); ++i)
        classes[i] = wholeOf(result, "req" + std::string(kClasses[i]));
    setCounts(run, classes, wholeOf(result, "others"));
    const Json& errors = memberOf(result, "errors");
    if (errors.is_array())
        for (const Json& error : errors)
            addError(run, textOf(error, "description"), wholeOf(error, "count").value_or(0));
    run.durationSeconds = numberOf(result, "timeTakenSeconds");
    run.rps = numberOf(memberOf(result, "rps"), "mean");
    if (!run.rps && run.completed && run.durationSeconds.value_or(0) > 0)
        run.rps = static_cast<double>(*run.completed) / *run.durationSeconds;
    run.bytesReceived = wholeOf(result, "bytesRead");
    run.bytesSent = wholeOf(result, "bytesWritten");
    const Json& latency = memberOf(result, "latency");
    run.latency.meanUs = numberOf(latency, "mean");
    run.latency.maxUs = numberOf(latency, "max");
    for (const auto& [theirs, ours] : kPercentiles)
        if (const auto us = numberOf(memberOf(latency, "percentiles"), theirs))
            run.latency.percentilesUs[std::string(ours)] = *us;
    return ImportedRuns{std::move(run)};
}

/// "Statistics        Avg      Stdev        Max"
bool isHeader(std::string_view line)
{
    if (line.size() > kLongestReportLine || line.find("Statistics") == std::string_view::npos)
        return false;
    const auto words = wordsOf(line);
    return words.size() == 4 && words[0] == "Statistics" && words[1] == "Avg" && words[2] == "Stdev" &&
           words[3] == "Max";
}

bool knowsText(std::string_view text)
{
    return anyLine(text, "Statistics", [](std::string_view line, std::size_t) { return isHeader(line); });
}

/// "Bombarding http://x:1/a for 10s using 125 connection(s)", also "with 1000 request(s)".
void readBanner(std::string_view line, ImportedRun& run)
{
    const auto words = wordsOf(line);
    run.durationSeconds.reset();
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] == "Bombarding")
            setRequest(run, "", words[i + 1]);
        else if (words[i] == "for" && !run.durationSeconds)
            if (const auto us = parseTimeUs(words[i + 1]))
                run.durationSeconds = *us / 1e6;
        if (words[i] == "using")
            if (const auto connections = parseWhole(words[i + 1]); connections && *connections <= UINT32_MAX)
                run.connections = static_cast<unsigned>(*connections);
    }
}

/// The time at the end of "1000 / 1000 [=====] 100.00% 54274/s 18s"; nothing where it is no such line or no time.
std::optional<double> progressSeconds(std::string_view line)
{
    const std::size_t bar = line.rfind(']');
    if (bar == std::string_view::npos || line.find("[=") == std::string_view::npos)
        return std::nullopt;
    const auto words = wordsOf(line.substr(bar + 1));
    const auto us = words.empty() ? std::nullopt : parseTimeUs(words.back());
    return us && *us > 0 ? std::optional(*us / 1e6) : std::nullopt;
}

/// One report, line by line.
struct Report {
    ImportedRun run;
    NumberStyle style = NumberStyle::point;
    std::array<std::optional<std::uint64_t>, kClasses.size()> classes;
    std::optional<std::uint64_t> others;
    bool inErrors = false, inOtherDistribution = false, ended = false;

    void readFigures(std::string_view line);
    void readCodes(std::string_view line);
    void readPercentile(std::string_view line);
    void readError(std::string_view line);
    void readLine(std::string_view line);
};

void Report::readFigures(std::string_view line)
{
    const auto words = wordsOf(line);
    if (words.size() < 4)
        return;
    if (words[0] == "Reqs/sec") {
        run.rps = parseNumber(words[1], style);
        return;
    }
    run.latency.meanUs = parseTimeUs(words[1], style);
    run.latency.maxUs = parseTimeUs(words[3], style);
    takeFiner(run.semantics.resolutionUs, printedStepUs(words[1]));
}

/// "1xx - 0, 2xx - 1000000, 3xx - 0, 4xx - 0, 5xx - 0"
void Report::readCodes(std::string_view line)
{
    auto words = wordsOf(line);
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
        const auto found = std::find(kClasses.begin(), kClasses.end(), words[i]);
        std::string_view count = words[i + 2];
        if (found == kClasses.end() || words[i + 1] != "-")
            continue;
        if (count.ends_with(','))
            count.remove_suffix(1);
        classes[static_cast<std::size_t>(found - kClasses.begin())] = parseWhole(count, style);
    }
}

/// "     50%     3.21ms"
void Report::readPercentile(std::string_view line)
{
    const auto words = wordsOf(line);
    if (words.size() != 2 || !words[0].ends_with('%'))
        return;
    const std::string_view rank = words[0].substr(0, words[0].size() - 1);
    const auto us = parseTimeUs(words[1], style);
    for (const auto& [theirs, ours] : kPercentiles)
        if (rank == theirs && us) {
            run.latency.percentilesUs[std::string(ours)] = *us;
            takeFiner(run.semantics.resolutionUs, printedStepUs(words[1]));
        }
}

/// "    dial tcp 127.0.0.1:80: connect: connection refused - 12"
void Report::readError(std::string_view line)
{
    const std::size_t dash = line.rfind(" - ");
    if (dash == std::string_view::npos)
        return;
    if (const auto count = parseWhole(line.substr(dash + 3), style))
        addError(run, trimmed(line.substr(0, dash)), *count);
}

void Report::readLine(std::string_view line)
{
    line = trimmed(line.substr(0, kLongestReportLine));
    if (line.starts_with("Throughput:") || line.starts_with("```")) {
        ended = true;
    } else if (line.starts_with("Reqs/sec") || line.starts_with("Latency  ") || line.starts_with("Latency\t")) {
        readFigures(line);
    } else if (line.starts_with("Latency Distribution")) {
        inOtherDistribution = line.find('(') != line.npos && line.find("(Total)") == line.npos;
    } else if (line.starts_with("1xx - ")) {
        readCodes(line);
    } else if (const auto count = afterLabel(line, "others - ")) {
        others = parseWhole(*count, style);
    } else if (line == "Errors:") {
        inErrors = true;
    } else if (inErrors) {
        readError(line);
    } else if (!inOtherDistribution) {
        readPercentile(line);
    }
}

/// From the header in line `at` on, which is left behind the report. What stood before it since line `from` tells what
/// was asked.
Result<ImportedRun> readReport(const std::vector<std::string_view>& lines, std::size_t from, std::size_t& at,
                               NumberStyle style)
{
    const std::size_t header = at;
    Report report;
    report.style = style;
    report.run.semantics = semanticsOf("text");
    for (std::size_t i = from; i < header; ++i) {
        if (lines[i].size() > kLongestReportLine)
            continue;
        if (lines[i].find("Bombarding ") != std::string_view::npos)
            readBanner(lines[i], report.run);
        else if (const auto seconds = progressSeconds(lines[i]))
            report.run.durationSeconds = seconds;
    }
    for (++at; at < std::min(lines.size(), header + kMostReportLines) && !report.ended && !isHeader(lines[at]) &&
               lines[at].find("Bombarding ") == std::string_view::npos;
         ++at)
        report.readLine(lines[at]);
    ImportedRun& run = report.run;
    setCounts(run, report.classes, report.others);
    const bool hasFigures = run.rps && run.latency.meanUs;
    if (!run.completed && !hasFigures)
        return cutOff(kTool, header, "\"HTTP codes:\"");
    if (!run.completed)
        run.doubts.push_back("The report has no complete \"HTTP codes:\": it is cut off, and how many requests there "
                             "were is not known.");
    return std::move(run);
}

Result<ImportedRuns> readText(std::string_view text)
{
    const auto begins = [](const std::vector<std::string_view>& lines, std::size_t at) { return isHeader(lines[at]); };
    return readReports(text, {kTool, "\"Statistics\"", begins, readReport});
}

} // namespace

void addBombardier(Formats& formats)
{
    formats.json.push_back({kTool, "JSON", knowsJson, readJson});
    formats.text.push_back({kTool, "text", knowsText, readText});
}

} // namespace lapbench
