#include "core/result/import/error_words.h"
#include "core/result/import/formats.h"
#include "core/result/import/json_figures.h"
#include "core/result/import/k6_csv.h"

#include <array>
#include <cmath>
#include <utility>

namespace lapbench {

namespace {

constexpr double kUsPerMs = 1000;
/// How deep groups of checks are looked through.
constexpr int kDeepest = 32;

/// The figures of a metric in a list of metrics by name.
const Json& inList(const Json& metrics, std::string_view name)
{
    static const Json none;
    for (const Json& metric : metrics)
        if (textOf(metric, "name") == name)
            return memberOf(metric, "values");
    return none;
}

/// The figures of a metric in any of the three forms.
const Json& metric(const Json& summary, std::string_view name)
{
    const Json& list = memberOf(memberOf(summary, "results"), "metrics");
    if (list.is_array())
        return inList(list, name);
    const Json& found = memberOf(memberOf(summary, "metrics"), name);
    const Json& values = memberOf(found, "values");
    return values.is_null() ? found : values;
}

bool hasMetrics(const Json& summary)
{
    const auto counted = [&](const char* name) { return wholeOf(metric(summary, name), "count").has_value(); };
    const auto is = [&](const char* name) { return metric(summary, name).is_object(); };
    return (counted("http_reqs") || counted("iterations")) &&
           (is("iteration_duration") || is("data_received") || is("http_req_duration"));
}

bool isMachineReadable(const Json& value)
{
    return memberOf(memberOf(value, "results"), "metrics").is_array() && hasMetrics(value);
}

/// `metrics` as an object, whose metrics have their figures under "values", or have them themselves.
bool hasValues(const Json& value, bool within)
{
    const Json& metrics = memberOf(value, "metrics");
    if (!metrics.is_object() || !memberOf(value, "results").is_null() || !hasMetrics(value))
        return false;
    for (const char* name : {"http_reqs", "iterations"})
        if (const Json& found = memberOf(metrics, name); found.is_object())
            return within == memberOf(found, "values").is_object();
    return false;
}

bool isHandleSummary(const Json& value)
{
    return hasValues(value, true);
}

bool isSummaryExport(const Json& value)
{
    return hasValues(value, false);
}

ImportedLatency latencyOf(const Json& trend)
{
    ImportedLatency latency;
    const auto us = [&](const char* key) {
        const auto ms = numberOf(trend, key);
        return ms ? std::optional(*ms * kUsPerMs) : std::nullopt;
    };
    latency.count = wholeOf(trend, "count");
    latency.minUs = us("min");
    latency.meanUs = us("avg");
    latency.maxUs = us("max");
    constexpr std::array<std::pair<const char*, const char*>, 9> kNames = {{{"p25", "p(25)"},
                                                                            {"p50", "med"},
                                                                            {"p50", "p(50)"},
                                                                            {"p75", "p(75)"},
                                                                            {"p90", "p(90)"},
                                                                            {"p95", "p(95)"},
                                                                            {"p99", "p(99)"},
                                                                            {"p99_9", "p(99.9)"},
                                                                            {"p99_99", "p(99.99)"}}};
    for (const auto& [key, name] : kNames)
        if (const auto told = us(name))
            latency.percentilesUs.emplace(key, *told);
    return latency;
}

/// `http_req_failed` is a rate of requests that failed: what "passes" it is a failed request. A form that is called
/// by its rate tells the same by "matches".
std::optional<std::uint64_t> failedRequests(const Json& summary)
{
    const Json& failed = metric(summary, "http_req_failed");
    if (const auto matches = wholeOf(failed, "matches"))
        return matches;
    const auto passes = wholeOf(failed, "passes"), fails = wholeOf(failed, "fails");
    const auto rate = numberOf(failed, "rate");
    if (passes && fails && rate) {
        const double all = static_cast<double>(*passes) + static_cast<double>(*fails);
        const auto isShare = [&](std::uint64_t part) {
            return std::abs(static_cast<double>(part) - *rate * all) < 0.5 + 1e-9 * all;
        };
        if (!isShare(*passes) && isShare(*fails))
            return fails;
    }
    return passes;
}

/// The name of the first check that failed, in groups within groups, which are lists or objects by name.
std::string firstFailedCheck(const Json& group, int depth)
{
    if (!group.is_structured() || depth > kDeepest)
        return {};
    if (wholeOf(group, "fails").value_or(0) > 0)
        if (std::string name = textOf(group, "name"); !name.empty())
            return name;
    for (const Json& inner : group)
        if (std::string name = firstFailedCheck(inner, depth + 1); !name.empty())
            return name;
    return {};
}

void readChecks(const Json& summary, ImportedRun& run)
{
    std::string name = firstFailedCheck(memberOf(summary, "root_group"), 0);
    std::optional<std::uint64_t> fails = wholeOf(metric(summary, "checks"), "fails");
    const Json& checks = memberOf(memberOf(summary, "results"), "checks");
    for (const char* list : {"results", "ordered_checks", "orderedChecks"}) {
        const Json& rows = memberOf(checks, list);
        if (!rows.is_array())
            continue;
        fails = 0;
        for (const Json& row : rows)
            *fails += wholeOf(row, "fails").value_or(0);
        name = firstFailedCheck(rows, 0);
    }
    addError(run, ErrorKind::failedCheck, name.empty() ? "a check of the script failed" : "check: " + name,
             fails.value_or(0));
}

/// The number of virtual users, where all that there were worked, from the beginning to the end.
std::optional<unsigned> constantUsers(const Json& summary)
{
    const Json &most = metric(summary, "vus_max"), &active = metric(summary, "vus");
    const auto greatest = [](const Json& gauge) {
        const auto max = wholeOf(gauge, "max");
        return max ? max : wholeOf(gauge, "value");
    };
    const auto all = greatest(most);
    const auto least = wholeOf(most, "min");
    constexpr std::uint64_t kMostUsers = 10'000'000;
    if (!all || *all == 0 || *all > kMostUsers || greatest(active) != all || (least && *least != *all))
        return std::nullopt;
    return static_cast<unsigned>(*all);
}

void readTime(const Json& summary, ImportedRun& run)
{
    const Json& requests = metric(summary, "http_reqs");
    const auto rate = numberOf(requests, "rate");
    if (const auto ms = numberOf(memberOf(summary, "state"), "testRunDurationMs"))
        run.durationSeconds = *ms / 1000;
    else if (const auto seconds = numberOf(memberOf(summary, "config"), "duration"))
        run.durationSeconds = *seconds;
    else if (rate && *rate > 0)
        run.durationSeconds = static_cast<double>(*run.completed) / *rate;
    if (rate)
        run.rps = rate;
    else if (run.durationSeconds.value_or(0) > 0)
        run.rps = static_cast<double>(*run.completed) / *run.durationSeconds;
    const Json& metadata = memberOf(summary, "metadata");
    for (const char* key : {"generated_at", "generatedAt"})
        if (const auto ended = timeOf(metadata, key); ended && run.durationSeconds.value_or(1e9) < 1e9)
            run.started = *ended - std::chrono::duration_cast<UtcTime::duration>(
                                       std::chrono::duration<double>(*run.durationSeconds));
}

Result<ImportedRuns> readSummary(const Json& summary)
{
    const Json& requests = metric(summary, "http_reqs");
    ImportedRun run;
    run.completed = wholeOf(requests, "count");
    if (!run.completed)
        return Problem{"", "the summary of k6 has no http_reqs: its script made no HTTP requests",
                       "import a run that asks an HTTP server"};
    run.failed = failedRequests(summary);
    readTime(summary, run);
    if (*run.completed > 0)
        run.latency = latencyOf(metric(summary, "http_req_duration"));
    run.bytesReceived = wholeOf(metric(summary, "data_received"), "count");
    run.bytesSent = wholeOf(metric(summary, "data_sent"), "count");
    readChecks(summary, run);
    if (const auto dropped = wholeOf(metric(summary, "dropped_iterations"), "count"); dropped.value_or(0) > 0)
        run.doubts.push_back("k6 dropped " + std::to_string(*dropped) +
                             " iterations, as no virtual user was free for them: the rate that was asked for was not "
                             "reached.");
    else
        run.connections = constantUsers(summary);
    run.semantics = k6Semantics();
    run.semantics.notes.emplace_back("k6 takes a percentile between the two nearest values, not one of the values.");
    return ImportedRuns{std::move(run)};
}

} // namespace

void addK6(Formats& formats)
{
    formats.json.push_back({"k6", "JSON (machine-readable summary)", isMachineReadable, readSummary});
    formats.json.push_back({"k6", "JSON (handleSummary)", isHandleSummary, readSummary});
    formats.json.push_back({"k6", "JSON (--summary-export)", isSummaryExport, readSummary});
    formats.text.push_back({"k6", "CSV (--out csv)", isK6Csv, readK6Csv});
}

} // namespace lapbench
