#pragma once

#include "core/load/engine.h"
#include "core/result/session_result.h"

#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// "connect_refused (Connection refused)"; empty where there was no error.
std::string firstError(const LoadFigures& load);

/// "never_steady": the warm-up ended without the load being steady.
Warning neverSteady(const SteadyFigures& steady);
/// "gave_up": not all of the `asked` requests were made.
Warning gaveUp(std::uint64_t asked, const LoadFigures& load);

/// "littles_law": the connections of a closed loop (with streams, times those) are not within 5 % of completed requests
/// a second x the mean time they took (J. D. C. Little, Operations Research 9 (1961) 383-387; wrong and open requests
/// count with the time they were under way), so that some stood idle or were not there. Only where that can be told: a
/// window of a second or more, in which each connection has ended a hundred requests and which no failed connection or
/// reconnects in number have interrupted.
std::optional<Warning> littlesLaw(const LoadFigures& load, bool closedLoop);

/// "stall_40ms", "stall_200ms", "stall_1s", "stall_3s", "stall_timeout": see findStalls(). Where most answers
/// stand at such a latency a busy server may be as slow by itself, so that it is told only of one that used less than
/// half a core.
std::vector<Warning> stallWarnings(const LoadFigures& load, std::optional<double> serverCores);

} // namespace lapbench
