#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace lapbench {

/// What the whole machine did over a stretch of time, in cores; interrupts are apart, for the load itself causes them.
struct MachineUse {
    std::optional<double> busyCores;  ///< user, nice and system time of all processes
    std::optional<double> irqCores;   ///< hard and soft interrupts
    std::optional<double> stealCores; ///< that the hypervisor gave to others
    /// TCP segments sent again, and connections lost for a full line of a listener: how many in the stretch.
    std::optional<std::uint64_t> tcpRetransmits = {}, listenOverflows = {};
};

/// Watches /proc/stat and the counters of TCP at 10 Hz on a thread of its own. Made and destroyed by one thread; the
/// reading functions may be called from any thread while it runs.
class MachineSampler {
public:
    explicit MachineSampler(std::filesystem::path procRoot = "/proc");
    ~MachineSampler();
    MachineSampler(const MachineSampler&) = delete;
    MachineSampler& operator=(const MachineSampler&) = delete;

    /// The stretch between two steadyNs() moments; absent where it is shorter than 100 ms, or less than half of it
    /// was watched.
    MachineUse use(std::int64_t fromNs, std::int64_t toNs) const;
    /// The same second by second: element i covers [fromNs + i s, fromNs + (i+1) s); a last part of a second counts
    /// where it is at least half of one.
    std::vector<MachineUse> seconds(std::int64_t fromNs, std::int64_t toNs) const;
    /// Over about the last second, for live display.
    MachineUse recent() const;
    unsigned processors() const; ///< of the machine, as /proc/stat has them

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace lapbench
