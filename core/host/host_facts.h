#pragma once

#include "core/host/host_info.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// What examineHost() judges; what is not known is absent.
struct HostFacts {
    std::optional<std::uint64_t> descriptorsSoft, descriptorsHard;
    std::optional<std::string> governor;
    std::optional<double> loadAverage; ///< over the last minute
    std::optional<unsigned> cpus;
    std::optional<std::uint64_t> memoryBytes, freeMemoryBytes; ///< free: what programs can still get
    std::optional<unsigned> firstPort, lastPort;               ///< of those for outgoing connections
};

/// From the folders of proc(5) and sysfs(5), and the limits of this process.
HostFacts readHostFacts(const std::filesystem::path& procRoot, const std::filesystem::path& sysRoot);

/// The judgement, in the order descriptors, governor, load, memory, ports. Pure.
std::vector<DoctorFinding> judgeHost(const HostFacts& facts);

} // namespace lapbench
