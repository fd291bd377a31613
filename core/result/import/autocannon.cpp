#include "core/result/import/error_words.h"
#include "core/result/import/formats.h"
#include "core/result/import/json_figures.h"
#include "core/result/import/measure_text.h"
#include "core/result/import/report_lines.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lapbench {

namespace {

constexpr std::string_view kTool = "autocannon";
constexpr double kUsPerMs = 1e3;
/// Those of autocannon that are reported: it has none of 95 %.
constexpr std::array<std::string_view, 7> kPercentiles = {"p25", "p50", "p75", "p90", "p99", "p99_9", "p99_99"};

bool knowsJson(const Json& value)
{
    const Json& latency = memberOf(value, "latency");
    return latency.is_object() && latency.contains("p97_5") && memberOf(value, "requests").contains("total") &&
           memberOf(value, "throughput").is_object();
}

Semantics semantics()
{
    Semantics semantics;
    semantics.tool = kTool;
    semantics.form = "JSON";
    semantics.latencyIncludesErrors = true;
    semantics.rpsCountsErrors = true;
    semantics.correction = Correction::none;
    semantics.resolutionUs = kUsPerMs;
    semantics.bytes = BytesKind::wire;
    semantics.notes = {
        "autocannon tells latencies in whole milliseconds: what took less is told as 0.",
        "autocannon's requests a second are the mean of samples of a second each, the last one cut short: they are not "
        "all requests / time. They count answers of any status, and no request without an answer."};
    return semantics;
}

/// Answers by status: each where that is told, else by class. Gives how many were bad.
std::uint64_t readStatuses(const Json& value, ImportedRun& run)
{
    const Json& stats = memberOf(value, "statusCodeStats");
    if (stats.is_object())
        for (const auto& [status, of] : stats.items())
            addStatus(run, parseWhole(status).value_or(0), wholeOf(of, "count").value_or(0));
    if (!run.status.empty())
        return badStatuses(run);
    std::uint64_t bad = 0;
    for (const std::string_view name : {"1xx", "4xx", "5xx"}) {
        const auto count = wholeOf(value, name).value_or(0);
        addError(run, ErrorKind::unexpectedStatus, "status " + std::string(name), count);
        bad += count;
    }
    return bad;
}

void readCounts(const Json& value, ImportedRun& run)
{
    const Json& requests = memberOf(value, "requests");
    const auto answers = wholeOf(requests, "total"), errors = wholeOf(value, "errors");
    if (!answers)
        return;
    const std::uint64_t bad = readStatuses(value, run);
    const std::uint64_t mismatches = wholeOf(value, "mismatches").value_or(0);
    const std::uint64_t timeouts = std::min(wholeOf(value, "timeouts").value_or(0), errors.value_or(0));
    run.completed = *answers + errors.value_or(0);
    if (errors)
        run.failed = *errors + bad + mismatches;
    addError(run, ErrorKind::timeout, "request timed out", timeouts);
    addError(run, ErrorKind::reset, "errors of connections", errors.value_or(0) - timeouts);
    addError(run, ErrorKind::failedCheck, "mismatches of the body", mismatches);
    // What it says to have sent is more than it can have under way where a rate or errors made it count ahead.
    const auto sent = wholeOf(requests, "sent");
    const std::uint64_t underWay = wholeOf(value, "connections").value_or(0) *
                                   std::min<std::uint64_t>(wholeOf(value, "pipelining").value_or(1), 1000);
    if (sent && *sent >= *run.completed && *sent - *run.completed <= underWay)
        run.unfinished = *sent - *run.completed;
}

void readLatency(const Json& value, ImportedRun& run)
{
    const Json& latency = memberOf(value, "latency");
    const auto answers = wholeOf(memberOf(value, "requests"), "total");
    const auto count = wholeOf(latency, "totalCount");
    run.latency.count = count ? count : answers;
    if (run.latency.count.value_or(0) == 0)
        return; // its zeros are no latencies
    const auto us = [&](std::string_view name) {
        const auto ms = numberOf(latency, name);
        return ms ? std::optional(*ms * kUsPerMs) : std::nullopt;
    };
    run.latency.meanUs = us("average");
    run.latency.stdevUs = us("stddev");
    run.latency.maxUs = us("max");
    // The shortest leaves latencies of 0 out.
    if (const auto shortest = us("min"), lowest = us("p0_001"); shortest && lowest && *shortest <= *lowest)
        run.latency.minUs = shortest;
    for (const std::string_view key : kPercentiles)
        if (const auto percentile = us(key))
            run.latency.percentilesUs[std::string(key)] = *percentile;
    if (!count || !answers)
        return;
    if (*count < *answers)
        run.semantics.latencyIncludesErrors = false;
    if (*count > *answers) {
        run.semantics.correction = Correction::backfilled;
        run.doubts.push_back("autocannon made up " + std::to_string(*count - *answers) +
                             " latencies for the time of stalls, at steps of 1 ms whatever the rate was.");
    }
}

Result<ImportedRuns> readJson(const Json& value)
{
    ImportedRun run;
    run.semantics = semantics();
    run.target = textOf(value, "title");
    setRequest(run, "", textOf(value, "url"));
    if (const auto connections = wholeOf(value, "connections"); connections && *connections <= UINT32_MAX)
        run.connections = static_cast<unsigned>(*connections);
    if (const auto workers = wholeOf(value, "workers"); workers && *workers > 0 && *workers <= UINT32_MAX)
        run.threads = static_cast<unsigned>(*workers);
    run.started = timeOf(value, "start");
    readCounts(value, run);
    run.durationSeconds = numberOf(value, "duration");
    run.rps = numberOf(memberOf(value, "requests"), "average");
    readLatency(value, run);
    run.bytesReceived = wholeOf(memberOf(value, "throughput"), "total");
    if (!run.completed)
        return Problem{"", "the JSON of autocannon has no number in \"requests\".\"total\"",
                       "save the tool's whole output"};
    return ImportedRuns{std::move(run)};
}

} // namespace

void addAutocannon(Formats& formats)
{
    formats.json.push_back({kTool, "JSON", knowsJson, readJson});
}

} // namespace lapbench
