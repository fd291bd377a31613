#pragma once

#include "core/load/engine.h"
#include "core/result/session_result.h"
#include "core/server/sampler.h"
#include "core/server/supervisor.h"
#include "core/session/calibration.h"
#include "core/session/observer.h"

#include <atomic>
#include <functional>

namespace lapbench {

/// What one trial needs: the load to make and who looks on. Borrowed pointers outlive the run.
struct TrialRun {
    LoadTask task;
    const Sampler* sampler = nullptr;         ///< of the server's process tree; null: its CPU and memory are not known
    Supervisor* server = nullptr;             ///< null: the server was not started here
    const std::atomic<bool>* stop = nullptr;  ///< the user's stop
    const Calibration* calibration = nullptr; ///< null: this machine's ceiling is not known
    MachineIdentity machine;                  ///< that the calibration must be of
    std::function<void(const std::string&)> onPhase;
    std::function<void(const SessionInterval&)> onInterval;
};

/// What a plan asks for in one of its trials, against the server at `url`; a ramp and steps are as short as the plan's
/// scale makes its windows.
/// Problem: the plan's ramp or steps are none.
Result<LoadTask> loadTaskOf(const Plan& plan, const TrialPlan& trial, const std::string& url);

/// Runs the load of one trial on the caller's thread and fills in `trial` (whose names, level, round and order stand
/// already): figures, the server's CPU and memory in the measured window, what others took of the machine, the limit,
/// warnings (near_generator_ceiling among them), outcome, failure. Returns when the window is closed, or soon after the
/// server has ended or `stop` was set.
void runTrial(const TrialRun& run, Trial& trial);

} // namespace lapbench
