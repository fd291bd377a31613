#pragma once

#include "core/result/session_result.h"

#include <map>
#include <string>
#include <vector>

namespace lapbench {

/// What makeComparisons() needs to know of the plan.
struct ComparisonRules {
    std::vector<std::string> targets; ///< names in the plan's order; the first is what others are compared with
    std::map<std::string, std::string> labels; ///< for sentences; a target without one has its name
    std::string control;                       ///< name of the first target's double; empty: none
    double zone = 0.02;                        ///< CompareRules::zone
};
/// From the plan that a result holds; of the targets, those that ran.
ComparisonRules comparisonRulesOf(const SessionResult& result);

/// Every target against the first one, by rps, p50 and p99 in each workload and level, over the rounds that both
/// finished and that were not superseded. The error of 5 % is shared by the targets of a workload and level that are
/// compared, the control not among them.
std::vector<Comparison> makeComparisons(const std::vector<Trial>& trials, const ComparisonRules& rules);

/// Rankings by rps; trials that say nothing about the server keep their target out.
std::vector<Ranking> makeRankings(const std::vector<Trial>& trials, const ComparisonRules& rules);

} // namespace lapbench
