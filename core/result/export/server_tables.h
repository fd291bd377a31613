#pragma once

#include "core/result/export/cell_tables.h"

#include <vector>

namespace lapbench {

/// What a session shows of the servers beside their speed, where it is known: for each workload and level the time the
/// load took to warm up, efficiency and memory, medians over rounds; then the cold starts.
std::vector<CellTable> serverTables(const SessionResult& result);

} // namespace lapbench
