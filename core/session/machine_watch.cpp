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
    std::vector<std::optional<double>> noise;
    for (const MachineSecond& second : seconds(report))
        noise.push_back(second.noise);
    figures.noisySeconds = noisyShare(noise);
    return figures;
}

std::vector<MachineSecond> MachineWatch::seconds(const LoadReport& report) const
{
    std::vector<MachineSecond> seconds;
    if (!report.windowOpened)
        return seconds;
    const std::int64_t fromNs = report.windowOpenedNs, toNs = report.windowClosedNs;
    const std::vector<TreeSecond> server =
        m_server != nullptr ? m_server->seconds(fromNs, toNs) : std::vector<TreeSecond>{};
    std::int64_t at = fromNs;
    for (const MachineUse& machine : m_machine.seconds(fromNs, toNs)) {
        MachineSecond second{std::nullopt, machine.tcpRetransmits, machine.listenOverflows};
        if (const std::size_t i = seconds.size(); i < server.size())
            second.noise =
                noiseOf(sharesOf(machine, server[i].cpuCores, generatorCores(at, std::min(at + kSecond, toNs))),
                        m_machine.processors());
        seconds.push_back(second);
        at += kSecond;
    }
    return seconds;
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
