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

constexpr std::string_view kTool = "fortio";
constexpr double kUsPerSecond = 1e6, kNsPerSecond = 1e9;
constexpr std::array<std::pair<double, std::string_view>, 8> kPercentiles = {
    {{25, "p25"}, {50, "p50"}, {75, "p75"}, {90, "p90"}, {95, "p95"}, {99, "p99"}, {99.9, "p99_9"}, {99.99, "p99_99"}}};

bool knowsJson(const Json& value)
{
    const Json& histogram = memberOf(value, "DurationHistogram");
    return histogram.is_object() && histogram.contains("Count") && value.contains("ActualQPS") &&
           value.contains("ActualDuration");
}

Semantics semantics()
{
    Semantics semantics;
    semantics.tool = kTool;
    semantics.form = "JSON";
    semantics.latencyIncludesErrors = true;
    semantics.rpsCountsErrors = true;
    semantics.correction = Correction::none;
    semantics.notes = {"Fortio's percentiles are interpolated within the buckets of its histogram: one that holds many "
                       "requests, or is too narrow for them, makes them wrong."};
    return semantics;
}

/// Percentiles that were asked for, and whether one bucket holds most requests.
void readHistogram(const Json& histogram, ImportedRun& run)
{
    run.latency.count = run.completed;
    if (run.completed.value_or(0) == 0)
        return; // its zeros are no latencies
    const auto us = [&](std::string_view name) {
        const auto seconds = numberOf(histogram, name);
        return seconds ? std::optional(*seconds * kUsPerSecond) : std::nullopt;
    };
    run.latency.minUs = us("Min");
    run.latency.meanUs = us("Avg");
    run.latency.stdevUs = us("StdDev");
    run.latency.maxUs = us("Max");
    for (const Json& point : memberOf(histogram, "Percentiles"))
        for (const auto& [percent, key] : kPercentiles)
            if (const auto value = numberOf(point, "Value"); value && numberOf(point, "Percentile") == percent)
                run.latency.percentilesUs[std::string(key)] = *value * kUsPerSecond;
    double most = 0;
    for (const Json& bucket : memberOf(histogram, "Data"))
        most = std::max(most, numberOf(bucket, "Count").value_or(0));
    const double share = most / static_cast<double>(*run.completed);
    constexpr double kMostInOne = 0.5;
    if (share > kMostInOne && share <= 1)
        run.doubts.push_back("One bucket of Fortio's histogram holds " + std::to_string(std::lround(share * 100)) +
                             " % of the requests: the percentiles are interpolated within it.");
}

/// Codes of answers; those of other protocols than HTTP are 1 (serving) or words.
void readCodes(const Json& codes, bool isHttp, ImportedRun& run)
{
    if (!codes.is_object())
        return;
    std::uint64_t failed = 0;
    for (const auto& [code, value] : codes.items()) {
        const auto count = wholeOf(codes, code).value_or(0);
        const auto status = parseWhole(code);
        const bool good = isHttp ? status && isGoodStatus(*status) : code == "1" || code == "SERVING" || code == "OK";
        failed += good ? 0 : count;
        if (isHttp && status)
            addStatus(run, *status, count);
        else if (code == "-1")
            addError(run, ErrorKind::reset, "code -1: no answer on the socket", count);
        else if (!good)
            addError(run, "code " + code, count);
    }
    run.failed = failed;
}

void readRequest(const Json& value, bool isHttp, ImportedRun& run)
{
    run.target = textOf(value, "Labels");
    if (!isHttp) {
        setRequest(run, "", textOf(value, "Destination"));
        return;
    }
    const std::string asked = textOf(value, "MethodOverride");
    const char* usual = textOf(value, "Payload").empty() ? "GET" : "POST";
    setRequest(run, asked.empty() ? usual : asked.c_str(), textOf(value, "URL"));
}

Result<ImportedRuns> readJson(const Json& value)
{
    ImportedRun run;
    run.semantics = semantics();
    const bool isHttp = value.contains("URL");
    readRequest(value, isHttp, run);
    if (const auto threads = wholeOf(value, "NumThreads"); threads && *threads <= UINT32_MAX)
        run.threads = run.connections = static_cast<unsigned>(*threads);
    run.rate = numberOf(value, "RequestedQPS"); // "max" is none
    run.started = timeOf(value, "StartTime");
    const Json& histogram = memberOf(value, "DurationHistogram");
    run.completed = wholeOf(histogram, "Count");
    if (const auto ns = numberOf(value, "ActualDuration"))
        run.durationSeconds = *ns / kNsPerSecond;
    run.rps = numberOf(value, "ActualQPS");
    readHistogram(histogram, run);
    readCodes(memberOf(value, "RetCodes"), isHttp, run);
    run.bytesReceived = wholeOf(memberOf(value, "Sizes"), "Sum");
    if (wholeOf(memberOf(value, "HeaderSizes"), "Sum").value_or(0) > 0)
        run.semantics.bytes = BytesKind::wire;
    if (!run.completed)
        return Problem{"", "the JSON of Fortio has no number in \"DurationHistogram\".\"Count\"",
                       "save the tool's whole output"};
    return ImportedRuns{std::move(run)};
}

} // namespace

void addFortio(Formats& formats)
{
    formats.json.push_back({kTool, "JSON", knowsJson, readJson});
}

} // namespace lapbench
