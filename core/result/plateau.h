#pragma once

#include "core/result/session_result.h"

#include <vector>

namespace lapbench {

/// Warnings "plateau", one a workload and level: three or more targets whose median rates lie within 1 % of each other
/// while the generator was near what it can do. What they have in common may then be the generator and not the servers.
/// The control is no target of its own. Needs plan, trials (with their bottlenecks and warnings) and cells.
std::vector<Warning> plateauWarnings(const SessionResult& result);

} // namespace lapbench
