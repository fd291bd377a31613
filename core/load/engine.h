#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/plan/rate_course.h"
#include "core/stats/summary.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// Everything the load core needs to know of one trial, the options of the wire among it (`connectTimeout` counts as
/// `timeout` where that is shorter).
struct LoadTask : WireOptions {
    std::string url; ///< "http://host:port" or "https://host:port"; the workload's paths are added
    Workload workload;
    std::filesystem::path folder; ///< where the names of files in the workload and the options start
    std::uint64_t seed = 1;
    unsigned connections = 1;
    RateCourse course; ///< open loop: how the rate goes from the opening of the window; empty: closed loop
    std::optional<unsigned> threads; ///< absent: automatic
    std::vector<unsigned> cores;     ///< worker i is kept to cores[i % size]; empty: any
    Extent warmup;                   ///< duration zero or no field: none
    Extent measure;                  ///< exactly one of the two
};

/// What happened since the last look, for live display; about `LoadWatch::period` long.
struct LoadInterval {
    double t = 0;      ///< its end, in seconds since the window opened; negative in the warm-up
    double length = 0; ///< seconds that this interval covers
    std::uint64_t ok = 0, failed = 0;
    std::optional<double> rps;
    std::optional<double> p25Us, p50Us, p75Us, p99Us, maxUs;
    std::optional<double> generatorCpuCores;
    std::optional<std::uint64_t> generatorRssBytes;
    SparseHistogram latency;
};

enum class LoadPhase { connect, warmup, measure, finish };

/// How the caller looks on. The functions run on the thread that called runLoad.
struct LoadWatch {
    std::function<void(LoadPhase)> onPhase;
    std::function<void(const LoadInterval&)> onInterval; ///< a few times a second, warm-up included
    const std::atomic<bool>* stop = nullptr;             ///< when it becomes true the window closes within 200 ms
    std::function<bool()> stopAsked; ///< the same as a question, put every 20 ms, while connecting too
    Nanoseconds period = std::chrono::milliseconds(250);
};

/// What came of it. `interrupted`: `stop` closed the window early; the figures are of the window so far.
struct LoadReport {
    LoadFigures figures;
    bool interrupted = false;
    bool gaveUp = false;       ///< requests that were counted out were left, as no connection was to be had any more
    bool windowOpened = false; ///< false: no connection to be had, or stopped before; see figures.errors
    TransportKind transport = TransportKind::keepAlive; ///< the one that was used
    std::string httpVersion;         ///< "1.1", "2", "3": what was spoken; empty where no answer told
    std::int64_t windowOpenedNs = 0; ///< steadyNs() when the window opened and closed
    std::int64_t windowClosedNs = 0;
};

/// What keeps this machine from making that load: options that exclude each other, its libcurl, its limits of
/// descriptors and ports, local addresses or processors it does not have. The first problem; runLoad() looks by itself.
Result<void> checkMachine(const LoadTask& task);

/// Runs one trial's load on worker threads of its own and returns when all of them have ended. Blocks the caller, on
/// which the watch is called. Problems are of the task (bad URL, unresolvable host, a limit of this machine).
/// Not reentrant on one thread; several may run at once on different threads.
Result<LoadReport> runLoad(const LoadTask& task, const LoadWatch& watch);

/// The number of workers `automatic` stands for: that of `cores`, else half the processors this process may use (the
/// server needs the rest); 1 to 8, never more than connections.
unsigned automaticThreads(unsigned connections, std::size_t cores = 0);

} // namespace lapbench
