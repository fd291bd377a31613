#include "core/session/noise.h"

#include "core/base/clock.h"
#include "core/base/units.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <string>

namespace lapbench {

using namespace bottleneck_bounds;

namespace {

constexpr std::int64_t kStillNs = 500'000'000;
constexpr double kAtWork = 0.25; // cores

} // namespace

OwnTime ownTimeNow()
{
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return {steadyNs(), static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9};
}

double stoodStill(const std::vector<OwnTime>& noted, std::int64_t fromNs, std::int64_t toNs)
{
    std::int64_t still = 0;
    for (std::size_t i = 1; i < noted.size(); ++i) {
        const OwnTime &before = noted[i - 1], &after = noted[i];
        const std::int64_t gapNs = std::min(after.atNs, toNs) - std::max(before.atNs, fromNs);
        const double whole = static_cast<double>(after.atNs - before.atNs) / 1e9;
        // Only the thread that notes may have waited, as for a terminal that takes nothing: the others then work on.
        if (gapNs >= kStillNs && after.cpuSeconds - before.cpuSeconds < kAtWork * whole)
            still += gapNs;
    }
    return static_cast<double>(still) / 1e9;
}

bool interruptsCountTwice(const std::filesystem::path& procRoot)
{
    std::ifstream file(procRoot / "stat");
    std::string name;
    std::uint64_t user = 0, nice = 0, system = 0, idle = 0, waiting = 0, hard = 0;
    return file >> name >> user >> nice >> system >> idle >> waiting >> hard && hard == 0;
}

std::optional<double> othersCores(const MachineShares& shares)
{
    const auto& [machine, server, generator, interruptsTwice] = shares;
    if (!machine.busyCores || !server || !generator)
        return std::nullopt;
    const double all = *machine.busyCores + (interruptsTwice ? machine.irqCores.value_or(0) : 0);
    return std::max(0.0, all - *server - *generator);
}

std::optional<double> noiseOf(const MachineShares& shares, unsigned processors)
{
    const auto others = othersCores(shares);
    if (!others || processors == 0)
        return std::nullopt;
    return (*others + shares.machine.stealCores.value_or(0)) / processors;
}

std::optional<double> noisyShare(const std::vector<std::optional<double>>& noise)
{
    std::size_t known = 0, noisy = 0;
    for (const auto& second : noise) {
        known += second ? 1 : 0;
        noisy += second && *second > kOthersShare ? 1 : 0;
    }
    return known == 0 ? std::nullopt : std::optional(static_cast<double>(noisy) / static_cast<double>(known));
}

std::optional<Warning> noiseWarning(const MachineFigures& host, const std::string& who)
{
    if (!host.noisySeconds || *host.noisySeconds <= kNoisySeconds)
        return std::nullopt;
    std::string evidence;
    const auto add = [&evidence](const std::string& text) { evidence += (evidence.empty() ? "" : "; ") + text; };
    if (host.othersCpuCoresMean)
        add("others used " + formatSignificant(*host.othersCpuCoresMean) + " cores");
    if (host.steal && *host.steal >= 0.001)
        add("the hypervisor took " + formatShareRounded(*host.steal) + " of the machine");
    if (!who.empty())
        add(who);
    return Warning{"noisy", "warning",
                   "in " + formatShareRounded(*host.noisySeconds) + " of the seconds others used more than " +
                       formatShareRounded(kOthersShare) + " of the machine",
                   evidence};
}

} // namespace lapbench
