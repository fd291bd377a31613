#include "core/host/machine_sampler.h"

#include "core/base/clock.h"
#include "core/base/repeater.h"
#include "core/host/machine_history.h"
#include "core/host/system_files.h"

#include <chrono>
#include <mutex>
#include <optional>

namespace lapbench {

namespace {

constexpr Nanoseconds kInterval = std::chrono::milliseconds(100);

} // namespace

struct MachineSampler::State {
    const std::filesystem::path procRoot;

    mutable std::mutex mutex; ///< guards what follows
    MachineHistory history;
    unsigned processors = 0;

    std::optional<Repeater> repeater; ///< the last member: it looks no more once the others go

    explicit State(std::filesystem::path root) : procRoot(std::move(root)) {}

    void look()
    {
        const auto times = readProcessorTimes(procRoot);
        const std::int64_t timesNs = steadyNs();
        const auto retransmits = readNetCounter(procRoot / "net/snmp", "Tcp:", "RetransSegs");
        const auto overflows = readNetCounter(procRoot / "net/netstat", "TcpExt:", "ListenOverflows");
        const std::int64_t tcpNs = steadyNs();
        const std::lock_guard lock(mutex);
        if (times) {
            processors = times->processors;
            history.add(MachineSample{timesNs, times->busy, times->interrupts, times->steal});
        }
        if (retransmits && overflows)
            history.add(TcpSample{tcpNs, static_cast<double>(*retransmits), static_cast<double>(*overflows)});
    }
};

MachineSampler::MachineSampler(std::filesystem::path procRoot) : m_state(std::make_unique<State>(std::move(procRoot)))
{
    m_state->look();
    m_state->repeater.emplace(kInterval, [state = m_state.get()] { state->look(); });
}

MachineSampler::~MachineSampler() = default;

MachineUse MachineSampler::use(std::int64_t fromNs, std::int64_t toNs) const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->history.use(fromNs, toNs);
}

std::vector<MachineUse> MachineSampler::seconds(std::int64_t fromNs, std::int64_t toNs) const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->history.seconds(fromNs, toNs);
}

MachineUse MachineSampler::recent() const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->history.recent();
}

unsigned MachineSampler::processors() const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->processors;
}

} // namespace lapbench
