#include "core/stats/goal_search.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

using namespace goal_search;

/// The highest rate that was kept and the lowest above it that was not.
struct Bracket {
    std::optional<double> kept, failed;
    bool generatorLimited = false; ///< `failed`, every time
};

Bracket bracketOf(std::span<const TriedRate> tried)
{
    Bracket bracket;
    for (const TriedRate& one : tried)
        if (one.kept)
            bracket.kept = std::max(bracket.kept.value_or(0), one.rate);
    for (const TriedRate& one : tried)
        if (one.rate > bracket.kept.value_or(0) && (!bracket.failed || one.rate < *bracket.failed))
            bracket.failed = one.rate;
    bracket.generatorLimited = bracket.failed && std::all_of(tried.begin(), tried.end(), [&](const TriedRate& one) {
                                   return one.rate != *bracket.failed || one.generatorLimited;
                               });
    return bracket;
}

/// Rates that people read, and no closer than a search can tell.
double rounded(double rate)
{
    const double unit = std::pow(10.0, std::floor(std::log10(rate)) - 3);
    return std::round(rate / unit) * unit;
}

std::ptrdiff_t timesTried(std::span<const TriedRate> tried, double rate)
{
    return std::count_if(tried.begin(), tried.end(), [&](const TriedRate& one) { return one.rate == rate; });
}

std::size_t keptInTheEnd(std::span<const TriedRate> tried)
{
    const auto last = std::find_if(tried.rbegin(), tried.rend(), [](const TriedRate& one) { return !one.kept; });
    return static_cast<std::size_t>(last - tried.rbegin());
}

/// Nothing has been kept yet.
std::optional<double> lower(double floor, double failed, std::span<const TriedRate> tried)
{
    if (failed > floor)
        return std::max(floor, rounded(std::max(kLowest, std::ldexp(failed, -static_cast<int>(tried.size())))));
    return timesTried(tried, failed) == 1 ? std::optional(failed) : std::nullopt;
}

} // namespace

std::optional<double> nextRate(const RateBounds& bounds, std::span<const TriedRate> tried)
{
    if (tried.size() >= kMostTries)
        return std::nullopt;
    const double floor = bounds.from.value_or(kLowest);
    if (tried.empty()) {
        const double start = rounded(std::max(bounds.start, kLowest));
        return bounds.to ? std::min(std::max(start, floor), *bounds.to) : std::max(start, floor);
    }
    const Bracket bracket = bracketOf(tried);
    if (!bracket.kept)
        return lower(floor, *bracket.failed, tried);
    if (!bracket.failed) {
        if (bounds.to && *bracket.kept >= *bounds.to)
            return std::nullopt;
        const double twice = rounded(2 * *bracket.kept);
        return bounds.to ? std::min(twice, *bounds.to) : twice;
    }
    if (timesTried(tried, *bracket.failed) == 1 && keptInTheEnd(tried) >= kSuspicious)
        return bracket.failed;
    if (*bracket.failed > *bracket.kept * (1 + kTolerance))
        return rounded(std::sqrt(*bracket.kept * *bracket.failed));
    return std::nullopt;
}

FoundRate foundRate(std::span<const TriedRate> tried)
{
    const Bracket bracket = bracketOf(tried);
    return {bracket.kept, bracket.kept && (!bracket.failed || bracket.generatorLimited)};
}

} // namespace lapbench
