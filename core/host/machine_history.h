#pragma once

#include "core/host/machine_sampler.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapbench {

/// What all processors had done together up to one moment, in seconds; guest time is in busy, waiting for disks is not.
struct MachineSample {
    std::int64_t atNs = 0; ///< steadyNs()
    double busySeconds = 0, irqSeconds = 0, stealSeconds = 0;
};

/// What TCP had counted up to one moment.
struct TcpSample {
    std::int64_t atNs = 0;
    double retransmits = 0, listenOverflows = 0;
};

/// The samples of a machine in the order they were taken, and the figures read from them. Keeps the newest 100'000 (2.8
/// hours at 10 Hz). One thread.
class MachineHistory {
public:
    static constexpr std::size_t kMostSamples = 100'000;

    void add(const MachineSample& sample);
    void add(const TcpSample& sample);

    /// As in MachineSampler.
    MachineUse use(std::int64_t fromNs, std::int64_t toNs) const;
    std::vector<MachineUse> seconds(std::int64_t fromNs, std::int64_t toNs) const;
    MachineUse recent() const;

private:
    MachineUse mean(std::int64_t fromNs, std::int64_t toNs, std::int64_t shortestNs) const;

    std::vector<MachineSample> m_samples;
    std::vector<TcpSample> m_tcp;
};

} // namespace lapbench
