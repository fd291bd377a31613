#pragma once

#include "core/host/machine_sampler.h"
#include "core/load/engine.h"
#include "core/result/session_result.h"
#include "core/server/busy_processes.h"
#include "core/server/sampler.h"
#include "core/session/noise.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// What stands beside a second of a trial's figures.
struct MachineSecond {
    std::optional<double> noise; ///< share of the machine that others and steal took
    std::optional<std::uint64_t> tcpRetransmits, listenOverflows;
};

/// Watches the whole machine while one trial runs, to tell what others took of it. Made just before the load and gone
/// with the trial; one thread.
class MachineWatch {
public:
    /// `server` samples the server's tree and outlives this; null: it is not known, and nor is what others took.
    explicit MachineWatch(const Sampler* server);

    /// Notes how far this process has got; to be called at least every 100 ms.
    void tick();
    /// Over about the last second; nothing where that is not known.
    std::optional<double> recentNoise() const;

    /// How long Lapbench itself did not run in a window that has closed, in seconds.
    double stoodStill(const LoadReport& report) const;
    /// Of a window that has closed.
    MachineFigures figures(const LoadReport& report) const;
    /// Second by second of it; the last part of one counts where it is at least half.
    std::vector<MachineSecond> seconds(const LoadReport& report) const;
    /// Who else was busy since the load began: "cc1plus (99) 0.50"; empty where nobody was.
    std::string others() const;

private:
    std::optional<double> generatorCores(std::int64_t fromNs, std::int64_t toNs) const;
    MachineShares sharesOf(MachineUse machine, std::optional<double> server, std::optional<double> generator) const;

    const Sampler* m_server;
    const bool m_interruptsTwice;
    const ProcessSnapshot m_before;
    MachineSampler m_machine;
    std::vector<OwnTime> m_own;
};

} // namespace lapbench
