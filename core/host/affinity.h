#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace lapbench {

/// One physical core with the processors (hardware threads) that share it, ascending.
using PhysicalCore = std::vector<unsigned>;

/// The processors that are on, by physical core, ordered by their lowest processor. Where the machine does not tell,
/// each processor is a core of its own.
struct Topology {
    std::vector<PhysicalCore> cores;

    std::vector<unsigned> processors() const; ///< all, ascending
    /// The lowest processor of the core that has this one; itself where none has.
    unsigned coreOf(unsigned processor) const;
};

/// From SYS/devices/system/cpu: `online`, and each processor's topology/thread_siblings_list. Any thread.
Topology readTopology(const std::filesystem::path& sysRoot = "/sys");

/// Which processors to keep server and generator to; both empty where they have to share what there is.
struct AffinityProposal {
    std::vector<unsigned> server, generator;

    bool apart() const { return !server.empty(); }
};

/// Of the physical cores of which `allowed` has a processor the first half, at most 8, to the generator and the others
/// to the server; one processor of each, so that no two threads share a core. The generator comes first, for processor
/// 0 has most of the machine's interrupts. Pure.
AffinityProposal proposeAffinity(const Topology& topology, const std::vector<unsigned>& allowed);

/// The line for a plan: "affinity": {"server": [2, 3], "generator": [0, 1]}
std::string formatAffinity(const AffinityProposal& proposal);

/// Where server and generator meet.
struct SharedCores {
    std::vector<unsigned> processors; ///< that both may use
    /// Pairs of processors, one of the server's and one of the generator's, on one physical core.
    std::vector<std::pair<unsigned, unsigned>> siblings;
};
/// An empty list stands for any processor of the topology; of the generator's then without the server's, for Lapbench
/// keeps itself off those, unless that leaves none. Nothing is shared by two empty lists: nobody asked. Pure.
SharedCores sharedCores(const std::vector<unsigned>& server, const std::vector<unsigned>& generator,
                        const Topology& topology);

} // namespace lapbench
