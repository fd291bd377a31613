#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// The machine a session ran on; what is not known is absent.
struct HostInfo {
    std::string hostname, os, kernel, cpuModel, architecture;
    std::optional<unsigned> cpus; ///< processors this process may use
    std::optional<std::uint64_t> memoryBytes;
    std::optional<std::string> governor; ///< cpufreq governor of processor 0
    bool root = false;
};
/// From uname(2), /etc/os-release, /proc and /sys. Any thread.
HostInfo readHostInfo();

/// Something on this machine that would spoil a measurement, or that is in order.
struct DoctorFinding {
    std::string code;     ///< "descriptors" and so on, see examineHost()
    std::string severity; ///< "ok", "info", "warning", "error"
    std::string text;     ///< one sentence with the figure
    std::string cure;     ///< empty where nothing is to be done
};
/// In the order descriptors, governor, load, memory, ports, then of what this machine tells turbo, battery, cpu_quota,
/// memory_limit, pressure, swap, then affinity. Any thread.
std::vector<DoctorFinding> examineHost();

/// Raises the soft descriptor limit to the hard one; returns the limit now in force.
std::uint64_t raiseDescriptorLimit();

} // namespace lapbench
