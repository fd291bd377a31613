#include "core/session/cold_starts.h"
#include "core/session/session_run.h"

#include <algorithm>
#include <utility>

namespace lapbench {

/// What is found out about each target before the first round; a resumed session has it from its journal.
Result<void> SessionRun::lookAtTargets()
{
    for (const Target& target : m_plan.targets) {
        if (!target.selected || target.control)
            continue;
        startCold(target);
        m_keeper->stop();
        if (m_control.stopping())
            return {};
    }
    return keepHead();
}

void SessionRun::startCold(const Target& target)
{
    const bool known = std::any_of(m_record.coldStarts.begin(), m_record.coldStarts.end(),
                                   [&](const ColdStarts& starts) { return starts.target == target.name; });
    if (m_plan.coldStarts == 0 || !target.url.empty() || known)
        return;
    std::vector<double> ms;
    std::string failure;
    while (ms.size() < m_plan.coldStarts && failure.empty()) {
        if (const auto started = m_keeper->start(target, "cold start"))
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
