#pragma once

#include "core/result/comparisons.h"
#include "core/result/export/text_table.h"

#include <string>
#include <vector>

namespace lapbench {

/// A table with its heading and what is to be said of it.
struct CellTable {
    std::string title; ///< "Workload user, 256 connections, medians of 3 rounds"
    TextTable table;
    std::vector<std::string> lines; ///< what the figures show and what not, a sentence each
};

/// The cells of each workload and level, in the order of their first appearance.
std::vector<std::vector<const Cell*>> groupsOf(const SessionResult& result);

/// "Workload user, 256 connections".
std::string placeText(const Cell& cell);

/// The comparison of the cells of one workload and level: a row a target, medians over rounds, latency columns in the
/// unit that suits each.
CellTable compareCells(const SessionResult& result, const std::vector<const Cell*>& cells, const Labels& labels);

/// The comparison tables of a session, then those of a search for a rate.
std::vector<CellTable> compareTargets(const SessionResult& result);

} // namespace lapbench
