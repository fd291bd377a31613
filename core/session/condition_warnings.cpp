#include "core/session/condition_warnings.h"

#include "core/base/units.h"

#include <algorithm>
#include <optional>
#include <string>

namespace lapbench {

namespace {

namespace bounds = condition_bounds;

/// How far a counter rose; nothing where either end is not known, or it started anew.
template <typename Number>
std::optional<Number> rise(const std::optional<Number>& before, const std::optional<Number>& after)
{
    if (!before || !after || *after < *before)
        return std::nullopt;
    return *after - *before;
}

class Judgement {
public:
    Judgement(const Conditions& before, const Conditions& after) : m_before(before), m_after(after) {}

    std::vector<Warning> all()
    {
        governor();
        turbo();
        battery();
        throttled();
        steal();
        pressure();
        swapping();
        network();
        return std::move(m_warnings);
    }

private:
    void warn(const char* code, const char* text, std::string evidence)
    {
        m_warnings.push_back({code, "warning", text, std::move(evidence)});
    }

    /// The figures of both ends, or of the one that has it.
    std::optional<double> higher(std::optional<double> Conditions::*figure) const
    {
        if (!(m_before.*figure) || !(m_after.*figure))
            return m_before.*figure ? m_before.*figure : m_after.*figure;
        return std::max(m_before.*figure, m_after.*figure);
    }

    void governor()
    {
        const auto saves = [](const std::optional<std::string>& name) { return name && *name != "performance"; };
        if (!saves(m_before.governor) && !saves(m_after.governor))
            return;
        std::string evidence = "governor " + m_before.governor.value_or("not known");
        if (m_after.governor != m_before.governor)
            evidence += ", afterwards " + m_after.governor.value_or("not known");
        warn("governor", "the processor's frequency governor is not performance: its clock follows the load",
             std::move(evidence));
    }

    void turbo()
    {
        if (m_before.turbo && m_after.turbo && *m_before.turbo != *m_after.turbo)
            warn("turbo", "the processor's boost was switched during the session",
                 *m_after.turbo ? "off before, on afterwards" : "on before, off afterwards");
        else if (m_before.turbo.value_or(false) || m_after.turbo.value_or(false))
            m_warnings.push_back({"turbo", "info",
                                  "the processor may boost its clock: it does so less when it is warm or more of its "
                                  "cores are busy",
                                  "boost allowed"});
    }

    void battery()
    {
        const bool before = m_before.onBattery.value_or(false), after = m_after.onBattery.value_or(false);
        if (before || after)
            warn("battery", "the machine ran on its battery, which may slow the processor down",
                 before && after ? "before and afterwards"
                 : before        ? "before the session"
                                 : "after the session");
    }

    void throttled()
    {
        if (const auto periods = rise(m_before.throttledPeriods, m_after.throttledPeriods);
            periods.value_or(0) >= bounds::kThrottled)
            warn("throttled", "the container's CPU quota stopped its processes",
                 formatCounted(*periods, "period") + " throttled" +
                     (m_after.cpuQuotaCores ? ", quota " + formatSignificant(*m_after.cpuQuotaCores) + " cores" : ""));
        if (const auto times = rise(m_before.thermalThrottles, m_after.thermalThrottles);
            times.value_or(0) >= bounds::kThrottled)
            warn("thermal_throttled", "the processor slowed itself down because it was too hot",
                 formatCounted(*times, "throttling event"));
    }

    void steal()
    {
        const auto stolen = rise(m_before.stealSeconds, m_after.stealSeconds);
        const auto all = rise(m_before.processorSeconds, m_after.processorSeconds);
        if (stolen && all && *all > 0 && *stolen / *all >= bounds::kStealShare)
            warn("steal", "the hypervisor gave processor time of this virtual machine to others",
                 formatShareRounded(*stolen / *all) + " of the time, " + formatSignificant(*stolen) + " s");
    }

    void pressure()
    {
        // Of the CPU only before: afterwards the load itself was the cause.
        if (const auto cpu = m_before.cpuPressure; cpu.value_or(0) >= bounds::kLoadPressure)
            warn("cpu_pressure", "processes waited for a processor before the session began: the machine was not idle",
                 formatShareRounded(*cpu) + " of the 10 s before (PSI)");
        if (const auto memory = higher(&Conditions::memoryPressure); memory.value_or(0) >= bounds::kMemoryPressure)
            warn("memory_pressure", "processes waited for memory", formatShareRounded(*memory) + " of 10 s (PSI)");
    }

    void swapping()
    {
        if (const auto pages = rise(m_before.swappedPages, m_after.swappedPages);
            pages.value_or(0) >= bounds::kSwappedPages)
            warn("swapping", "memory was moved to and from the disk", formatCounted(*pages, "page") + " in and out");
    }

    void network()
    {
        // Every overflow is a drop too, but not the other way round.
        const auto overflows = rise(m_before.listenOverflows, m_after.listenOverflows);
        const auto drops = rise(m_before.listenDrops, m_after.listenDrops);
        if (const auto lost = std::max(overflows, drops); lost.value_or(0) >= bounds::kListenOverflows)
            warn("listen_overflows",
                 "a server did not accept connections fast enough: some were dropped and tried again a second later",
                 formatCounted(*lost, "connection attempt") + " dropped");
        if (const auto sent = rise(m_before.tcpRetransmits, m_after.tcpRetransmits);
            sent.value_or(0) >= bounds::kTcpRetransmits)
            warn("tcp_retransmits", "TCP segments were lost and sent again, which takes 200 ms and more each",
                 formatCounted(*sent, "segment") + " on the whole machine");
    }

    const Conditions& m_before;
    const Conditions& m_after;
    std::vector<Warning> m_warnings;
};

} // namespace

std::vector<Warning> conditionWarnings(const Conditions& before, const Conditions& after)
{
    return Judgement(before, after).all();
}

} // namespace lapbench
