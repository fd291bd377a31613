#pragma once

#include "core/server/process_tree.h"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapbench {

/// A process that used the processors.
struct BusyProcess {
    pid_t pid = 0;
    std::string name; ///< as in /proc/PID/comm; empty where it has ended meanwhile
    double cores = 0; ///< processor time of its own over the stretch

    bool operator==(const BusyProcess&) const = default;
};

/// What each process of the machine had used at one moment.
struct ProcessSnapshot {
    std::int64_t atNs = 0; ///< steadyNs()
    std::vector<ProcessStat> processes;
};
ProcessSnapshot takeSnapshot(const std::filesystem::path& procRoot = "/proc");

/// The kernel counts in ticks of 10 ms: a shorter stretch tells nothing.
inline constexpr std::int64_t kShortestStretchNs = 100'000'000;

/// Who used most between two snapshots, the busiest first, at most `most`, none below 0.01 cores. Without the trees of
/// `excluded` (each root and all below it, in either snapshot). Processes that had not been there before count from
/// their birth; of those that ended in between nothing is known. Nothing where the snapshots lie closer than that.
/// Names are read now.
std::vector<BusyProcess> busiestOthers(const ProcessSnapshot& before, const ProcessSnapshot& after,
                                       const std::vector<pid_t>& excluded, std::size_t most = 5,
                                       const std::filesystem::path& procRoot = "/proc");

/// "node (4711) 0.98, cc1plus (99) 0.50": name, pid and cores, for evidence; empty where there is none.
std::string formatBusy(const std::vector<BusyProcess>& processes);

} // namespace lapbench
