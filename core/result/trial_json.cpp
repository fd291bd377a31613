#include "core/result/goal_search_json.h"
#include "core/result/imported_trial_json.h"
#include "core/result/outcome_names.h"
#include "core/result/result_json.h"

namespace lapbench {

namespace {

/// Puts an object that may have stayed empty: absent then.
void putObject(Json& json, const char* key, Json object)
{
    if (!object.empty())
        json[key] = std::move(object);
}

double microseconds(std::int64_t nanos)
{
    return static_cast<double>(nanos) / 1000.0;
}

Json shortToJson(const ShortSummary& summary, bool withCount)
{
    Json json = Json::object();
    if (summary.count == 0)
        return json;
    if (withCount)
        json["count"] = summary.count;
    put(json, "p50", summary.p50Us);
    put(json, "p99", summary.p99Us);
    put(json, "max", summary.maxUs);
    return json;
}

Json encodedHistogram(const std::string& data)
{
    return {{"format", "hdr-v2-deflate-base64"}, {"unit", "ns"}, {"data", data}};
}

Json secondToJson(const TrialSecond& second)
{
    Json json{{"t", second.load.t}, {"ok", second.load.ok}, {"failed", second.load.failed}};
    const SparseHistogram& latency = second.load.latency;
    if (!latency.counts.empty()) {
        json["p25_us"] = microseconds(*latency.percentileNs(0.25));
        json["p50_us"] = microseconds(*latency.percentileNs(0.50));
        json["p75_us"] = microseconds(*latency.percentileNs(0.75));
        json["p99_us"] = microseconds(*latency.percentileNs(0.99));
        json["max_us"] = microseconds(*latency.maxNs());
    }
    put(json, "server_cpu_cores", second.serverCpuCores);
    put(json, "server_rss_bytes", second.serverRssBytes);
    put(json, "noise", second.noise);
    put(json, "tcp_retransmits", second.tcpRetransmits);
    put(json, "listen_overflows", second.listenOverflows);
    put(json, "generator_cpu_cores", second.load.generatorCpuCores);
    if (!latency.counts.empty())
        json["hdr"] = encodeV2(latency);
    return json;
}

Json serverToJson(const Trial& trial)
{
    const ServerFigures& server = trial.server;
    Json json = Json::object();
    put(json, "startup_ms", server.startupMs);
    put(json, "cpu_cores_mean", server.cpuCoresMean);
    put(json, "cpu_cores_peak", server.cpuCoresPeak);
    put(json, "rss_bytes_mean", server.rssBytesMean);
    put(json, "rss_bytes_peak", server.rssBytesPeak);
    put(json, "processes_peak", server.processesPeak);
    put(json, "rss_bytes_idle", server.rssBytesIdle);
    put(json, "rss_bytes_settled", server.rssBytesSettled);
    put(json, "requests_per_cpu_second", requestsPerCpuSecond(trial));
    put(json, "rss_bytes_per_1000_rps", rssBytesPer1000Rps(trial));
    return json;
}

Json hostToJson(const MachineFigures& host)
{
    Json json = Json::object();
    put(json, "cpu_cores_mean", host.cpuCoresMean);
    put(json, "others_cpu_cores_mean", host.othersCpuCoresMean);
    put(json, "steal", host.steal);
    put(json, "noisy_seconds", host.noisySeconds);
    return json;
}

Json failureToJson(const TrialFailure& failure)
{
    return {{"phase", failure.phase}, {"message", failure.message}, {"output", failure.output}};
}

Json steadyToJson(const SteadyFigures& steady)
{
    Json json = Json::object();
    if (steady.afterSeconds)
        json["after_s"] = *steady.afterSeconds;
    else
        json["never"] = true;
    json["warmup_s"] = steady.warmupSeconds;
    put(json, "first_rps", steady.firstRps);
    put(json, "last_rps", steady.lastRps);
    return json;
}

void putLoad(Json& json, const LoadFigures& load)
{
    json["requests"] = {{"sent", load.sent()},
                        {"completed", load.completed()},
                        {"ok", load.ok},
                        {"failed", load.failed},
                        {"unfinished", load.unfinished}};
    json["duration_s"] = load.durationSeconds;
    put(json, "rps", load.rps);
    json["latency_us"] = latencyToJson(load.latency, true);
    if (load.service)
        json["service_us"] = latencyToJson(*load.service, true);
    putObject(json, "connect_us", shortToJson(load.connectTime, false));
    putObject(json, "failed_latency_us", shortToJson(load.failedLatency, true));
    Json status = Json::object();
    for (const auto& [code, count] : load.status)
        status[std::to_string(code)] = count;
    json["status"] = std::move(status);
    json["errors"] = errorsToJson(load.errors, true);
    json["bytes"] = {{"received", load.bytesReceived}, {"sent", load.bytesSent}, {"body_received", load.bodyReceived}};
    json["connections"] = {{"asked", load.connectionsAsked},
                           {"opened", load.connectionsOpened},
                           {"peak_open", load.peakOpen},
                           {"reconnects", load.reconnects}};
    Json generator{{"threads", load.threads}};
    put(generator, "cpu_cores", load.generatorCpuCores);
    put(generator, "busiest_worker_cores", load.busiestWorkerCores);
    put(generator, "cpu_us_per_request", load.generatorCpuUsPerRequest);
    put(generator, "peak_rss_bytes", load.generatorPeakRssBytes);
    putObject(generator, "schedule_lag_us", shortToJson(load.scheduleLag, false));
    putObject(generator, "own_lag_us", shortToJson(load.generatorLag, false));
    json["generator"] = std::move(generator);
    if (load.steady)
        json["steady"] = steadyToJson(*load.steady);
    if (load.warmSeconds)
        json["warmup"] = {{"to_95_s", *load.warmSeconds}};
}

void putWire(Json& json, const LoadFigures& load)
{
    if (load.streams != 1)
        json["streams"] = load.streams;
    if (!load.tls)
        return;
    json["tls"] = {{"version", load.tls->version},
                   {"cipher", load.tls->cipher},
                   {"verified", load.tls->verified},
                   {"resumed", load.tls->resumed}};
    if (!load.tls->protocol.empty())
        json["tls"]["protocol"] = load.tls->protocol;
}

} // namespace

Json latencyToJson(const LatencySummary& latency, bool counted)
{
    Json json = Json::object();
    if (counted)
        json["count"] = latency.count;
    put(json, "min", latency.minUs);
    put(json, "mean", latency.meanUs);
    put(json, "stdev", latency.stdevUs);
    for (std::size_t i = 0; i < kReportedPercentiles.size(); ++i) {
        const auto& quantile = latency.percentiles[i];
        const std::string key(kReportedPercentiles[i].key);
        if (quantile && quantile->atLeast)
            json[key] = Json{{"at_least", quantile->us}};
        else if (quantile)
            json[key] = quantile->us;
    }
    put(json, "max", latency.maxUs);
    if (counted)
        json["censored"] = latency.censored;
    return json;
}

Json errorsToJson(const std::vector<ErrorCount>& errors, bool timed)
{
    Json list = Json::array();
    for (const ErrorCount& error : errors) {
        Json first = Json::object();
        if (timed)
            first["at_s"] = error.firstAtSeconds;
        first["message"] = error.firstMessage;
        if (!error.firstResponseHead.empty())
            first["response_head"] = error.firstResponseHead;
        list.push_back({{"kind", errorKindName(error.kind)},
                        {"phase", phaseName(error.phase)},
                        {"count", error.count},
                        {"first", std::move(first)}});
    }
    return list;
}

Json levelToJson(const Level& level)
{
    Json json = Json::object();
    if (level.connections > 0)
        json["connections"] = level.connections;
    put(json, "rate", level.rate);
    return json;
}

Json warningToJson(const Warning& warning)
{
    Json json{{"code", warning.code}, {"severity", warning.severity}, {"text", warning.text}};
    if (!warning.evidence.empty())
        json["evidence"] = warning.evidence;
    return json;
}

Json trialToJson(const Trial& trial)
{
    Json json{{"target", trial.target},
              {"workload", trial.workload},
              {"level", levelToJson(trial.level)},
              {"round", trial.round},
              {"order", trial.order}};
    if (!trial.imported || trial.started != UtcTime{})
        json["started_utc"] = formatUtc(trial.started);
    if (trial.attempt != 1)
        json["attempt"] = trial.attempt;
    if (trial.superseded)
        json["superseded"] = true;
    if (!trial.transport.empty()) {
        json["transport"] = trial.transport;
        if (!trial.httpVersion.empty())
            json["http_version"] = trial.httpVersion;
    }
    json["outcome"] = outcomeName(trial.outcome);
    if (trial.failure)
        json["failure"] = failureToJson(*trial.failure);
    if (trial.imported) {
        putImportedLoad(json, trial);
    } else if (!trial.transport.empty()) {
        putWire(json, trial.load);
        putLoad(json, trial.load);
        put(json["connections"], "open_s", trial.openSeconds);
    }
    putObject(json, "server", serverToJson(trial));
    putObject(json, "host", hostToJson(trial.host));
    if (trial.bottleneck)
        json["bottleneck"] = {{"kind", limitName(trial.bottleneck->limit)},
                              {"reason", trial.bottleneck->reason},
                              {"rankable", trial.bottleneck->rankable}};
    if (trial.search)
        json["search"] = goalSearchToJson(*trial.search);
    json["warnings"] = Json::array();
    for (const Warning& warning : trial.warnings)
        json["warnings"].push_back(warningToJson(warning));
    if (!trial.load.histogram.empty())
        json["histogram"] = encodedHistogram(trial.load.histogram.encodeV2());
    if (!trial.load.censored.empty())
        json["censored_histogram"] = encodedHistogram(trial.load.censored.encodeV2());
    if (trial.imported ? !trial.seconds.empty() : !trial.transport.empty()) {
        Json seconds = Json::array();
        for (const TrialSecond& second : trial.seconds)
            seconds.push_back(secondToJson(second));
        json["seconds"] = std::move(seconds);
    }
    if (!trial.unknownJson.empty())
        json.update(Json::parse(trial.unknownJson));
    return json;
}

std::string dumpJson(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace lapbench
