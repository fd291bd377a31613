#pragma once

#include "core/result/comparisons.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// "cannot tell": for people.
std::string verdictInWords(Verdict verdict);

/// How a target compares with the first one by a metric ("rps", "p50", "p99"); null where it is not compared.
const Comparison* comparisonOf(const SessionResult& result, const Cell& cell, std::string_view metric);

/// Of a target by requests per second: "faster", "cannot tell (thin)"; "not ranked" where something else than the
/// server was its limit; empty where there is no comparison, as for the first target.
std::string verdictText(const SessionResult& result, const Cell& cell);

/// What limited the trials of a target, each kind once: "server", "generator, server"; empty where that is not known.
std::string limitText(const SessionResult& result, const Cell& cell);

/// What the cells of one workload and level show, in sentences: of requests per second each target; of p50 and p99 the
/// ratios; the sign-flip test; who ranks where; who is not ranked and why.
std::vector<std::string> verdictLines(const SessionResult& result, const std::vector<const Cell*>& cells,
                                      const Labels& labels);

} // namespace lapbench
