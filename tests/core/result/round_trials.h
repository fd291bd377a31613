#pragma once

#include "core/result/comparisons.h"

#include <string>
#include <utility>
#include <vector>

/// Trials of several rounds, made by hand, for tests of what is said of them.
namespace lapbench::test {

inline Trial trialOf(const std::string& target, unsigned round, double rps, const std::string& workload = "read")
{
    Trial trial;
    trial.target = target;
    trial.workload = workload;
    trial.level.connections = 64;
    trial.round = round;
    trial.transport = "keep-alive";
    trial.load.rps = rps;
    trial.load.latency.percentiles[1] = Quantile{1e6 / rps, false};
    trial.load.latency.percentiles[5] = Quantile{4e6 / rps, false};
    return trial;
}

inline void add(std::vector<Trial>& trials, const std::string& target, const std::vector<double>& rounds,
                const std::string& workload = "read")
{
    for (unsigned i = 0; i < rounds.size(); ++i)
        trials.push_back(trialOf(target, i + 1, rounds[i], workload));
}

/// Six rounds of four targets; what R 4.2.2 finds for them stands in the tests.
inline const std::vector<double> kNode = {1000, 1040, 985, 1012, 1031, 996},
                                 kBun = {1630, 1702, 1598, 1655, 1671, 1640},
                                 kSame = {1009, 1031, 990, 1003, 1040, 1001}, kDeno = {900, 930, 880, 915, 921, 899};

inline ComparisonRules rulesOf(std::vector<std::string> targets)
{
    ComparisonRules rules;
    rules.targets = std::move(targets);
    rules.labels = {{"node", "Node"}, {"deno", "Deno"}, {"bun", "Bun"}};
    return rules;
}

inline SessionResult resultOf(std::vector<Trial> trials, const std::string& plan)
{
    SessionResult result;
    result.planJson = plan;
    result.trials = std::move(trials);
    return result;
}

} // namespace lapbench::test
