#pragma once

#include "core/result/comparisons.h"
#include "tests/support/made_trials.h"

/// A whole session made by hand, for tests of what is made of results.
namespace lapbench::test {

/// What a name or a server's output may bring along.
inline const char* const kHostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";

/// Node and Bun, Bun twice as fast in each of `rounds` rounds, at each number of connections. `bun` is what Bun is
/// called.
inline SessionResult madeSession(unsigned rounds = 3, const std::vector<unsigned>& connections = {64},
                                 const std::string& bun = "Bun 1.1")
{
    SessionResult result;
    result.id = "0123456789abcdef0123456789abcdef";
    result.created = UtcTime{std::chrono::seconds(1700000000)};
    result.tool = {"0.1.0", "abc1234", "Release", "7.88.1"};
    result.planSha256 = std::string(64, 'a');
    result.elapsedSeconds = 125;
    result.host.cpuModel = "Some CPU";
    result.host.cpus = 4;
    result.host.memoryBytes = 16'000'000'000;
    result.host.kernel = "Linux 6.1";
    result.runtimes["node22"] = {"node", "22.9.0", "22.9.1", "ff00"};
    std::string label;
    for (const char c : bun)
        label += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    std::string levels;
    for (const unsigned count : connections)
        levels += (levels.empty() ? "" : ", ") + std::to_string(count);
    const std::string head = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p", "title": "Users",
        "description": "One user as JSON", "runtimes": {"node22": {"kind": "node", "version": "22.9.0"}}, "targets": [
        {"name": "node", "label": "Node.js 22", "runtime": "node22", "app": "a.mjs"}, {"name": "bun", "label": ")";
    const std::string tail =
        R"(", "command": ["./bun", "b.ts"]}], "workloads": [{"name": "user", "path": "/users/42", "expect_status": "200",
        "expect_bytes": 1230}], "measure": {"duration": "10s"}, "warmup": {"duration": "2s"}, "order": "rotate",
        "rounds": )";
    result.planJson = head + label + tail + std::to_string(rounds) + R"(, "load": {"connections": [)" + levels + "]}}";
    for (unsigned round = 1; round <= rounds; ++round)
        for (const unsigned count : connections)
            for (const bool fast : {false, true}) {
                Trial trial = madeTrial(fast ? "bun" : "node", round, (fast ? 2.0 : 1.0) * (1000 + 10 * round));
                trial.level.connections = count;
                trial.order = fast == (round % 2 == 1) ? 2 : 1;
                trial.index = result.trials.size();
                trial.load.failed = 0;
                trial.load.errors.clear();
                trial.warnings.clear();
                result.trials.push_back(std::move(trial));
            }
    const ComparisonRules rules = comparisonRulesOf(result);
    result.comparisons = makeComparisons(result.trials, rules);
    result.rankings = makeRankings(result.trials, rules);
    result.cells = makeCells(result.trials, rules.targets);
    return result;
}

} // namespace lapbench::test
