#include "core/session/cold_starts.h"
#include "core/session/fair_work.h"
#include "core/session/session_run.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lapbench {

/// What is found out about each target before the first round; a resumed session has it from its journal. The last
/// cold start of a server serves its audit too.
Result<void> SessionRun::lookAtTargets()
{
    std::vector<const Target*> targets;
    for (const Target& target : m_plan.targets)
        if (target.selected && !target.control)
            targets.push_back(&target);
    const bool audited = m_plan.fairWork.audit && targets.size() > 1 && !m_record.fairWork;
    std::vector<FairProbe> probes;
    for (const Target* target : targets) {
        startCold(*target);
        if (audited && !m_control.stopping()) {
            std::vector<FairProbe> answers = probe(*target);
            std::move(answers.begin(), answers.end(), std::back_inserter(probes));
        }
        m_keeper->stop();
        if (m_control.stopping())
            return {};
    }
    if (audited) {
        m_record.fairWork = compareProbes(std::move(probes), m_plan.fairWork);
        m_headChanged = true;
        if (auto warning = fairWorkWarning(*m_record.fairWork))
            warn(*std::move(warning));
    }
    if (m_record.conditionsBefore && !m_record.conditionsBefore->busiestProcesses)
        m_record.conditionsBefore->busiestProcesses = othersSoFar();
    return keepHead();
}

std::optional<std::vector<std::string>> SessionRun::othersSoFar() const
{
    const ProcessSnapshot now = takeSnapshot();
    if (now.atNs - m_processesBefore.atNs < kShortestStretchNs)
        return std::nullopt;
    std::vector<std::string> busiest;
    for (const BusyProcess& process : busiestOthers(m_processesBefore, now, {::getpid()}))
        busiest.push_back(formatBusy({process}));
    return busiest;
}

std::vector<FairProbe> SessionRun::probe(const Target& target)
{
    std::vector<std::string> output; // stands with its trials, and is no part of a sentence
    if (!target.url.empty() || m_keeper->up())
        m_observer.phase("audit");
    if (!target.url.empty())
        return probeTarget(m_plan, target, target.url, &m_control.stopFlag());
    if (!m_keeper->up())
        if (const auto started = m_keeper->start(target, "audit", &output); !started)
            return unansweredProbes(m_plan, target, format(started.problem()));
    return probeTarget(m_plan, target, m_keeper->server()->url(), &m_control.stopFlag());
}

void SessionRun::startCold(const Target& target)
{
    const bool known = std::any_of(m_record.coldStarts.begin(), m_record.coldStarts.end(),
                                   [&](const ColdStarts& starts) { return starts.target == target.name; });
    if (m_plan.coldStarts == 0 || !target.url.empty() || known)
        return;
    std::vector<double> ms;
    std::vector<std::string> output;
    std::string failure;
    while (ms.size() < m_plan.coldStarts && failure.empty()) {
        if (const auto started = m_keeper->start(target, "cold start", &output))
            ms.push_back(std::chrono::duration<double, std::milli>(m_keeper->server()->startupTime()).count());
        else
            failure = format(started.problem());
        if (m_control.stopping())
            return;
    }
    m_record.coldStarts.push_back(coldStartsOf(target.name, std::move(ms), std::move(failure)));
    m_headChanged = true;
}

} // namespace lapbench
