#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace lapbench {

/// One rate that was tried in a search for the highest at which a goal is kept.
struct TriedRate {
    double rate = 0; ///< requests a second
    bool kept = false;
    bool generatorLimited = false; ///< not kept, and nothing of the server: the generator could not make the rate
};

/// Where a search begins and between what it stays, in requests a second.
struct RateBounds {
    double start = 1; ///< the first guess, such as what a closed loop reached
    std::optional<double> from, to;
};

namespace goal_search {
inline constexpr double kTolerance = 0.02; ///< the search ends when the lowest rate that failed is so near
inline constexpr std::size_t kMostTries = 14;
inline constexpr double kLowest = 1;          ///< where no lower bound is set
inline constexpr std::size_t kSuspicious = 2; ///< so many kept since the upper end failed: that is tried once more
} // namespace goal_search

/// The rate to try after all those of `tried`, in their order, rounded to four digits; nothing when the search is over.
/// A pure function. First a bracket: from the start twice as much as long as the goal is kept, or a half, then a fourth
/// of that, an eighth .. as long as it is not. Then the geometric middle of the bracket, until its ends are within 2 %.
/// A rate counts as failed when it was never kept, and only where no higher one was kept: one odd failure below costs
/// nothing. Where two tries since the upper end had failed were kept, that failure is in doubt and the rate is tried
/// once more, as is the lowest one allowed before it is said that nothing is kept.
std::optional<double> nextRate(const RateBounds& bounds, std::span<const TriedRate> tried);

/// What a search has found.
struct FoundRate {
    std::optional<double> rate; ///< the highest that was kept; it was kept over its whole window
    bool atLeast = false;       ///< none above failed for the server's sake: the bounds or the generator ended it
};
FoundRate foundRate(std::span<const TriedRate> tried);

} // namespace lapbench
