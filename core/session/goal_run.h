#pragma once

#include "core/plan/plan.h"
#include "core/session/trial_run.h"

namespace lapbench {

/// Runs one trial as a search for the highest rate that keeps `goal`, on the caller's thread, instead of runTrial().
/// First a closed loop with the warm-up of `run.task` says where to begin; then one open loop after the other, each
/// with the window of `run.task` and a warm-up of its own (a tenth of the window, at least 1 s times `scale`), at the
/// rates of core/stats/goal_search.h. Phases: those of the first load, then "search 1200/s". `trial` (names, level,
/// round and order stand already) gets `search`, and all figures of the highest rate that was kept, its bottleneck what
/// kept the search from more. Where none was kept it failed, with the steps. It ends as runTrial() does when the server
/// ends or `run.stop` is set.
void runGoalTrial(const TrialRun& run, const Goal& goal, double scale, Trial& trial);

} // namespace lapbench
