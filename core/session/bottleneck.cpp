#include "core/session/bottleneck.h"

#include "core/host/control_groups.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace lapbench {

namespace {

bool anyUnopened(const LoadFigures& load)
{
    return std::any_of(load.errors.begin(), load.errors.end(),
                       [](const ErrorCount& error) { return error.phase == Phase::connect; });
}

/// Completed requests a second in the later half of the window's whole seconds; nothing in a window of less than two.
std::optional<double> laterRate(const Trial& trial)
{
    const auto whole = static_cast<unsigned>(trial.load.durationSeconds);
    if (whole < 2)
        return std::nullopt;
    const unsigned from = whole - whole / 2;
    std::uint64_t completed = 0;
    for (const TrialSecond& second : trial.seconds)
        if (second.load.t >= from && second.load.t < whole)
            completed += second.load.ok + second.load.failed;
    return static_cast<double>(completed) / (whole - from);
}

} // namespace

BottleneckEvidence evidenceOf(const Trial& trial, const TrialCircumstances& circumstances)
{
    const LoadFigures& load = trial.load;
    BottleneckEvidence evidence;
    evidence.completed = load.completed();
    evidence.failed = load.failed;
    evidence.gaveUp = circumstances.gaveUp;
    const bool ahead = trial.transport == "keep-alive" && !circumstances.newConnections;
    if (ahead || anyUnopened(load)) {
        evidence.connectionsAsked = load.connectionsAsked;
        evidence.peakOpen = load.peakOpen;
    }
    evidence.busiestWorkerCores = load.busiestWorkerCores;
    evidence.rps = load.rps;
    evidence.ceilingRps = circumstances.ceilingRps;
    evidence.lagP99Us = load.generatorLag.p99Us;
    if (const auto p50 = load.latency.percentile("p50"))
        evidence.latencyP50Us = p50->us;
    evidence.noisySeconds = trial.host.noisySeconds;
    evidence.rateAsked = circumstances.rateAsked;
    if (load.durationSeconds > 0) {
        evidence.rateMade = static_cast<double>(load.completed()) / load.durationSeconds;
        if (circumstances.stoodStillSeconds)
            evidence.stoodStillShare = *circumstances.stoodStillSeconds / load.durationSeconds;
    }
    if (circumstances.openedEmpty && evidence.rateAsked && evidence.rateMade) {
        const auto later = laterRate(trial);
        const auto missed = [&](double rate) { return std::abs(rate - *evidence.rateAsked); };
        evidence.rateMadeLater = later && missed(*later) < missed(*evidence.rateMade);
        if (evidence.rateMadeLater)
            evidence.rateMade = later;
    }
    evidence.busiestProcessCores = circumstances.busiestProcessCores;
    evidence.serverCores = trial.server.cpuCoresMean;
    evidence.serverAllowedCores = circumstances.serverAllowedCores;
    return evidence;
}

std::optional<double> busiestProcess(const std::vector<ProcessTime>& before, const std::vector<ProcessTime>& after,
                                     std::optional<double> treeCores, double treeSeconds)
{
    double sum = 0, most = 0;
    for (const ProcessTime& now : after) {
        const auto then =
            std::find_if(before.begin(), before.end(), [&](const ProcessTime& one) { return one.pid == now.pid; });
        const double used = std::max(0.0, now.cpuSeconds - (then == before.end() ? 0 : then->cpuSeconds));
        sum += used;
        most = std::max(most, used);
    }
    // Of a server that starts a process for each request those that are left are the least part.
    sum = std::max(sum, treeSeconds);
    return treeCores && sum > 0 ? std::optional(*treeCores * most / sum) : std::nullopt;
}

std::optional<double> allowedCores(const std::vector<ProcessTime>& processes, const std::filesystem::path& procRoot,
                                   const std::filesystem::path& sysRoot)
{
    std::set<std::optional<double>> quotas;
    cpu_set_t all;
    CPU_ZERO(&all);
    for (const ProcessTime& process : processes) {
        cpu_set_t own;
        CPU_ZERO(&own);
        if (sched_getaffinity(process.pid, sizeof own, &own) == 0)
            CPU_OR(&all, &all, &own);
        quotas.insert(readGroupLimits(procRoot, sysRoot, std::to_string(process.pid)).cpuQuotaCores);
    }
    if (CPU_COUNT(&all) == 0)
        return std::nullopt;
    const double processors = CPU_COUNT(&all);
    // Of groups that differ nobody knows what they share.
    return quotas.size() == 1 ? std::min(processors, quotas.begin()->value_or(processors)) : processors;
}

} // namespace lapbench
