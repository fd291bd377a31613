#pragma once

#include "core/plan/plan_json.h"
#include "core/result/session_result.h"

#include <cmath>
#include <string>
#include <vector>

namespace lapbench::test {

/// What an article is made of: targets of these labels ("t0", "t1", ..), workloads, levels and rounds, all figures
/// made up. Requests per second of target i at n connections in round r are 1000 (i + 1) + n + 10 r.
struct MadeArticle {
    std::vector<std::string> labels = {"Node", "Deno", "Bun"};
    std::vector<std::string> workloads = {"user"};
    std::vector<Level> levels = {{10, {}}, {50, {}}, {100, {}}, {300, {}}};
    unsigned rounds = 3;
    bool control = false;
};

inline Trial madeArticleTrial(const std::string& target, std::size_t place, const std::string& workload,
                              const Level& level, unsigned round)
{
    Trial trial;
    trial.target = target;
    trial.workload = workload;
    trial.level = level;
    trial.round = round;
    trial.transport = "keep-alive";
    LoadFigures& load = trial.load;
    load.durationSeconds = 4;
    load.rps = 1000.0 * static_cast<double>(place + 1) + level.connections + 10.0 * round;
    load.ok = static_cast<std::uint64_t>(*load.rps * 4);
    const double base = 100.0 * static_cast<double>(place + 1) * level.connections;
    load.latency.count = load.ok;
    load.latency.minUs = base / 2;
    load.latency.meanUs = base;
    load.latency.maxUs = base * 8;
    constexpr double kTimes[] = {0.8, 1, 1.2, 1.6, 2, 3, 5, 7};
    for (std::size_t i = 0; i < kReportedPercentiles.size(); ++i)
        load.latency.percentiles[i] = Quantile{base * kTimes[i], false};
    for (int i = 1; i <= 1000; ++i)
        load.histogram.record(static_cast<std::int64_t>(base * 1000 * (0.5 + i / 1000.0)));
    for (unsigned t = 0; t < 4; ++t) {
        TrialSecond second;
        second.load.t = t;
        second.load.ok = static_cast<std::uint64_t>(*load.rps) + t;
        second.load.latency.counts = {
            {static_cast<std::uint32_t>(hdr::indexOf(static_cast<std::int64_t>(base * 1000))), 100}};
        second.serverCpuCores = 0.9;
        second.serverRssBytes = 60'000'000 + 1'000'000 * t;
        trial.seconds.push_back(second);
    }
    trial.server.startupMs = 40 + 10.0 * static_cast<double>(place);
    trial.server.cpuCoresMean = 0.95;
    trial.server.cpuCoresPeak = 1.0;
    trial.server.rssBytesMean = 60'000'000 + 10'000'000 * place;
    trial.server.rssBytesPeak = 65'000'000 + 10'000'000 * place;
    trial.bottleneck = Bottleneck{Limit::server, "its busiest process used a whole core", true};
    return trial;
}

inline Trial& trialOf(SessionResult& result, const std::string& target, unsigned connections, unsigned round)
{
    for (Trial& trial : result.trials) {
        if (trial.target == target && trial.level.connections == connections && trial.round == round)
            return trial;
    }
    return result.trials.front();
}

/// Call again after a change of its trials.
inline void makeCellsOf(SessionResult& result)
{
    result.cells = makeCells(result.trials, targetsOf(result.planJson));
}

inline SessionResult madeArticle(const MadeArticle& article = {})
{
    SessionResult result;
    Plan plan;
    plan.name = "hello";
    plan.title = "Hello over HTTP";
    plan.runtimes = {{"node22", RuntimeKind::node, "22.9.0", ""}};
    plan.aaControl = article.control;
    plan.workloads.clear();
    for (std::size_t i = 0; i < article.labels.size(); ++i) {
        Target target;
        target.name = "t" + std::to_string(i);
        target.label = article.labels[i];
        target.runtime = "node22";
        target.app = "hello/node-http.mjs";
        plan.targets.push_back(target);
    }
    for (const std::string& name : article.workloads) {
        Workload workload;
        workload.name = name;
        plan.workloads.push_back(workload);
    }
    result.planJson = formatPlan(plan);
    result.tool.version = "9.8.7";
    result.created = *parseUtc("2026-11-30T10:00:00Z");
    result.host.cpuModel = "Old Processor";
    result.host.cpus = 2;
    result.runtimes["node22"] = {"node", "22.9.0", "22.9.0", ""};
    for (unsigned round = 1; round <= article.rounds; ++round) {
        for (std::size_t i = 0; i < plan.targets.size(); ++i) {
            for (const std::string& workload : article.workloads) {
                for (const Level& level : article.levels)
                    result.trials.push_back(madeArticleTrial(plan.targets[i].name, i, workload, level, round));
            }
        }
    }
    for (std::size_t i = 0; i < result.trials.size(); ++i)
        result.trials[i].index = i;
    makeCellsOf(result);
    return result;
}

} // namespace lapbench::test
