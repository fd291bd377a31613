#include "core/stats/welch.h"

#include "core/stats/student_t.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

/// Mean of the logarithms, and the square of its standard error.
struct LogMean {
    double mean = 0;
    double error2 = 0;
    double n = 0;
};

std::optional<LogMean> logMeanOf(std::span<const double> values)
{
    LogMean found;
    found.n = static_cast<double>(values.size());
    for (const double value : values)
        if (!(value > 0 && std::isfinite(value)))
            return std::nullopt;
    // From the first value on, so that equal values have no variance at all, not even one of rounding.
    for (const double value : values)
        found.mean += std::log(value / values.front()) / found.n;
    if (values.size() > 1)
        for (const double value : values)
            found.error2 += std::pow(std::log(value / values.front()) - found.mean, 2) / (found.n - 1) / found.n;
    if (!values.empty())
        found.mean += std::log(values.front());
    return found;
}

double degreesOf(const LogMean& a, const LogMean& b)
{
    return std::pow(a.error2 + b.error2, 2) / (a.error2 * a.error2 / (a.n - 1) + b.error2 * b.error2 / (b.n - 1));
}

} // namespace

std::optional<UnpairedRatio> compareUnpaired(std::span<const double> a, std::span<const double> b,
                                             const CompareRules& rules)
{
    const auto first = logMeanOf(a), second = logMeanOf(b);
    if (a.empty() || b.empty() || !first || !second)
        return std::nullopt;
    UnpairedRatio found;
    found.roundsA = a.size();
    found.roundsB = b.size();
    const std::size_t fewest = std::min(a.size(), b.size());
    found.thin = fewest < PairedRatio::kFewestRounds;
    const double difference = second->mean - first->mean;
    found.ratio = std::exp(difference);
    if (fewest < 2)
        return found;
    double half = 0;
    // Rounds that are all the same have no degrees of freedom to speak of, and an interval of no width.
    if (const double degrees = degreesOf(*first, *second); std::isfinite(degrees)) {
        found.degrees = degrees;
        half = studentTQuantile((1 + levelOf(rules)) / 2, degrees) * std::sqrt(first->error2 + second->error2);
    }
    found.low = std::exp(difference - half);
    found.high = std::exp(difference + half);
    found.verdict = verdictOf(*found.low, *found.high, rules);
    return found;
}

} // namespace lapbench
