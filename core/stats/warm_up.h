#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace lapbench {

/// How many right answers there had been at one moment; steadyNs().
struct Progress {
    std::int64_t atNs = 0;
    std::uint64_t right = 0;
};

/// Seconds from the first entry until the rate first reached 95 % of `steadyRps`: the begin of the first five intervals
/// whose mean is as high. Nothing where it never was, or where there are no five intervals. Pure.
std::optional<double> warmAfter(std::span<const Progress> progress, double steadyRps);

} // namespace lapbench
