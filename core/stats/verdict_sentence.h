#pragma once

#include "core/stats/compare.h"

#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

/// What verdictSentence() needs beside the figures.
struct SentenceTerms {
    std::string a, b;                 ///< the two as people call them
    std::string_view metric = "rps";  ///< "rps"; or a percentile of latency, "p50", "p99"
    double confidence = 0.95;         ///< level of the interval
    double zone = 0.02;               ///< CompareRules::zone
    std::optional<double> noiseFloor; ///< as a share
};

/// A ratio as it stands in sentences and tables: two decimals, three significant digits below 0.1 and from 10 on,
/// "5.87e-56" below 0.0001 and from a million on.
std::string formatRatio(double ratio);
/// "95 %", "97.5 %", "98.33 %": a share in percent with no more than two decimals.
std::string formatPercent(double share);
/// "1.63 (1.59-1.66)", at another level than 95 % "1.63 (97.5 % interval 1.59-1.66)"; without an interval the ratio.
std::string formatInterval(const PairedRatio& figures, double confidence);

/// What may be said of b against a, as a sentence without a full stop: "Bun serves 1.63 times as many requests as Node
/// (95 % interval 1.59-1.66, 6 rounds)". `figures` are of one round at least.
std::string verdictSentence(const PairedRatio& figures, const SentenceTerms& terms);

} // namespace lapbench
