#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lapbench {

/// What the control groups of a process allow it; each group it is in, up to the root that is visible here, counts.
struct GroupLimits {
    std::optional<double> cpuQuotaCores;           ///< the lowest; absent: none
    std::optional<std::uint64_t> memoryLimitBytes; ///< the lowest; absent: none
    std::optional<std::uint64_t> throttledPeriods; ///< of all of them; absent where none has a quota
};

/// From PROC/PROCESS/cgroup and the files below SYS/fs/cgroup: version 2, version 1, and both side by side. `process`
/// is a pid, or "self". Any thread.
GroupLimits readGroupLimits(const std::filesystem::path& procRoot, const std::filesystem::path& sysRoot,
                            const std::string& process = "self");

} // namespace lapbench
