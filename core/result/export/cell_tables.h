#pragma once

#include "core/result/export/text_table.h"
#include "core/result/session_result.h"

#include <string>
#include <vector>

namespace lapbench {

/// One workload at one level: a row a target.
struct CellTable {
    std::string title; ///< "Workload user, 256 connections, medians of 3 rounds"
    TextTable table;
    std::vector<std::string> lines; ///< what the figures show and what not, a sentence each
};

/// The cells of each workload and level, in the order of their first appearance.
std::vector<std::vector<const Cell*>> groupsOf(const SessionResult& result);

/// The comparison tables of a session, medians over rounds, latency columns in the unit that suits each.
std::vector<CellTable> compareTargets(const SessionResult& result);

} // namespace lapbench
