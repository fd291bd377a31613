#pragma once

#include <optional>
#include <vector>

namespace lapbench {

/// The middle value, or the mean of the two middle ones. Nothing when empty.
std::optional<double> median(std::vector<double> values);

/// (max - min) / median, as a fraction: how far apart the rounds lie. Nothing for fewer than two values or a median
/// of 0.
std::optional<double> spread(const std::vector<double>& values);

} // namespace lapbench
