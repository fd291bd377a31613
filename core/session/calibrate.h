#pragma once

#include "core/session/calibration.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lapbench {

/// One load to be measured.
struct CalibrationLevel {
    TransportKind transport = TransportKind::keepAlive;
    unsigned threads = 1, connections = 1;
};

struct CalibrationTask {
    std::vector<CalibrationLevel> levels;
    Nanoseconds window = std::chrono::seconds(2); ///< of one measurement
    unsigned rounds = 1;                          ///< the best of them counts
};

/// Both transports, threads 1, 2, 4 .. and `automatic` up to `processors`, connections 1 to 1000 (none with fewer
/// connections than threads), as many as `descriptors` allows. `quick`: fewer levels, a window of 500 ms, one round.
CalibrationTask calibrationTask(unsigned processors, unsigned automatic, std::uint64_t descriptors, bool quick);

/// How the caller looks on, on the thread that calls calibrate().
struct CalibrationWatch {
    /// Before each measurement, `done` of `total` of which are over.
    std::function<void(std::size_t done, std::size_t total, const CalibrationLevel& next)> onLevel;
    /// A level that could not be measured and is left out, and why.
    std::function<void(const CalibrationLevel& level, const std::string& why)> onLeftOut;
    const std::atomic<bool>* stop = nullptr;
};

/// `interrupted`: stopped before every level was measured in every round; what there is makes no calibration.
struct CalibrationEnd {
    Calibration calibration;
    bool interrupted = false;
};

/// Threads the built-in server gets beside so many of the generator: the processors that are left, and no fewer than
/// the generator has (as far as there are processors), so that it is the limit as rarely as can be.
unsigned serverThreadsBeside(unsigned threads, unsigned processors);

/// Measures this machine's ceiling as a generator: every level against the built-in server, a process of its own that
/// `program` (lapbench-cli) starts, in a different order each round. Blocks the caller. Problems: the server does not
/// start; no level at all could be measured.
Result<CalibrationEnd> calibrate(const CalibrationTask& task, const std::filesystem::path& program,
                                 const CalibrationWatch& watch);

} // namespace lapbench
