#pragma once

#include "core/plan/plan.h"
#include "core/result/goal_search.h"
#include "core/stats/summary.h"

#include <string>

namespace lapbench {

/// "p99 <= 10 ms, at most 0.1 % errors".
std::string describeGoal(const Goal& goal);

/// Whether a goal was kept in an open loop at `rate` requests a second, and the figures that say so. It was when
/// - no percentile of the goal lies above its limit or beyond the censored tail (the percentile is then not known);
/// - no larger share of the completed requests failed than the goal allows;
/// - the server kept up: of the requests due in the window at least 99 % were completed, besides those due so late that
///   the goal allows them to be open still.
/// `goalUs` is the percentile nearest to its limit, or farthest above.
GoalStep judgeStep(const Goal& goal, double rate, const LoadFigures& load);

/// Why a rate that was not kept says nothing of the server: a worker thread that was busy all the time, connections
/// that this machine did not open. Empty where it does. The lag of the schedule is no sign here: requests that wait
/// because a slow server holds all connections lag too.
std::string generatorLimit(const LoadFigures& load);

} // namespace lapbench
