#include "core/result/audit.h"

#include <algorithm>

namespace lapbench {

std::string FairWork::verdict() const
{
    const auto any = [this](const char* severity) {
        return std::any_of(findings.begin(), findings.end(),
                           [severity](const FairFinding& finding) { return finding.severity == severity; });
    };
    if (std::none_of(probes.begin(), probes.end(), [](const FairProbe& probe) { return probe.failure.empty(); }))
        return "unknown";
    if (any("error"))
        return "differs";
    return any("warning") ? "differs_little" : "equal";
}

} // namespace lapbench
