#pragma once

#include "core/stats/compare.h"

#include <cstddef>
#include <optional>
#include <span>

namespace lapbench {

/// b against a where their rounds are of different sessions, so that no round of one belongs to a round of the other.
struct UnpairedRatio {
    double ratio = 1; ///< exp(mean of ln b - mean of ln a)
    std::optional<double> low,
        high;                      ///< Welch t interval on the logarithms; nothing with fewer than two rounds of either
    std::optional<double> degrees; ///< of freedom, where there is an interval and the values differ at all
    std::size_t roundsA = 0, roundsB = 0;
    Verdict verdict = Verdict::cannotTell;
    bool thin = true; ///< fewer than PairedRatio::kFewestRounds of either
};

/// Compares two sets of rounds, all above 0, whose variances may differ: B. L. Welch, Biometrika 34 (1947) 28-35, with
/// the degrees of freedom of Welch and Satterthwaite (Biometrics Bulletin 2 (1946) 110-114). Nothing where either has
/// no round, or where a value is not above 0.
std::optional<UnpairedRatio> compareUnpaired(std::span<const double> a, std::span<const double> b,
                                             const CompareRules& rules = {});

} // namespace lapbench
