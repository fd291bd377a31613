#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace lapbench {

/// What can be said of b against a.
enum class Verdict {
    faster,     ///< the whole interval lies beyond the zone, on the better side
    slower,     ///< .. on the worse side
    equivalent, ///< the whole interval lies within the zone
    cannotTell  ///< neither
};

/// "faster", "slower", "equivalent", "cannot_tell", as in results.
std::string_view verdictName(Verdict verdict);
std::optional<Verdict> parseVerdict(std::string_view name);

/// By which rules two targets are compared.
struct CompareRules {
    std::size_t comparisons =
        1;                    ///< that share the error of 5 %, by Bonferroni: each has the level 1 - 0.05/comparisons
    double zone = 0.02;       ///< ratios of 1 - zone to 1 + zone are the same for all practical purposes
    bool moreIsBetter = true; ///< requests per second; false: latency
};

/// The level of one interval: 1 - 0.05/comparisons.
double levelOf(const CompareRules& rules);
/// What an interval of b/a says.
Verdict verdictOf(double low, double high, const CompareRules& rules);

/// One target b against another a, from one value of each in every round. The round is the unit of replication
/// (Kalibera & Jones, Quantifying Performance Changes with Effect Size Confidence Intervals, University of Kent TR
/// 4-12, 2012), and the two values of a round are paired, for they share what the machine did meanwhile.
struct PairedRatio {
    static constexpr std::size_t kFewestRounds = 6; ///< below, the verdict rests on the rounds being normal

    double ratio = 1;                ///< exp(mean of ln(b/a))
    std::optional<double> low, high; ///< Student t interval on the logarithms; nothing for a single round
    std::size_t rounds = 0;
    Verdict verdict = Verdict::cannotTell;
    bool thin = true;                ///< fewer than kFewestRounds
    std::optional<double> signFlipP; ///< see signFlipP(); shown, never decides
};

/// Compares round by round: a[i] and b[i] are of the same round, all above 0. Nothing for no rounds, for another number
/// of values, or where one is not above 0.
std::optional<PairedRatio> compareRounds(std::span<const double> a, std::span<const double> b,
                                         const CompareRules& rules = {});

/// How often the mean of the differences would be at least as far from 0 if each had either sign with the same
/// probability: the exact two-sided randomisation test (Fisher, The Design of Experiments, 1935, 21). Nothing for no
/// differences and for more than 20, whose signs are too many to go through.
std::optional<double> signFlipP(std::span<const double> differences);

} // namespace lapbench
