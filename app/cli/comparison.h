#pragma once

#include "app/cli/text_table.h"
#include "core/result/session_result.h"

#include <string>
#include <vector>

namespace lapbench {

/// One workload at one level: a row a target.
struct CellTable {
    std::string title; ///< "Workload user, 256 connections, medians of 3 rounds"
    TextTable table;
};

/// The comparison tables of a session, medians over rounds, latency columns in the unit that suits each.
std::vector<CellTable> compareTargets(const SessionResult& result);

/// What a reader must know beside the tables.
struct Note {
    std::string text;               ///< a sentence
    std::vector<std::string> lines; ///< the last output of a server that failed
};

/// Scale, an early end, trials that failed and why, warnings.
std::vector<Note> notesOn(const SessionResult& result);

/// Title, tables and notes as text for a terminal or as Markdown.
std::string comparisonAsText(const SessionResult& result);
std::string comparisonAsMarkdown(const SessionResult& result);

/// Every figure of every cell unrounded, a row a cell: latencies in microseconds, memory in bytes.
std::string cellsAsCsv(const SessionResult& result);

} // namespace lapbench
