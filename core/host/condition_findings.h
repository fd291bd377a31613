#pragma once

#include "core/host/affinity.h"
#include "core/host/conditions.h"
#include "core/host/host_info.h"

#include <optional>
#include <vector>

namespace lapbench {

/// What of the conditions would spoil a measurement, in the order turbo, battery, cpu_quota, memory_limit, pressure,
/// swap; one the machine does not tell of has no finding. `cpus`: that this process may use. Pure.
std::vector<DoctorFinding> judgeConditions(const Conditions& conditions, const std::optional<unsigned>& cpus);

/// "affinity": how a plan keeps server and generator apart, or that they have to share. Pure.
DoctorFinding judgeAffinity(const AffinityProposal& proposal);

} // namespace lapbench
