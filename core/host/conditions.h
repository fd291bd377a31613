#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// What of the machine's state bears on a measurement, at one moment; what is not known is absent.
struct Conditions {
    std::optional<std::string> governor; ///< cpufreq, of processor 0
    std::optional<bool> turbo;           ///< boost allowed
    std::optional<bool> onBattery;
    // The tightest of this process's control groups (cgroups(7), version 1 or 2) from its own up to the root it can
    // see.
    std::optional<double> cpuQuotaCores;           ///< absent too where there is none
    std::optional<std::uint64_t> memoryLimitBytes; ///< absent too where there is none below the machine's memory
    std::optional<double> loadAverage;             ///< over the last minute
    std::optional<double> cpuPressure, memoryPressure, ioPressure; ///< PSI "some", share of the last 10 s, 0..1
    std::optional<std::uint64_t> swapUsedBytes;
    /// Other programs than the session's, the busiest first: "node (4711) 0.98", name, pid and mean cores over the
    /// session so far. Not read by readConditions(): it takes two moments.
    std::optional<std::vector<std::string>> busiestProcesses;
    // Counters since boot (or of the container): what matters is the difference of two.
    std::optional<std::uint64_t> swappedPages;     ///< in and out
    std::optional<std::uint64_t> throttledPeriods; ///< of the container's CPU quota
    std::optional<std::uint64_t> thermalThrottles; ///< of all processors
    std::optional<std::uint64_t> tcpRetransmits, listenOverflows, listenDrops;
    std::optional<double> stealSeconds;     ///< processor time that the hypervisor took
    std::optional<double> processorSeconds; ///< of all processors, idle and stolen time included

    bool operator==(const Conditions&) const = default;
};

/// Reads them from proc(5) and sysfs(5); the roots are parameters for tests. Any thread.
Conditions readConditions(const std::filesystem::path& procRoot = "/proc",
                          const std::filesystem::path& sysRoot = "/sys");

} // namespace lapbench
