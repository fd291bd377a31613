#pragma once

#include "core/result/session_result.h"

#include <optional>
#include <vector>

namespace lapbench {

/// How noisy an attempt at a round was: the largest share of noisy seconds among its finished trials. Nothing where
/// none of them knows.
std::optional<double> noiseOf(const std::vector<Trial>& trials, unsigned round, unsigned attempt);

/// Which attempt at a round counts: of those that are complete (as many trials as the first attempt, none broken off)
/// the one with the fewest trials that came to nothing, then the least noisy, then the latest; the first where none is.
unsigned countingAttempt(const std::vector<Trial>& trials, unsigned round);

/// Sets Trial::superseded of all: true for the trials of every attempt that does not count.
void markSuperseded(std::vector<Trial>& trials);

} // namespace lapbench
