#pragma once

#include "core/result/compare_results.h"

#include <string>
#include <vector>

namespace lapbench {

/// What may be said of a pair, with a and b as they are called: "Bun in after serves 1.05 times as many requests a
/// second as Bun in before (95 % interval 1.03-1.07, 6 and 6 rounds)". `caveat` ends it, where there is one.
std::string sentenceOf(const SidePair& pair, const std::string& a, const std::string& b, double zone,
                       const std::string& caveat);

/// "measured on different machines: the interval holds only what the rounds show"; empty where machine, kernel and day
/// are the same.
std::string whatRoundsDoNotShow(const SessionResult& a, const SessionResult& b);

/// Sentences on what the figures hold: scale, sessions that did not end, how intervals and latencies are to be read.
std::vector<std::string> notesOn(const std::vector<NamedResult>& results, const ResultComparison& comparison);

} // namespace lapbench
