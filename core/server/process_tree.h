#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// One process as /proc/PID/stat tells it (proc(5)). Times are in clock ticks.
struct ProcessStat {
    pid_t pid = 0, parent = 0, session = 0;
    char state = '?';
    std::uint64_t ownTicks = 0;   ///< user + system
    std::uint64_t childTicks = 0; ///< the same of children that ended and were waited for
    std::uint64_t startTicks = 0; ///< since boot; with the pid it names a process for good
    std::uint64_t rssPages = 0;

    bool alive() const { return state != 'Z' && state != 'X'; }
};

/// Nothing for a process that is gone. Any thread, as are all functions here; `procRoot` is "/proc" but in tests.
std::optional<ProcessStat> readProcessStat(const std::filesystem::path& procRoot, pid_t pid);

/// Every process there is, zombies included.
std::vector<ProcessStat> allProcesses(const std::filesystem::path& procRoot);

/// All processes below `root`, without it, parents before their children.
std::vector<pid_t> descendantsOf(const std::filesystem::path& procRoot, pid_t root);

/// The name in /proc/PID/comm; empty for a process that is gone.
std::string processName(const std::filesystem::path& procRoot, pid_t pid);

/// The inodes of the sockets a process holds; nothing where they may not be read.
std::optional<std::vector<std::uint64_t>> socketsOf(const std::filesystem::path& procRoot, pid_t pid);

/// TERM, 500 ms, then KILL for `root`, a child of this process, and everything below it; waits for `root`. At most
/// ten seconds. For programs that were started without the guard.
void endChildTree(pid_t root);

} // namespace lapbench
