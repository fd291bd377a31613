#pragma once

#include "core/result/session_result.h"

/// Trials made by hand for tests of what comes after measuring.
namespace lapbench::test {

/// A finished trial of three right answers (1, 2 and 4 ms) in two seconds, with every field filled.
inline Trial madeTrial(const std::string& target, unsigned round, double rps)
{
    Trial trial;
    trial.target = target;
    trial.workload = "user";
    trial.level.connections = 64;
    trial.round = round;
    trial.order = 2;
    trial.started = UtcTime{std::chrono::milliseconds(1700000000123)};
    trial.transport = "keep-alive";
    trial.httpVersion = "1.1";
    trial.openSeconds = 0.125;
    LoadFigures& load = trial.load;
    load.ok = 3;
    load.failed = 2;
    load.unfinished = 1;
    load.durationSeconds = 2;
    load.rps = rps;
    for (const std::int64_t latencyNs : {1'000'000, 2'000'000, 4'000'000})
        load.histogram.record(latencyNs);
    load.censored.record(2'000'000'000);
    load.latency.count = 3;
    load.latency.censored = 1;
    load.latency.minUs = 1000;
    load.latency.meanUs = 2333.3;
    load.latency.stdevUs = 1527.5;
    load.latency.maxUs = 4000;
    load.latency.percentiles[1] = Quantile{2000, false};
    load.latency.percentiles[5] = Quantile{2e6, true};
    load.connectTime = {4, 80, 120, 130};
    load.failedLatency = {2, 900, 950, 950};
    load.status = {{200, 3}, {500, 2}};
    load.errors = {{ErrorKind::unexpectedStatus, Phase::check, 2, 0.25, "status 500", "HTTP/1.1 500 Oops"}};
    load.bytesReceived = 500;
    load.bytesSent = 300;
    load.bodyReceived = 36;
    load.connectionsAsked = 4;
    load.connectionsOpened = 4;
    load.peakOpen = 4;
    load.reconnects = 1;
    load.threads = 2;
    load.streams = 8;
    load.tls = TlsFigures{"TLSv1.3", "TLS_AES_128_GCM_SHA256", "h2", true, false};
    load.generatorCpuCores = 0.41;
    load.busiestWorkerCores = 0.25;
    load.warmSeconds = 0.75;
    load.generatorCpuUsPerRequest = 9.5;
    load.generatorPeakRssBytes = 12'000'000;
    TrialSecond second;
    second.load = {0, 3, 2, load.histogram.sparse(), 0.4};
    second.serverCpuCores = 0.98;
    second.serverRssBytes = 61'000'000;
    second.noise = 0.12;
    second.tcpRetransmits = 3;
    second.listenOverflows = 0;
    trial.seconds = {second};
    trial.server = {45.5, 0.97, 1.0, 60'000'000, 64'000'000, 1, 41'000'000, 58'000'000};
    trial.host = {1.5, 0.2, 0.01, 0.5};
    trial.warnings = {{"example", "warning", "An example.", "1 of 2"}};
    return trial;
}

/// The same of an open loop, after a warm-up that lasted until the load was steady.
inline Trial madeOpenTrial(const std::string& target, unsigned round, double rps)
{
    Trial trial = madeTrial(target, round, rps);
    trial.level.rate = 5000;
    trial.load.service = trial.load.latency;
    trial.load.service->percentiles[1] = Quantile{1500, false};
    trial.load.scheduleLag = {5, 20, 900, 1200};
    trial.load.generatorLag = {5, 3, 40, 60};
    trial.load.steady = SteadyFigures{3.5, 6.6, 1000, 2000};
    return trial;
}

} // namespace lapbench::test
