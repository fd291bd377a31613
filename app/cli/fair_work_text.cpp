#include "app/cli/fair_work_text.h"

#include "app/cli/terminal.h"

#include <algorithm>
#include <cstddef>

namespace lapbench {

namespace {

constexpr std::size_t kMostLines = 12;

std::string headline(const std::string& verdict)
{
    if (verdict == "differs")
        return "Fair work: the targets did not do the same work";
    return verdict == "unknown" ? "Fair work: not known" : "Fair work: the targets did not do quite the same work";
}

} // namespace

std::string fairWorkText(const FairWork& work, const std::string& titleMark, const std::string& itemMark)
{
    if (std::none_of(work.probes.begin(), work.probes.end(),
                     [&](const FairProbe& probe) { return probe.target != work.probes.front().target; }))
        return {};
    const std::string verdict = work.verdict();
    if (verdict == "equal")
        return "The targets did the same work\n\n";
    std::string text = titleMark + headline(verdict) + "\n\n";
    std::size_t lines = 0, more = 0;
    for (const char* severity : {"error", "warning"})
        for (const FairFinding& finding : work.findings) {
            if (finding.severity != severity)
                continue;
            if (++lines > kMostLines)
                ++more;
            else
                text += itemMark + severity + ": " + withoutControls(finding.text) + "\n";
        }
    if (more > 0)
        text += itemMark + "and " + std::to_string(more) + " more, in the result under fair_work\n";
    return text + "\n";
}

} // namespace lapbench
