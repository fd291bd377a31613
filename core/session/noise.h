#pragma once

#include "core/host/machine_sampler.h"
#include "core/result/session_result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace lapbench {

/// How far this process had got at one moment.
struct OwnTime {
    std::int64_t atNs = 0; ///< steadyNs()
    double cpuSeconds = 0; ///< of all its threads
};
OwnTime ownTimeNow();

/// How long this process did not run at all between two steadyNs() moments, as when it was stopped (SIGSTOP, Ctrl-Z) or
/// its machine was: the gaps of half a second and more between times that were noted every 100 ms, in which it used
/// less than a quarter of a core, in seconds. Pure.
double stoodStill(const std::vector<OwnTime>& noted, std::int64_t fromNs, std::int64_t toNs);

/// Whether the kernel counts the time of interrupts to the processes that they interrupt as well. It does where it
/// counts by ticks (no CONFIG_IRQ_TIME_ACCOUNTING): those never meet a hard interrupt, whose column in /proc/stat stays
/// 0.
bool interruptsCountTwice(const std::filesystem::path& procRoot = "/proc");

/// What a stretch of time is judged by, in cores.
struct MachineShares {
    MachineUse machine;
    std::optional<double> server, generator;
    bool interruptsTwice = false; ///< what interrupts took is in `server` and `generator` too
};

/// What neither server nor generator used, in cores, 0 at least. Nothing where one of the three is not known.
std::optional<double> othersCores(const MachineShares& shares);
/// The share of the machine that others and steal took. Nothing as above.
std::optional<double> noiseOf(const MachineShares& shares, unsigned processors);

/// Share of the seconds whose noise is above kOthersShare (core/stats/bottleneck.h); nothing where none is known.
std::optional<double> noisyShare(const std::vector<std::optional<double>>& noise);

/// "noisy", where others took too much too often; `who` names them, empty where that is not known.
std::optional<Warning> noiseWarning(const MachineFigures& host, const std::string& who);

} // namespace lapbench
