#include "core/host/control_groups.h"

#include "core/host/system_files.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

template <typename Number>
void lower(std::optional<Number>& lowest, std::optional<Number> limit)
{
    if (limit)
        lowest = std::min(lowest.value_or(*limit), *limit);
}

/// "200000 100000": microseconds of processor time in each period; "max 100000": as much as there is.
std::optional<double> quotaOfVersion2(const fs::path& group)
{
    double quota = 0, period = 0;
    if (std::ifstream(group / "cpu.max") >> quota >> period && period > 0)
        return quota / period;
    return std::nullopt;
}

std::optional<double> quotaOfVersion1(const fs::path& group)
{
    double quota = 0, period = 0;
    if (std::ifstream(group / "cpu.cfs_quota_us") >> quota && quota > 0 &&
        std::ifstream(group / "cpu.cfs_period_us") >> period && period > 0)
        return quota / period;
    return std::nullopt;
}

void readGroup(const fs::path& group, GroupLimits& limits)
{
    auto quota = quotaOfVersion2(group);
    if (!quota)
        quota = quotaOfVersion1(group);
    lower(limits.cpuQuotaCores, quota);
    lower(limits.memoryLimitBytes, readCount(group / "memory.max"));
    lower(limits.memoryLimitBytes, readCount(group / "memory.limit_in_bytes"));
    if (quota)
        if (const auto throttled = readNamed(group / "cpu.stat", "nr_throttled"))
            limits.throttledPeriods = limits.throttledPeriods.value_or(0) + *throttled;
}

/// Where the hierarchy of a line of PROC/PROCESS/cgroup is mounted: version 2 alone or beside version 1; version 1 by
/// the names of its controllers, together or, where their order differs, the first of them as a link.
fs::path mountOf(const std::string& controllers, const fs::path& groups)
{
    std::error_code error;
    if (controllers.empty())
        return fs::is_directory(groups / "unified", error) ? groups / "unified" : groups;
    const fs::path together = groups / controllers;
    return fs::is_directory(together, error) ? together : groups / controllers.substr(0, controllers.find(','));
}

} // namespace

GroupLimits readGroupLimits(const fs::path& procRoot, const fs::path& sysRoot, const std::string& process)
{
    GroupLimits limits;
    std::ifstream file(procRoot / process / "cgroup");
    // "4:memory:/some/group", and "0::/some/group" for version 2.
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const fs::path mount = mountOf(line.substr(first + 1, second - first - 1), sysRoot / "fs/cgroup");
        // In a container the path may be the host's, whose groups are not to be seen here; what is mounted at the root
        // is then the container's own group.
        for (fs::path group = fs::path(line.substr(second + 1)).relative_path();; group = group.parent_path()) {
            readGroup(mount / group, limits);
            if (group.empty())
                break;
        }
    }
    return limits;
}

} // namespace lapbench
