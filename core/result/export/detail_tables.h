#pragma once

#include "core/result/export/cell_tables.h"

#include <vector>

namespace lapbench {

// What a page or an article shows beside the comparison, of the cells of one workload and level; titles without the
// place: "Latency". Columns and tables that nothing is known of are left out (an empty header: no table).

/// Mean and percentiles; a line where percentiles rest on too few answers.
CellTable latencyTable(const SessionResult& result, const std::vector<const Cell*>& cells, const Labels& labels);
/// Processor time and memory of the servers.
CellTable resourceTable(const std::vector<const Cell*>& cells, const Labels& labels);
/// Failed requests by kind and phase, with the first of each; a line a target with the statuses that came. No table
/// where no request failed.
CellTable errorTable(const SessionResult& result, const std::vector<const Cell*>& cells, const Labels& labels);
/// Every round's value of requests per second, p50, p99, processor time and memory, with median and spread. No table of
/// one round.
CellTable roundTable(const std::vector<const Cell*>& cells, const Labels& labels);

/// How long each server took to start, every round's value.
CellTable startUpTable(const SessionResult& result, const Labels& labels);

/// Of a workload with several levels, for each measurement one table: a row a target, a column a level. None of any
/// other session.
std::vector<CellTable> measurementTables(const SessionResult& result, const Labels& labels);

} // namespace lapbench
