#pragma once

#include "core/result/session_result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// What people call the targets, by name; one that is not there has its name.
using Labels = std::map<std::string, std::string>;

const std::string& labelOf(const Labels& labels, const std::string& target);

/// What makeComparisons() needs to know of the plan.
struct ComparisonRules {
    std::vector<std::string> targets; ///< names in the plan's order; the first is what others are compared with
    Labels labels;                    ///< for sentences
    std::string control;              ///< name of the first target's double; empty: none
    double zone = 0.02;               ///< CompareRules::zone
};
/// From the plan that a result holds; of the targets, those that ran, also those the plan does not know.
ComparisonRules comparisonRulesOf(const SessionResult& result);

/// What one trial is compared by: of kComparedMetrics the requests a second (in a search the rate that was found), or a
/// percentile in microseconds. Nothing where it has none.
std::optional<Quantile> comparedFigure(const Trial& trial, std::string_view metric);

/// Every target against the first one, by rps, p50 and p99 in each workload and level, over the rounds that both
/// finished and that were not superseded. The error of 5 % is shared by the targets of a workload and level that are
/// compared; the control is compared alone, and the noise floor is how far its interval reaches from 1. Targets without
/// such a round are left out. Where a figure of such a round is missing, lies beyond its censored tail or is a rate of
/// which a search says "at least" there is no ratio (figures.rounds is 0) and the sentence says why; in a search for a
/// rate latency is not compared, for it is not of equal load.
std::vector<Comparison> makeComparisons(const std::vector<Trial>& trials, const ComparisonRules& rules);

/// Rankings by median rps, the control not among them; trials that say nothing about the server keep their target out.
/// From the top down each target is compared with the best of the place before it, all these comparisons sharing the
/// error of 5 %, and takes a place of its own only where it is slower, which a target with a rate of "at least" never
/// is; n targets on one place leave out n - 1 ranks.
std::vector<Ranking> makeRankings(const std::vector<Trial>& trials, const ComparisonRules& rules);

} // namespace lapbench
