#include "core/result/export/fair_work_text.h"

#include <algorithm>

namespace lapbench {

namespace {

std::string headlineOf(const std::string& verdict)
{
    if (verdict == "equal")
        return "The targets did the same work";
    if (verdict == "differs")
        return "Fair work: the targets did not do the same work";
    return verdict == "unknown" ? "Fair work: not known" : "Fair work: the targets did not do quite the same work";
}

} // namespace

std::optional<FairWorkTold> fairWorkTold(const FairWork& work, std::size_t mostLines)
{
    if (std::none_of(work.probes.begin(), work.probes.end(),
                     [&](const FairProbe& probe) { return probe.target != work.probes.front().target; }))
        return std::nullopt;
    const std::string verdict = work.verdict();
    FairWorkTold told{verdict == "equal", headlineOf(verdict), {}};
    if (told.equal)
        return told;
    std::size_t more = 0;
    for (const char* severity : {"error", "warning"})
        for (const FairFinding& finding : work.findings) {
            if (finding.severity != severity)
                continue;
            if (told.lines.size() == mostLines)
                ++more;
            else
                told.lines.push_back(std::string(severity) + ": " + finding.text);
        }
    if (more > 0)
        told.lines.push_back("and " + std::to_string(more) + " more, in the result under fair_work");
    return told;
}

} // namespace lapbench
