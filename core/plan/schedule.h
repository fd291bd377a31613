#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/plan/plan.h"

#include <string>
#include <vector>

namespace lapbench {

/// With fewer rounds a verdict is thin, and until_ci does not end a session.
inline constexpr unsigned kFewestRounds = 6;

/// Rounds of a plan: its own, or the smallest multiple of the number of selected targets (of twice the number where it
/// is odd) that is at least 6. With that many, each target stands in each place of the order equally often. With
/// until_ci: the rounds before which it does not end, that multiple, but no more than mostRoundsOf().
unsigned roundsOf(const Plan& plan);

/// The most rounds that are run: with until_ci its own number or, where it has none, 1000; else roundsOf().
unsigned mostRoundsOf(const Plan& plan);

/// The plan's levels: each number of connections, with each rate where there are rates.
std::vector<Level> levelsOf(const Load& load);
/// "64 connections", "64 connections, 5.00k/s".
std::string formatLevel(const Level& level);

/// Every trial of a session in its order: rounds, in each the selected targets (ordered as Plan::order says; rotated:
/// round r starts with target r - 1 modulo their number), in each the levels, in each the workloads. The trials of one
/// target in one round follow each other, so that one start of its server serves them all.
std::vector<TrialPlan> makeSchedule(const Plan& plan);

/// The trials of one round (from 1; it may lie beyond roundsOf()), their indices counted from `firstIndex`. Another
/// attempt at a round has the same trials in the same order.
std::vector<TrialPlan> makeRound(const Plan& plan, unsigned round, unsigned attempt, std::size_t firstIndex);

/// About how long one trial takes, cooldown included: windows by time are known, counts are guessed.
Nanoseconds estimateTrial(const Plan& plan);
/// About how long one round takes, starts of servers included.
Nanoseconds estimateRound(const Plan& plan);
/// About how long the whole of it takes: cold starts and roundsOf() rounds, within the budget. With until_ci that is
/// the least; rounds that are repeated come on top.
Nanoseconds estimateSession(const Plan& plan);

/// A duration that --scale shrinks, to no less than 1 ms; nothing stays nothing.
Nanoseconds scaled(Nanoseconds duration, double factor);

/// Shrinks request counts, windows, warm-ups and pauses by `factor` (above 0, at most 1); never connections or rounds.
/// Nothing that was there becomes nothing. Plan::scale holds the product, by which loadTaskOf() shrinks the times of a
/// ramp and of steps.
Result<void> applyScale(Plan& plan, double factor);

/// Sets an option of the plan itself ("rounds", "until_ci") from a word of the command line, in the source of the plan
/// too: the saved plan is the one that ran. The problem, with an empty path, says what is wrong with the word.
Result<void> applyOption(Plan& plan, std::string_view key, const std::string& text);

/// Takes an option of the plan itself out again, from its source too.
void dropOption(Plan& plan, std::string_view key);

/// The same target once more, under another name and label: the A/A control.
Target controlOf(const Target& target);

/// Adds the control of the first selected target, last in the list, where the plan asks for one and has none yet. To be
/// called once it is settled which targets are selected; the saved plan does not hold it.
void applyControl(Plan& plan);

/// The name of the target that is, or that applyControl() would make, the control; empty where there is none to be.
std::string controlName(const Plan& plan);

/// Selects exactly the targets of these names, whatever `selected` says; "all" alone selects every one. Problems name
/// the unknown target and the nearest.
Result<void> selectTargets(Plan& plan, const std::vector<std::string>& names);

} // namespace lapbench
