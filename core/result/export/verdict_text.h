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

inline constexpr std::string_view kNotRanked = "not ranked";

/// Of a target by requests per second: "faster", "cannot tell (thin)"; kNotRanked where something else than the
/// server was its limit; empty where there is no comparison, as for the first target.
std::string verdictText(const SessionResult& result, const Cell& cell);

/// What limited the trials of a target, each kind once: "server", "generator, server"; empty where that is not known.
std::string limitText(const SessionResult& result, const Cell& cell);

/// A text as it stands in a page: with a full stop, and a capital where it does not begin with a target's name.
std::string asSentence(std::string text, const Labels& labels);

/// The answer, to stand above everything: the sentences on requests per second of all workloads and levels, with their
/// place where there are several; where these are more than a reader takes in at a glance the rankings; where these are
/// too, nothing. They stand at their tables as well.
std::vector<std::string> leadSentences(const SessionResult& result);

/// What the cells of one workload and level show, in sentences: of requests per second each target; of p50 and p99 the
/// ratios; the sign-flip test; who ranks where; who is not ranked and why.
std::vector<std::string> verdictLines(const SessionResult& result, const std::vector<const Cell*>& cells,
                                      const Labels& labels);

} // namespace lapbench
