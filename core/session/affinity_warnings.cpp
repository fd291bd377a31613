#include "core/session/affinity_warnings.h"

#include "core/base/processors.h"

namespace lapbench {

namespace {

std::string named(const char* who, const std::vector<unsigned>& processors)
{
    return std::string(who) + " on " + (processors.empty() ? "any" : formatProcessors(processors));
}

} // namespace

std::vector<Warning> affinityWarnings(const Affinity& affinity, const Topology& topology)
{
    const SharedCores shared = sharedCores(affinity.server, affinity.generator, topology);
    const std::string asked = named("server", affinity.server) + ", " + named("generator", affinity.generator);
    std::vector<Warning> warnings;
    if (!shared.processors.empty())
        warnings.push_back({"cores_shared", "warning",
                            "server and generator share processors: each takes time from the other",
                            asked + ", shared: " + formatProcessors(shared.processors)});
    if (!shared.siblings.empty()) {
        std::string pairs;
        for (const auto& [server, generator] : shared.siblings)
            pairs += (pairs.empty() ? "" : ", ") + std::to_string(server) + " with " + std::to_string(generator);
        warnings.push_back({"siblings_shared", "warning",
                            "server and generator share physical cores: their threads slow each other down",
                            asked + ", on one core: " + pairs});
    }
    return warnings;
}

} // namespace lapbench
