#pragma once

#include "core/plan/plan.h"
#include "core/result/export/cell_tables.h"

namespace lapbench {

// What stood around the figures, as tables of words; without rows where nothing of it is known.

/// What each target that ran was: its program, the version asked for and the one that ran.
CellTable targetsTable(const SessionResult& result, const Plan& plan);
/// The machine.
CellTable machineTable(const SessionResult& result);
/// The machine's state before and after the session, and what its counters rose by meanwhile.
CellTable conditionsTable(const SessionResult& result);
/// Which session, of which plan, by which Lapbench, and the checksums of plan and executables.
CellTable provenanceTable(const SessionResult& result);

/// The plan of a result as it was run, scaled; empty where it has none, as that of another tool.
Plan planThatRan(const SessionResult& result);
/// The targets that ran, in the plan's order, by name.
std::vector<std::string> targetsThatRan(const SessionResult& result);

/// "1 December 2026, 02:11 UTC".
std::string dateText(UtcTime time);

} // namespace lapbench
