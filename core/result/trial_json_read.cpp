#include "core/result/goal_search_json.h"
#include "core/result/imported_trial_json.h"
#include "core/result/json_reader.h"
#include "core/result/outcome_names.h"
#include "core/result/record_json.h"
#include "core/result/result_json.h"

#include <charconv>

namespace lapbench {

namespace {

ShortSummary readShort(JsonReader json)
{
    return {json.count("count").value_or(0), json.number("p50"), json.number("p99"), json.number("max")};
}

Histogram readHistogram(JsonReader& json, std::string_view key)
{
    if (!json.has(key))
        return {};
    JsonReader reader = json.child(key);
    if (reader.text("format") != "hdr-v2-deflate-base64" || reader.text("unit") != "ns") {
        reader.fail("format", "is not known");
        return {};
    }
    auto histogram = Histogram::decodeV2(reader.text("data"));
    if (!histogram) {
        reader.fail("data", histogram.problem().message);
        return {};
    }
    return std::move(histogram).value();
}

void readGenerator(JsonReader json, LoadFigures& load)
{
    load.threads = json.smallCount("threads").value_or(0);
    load.generatorCpuCores = json.number("cpu_cores");
    load.busiestWorkerCores = json.number("busiest_worker_cores");
    load.generatorCpuUsPerRequest = json.number("cpu_us_per_request");
    load.generatorPeakRssBytes = json.count("peak_rss_bytes");
    load.scheduleLag = readShort(json.child("schedule_lag_us"));
    load.generatorLag = readShort(json.child("own_lag_us"));
}

SteadyFigures readSteady(JsonReader json)
{
    SteadyFigures steady;
    steady.afterSeconds = json.number("after_s");
    json.has("never");
    steady.warmupSeconds = json.number("warmup_s").value_or(0);
    steady.firstRps = json.number("first_rps");
    steady.lastRps = json.number("last_rps");
    return steady;
}

void readLoad(JsonReader& json, LoadFigures& load)
{
    JsonReader requests = json.child("requests");
    load.ok = requests.count("ok").value_or(0);
    load.failed = requests.count("failed").value_or(0);
    load.unfinished = requests.count("unfinished").value_or(0);
    for (const std::string_view derived : {"sent", "completed"})
        requests.has(derived);
    load.durationSeconds = json.number("duration_s").value_or(0);
    load.rps = json.number("rps");
    readLatency(json.child("latency_us"), load.latency);
    if (json.has("service_us"))
        readLatency(json.child("service_us"), load.service.emplace());
    if (json.has("steady"))
        load.steady = readSteady(json.child("steady"));
    load.warmSeconds = json.child("warmup").number("to_95_s");
    load.connectTime = readShort(json.child("connect_us"));
    load.failedLatency = readShort(json.child("failed_latency_us"));
    readStatus(json, load.status);
    readErrors(json, load.errors);
    JsonReader bytes = json.child("bytes");
    load.bytesReceived = bytes.count("received").value_or(0);
    load.bytesSent = bytes.count("sent").value_or(0);
    load.bodyReceived = bytes.count("body_received").value_or(0);
    JsonReader connections = json.child("connections");
    load.connectionsAsked = connections.smallCount("asked").value_or(0);
    load.connectionsOpened = connections.smallCount("opened").value_or(0);
    load.peakOpen = connections.smallCount("peak_open").value_or(0);
    load.reconnects = connections.count("reconnects").value_or(0);
    load.connectTime.count = load.connectTime.maxUs ? load.connectionsOpened : 0;
    readGenerator(json.child("generator"), load);
    load.scheduleLag.count = load.scheduleLag.maxUs ? load.completed() : 0;
    load.generatorLag.count = load.generatorLag.maxUs ? load.completed() : 0;
    load.histogram = readHistogram(json, "histogram");
    load.censored = readHistogram(json, "censored_histogram");
}

ServerFigures readServer(JsonReader json)
{
    ServerFigures server;
    server.startupMs = json.number("startup_ms");
    server.cpuCoresMean = json.number("cpu_cores_mean");
    server.cpuCoresPeak = json.number("cpu_cores_peak");
    server.rssBytesMean = json.count("rss_bytes_mean");
    server.rssBytesPeak = json.count("rss_bytes_peak");
    server.processesPeak = json.smallCount("processes_peak");
    server.rssBytesIdle = json.count("rss_bytes_idle");
    server.rssBytesSettled = json.count("rss_bytes_settled");
    for (const std::string_view derived : {"requests_per_cpu_second", "rss_bytes_per_1000_rps"})
        json.has(derived);
    return server;
}

MachineFigures readHost(JsonReader json)
{
    return {json.number("cpu_cores_mean"), json.number("others_cpu_cores_mean"), json.number("steal"),
            json.number("noisy_seconds")};
}

Bottleneck readBottleneck(JsonReader json)
{
    Bottleneck bottleneck;
    if (const auto limit = parseLimit(json.text("kind")))
        bottleneck.limit = *limit;
    else
        json.fail("kind", "is not known");
    bottleneck.reason = json.text("reason");
    bottleneck.rankable = json.flag("rankable").value_or(true);
    return bottleneck;
}

void readSeconds(JsonReader& json, std::vector<TrialSecond>& seconds)
{
    const Json* list = json.array("seconds");
    if (list == nullptr)
        return;
    for (std::size_t i = 0; i < list->size(); ++i) {
        JsonReader item = json.element("seconds", *list, i);
        TrialSecond second;
        second.load.t = item.smallCount("t").value_or(static_cast<unsigned>(i));
        second.load.ok = item.count("ok").value_or(0);
        second.load.failed = item.count("failed").value_or(0);
        second.load.generatorCpuCores = item.number("generator_cpu_cores");
        second.serverCpuCores = item.number("server_cpu_cores");
        second.serverRssBytes = item.count("server_rss_bytes");
        second.noise = item.number("noise");
        second.tcpRetransmits = item.count("tcp_retransmits");
        second.listenOverflows = item.count("listen_overflows");
        if (item.has("hdr")) {
            const auto histogram = Histogram::decodeV2(item.text("hdr"));
            if (!histogram) {
                item.fail("hdr", histogram.problem().message);
                return;
            }
            second.load.latency = histogram.value().sparse();
        }
        seconds.push_back(std::move(second));
    }
}

void readWire(JsonReader& json, LoadFigures& load)
{
    load.streams = json.smallCount("streams").value_or(1);
    if (!json.has("tls"))
        return;
    JsonReader tls = json.child("tls");
    load.tls = TlsFigures{tls.text("version"), tls.text("cipher"), tls.text("protocol"),
                          tls.flag("verified").value_or(false), tls.flag("resumed").value_or(false)};
}

} // namespace

void readLatency(JsonReader json, LatencySummary& latency)
{
    latency.count = json.count("count").value_or(0);
    latency.censored = json.count("censored").value_or(0);
    latency.minUs = json.number("min");
    latency.meanUs = json.number("mean");
    latency.stdevUs = json.number("stdev");
    latency.maxUs = json.number("max");
    for (std::size_t i = 0; i < kReportedPercentiles.size(); ++i) {
        const std::string_view key = kReportedPercentiles[i].key;
        const Json* value = json.value(key);
        if (value == nullptr)
            continue;
        const bool atLeast = value->is_object();
        const std::optional<double> us = atLeast ? json.child(key).number("at_least") : json.number(key);
        if (us)
            latency.percentiles[i] = Quantile{*us, atLeast};
    }
}

void readErrors(JsonReader& json, std::vector<ErrorCount>& errors)
{
    const Json* list = json.array("errors");
    if (list == nullptr)
        return;
    for (std::size_t i = 0; i < list->size(); ++i) {
        JsonReader item = json.element("errors", *list, i);
        ErrorCount error;
        const auto kind = parseErrorKind(item.text("kind"));
        const auto phase = parsePhase(item.text("phase"));
        if (!kind || !phase) {
            item.fail(kind ? "phase" : "kind", "is not known");
            return;
        }
        error.kind = *kind;
        error.phase = *phase;
        error.count = item.count("count").value_or(0);
        JsonReader first = item.child("first");
        error.firstAtSeconds = first.number("at_s").value_or(0);
        error.firstMessage = first.text("message");
        error.firstResponseHead = first.text("response_head");
        errors.push_back(std::move(error));
    }
}

void readStatus(JsonReader& json, std::map<int, std::uint64_t>& status)
{
    const Json* counts = json.object("status");
    if (counts == nullptr)
        return;
    JsonReader reader = json.child("status");
    for (const auto& [key, value] : counts->items()) {
        int code = 0;
        const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), code);
        if (error != std::errc() || end != key.data() + key.size() || code < 0)
            reader.fail(key, "is no status code");
        status[code] = reader.count(key).value_or(0);
    }
}

Result<Trial> trialFromJson(const Json& source)
{
    std::optional<Problem> problem;
    JsonReader json(source, "", problem);
    Trial trial;
    trial.target = json.text("target");
    trial.workload = json.text("workload");
    trial.level = readLevel(json.child("level"));
    trial.round = json.smallCount("round").value_or(1);
    trial.order = json.smallCount("order").value_or(1);
    trial.attempt = json.smallCount("attempt").value_or(1);
    trial.superseded = json.flag("superseded").value_or(false);
    if (const auto started = parseUtc(json.text("started_utc")))
        trial.started = *started;
    trial.transport = json.text("transport");
    trial.httpVersion = json.text("http_version");
    if (const auto outcome = parseOutcome(json.text("outcome")))
        trial.outcome = *outcome;
    else
        json.fail("outcome", "is not known");
    if (json.has("failure")) {
        JsonReader failure = json.child("failure");
        trial.failure = TrialFailure{failure.text("phase"), failure.text("message"), failure.texts("output")};
    }
    if (json.has("semantics")) {
        readImportedLoad(json, trial);
        trial.load.histogram = readHistogram(json, "histogram");
    } else if (!trial.transport.empty()) {
        readWire(json, trial.load);
        readLoad(json, trial.load);
        trial.openSeconds = json.child("connections").number("open_s");
    }
    trial.server = readServer(json.child("server"));
    trial.host = readHost(json.child("host"));
    if (json.has("bottleneck"))
        trial.bottleneck = readBottleneck(json.child("bottleneck"));
    if (json.has("search"))
        trial.search = readGoalSearch(json.child("search"));
    readSeconds(json, trial.seconds);
    readWarnings(json, trial.warnings);
    trial.unknownJson = json.unknown();
    if (problem)
        return *problem;
    return trial;
}

} // namespace lapbench
