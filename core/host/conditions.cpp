#include "core/host/conditions.h"

#include "core/host/control_groups.h"
#include "core/host/system_files.h"

#include <fstream>
#include <sstream>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

/// Calls `each(path)` for the entries of a folder; none where it is not there.
template <typename Each>
void forEachEntry(const fs::path& folder, Each each)
{
    std::error_code error;
    fs::directory_iterator at(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error))
        each(at->path());
}

std::optional<bool> readTurbo(const fs::path& processors)
{
    if (const auto off = readCount(processors / "intel_pstate/no_turbo"))
        return *off == 0;
    if (const auto on = readCount(processors / "cpufreq/boost"))
        return *on != 0;
    return std::nullopt;
}

/// sysfs-class-power: whether the machine itself runs from its battery. The batteries of mice and the like do not
/// count.
std::optional<bool> readOnBattery(const fs::path& supplies)
{
    bool mains = false, online = false, battery = false, discharging = false;
    forEachEntry(supplies, [&](const fs::path& supply) {
        const std::string type = firstLine(supply / "type").value_or("");
        if (firstLine(supply / "scope").value_or("") == "Device")
            return;
        if (type == "Battery" || type == "UPS") {
            battery = true;
            discharging |= firstLine(supply / "status").value_or("") == "Discharging";
        } else if (const auto state = readCount(supply / "online")) {
            mains = true;
            online |= *state != 0;
        }
    });
    if (online)
        return false;
    if (!battery)
        return std::nullopt;
    return discharging || mains;
}

/// "some avg10=0.12 avg60=.." of pressure stall information, as a share.
std::optional<double> readPressure(const fs::path& file)
{
    const std::string line = firstLine(file).value_or("");
    constexpr std::string_view kMark = "some avg10=";
    double percent = 0;
    if (line.starts_with(kMark) && std::istringstream(line.substr(kMark.size())) >> percent)
        return percent / 100;
    return std::nullopt;
}

std::optional<std::uint64_t> readThermalThrottles(const fs::path& processors)
{
    std::optional<std::uint64_t> sum;
    forEachEntry(processors, [&](const fs::path& processor) {
        for (const char* file : {"thermal_throttle/core_throttle_count", "thermal_throttle/package_throttle_count"})
            if (const auto count = readCount(processor / file))
                sum = sum.value_or(0) + *count;
    });
    return sum;
}

std::optional<std::uint64_t> readSwapUsed(const fs::path& procRoot)
{
    const auto total = memoryLine(procRoot, "SwapTotal:"), free = memoryLine(procRoot, "SwapFree:");
    if (!total || !free || *free > *total)
        return std::nullopt;
    return *total - *free;
}

} // namespace

Conditions readConditions(const fs::path& procRoot, const fs::path& sysRoot)
{
    const fs::path processors = sysRoot / "devices/system/cpu";
    Conditions now;
    now.governor = firstLine(processors / "cpu0/cpufreq/scaling_governor");
    now.turbo = readTurbo(processors);
    now.onBattery = readOnBattery(sysRoot / "class/power_supply");
    const GroupLimits limits = readGroupLimits(procRoot, sysRoot);
    now.cpuQuotaCores = limits.cpuQuotaCores;
    now.throttledPeriods = limits.throttledPeriods;
    // Version 1 writes "no limit" as a very large number.
    if (limits.memoryLimitBytes && *limits.memoryLimitBytes < memoryLine(procRoot, "MemTotal:").value_or(1ULL << 60))
        now.memoryLimitBytes = limits.memoryLimitBytes;
    double load = 0;
    if (std::ifstream(procRoot / "loadavg") >> load)
        now.loadAverage = load;
    now.cpuPressure = readPressure(procRoot / "pressure/cpu");
    now.memoryPressure = readPressure(procRoot / "pressure/memory");
    now.ioPressure = readPressure(procRoot / "pressure/io");
    now.swapUsedBytes = readSwapUsed(procRoot);
    const auto in = readNamed(procRoot / "vmstat", "pswpin"), out = readNamed(procRoot / "vmstat", "pswpout");
    if (in && out)
        now.swappedPages = *in + *out;
    now.thermalThrottles = readThermalThrottles(processors);
    now.tcpRetransmits = readNetCounter(procRoot / "net/snmp", "Tcp:", "RetransSegs");
    now.listenOverflows = readNetCounter(procRoot / "net/netstat", "TcpExt:", "ListenOverflows");
    now.listenDrops = readNetCounter(procRoot / "net/netstat", "TcpExt:", "ListenDrops");
    if (const auto times = readProcessorTimes(procRoot)) {
        now.stealSeconds = times->steal;
        now.processorSeconds = times->all;
    }
    return now;
}

} // namespace lapbench
