#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/plan/plan.h"

#include <string>
#include <vector>

namespace lapbench {

/// Rounds of a plan: its own, or the smallest multiple of the number of selected targets (of twice the number where it
/// is odd) that is at least 6. With that many, each target stands in each place of the order equally often.
unsigned roundsOf(const Plan& plan);

/// The plan's levels: each number of connections, with each rate where there are rates.
std::vector<Level> levelsOf(const Load& load);
/// "64 connections", "64 connections, 5.00k/s".
std::string formatLevel(const Level& level);

/// Every trial of a session in its order: rounds, in each the selected targets (ordered as Plan::order says; rotated:
/// round r starts with target r - 1 modulo their number), in each the levels, in each the workloads. The trials of one
/// target in one round follow each other, so that one start of its server serves them all.
std::vector<TrialPlan> makeSchedule(const Plan& plan);

/// About how long one trial takes, cooldown included: windows by time are known, counts are guessed.
Nanoseconds estimateTrial(const Plan& plan);
/// About how long the whole of it takes, starts of servers included.
Nanoseconds estimateSession(const Plan& plan);

/// A duration that --scale shrinks, to no less than 1 ms; nothing stays nothing.
Nanoseconds scaled(Nanoseconds duration, double factor);

/// Shrinks request counts, windows, warm-ups and pauses by `factor` (above 0, at most 1); never connections or rounds.
/// Nothing that was there becomes nothing. Plan::scale holds the product, by which loadTaskOf() shrinks the times of a
/// ramp and of steps.
Result<void> applyScale(Plan& plan, double factor);

/// Sets the number of rounds, in the source of the plan too: the saved plan is the one that ran.
void applyRounds(Plan& plan, unsigned rounds);

/// Selects exactly the targets of these names, whatever `selected` says; "all" alone selects every one. Problems name
/// the unknown target and the nearest.
Result<void> selectTargets(Plan& plan, const std::vector<std::string>& names);

} // namespace lapbench
