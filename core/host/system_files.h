#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

/// Readers of the small text files of proc(5) and sysfs(5); nothing where the file or what is asked for is not there.
/// Any thread.

std::optional<std::string> firstLine(const std::filesystem::path& path);
/// A file that holds one whole number.
std::optional<std::uint64_t> readCount(const std::filesystem::path& path);
/// The number behind the first word `name` that starts a line: "pswpin 12", "MemTotal:  2000 kB".
std::optional<std::uint64_t> readNamed(const std::filesystem::path& path, std::string_view name);
/// The same of meminfo, in bytes.
std::optional<std::uint64_t> memoryLine(const std::filesystem::path& procRoot, std::string_view name);

/// The counter `name` of /proc/net/snmp or /proc/net/netstat, where a line of names stands above a line of values; both
/// begin with `group`, as in "Tcp:".
std::optional<std::uint64_t> readNetCounter(const std::filesystem::path& path, std::string_view group,
                                            std::string_view name);

/// The first line of /proc/stat, all processors together, in seconds since boot. Time of virtual machines that run
/// here (guest) is part of user and nice already and is not read again.
struct ProcessorTimes {
    double busy = 0;                  ///< user, nice, system
    double interrupts = 0, steal = 0; ///< hard and soft interrupts; what the hypervisor gave to others
    double all = 0;                   ///< with the idle time, which waiting for disks is a part of
    unsigned processors = 0;          ///< those that are on
};
std::optional<ProcessorTimes> readProcessorTimes(const std::filesystem::path& procRoot);

} // namespace lapbench
