#pragma once

#include "core/result/compare_results.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lapbench {

/// How the results are called: the files' names without folder and ending; where two would be called the same, as the
/// user named them, with a number where even that is the same.
std::vector<std::string> resultNames(const std::vector<std::filesystem::path>& files);

/// What differs, the tables, what has no counterpart, and what a reader must know, as text for a terminal or as
/// Markdown. Ratios stand as in the tables of a session.
std::string resultsAsText(const ResultComparison& comparison);
std::string resultsAsMarkdown(const ResultComparison& comparison);

/// A row for each comparison of one metric, then one for each metric of a cell without a counterpart; unrounded,
/// latencies in microseconds.
std::string resultsAsCsv(const ResultComparison& comparison);

} // namespace lapbench
