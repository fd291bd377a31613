#include "core/result/import/error_words.h"
#include "core/result/import/h2load_counts.h"
#include "core/result/import/json_figures.h"
#include "core/result/import/measure_text.h"
#include "core/result/import/request_samples.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace lapbench {

namespace {

constexpr double kUsPerSecond = 1e6;

bool knowsJson(const Json& value)
{
    const Json& measurements = memberOf(value, "measurements");
    return textOf(value, "version").starts_with("v") && memberOf(measurements, "requests").is_object() &&
           memberOf(memberOf(measurements, "performance"), "request").is_object() &&
           memberOf(measurements, "request_per_second").is_number();
}

/// Percentiles that are not printed come from the single latencies, which h2load samples above a million.
void readSamples(const Json& request, ImportedRun& run)
{
    const Json& samples = memberOf(request, "samples");
    RequestSamples all;
    if (samples.is_array())
        for (const Json& sample : samples)
            if (sample.is_number() && sample.get<double>() >= 0)
                all.add(sample.get<double>() * kUsPerSecond, true);
    if (all.count() == 0)
        return;
    ImportedRun sampled;
    all.fill(sampled);
    for (const auto& [key, us] : sampled.latency.percentilesUs)
        run.latency.percentilesUs.try_emplace(key, us);
    run.latency.count = all.count();
    run.histogram = std::move(sampled.histogram);
    if (all.count() < run.completed.value_or(0) - run.failed.value_or(0))
        run.semantics.notes.push_back("The percentiles that h2load does not print are those of the " +
                                      std::to_string(all.count()) + " latencies that it kept as samples.");
}

Result<ImportedRuns> readJson(const Json& value)
{
    const Json& measurements = memberOf(value, "measurements");
    const Json& requests = memberOf(measurements, "requests");
    ImportedRun run;
    setH2loadSemantics(run.semantics);
    H2loadCounts counts{.started = wholeOf(requests, "started"),
                        .done = wholeOf(requests, "done"),
                        .succeeded = wholeOf(requests, "succeeded"),
                        .failed = wholeOf(requests, "failed"),
                        .errored = wholeOf(requests, "errored"),
                        .timedOut = wholeOf(requests, "timeout"),
                        .words = "requests: " + requests.dump(-1, ' ', false, Json::error_handler_t::replace)};
    setH2loadCounts(counts, run);
    if (!run.completed)
        return Problem{"", "the JSON of h2load has no number under measurements.requests.done",
                       "save the tool's whole output"};
    run.durationSeconds = numberOf(measurements, "duration");
    run.rps = numberOf(measurements, "request_per_second");
    const Json& codes = memberOf(measurements, "status_codes");
    addError(run, ErrorKind::unexpectedStatus, "status codes 4xx and 5xx",
             wholeOf(codes, "4xx").value_or(0) + wholeOf(codes, "5xx").value_or(0));
    const Json& traffic = memberOf(measurements, "traffic");
    run.bytesReceived = wholeOf(traffic, "total");
    run.bodyReceived = wholeOf(traffic, "data");
    const Json& request = memberOf(memberOf(measurements, "performance"), "request");
    if (counts.done.value_or(0) > 0) {
        const auto us = [&](std::string_view name) -> std::optional<double> {
            const auto seconds = numberOf(request, name);
            return seconds && *seconds >= 0 ? std::optional(*seconds * kUsPerSecond) : std::nullopt;
        };
        run.latency.minUs = us("min");
        run.latency.maxUs = us("max");
        run.latency.meanUs = us("mean");
        run.latency.stdevUs = us("sd");
        for (const auto& [key, name] : {std::pair("p50", "median"), std::pair("p95", "p95"), std::pair("p99", "p99")})
            if (const auto printed = us(name))
                run.latency.percentilesUs[key] = *printed;
        readSamples(request, run);
        run.semantics.resolutionUs = 1;
    }
    return ImportedRuns{std::move(run)};
}

struct LogRow {
    std::int64_t startUs, status, us;
};

/// "1614242250799858\t200\t101104": microseconds since 1970, status or -1, microseconds.
std::optional<LogRow> logRowOf(std::string_view line)
{
    constexpr std::int64_t kEarliest = 1'000'000'000'000'000, kLatest = 4'200'000'000'000'000; // 2001 to 2103
    constexpr std::int64_t kLongest = 86'400'000'000;                                          // a day
    LogRow row{};
    std::int64_t* const values[] = {&row.startUs, &row.status, &row.us};
    const char* at = line.data();
    const char* const end = line.data() + line.size();
    for (std::int64_t* const value : values) {
        if (value != &row.startUs && (at == end || *at++ != '\t'))
            return std::nullopt;
        const auto [next, error] = std::from_chars(at, end, *value);
        if (error != std::errc())
            return std::nullopt;
        at = next;
    }
    const bool isRow = at == end && row.startUs >= kEarliest && row.startUs < kLatest && row.status >= -1 &&
                       row.status < 1000 && row.us >= 0 && row.us < kLongest;
    return isRow ? std::optional(row) : std::nullopt;
}

/// There is no header: the first lines must all be rows.
bool knowsLog(std::string_view text)
{
    constexpr std::size_t kLookedAt = 4096, kRows = 20;
    const std::string_view head = text.substr(0, kLookedAt);
    std::vector<std::string_view> lines = linesOf(head);
    if (lines.size() > 1 && head.size() < text.size())
        lines.pop_back(); // it may be cut
    lines.resize(std::min(lines.size(), kRows));
    if (lines.size() > 1 && !logRowOf(trimmed(lines.back())))
        lines.pop_back(); // the last one of a file that is still written
    return !lines.empty() && std::all_of(lines.begin(), lines.end(),
                                         [](std::string_view line) { return logRowOf(trimmed(line)).has_value(); });
}

/// The longest time in microseconds in which no request was under way.
double longestPauseUs(std::vector<LogRow>& rows)
{
    std::sort(rows.begin(), rows.end(), [](const LogRow& a, const LogRow& b) { return a.startUs < b.startUs; });
    std::int64_t end = rows.front().startUs, longest = 0;
    for (const LogRow& row : rows) {
        longest = std::max(longest, row.startUs - end);
        end = std::max(end, row.startUs + row.us);
    }
    return static_cast<double>(longest);
}

Result<ImportedRuns> readLog(std::string_view text)
{
    std::vector<LogRow> rows;
    std::size_t broken = 0;
    std::vector<std::string_view> lines = linesOf(text);
    const bool isCut = !text.ends_with('\n');
    if (isCut)
        lines.pop_back(); // its time is the last value of the row
    for (const std::string_view line : lines) {
        if (const auto row = logRowOf(trimmed(line)))
            rows.push_back(*row);
        else if (!trimmed(line).empty())
            ++broken;
    }
    if (rows.empty())
        return Problem{"line 1", "is the only row of h2load's log, and has no end: it may be cut off",
                       "save the whole log"};
    const double pauseUs = longestPauseUs(rows);
    const std::int64_t first = rows.front().startUs;
    ImportedRun run;
    RequestSamples samples;
    std::map<std::int64_t, std::uint64_t> statuses;
    for (const LogRow& row : rows) {
        ++statuses[row.status];
        samples.add(static_cast<double>(row.us), row.status >= 200 && row.status < 400,
                    static_cast<double>(row.startUs - first));
    }
    samples.fill(run);
    for (const auto& [status, count] : statuses) {
        if (status > 0)
            addStatus(run, static_cast<std::uint64_t>(status), count);
        else
            addError(run, ErrorKind::reset, "status " + std::to_string(status), count);
    }
    run.started = UtcTime(std::chrono::microseconds(first));
    Semantics& semantics = run.semantics;
    semantics.latencyIncludesErrors = true;
    semantics.rpsCountsErrors = true;
    semantics.correction = Correction::none;
    semantics.resolutionUs = 1;
    if (isCut)
        run.doubts.emplace_back("The last line has no end: it may be cut off and is left out.");
    if (broken > 0)
        run.doubts.push_back(std::to_string(broken) + " lines are no rows of h2load's log and are left out.");
    if (constexpr double kPause = 1e6; pauseUs > kPause) {
        run.rps.reset();
        run.doubts.push_back("For " + std::to_string(static_cast<std::int64_t>(pauseUs / kUsPerSecond)) +
                             " s no request was under way: h2load appends to its log, and these are several runs, of "
                             "which no requests a second can be told.");
    }
    return ImportedRuns{std::move(run)};
}

} // namespace

void setH2loadCounts(const H2loadCounts& counts, ImportedRun& run)
{
    if (!counts.done || !counts.succeeded || !counts.failed)
        return;
    run.failed = counts.failed;
    const std::uint64_t ended = *counts.succeeded + *counts.failed;
    run.completed = std::max(*counts.done, ended);
    if (counts.started)
        run.unfinished = *counts.started > *run.completed ? *counts.started - *run.completed : 0;
    const std::uint64_t errored = counts.errored.value_or(0), timedOut = std::min(counts.timedOut.value_or(0), errored);
    addError(run, ErrorKind::timeout, counts.words, timedOut);
    const bool neverSent = counts.started == std::uint64_t{0};
    addError(run, neverSent ? ErrorKind::connectRefused : ErrorKind::reset, counts.words, errored - timedOut);
}

void setH2loadSemantics(Semantics& semantics)
{
    semantics.latencyIncludesErrors = true;
    semantics.rpsCountsErrors = true;
    semantics.correction = Correction::none;
    semantics.bytes = BytesKind::wire;
    semantics.notes.push_back("h2load's requests a second count every answer, whatever its status, and no request that "
                              "got none.");
    semantics.notes.push_back("h2load takes its latencies from a sample where there are more than a million of them.");
}

void addH2loadData(Formats& formats)
{
    formats.json.push_back({"h2load", "JSON", knowsJson, readJson});
    formats.text.push_back({"h2load", "log", knowsLog, readLog});
}

} // namespace lapbench
