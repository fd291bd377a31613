#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lapbench {

/// Rules of findSteady(), in numbers of values and shares of the level.
struct SteadyRules {
    std::size_t shortest = 30; ///< values that must be steady; 3 s of 100 ms intervals
    std::size_t segment = 5;   ///< no segment is shorter
    double tolerance = 0.05;   ///< levels within this share of the last one are the same level
    double leastNoise = 0.01;  ///< the noise is taken to be at least this share of the level
    std::size_t groups = 10;   ///< where values are taken together: so many at least must be steady
    std::size_t longest = 600; ///< values before the last so many are past and not looked at
};

/// The first value of each segment of a series of counts per interval: optimal partitioning of a piecewise constant
/// mean by least squares (Jackson et al., IEEE Signal Processing Letters 12 (2005) 105-108), each further segment
/// costing 3 log n times the variance (a Schwarz criterion), the noise estimated from the median of the absolute first
/// differences. A pause of one or two values is passed over by a running median.
std::vector<std::size_t> changePoints(std::span<const double> series, const SteadyRules& rules = {});

/// From which value on the series is steady: the segments at its end whose levels are the same as the last one's, if
/// together they are long enough. Nothing: not steady (yet). Where many values are 0, since answers come in bursts or
/// are far between, so many are taken together that each sum holds some.
std::optional<std::size_t> findSteady(std::span<const double> series, const SteadyRules& rules = {});

} // namespace lapbench
