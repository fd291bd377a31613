#include "core/host/condition_findings.h"

#include "core/base/units.h"

#include <string>

namespace lapbench {

namespace {

constexpr std::uint64_t kLittleMemory = 1'000'000'000;
constexpr std::uint64_t kMuchSwap = 100'000'000;
constexpr double kPressure = 0.10;       ///< of the last 10 s, for processors and disks
constexpr double kMemoryPressure = 0.01; ///< for memory

DoctorFinding judgeTurbo(bool allowed)
{
    if (!allowed)
        return {"turbo", "ok", "the processor does not boost its clock", ""};
    return {"turbo", "info", "the processor may boost its clock, less so when it is warm or more of its cores are busy",
            "for steadier numbers switch it off while measuring, as root: echo 1 > "
            "/sys/devices/system/cpu/intel_pstate/no_turbo, or echo 0 > /sys/devices/system/cpu/cpufreq/boost"};
}

DoctorFinding judgeBattery(bool onBattery)
{
    if (!onBattery)
        return {"battery", "ok", "the machine does not run on its battery", ""};
    return {"battery", "warning", "the machine runs on its battery, which may slow the processor down", "plug it in"};
}

DoctorFinding judgeQuota(double cores, const std::optional<unsigned>& cpus)
{
    const std::string quota = "the container may use " + formatSignificant(cores) + " cores of processor time";
    if (cpus && cores >= *cpus)
        return {"cpu_quota", "ok", quota + ", which is all there is", ""};
    return {"cpu_quota", "warning",
            quota + (cpus ? " on " + formatCounted(*cpus, "processor") : "") +
                ": its processes are stopped for the rest of each period",
            "give it whole processors instead: --cpuset-cpus and no --cpus, or no CPUQuota"};
}

DoctorFinding judgeMemoryLimit(std::uint64_t bytes)
{
    DoctorFinding finding{"memory_limit", "ok",
                          "the container may use " + formatBytes(static_cast<double>(bytes)) + " of memory", ""};
    if (bytes < kLittleMemory) {
        finding.severity = "warning";
        finding.cure = "raise its memory limit: server and generator are both within it";
    }
    return finding;
}

/// One finding for all three kinds; those that are not known are left out.
std::optional<DoctorFinding> judgePressure(const Conditions& conditions)
{
    const struct {
        const std::optional<double>& share;
        double bound;
        const char* what;
    } kinds[] = {{conditions.cpuPressure, kPressure, "a processor"},
                 {conditions.memoryPressure, kMemoryPressure, "memory"},
                 {conditions.ioPressure, kPressure, "the disk"}};
    std::string shares;
    bool high = false;
    for (const auto& kind : kinds) {
        if (!kind.share)
            continue;
        shares += (shares.empty() ? "" : ", ") + formatShareRounded(*kind.share) + " for " + kind.what;
        high |= *kind.share >= kind.bound;
    }
    if (shares.empty())
        return std::nullopt;
    return DoctorFinding{"pressure", high ? "warning" : "ok", "of the last 10 s processes waited " + shares,
                         high ? "end other programs, or wait until the machine is quiet" : ""};
}

DoctorFinding judgeSwap(std::uint64_t bytes)
{
    DoctorFinding finding{"swap", "ok", formatBytes(static_cast<double>(bytes)) + " of memory are swapped out", ""};
    if (bytes >= kMuchSwap) {
        finding.severity = "warning";
        finding.cure = "end other programs, then bring it back as root: swapoff -a && swapon -a";
    }
    return finding;
}

} // namespace

std::vector<DoctorFinding> judgeConditions(const Conditions& conditions, const std::optional<unsigned>& cpus)
{
    std::vector<DoctorFinding> findings;
    if (conditions.turbo)
        findings.push_back(judgeTurbo(*conditions.turbo));
    if (conditions.onBattery)
        findings.push_back(judgeBattery(*conditions.onBattery));
    if (conditions.cpuQuotaCores)
        findings.push_back(judgeQuota(*conditions.cpuQuotaCores, cpus));
    if (conditions.memoryLimitBytes)
        findings.push_back(judgeMemoryLimit(*conditions.memoryLimitBytes));
    if (auto pressure = judgePressure(conditions))
        findings.push_back(std::move(*pressure));
    if (conditions.swapUsedBytes)
        findings.push_back(judgeSwap(*conditions.swapUsedBytes));
    return findings;
}

DoctorFinding judgeAffinity(const AffinityProposal& proposal)
{
    if (!proposal.apart())
        return {"affinity", "warning", "there is one physical core: server and generator have to share it",
                "use a machine with more of them, or a server on another machine"};
    return {"affinity", "info", "server and generator can have physical cores of their own",
            "put it into the plan: " + formatAffinity(proposal)};
}

} // namespace lapbench
