#pragma once

#include "core/result/export/cell_tables.h"

#include <vector>

namespace lapbench {

/// Of a session that searched for the highest rate under a goal, for each workload and level: the rates found, and
/// latency against rate. None of any other session. Below the rates a line a target: "Bun: p99 <= 10 ms, at most 0.1 %
/// errors, holds up to 12.3k requests/s (95 % interval 11.9k-12.8k, 6 rounds)". The rate is the geometric mean over
/// rounds, the interval Student's t on the logarithms; where a round found only "at least" so much there is none.
std::vector<CellTable> goalTables(const SessionResult& result);

} // namespace lapbench
