#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace lapbench {

/// CPU and memory of a process tree at one moment.
struct TreeSample {
    std::int64_t atNs = 0;      ///< steadyNs()
    double cpuSeconds = 0;      ///< user + system of the tree since it was first seen; never falls
    std::uint64_t rssBytes = 0; ///< summed over the living processes
    unsigned processes = 0;
};

/// CPU and memory over a stretch of time.
struct TreeUse {
    std::optional<double> cpuCoresMean, cpuCoresPeak; ///< peak: the highest one-second mean
    std::optional<std::uint64_t> rssBytesMean, rssBytesPeak;
    std::optional<unsigned> processesPeak;
};

/// One second of a stretch: mean CPU in cores and mean RSS.
struct TreeSecond {
    std::optional<double> cpuCores;
    std::optional<std::uint64_t> rssBytes;
};

/// What one process of the tree has used of the processors by itself, since its start.
struct ProcessTime {
    pid_t pid = 0;
    double cpuSeconds = 0;
};

/// Which processes a Sampler adds up.
enum class Watch {
    treeOfRoot, ///< the root and all below it
    belowRoot   ///< all below the root: Supervisor::treeRoot()
};

/// Watches the tree below one process at 10 Hz from /proc on a thread of its own. Made and destroyed by one thread;
/// the reading functions may be called from any thread while it runs.
class Sampler {
public:
    /// Takes the first sample at once: CPU counts from here. `procRoot` is a parameter for tests.
    explicit Sampler(pid_t root, std::filesystem::path procRoot = "/proc", Watch watch = Watch::treeOfRoot);
    ~Sampler();
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    /// The newest sample; nothing before the first or once the tree is gone.
    std::optional<TreeSample> latest() const;
    /// Each living process of the tree at the newest sample; none once the tree is gone.
    std::vector<ProcessTime> processes() const;
    /// Blocks until there is a sample taken at `ns` (steadyNs()) or later, the tree is gone, or 500 ms have passed:
    /// what is read before that misses the end of a stretch that has only just ended.
    void awaitSampleAt(std::int64_t ns) const;
    /// CPU in cores over about the last second, for live gauges; nothing before two samples lie 500 ms apart.
    std::optional<double> recentCpuCores() const;
    /// The stretch between two steadyNs() moments, from the samples in and next to it.
    TreeUse use(std::int64_t fromNs, std::int64_t toNs) const;
    /// The same second by second: element i covers [fromNs + i s, fromNs + (i+1) s).
    std::vector<TreeSecond> seconds(std::int64_t fromNs, std::int64_t toNs) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace lapbench
