#include "core/session/machine_watch.h"

#include "core/base/clock.h"
#include "core/base/counter_series.h"

#include <unistd.h>

#include <algorithm>

namespace lapbench {

namespace {

constexpr std::int64_t kTick = 100'000'000, kSecond = 1'000'000'000;
constexpr std::size_t kMostBusy = 3;

} // namespace

MachineWatch::MachineWatch(const Sampler* server)
    : m_server(server), m_interruptsTwice(interruptsCountTwice()),
      m_before(server == nullptr ? ProcessSnapshot{} : takeSnapshot()), m_own{ownTimeNow()}
{}

void MachineWatch::tick()
{
    if (steadyNs() - m_own.back().atNs >= kTick)
        m_own.push_back(ownTimeNow());
}

std::optional<double> MachineWatch::generatorCores(std::int64_t fromNs, std::int64_t toNs) const
{
    return meanRise(m_own, &OwnTime::cpuSeconds, fromNs, toNs, (toNs - fromNs) / 2);
}

MachineShares MachineWatch::sharesOf(MachineUse machine, std::optional<double> server,
                                     std::optional<double> generator) const
{
    return {machine, server, generator, m_interruptsTwice};
}

std::optional<double> MachineWatch::recentNoise() const
{
    if (m_server == nullptr)
        return std::nullopt;
    const std::int64_t nowNs = m_own.back().atNs;
    return noiseOf(sharesOf(m_machine.recent(), m_server->recentCpuCores(), generatorCores(nowNs - kSecond, nowNs)),
                   m_machine.processors());
}

double MachineWatch::stoodStill(const LoadReport& report) const
{
    return lapbench::stoodStill(m_own, report.windowOpenedNs, report.windowClosedNs);
}

MachineFigures MachineWatch::figures(const LoadReport& report) const
{
    MachineFigures figures;
    if (!report.windowOpened)
        return figures;
    const std::int64_t fromNs = report.windowOpenedNs, toNs = report.windowClosedNs;
    const MachineUse machine = m_machine.use(fromNs, toNs);
    figures.cpuCoresMean = machine.busyCores;
    if (machine.busyCores)
        figures.cpuCoresMean = *machine.busyCores + machine.irqCores.value_or(0);
    if (machine.stealCores && m_machine.processors() != 0)
        figures.steal = *machine.stealCores / m_machine.processors();
    if (m_server == nullptr)
        return figures;
    figures.othersCpuCoresMean =
        othersCores(sharesOf(machine, m_server->use(fromNs, toNs).cpuCoresMean, generatorCores(fromNs, toNs)));
    figures.noisySeconds = noisyShare(noise(report));
    return figures;
}

std::vector<std::optional<double>> MachineWatch::noise(const LoadReport& report) const
{
    std::vector<std::optional<double>> noise;
    if (m_server == nullptr || !report.windowOpened)
        return noise;
    const std::int64_t fromNs = report.windowOpenedNs, toNs = report.windowClosedNs;
    const std::vector<MachineUse> machine = m_machine.seconds(fromNs, toNs);
    const std::vector<TreeSecond> server = m_server->seconds(fromNs, toNs);
    const auto whole = static_cast<std::size_t>((toNs - fromNs) / kSecond);
    for (std::size_t i = 0; i < std::min({whole, machine.size(), server.size()}); ++i) {
        const std::int64_t at = fromNs + static_cast<std::int64_t>(i) * kSecond;
        noise.push_back(noiseOf(sharesOf(machine[i], server[i].cpuCores, generatorCores(at, at + kSecond)),
                                m_machine.processors()));
    }
    return noise;
}

std::string MachineWatch::others() const
{
    if (m_server == nullptr)
        return {};
    std::vector<pid_t> ours = {::getpid()};
    for (const ProcessTime& process : m_server->processes())
        ours.push_back(process.pid);
    return formatBusy(busiestOthers(m_before, takeSnapshot(), ours, kMostBusy));
}

} // namespace lapbench
