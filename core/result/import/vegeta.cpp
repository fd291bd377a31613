#include "core/result/import/error_words.h"
#include "core/result/import/formats.h"
#include "core/result/import/json_figures.h"
#include "core/result/import/measure_text.h"
#include "core/result/import/report_lines.h"
#include "core/result/import/vegeta_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace lapbench {

namespace {

constexpr double kNsPerUs = 1e3, kNsPerSecond = 1e9, kUsPerSecond = 1e6;
struct Rank {
    std::string_view json, text, ours;
};
constexpr std::array<Rank, 4> kRanks = {
    {{"50th", "50", "p50"}, {"90th", "90", "p90"}, {"95th", "95", "p95"}, {"99th", "99", "p99"}}};

bool knowsJson(const Json& value)
{
    return memberOf(value, "latencies").contains("mean") && memberOf(value, "bytes_in").is_object() &&
           memberOf(value, "status_codes").is_object() && value.contains("requests");
}

/// Requests that got no answer have the code 0, and the list of errors has no counts.
void addUnanswered(ImportedRun& run, const std::vector<std::string>& errors, std::uint64_t count)
{
    for (const std::string& words : errors)
        if (errorKindOf(words) != ErrorKind::unexpectedStatus)
            return addError(run, words, count);
    addError(run, ErrorKind::malformed, "code 0: no answer", count);
}

void setFailed(ImportedRun& run, const std::vector<std::string>& errors, std::uint64_t unanswered)
{
    run.failed = badStatuses(run) + unanswered;
    addUnanswered(run, errors, unanswered);
}

void readJsonLatencies(const Json& latencies, ImportedLatency& latency)
{
    const auto us = [&](std::string_view name) {
        const auto ns = numberOf(latencies, name);
        return ns ? std::optional(*ns / kNsPerUs) : std::nullopt;
    };
    latency.minUs = us("min");
    latency.meanUs = us("mean");
    latency.maxUs = us("max");
    for (const Rank& rank : kRanks)
        if (const auto value = us(rank.json))
            latency.percentilesUs[std::string(rank.ours)] = *value;
}

Result<ImportedRuns> readJson(const Json& value)
{
    ImportedRun run;
    run.semantics = vegetaSemantics("JSON");
    run.semantics.resolutionUs = 1 / kNsPerUs;
    run.semantics.rpsCountsErrors = false;
    run.started = timeOf(value, "earliest");
    run.completed = wholeOf(value, "requests");
    const auto duration = numberOf(value, "duration"), wait = numberOf(value, "wait");
    if (duration)
        run.durationSeconds = (*duration + wait.value_or(0)) / kNsPerSecond;
    run.rate = numberOf(value, "rate");
    run.rps = numberOf(value, "throughput");
    run.latency.count = run.completed;
    if (run.completed.value_or(0) > 0)
        readJsonLatencies(memberOf(value, "latencies"), run.latency);
    std::vector<std::string> errors;
    for (const Json& words : memberOf(value, "errors"))
        if (words.is_string())
            errors.push_back(words.get<std::string>());
    const Json& codes = memberOf(value, "status_codes");
    for (const auto& [code, of] : codes.items())
        addStatus(run, parseWhole(code).value_or(0), wholeOf(codes, code).value_or(0));
    setFailed(run, errors, wholeOf(codes, "0").value_or(0));
    run.bodyReceived = wholeOf(memberOf(value, "bytes_in"), "total");
    run.bytesSent = wholeOf(memberOf(value, "bytes_out"), "total");
    if (!run.completed)
        return Problem{"", "the JSON of vegeta has no number in \"requests\"", "save the tool's whole output"};
    return ImportedRuns{std::move(run)};
}

/// "Requests      [total, rate, throughput]         6000, 100.02, 100.01" by the names in brackets.
std::map<std::string_view, std::string_view> namedValues(std::string_view line)
{
    std::map<std::string_view, std::string_view> values;
    const std::size_t open = line.find('['), close = line.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return values;
    std::string_view names = line.substr(open + 1, close - open - 1), rest = trimmed(line.substr(close + 1));
    while (!names.empty() && !rest.empty()) {
        const std::size_t name = std::min(names.find(", "), names.size()),
                          value = std::min(rest.find(", "), rest.size());
        values[trimmed(names.substr(0, name))] = trimmed(rest.substr(0, value));
        names.remove_prefix(std::min(name + 2, names.size()));
        rest.remove_prefix(std::min(value + 2, rest.size()));
    }
    return values;
}

bool isFirstLine(std::string_view line)
{
    return line.size() <= kLongestReportLine && trimmed(line).starts_with("Requests") &&
           line.find("[total, rate") != std::string_view::npos;
}

bool knowsText(std::string_view text)
{
    return anyLine(text, "[total, rate", [](std::string_view line, std::size_t) { return isFirstLine(line); });
}

/// One report, line by line.
struct Report {
    ImportedRun run;
    NumberStyle style = NumberStyle::point;
    std::uint64_t unanswered = 0;
    std::vector<std::string> errors;
    std::optional<std::uint64_t> counted; ///< by their codes
    bool inErrors = false;

    void readRequests(std::string_view line);
    void readLatencies(std::string_view line);
    void readCodes(std::string_view line);
    void readSuccess(std::string_view line);
    void readLine(std::string_view line);
};

void Report::readRequests(std::string_view line)
{
    const auto values = namedValues(line);
    const auto of = [&](std::string_view name) {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : parseNumber(found->second, style);
    };
    if (const auto total = values.find("total"); total != values.end())
        run.completed = parseWhole(total->second, style);
    run.rps = run.rate = of("rate");
    const auto throughput = of("throughput");
    constexpr double kAlike = 0.01;
    if (run.rps && throughput && std::abs(*run.rps - *throughput) > kAlike * *run.rps)
        run.doubts.push_back("The printed rate is that of sending; right answers were " +
                             std::string(values.at("throughput")) + " a second.");
}

void Report::readLatencies(std::string_view line)
{
    for (const auto& [name, value] : namedValues(line)) {
        const auto us = parseTimeUs(value, style);
        if (!us)
            continue;
        takeFiner(run.semantics.resolutionUs, printedStepUs(value));
        if (name == "min")
            run.latency.minUs = us;
        else if (name == "mean")
            run.latency.meanUs = us;
        else if (name == "max")
            run.latency.maxUs = us;
        for (const Rank& rank : kRanks)
            if (name == rank.text)
                run.latency.percentilesUs[std::string(rank.ours)] = *us;
    }
}

/// "Status Codes  [code:count]                      0:390  200:8  503:202"
void Report::readCodes(std::string_view line)
{
    counted = 0;
    for (const std::string_view word : wordsOf(line.substr(std::min(line.find(']'), line.size() - 1) + 1))) {
        const std::size_t colon = word.find(':');
        const auto code = parseWhole(word.substr(0, colon));
        const auto count = colon == word.npos ? std::nullopt : parseWhole(word.substr(colon + 1), style);
        if (!code || !count)
            continue;
        counted = *counted + *count;
        if (*code == 0)
            unanswered += *count;
        addStatus(run, *code, *count);
    }
}

/// "Success       [ratio]                           98.50%": where no codes follow, it is all that tells of failures.
void Report::readSuccess(std::string_view line)
{
    const auto values = namedValues(line);
    const auto found = values.find("ratio");
    if (found == values.end() || !found->second.ends_with('%') || !run.completed)
        return;
    const auto percent = parseNumber(found->second.substr(0, found->second.size() - 1), style);
    if (percent && *percent >= 0 && *percent <= 100)
        run.failed =
            static_cast<std::uint64_t>(std::llround(static_cast<double>(*run.completed) * (1 - *percent / 100)));
}

void Report::readLine(std::string_view line)
{
    line = trimmed(line.substr(0, kLongestReportLine));
    const auto total = [&](double scale) -> std::optional<double> {
        const auto values = namedValues(line);
        const auto found = values.find("total");
        if (found == values.end())
            return std::nullopt;
        const auto number = scale == 1 ? parseNumber(found->second, style) : parseTimeUs(found->second, style);
        return number ? std::optional(*number / scale) : std::nullopt;
    };
    const auto whole = [](std::optional<double> number) -> std::optional<std::uint64_t> {
        constexpr double kMost = 9007199254740992.0; // 2^53
        return number && *number >= 0 && *number <= kMost ? std::optional(static_cast<std::uint64_t>(*number))
                                                          : std::nullopt;
    };
    if (line.starts_with("Duration"))
        run.durationSeconds = total(kUsPerSecond);
    else if (line.starts_with("Latencies"))
        readLatencies(line);
    else if (line.starts_with("Bytes In"))
        run.bodyReceived = whole(total(1));
    else if (line.starts_with("Bytes Out"))
        run.bytesSent = whole(total(1));
    else if (line.starts_with("Success"))
        readSuccess(line);
    else if (line.starts_with("Status Codes"))
        readCodes(line);
    else if (line.starts_with("Error Set:"))
        inErrors = true;
    else if (inErrors && !line.empty())
        errors.emplace_back(line);
}

/// The report that begins in line `at`, which is left behind it.
Result<ImportedRun> readReport(const std::vector<std::string_view>& lines, std::size_t /*from*/, std::size_t& at,
                               NumberStyle style)
{
    Report report;
    report.style = style;
    report.run.semantics = vegetaSemantics("text");
    report.run.semantics.rpsCountsErrors = true;
    const std::size_t begin = at;
    report.readRequests(lines[at]);
    for (++at; at < std::min(lines.size(), begin + kMostReportLines) && !isFirstLine(lines[at]) &&
               !trimmed(lines[at]).starts_with("```");
         ++at) {
        if (report.inErrors && trimmed(lines[at]).empty())
            break;
        report.readLine(lines[at]);
    }
    ImportedRun& run = report.run;
    if (!run.completed || !run.latency.meanUs)
        return cutOff(kVegeta, begin, "\"Latencies\"");
    run.latency.count = run.completed;
    if (report.counted == run.completed)
        setFailed(run, report.errors, report.unanswered);
    else
        run.doubts.emplace_back("The report has no complete \"Status Codes\": it is cut off, and failed requests are "
                                "known by the printed share at best.");
    return std::move(run);
}

Result<ImportedRuns> readText(std::string_view text)
{
    const auto begins = [](const std::vector<std::string_view>& lines, std::size_t at) {
        return isFirstLine(lines[at]);
    };
    return readReports(text, {kVegeta, "\"Requests\"", begins, readReport});
}

} // namespace

Semantics vegetaSemantics(std::string_view form)
{
    Semantics semantics;
    semantics.tool = kVegeta;
    semantics.form = form;
    semantics.latencyIncludesErrors = true;
    semantics.correction = Correction::none;
    semantics.bytes = BytesKind::body;
    semantics.notes = {"vegeta counts latencies from the send: where it cannot keep its rate, waiting for the send is "
                       "in none of them.",
                       "vegeta's rate is that of sending, its throughput that of right answers: its JSON gives the "
                       "throughput here, its "
                       "report the rate."};
    return semantics;
}

void addVegeta(Formats& formats)
{
    formats.json.push_back({kVegeta, "JSON", knowsJson, readJson});
    formats.text.push_back({kVegeta, "text", knowsText, readText});
    addVegetaRows(formats);
}

} // namespace lapbench
