#pragma once

#include "core/result/compare_results.h"
#include "tests/support/made_trials.h"

/// Whole results made by hand, for tests of what compares them.
namespace lapbench::test {

using Rounds = std::vector<double>;

/// Nothing failed; p50 is 1 and p99 4 divided by the requests a second.
inline Trial cleanTrial(const std::string& target, unsigned round, double rps)
{
    Trial trial = madeTrial(target, round, rps);
    trial.load.failed = 0;
    trial.load.latency.percentiles[1] = Quantile{1e6 / rps, false};
    trial.load.latency.percentiles[5] = Quantile{4e6 / rps, false};
    return trial;
}

inline std::string planOf(const std::string& targets, const std::string& more = R"("measure": {"duration": "10s"})")
{
    return R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p", "targets": [)" + targets + "], " + more +
           "}";
}

inline const char* const kNode = R"({"name": "node", "label": "Node.js 22", "url": "http://127.0.0.1:1"})";
inline const char* const kBun = R"({"name": "bun", "label": "Bun 1.1", "url": "http://127.0.0.1:2"})";

inline NamedResult resultOf(const std::string& name, const std::vector<std::pair<std::string, Rounds>>& targets)
{
    NamedResult made;
    made.name = name;
    made.result.created = UtcTime{std::chrono::seconds(1'700'000'000)};
    std::string plan;
    for (const auto& [target, rounds] : targets) {
        plan += (plan.empty() ? "" : ", ") + std::string(target == "node" ? kNode : kBun);
        for (std::size_t i = 0; i < rounds.size(); ++i)
            made.result.trials.push_back(cleanTrial(target, static_cast<unsigned>(i + 1), rounds[i]));
    }
    made.result.planJson = planOf(plan);
    return made;
}

} // namespace lapbench::test
