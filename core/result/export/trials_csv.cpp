#include "core/result/export/trials_csv.h"

#include "core/result/comparisons.h"
#include "core/result/export/text_table.h"
#include "core/result/result_json.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lapbench {

namespace {

constexpr std::string_view kLineEnd = "\r\n";

/// A column and where its value stands in a trial's JSON: what has no key there is not known.
struct TrialColumn {
    std::string name, pointer;
};

void addColumns(std::vector<TrialColumn>& columns, const std::string& prefix, const std::string& suffix,
                const std::string& pointer, std::initializer_list<const char*> keys)
{
    for (const char* key : keys)
        columns.push_back({prefix + key + suffix, pointer + "/" + key});
}

void addLatency(std::vector<TrialColumn>& columns, const std::string& prefix, const std::string& pointer)
{
    addColumns(columns, prefix, "", pointer, {"count", "censored"});
    addColumns(columns, prefix, "_us", pointer,
               {"min", "mean", "stdev", "p25", "p50", "p75", "p90", "p95", "p99", "p99_9", "p99_99", "max"});
}

std::vector<TrialColumn> trialColumns(bool imported)
{
    std::vector<TrialColumn> columns;
    addColumns(columns, "", "", "", {"order", "started_utc", "outcome"});
    addColumns(columns, "failure_", "", "/failure", {"phase", "message"});
    addColumns(columns, "", "", "", {"transport", "http_version", "streams"});
    addColumns(columns, "", "", "/requests", {"sent", "completed", "ok", "failed", "unfinished"});
    addColumns(columns, "", "", "", {"duration_s", "rps"});
    addLatency(columns, "latency_", "/latency_us");
    addLatency(columns, "service_", "/service_us");
    addColumns(columns, "connect_", "_us", "/connect_us", {"p50", "p99", "max"});
    addColumns(columns, "failed_latency_", "", "/failed_latency_us", {"count"});
    addColumns(columns, "failed_latency_", "_us", "/failed_latency_us", {"p50", "p99", "max"});
    addColumns(columns, "bytes_", "", "/bytes", {"received", "sent", "body_received"});
    addColumns(columns, "connections_", "", "/connections", {"asked", "opened", "peak_open", "reconnects", "open_s"});
    addColumns(columns, "generator_", "", "/generator",
               {"threads", "cpu_cores", "busiest_worker_cores", "cpu_us_per_request", "peak_rss_bytes"});
    addColumns(columns, "schedule_lag_", "_us", "/generator/schedule_lag_us", {"p50", "p99", "max"});
    addColumns(columns, "own_lag_", "_us", "/generator/own_lag_us", {"p50", "p99", "max"});
    addColumns(columns, "steady_", "", "/steady", {"after_s", "never", "warmup_s", "first_rps", "last_rps"});
    addColumns(columns, "warmup_", "", "/warmup", {"to_95_s"});
    addColumns(columns, "server_", "", "/server",
               {"startup_ms", "cpu_cores_mean", "cpu_cores_peak", "rss_bytes_mean", "rss_bytes_peak", "pss_bytes_peak",
                "rss_bytes_idle", "rss_bytes_settled", "processes_peak", "requests_per_cpu_second",
                "rss_bytes_per_1000_rps"});
    addColumns(columns, "host_", "", "/host", {"cpu_cores_mean", "others_cpu_cores_mean", "steal", "noisy_seconds"});
    addColumns(columns, "limit_", "", "/bottleneck", {"kind", "reason", "rankable"});
    addColumns(columns, "search_", "", "/search", {"goal", "rate", "at_least", "reason"});
    if (imported)
        addColumns(columns, "semantics_", "", "/semantics",
                   {"tool", "form", "latency_includes_errors", "rps_counts_errors", "correction", "resolution_us",
                    "bytes_kind", "notes"});
    return columns;
}

std::string textOf(const Json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_boolean())
        return value.get<bool>() ? "true" : "false";
    if (value.is_number_float())
        return formatExact(value.get<double>());
    if (value.is_number())
        return value.dump();
    if (value.is_object() && value.contains("at_least"))
        return ">=" + textOf(value["at_least"]);
    std::string text;
    if (value.is_array())
        for (const Json& one : value)
            text += (text.empty() ? "" : "; ") + textOf(one);
    return text;
}

std::string textAt(const Json& json, const std::string& pointer)
{
    const Json::json_pointer place(pointer);
    return json.contains(place) ? textOf(json.at(place)) : std::string();
}

/// "200: 289060; 500: 3".
std::string statusText(const Json& trial)
{
    std::string text;
    if (const auto status = trial.find("status"); status != trial.end())
        for (const auto& [code, count] : status->items())
            text += (text.empty() ? "" : "; ") + code + ": " + textOf(count);
    return text;
}

/// "reset (read_body): 12".
std::string errorsText(const Json& trial)
{
    std::string text;
    if (const auto errors = trial.find("errors"); errors != trial.end())
        for (const Json& error : *errors)
            text += (text.empty() ? "" : "; ") + textAt(error, "/kind") + " (" + textAt(error, "/phase") +
                    "): " + textAt(error, "/count");
    return text;
}

std::string warningsText(const Trial& trial)
{
    std::string text;
    for (const Warning& warning : trial.warnings)
        text += (text.empty() ? "" : "; ") + warning.code;
    return text;
}

/// Without what is not written into a row, which would take long to encode.
Json leanJson(const Trial& trial)
{
    Trial lean = trial;
    lean.seconds.clear();
    lean.load.histogram = {};
    lean.load.censored = {};
    return trialToJson(lean);
}

std::vector<std::string> placeOf(const Trial& trial, const Labels& labels)
{
    const Json level = levelToJson(trial.level);
    return {trial.target,
            labelOf(labels, trial.target),
            trial.workload,
            textAt(level, "/connections"),
            textAt(level, "/rate"),
            std::to_string(trial.round),
            std::to_string(trial.attempt),
            trial.superseded ? "true" : "false"};
}

const std::vector<std::string> kPlaceHeader = {"target", "label", "workload", "connections",
                                               "rate",   "round", "attempt",  "superseded"};

std::string exactUs(std::optional<std::int64_t> nanos)
{
    return nanos ? formatExact(static_cast<double>(*nanos) / 1000) : std::string();
}

template <typename Integer>
std::string exactInteger(std::optional<Integer> value)
{
    return value ? std::to_string(*value) : std::string();
}

std::vector<std::string> secondRow(const TrialSecond& second)
{
    const SparseHistogram& latency = second.load.latency;
    return {std::to_string(second.load.t),
            std::to_string(second.load.ok),
            std::to_string(second.load.failed),
            exactUs(latency.percentileNs(0.25)),
            exactUs(latency.percentileNs(0.50)),
            exactUs(latency.percentileNs(0.75)),
            exactUs(latency.percentileNs(0.99)),
            exactUs(latency.maxNs()),
            formatExact(second.serverCpuCores),
            exactInteger(second.serverRssBytes),
            formatExact(second.load.generatorCpuCores),
            formatExact(second.noise),
            exactInteger(second.tcpRetransmits),
            exactInteger(second.listenOverflows)};
}

} // namespace

std::string trialsAsCsv(const SessionResult& result)
{
    std::vector<Json> trials;
    std::ranges::transform(result.trials, std::back_inserter(trials), &leanJson);
    const bool imported =
        std::any_of(trials.begin(), trials.end(), [](const Json& trial) { return trial.contains("semantics"); });
    const auto columns = trialColumns(imported);
    const Labels labels = comparisonRulesOf(result).labels;
    TextTable table;
    table.header = kPlaceHeader;
    for (const TrialColumn& column : columns)
        table.header.push_back(column.name);
    table.header.insert(table.header.end(), {"status", "errors", "warnings"});
    for (std::size_t i = 0; i < trials.size(); ++i) {
        std::vector<std::string> row = placeOf(result.trials[i], labels);
        for (const TrialColumn& column : columns)
            row.push_back(textAt(trials[i], column.pointer));
        row.insert(row.end(), {statusText(trials[i]), errorsText(trials[i]), warningsText(result.trials[i])});
        table.rows.push_back(std::move(row));
    }
    return formatCsv(table, kLineEnd);
}

std::string secondsAsCsv(const SessionResult& result)
{
    const Labels labels = comparisonRulesOf(result).labels;
    TextTable table;
    table.header = kPlaceHeader;
    table.header.insert(table.header.end(),
                        {"t", "ok", "failed", "p25_us", "p50_us", "p75_us", "p99_us", "max_us", "server_cpu_cores",
                         "server_rss_bytes", "generator_cpu_cores", "noise", "tcp_retransmits", "listen_overflows"});
    for (const Trial& trial : result.trials) {
        const std::vector<std::string> place = placeOf(trial, labels);
        for (const TrialSecond& second : trial.seconds) {
            std::vector<std::string> row = place;
            std::ranges::move(secondRow(second), std::back_inserter(row));
            table.rows.push_back(std::move(row));
        }
    }
    return formatCsv(table, kLineEnd);
}

} // namespace lapbench
