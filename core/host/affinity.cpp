#include "core/host/affinity.h"

#include "core/base/processors.h"
#include "core/host/system_files.h"

#include <algorithm>
#include <set>

namespace lapbench {

namespace {

constexpr std::size_t kMostWorkers = 8; ///< of an automatic generator

bool has(const std::vector<unsigned>& processors, unsigned processor)
{
    return std::find(processors.begin(), processors.end(), processor) != processors.end();
}

std::string listed(const std::vector<unsigned>& processors)
{
    std::string text;
    for (const unsigned processor : processors)
        text += (text.empty() ? "" : ", ") + std::to_string(processor);
    return "[" + text + "]";
}

} // namespace

std::vector<unsigned> Topology::processors() const
{
    std::vector<unsigned> all;
    for (const PhysicalCore& core : cores)
        all.insert(all.end(), core.begin(), core.end());
    std::sort(all.begin(), all.end());
    return all;
}

unsigned Topology::coreOf(unsigned processor) const
{
    for (const PhysicalCore& core : cores)
        if (has(core, processor))
            return core.front();
    return processor;
}

Topology readTopology(const std::filesystem::path& sysRoot)
{
    const std::filesystem::path root = sysRoot / "devices/system/cpu";
    Topology topology;
    auto online = parseProcessors(firstLine(root / "online").value_or(""));
    if (!online || online->empty())
        online = allowedProcessors();
    std::set<unsigned> placed;
    for (const unsigned processor : *online) {
        if (placed.contains(processor))
            continue;
        const auto file = root / ("cpu" + std::to_string(processor)) / "topology/thread_siblings_list";
        PhysicalCore core;
        for (const unsigned sibling : parseProcessors(firstLine(file).value_or("")).value_or(PhysicalCore{}))
            if (has(*online, sibling) && !placed.contains(sibling))
                core.push_back(sibling);
        if (!has(core, processor))
            core = {processor};
        placed.insert(core.begin(), core.end());
        topology.cores.push_back(std::move(core));
    }
    return topology;
}

AffinityProposal proposeAffinity(const Topology& topology, const std::vector<unsigned>& allowed)
{
    std::vector<unsigned> firsts; ///< of each physical core
    for (const PhysicalCore& core : topology.cores) {
        const auto first =
            std::find_if(core.begin(), core.end(), [&](unsigned processor) { return has(allowed, processor); });
        if (first != core.end())
            firsts.push_back(*first);
    }
    const std::size_t workers = std::min(firsts.size() / 2, kMostWorkers);
    if (workers == 0)
        return {};
    const auto middle = firsts.begin() + static_cast<std::ptrdiff_t>(workers);
    return {{middle, firsts.end()}, {firsts.begin(), middle}};
}

std::string formatAffinity(const AffinityProposal& proposal)
{
    return "\"affinity\": {\"server\": " + listed(proposal.server) + ", \"generator\": " + listed(proposal.generator) +
           "}";
}

SharedCores sharedCores(const std::vector<unsigned>& server, const std::vector<unsigned>& generator,
                        const Topology& topology)
{
    SharedCores shared;
    if (server.empty() && generator.empty())
        return shared;
    const std::vector<unsigned> all = topology.processors();
    const std::vector<unsigned> servers = server.empty() ? all : server;
    std::vector<unsigned> generators = generator;
    if (generator.empty())
        std::copy_if(all.begin(), all.end(), std::back_inserter(generators),
                     [&](unsigned processor) { return !has(servers, processor); });
    if (generators.empty())
        generators = all;
    for (const unsigned mine : generators) {
        if (has(servers, mine)) {
            shared.processors.push_back(mine);
            continue;
        }
        for (const unsigned theirs : servers)
            if (topology.coreOf(theirs) == topology.coreOf(mine))
                shared.siblings.emplace_back(theirs, mine);
    }
    return shared;
}

} // namespace lapbench
