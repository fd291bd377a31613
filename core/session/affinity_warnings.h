#pragma once

#include "core/host/affinity.h"
#include "core/plan/plan.h"
#include "core/result/session_result.h"

#include <vector>

namespace lapbench {

/// "cores_shared" (warning) where server and generator may run on the same processors, "siblings_shared" (warning)
/// where they have hardware threads of one physical core. None where the plan names no processors. Pure.
std::vector<Warning> affinityWarnings(const Affinity& affinity, const Topology& topology);

} // namespace lapbench
