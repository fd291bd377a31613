#pragma once

#include "core/plan/rate_course.h"

#include <cstdint>
#include <optional>

namespace lapbench {

/// When the requests of an open loop are due: a pure function of their number. All workers share one schedule, of which
/// each takes every n-th arrival, so that those of all together are evenly spaced. A value type. Times are steadyNs().
class Arrivals {
public:
    static constexpr std::int64_t kNever = INT64_MAX;

    /// Before the window the rate stays at what the course begins with; the course itself begins with the window, which
    /// may not be known yet.
    Arrivals(RateCourse course, std::int64_t fromNs);
    /// The window opens at `openNs`, which is not earlier than anybody has asked for by dueNs().
    void setOpening(std::int64_t openNs);

    /// When arrival `number` (from 0) is due.
    std::int64_t dueNs(std::uint64_t number) const;
    /// How many are due before `ns`.
    std::uint64_t dueBefore(std::int64_t ns) const;

private:
    RateCourse m_course;
    std::int64_t m_fromNs;
    std::int64_t m_openNs = kNever;
    std::uint64_t m_beforeOpening = UINT64_MAX; ///< arrivals that are due before the window opens
};

/// How many of the numbers below `count` leave the remainder `place` when divided by `places`.
constexpr std::uint64_t shareOf(std::uint64_t count, unsigned place, unsigned places)
{
    return count <= place ? 0 : (count - place - 1) / places + 1;
}

/// How long to wait before a connection that could not be opened, or kept for no answer, `failures` times in a row is
/// asked for again: 10 ms, doubling to 1 s. A pure function.
constexpr std::int64_t backOffNs(unsigned failures)
{
    constexpr std::int64_t kFirstNs = 10'000'000, kMostNs = 1'000'000'000;
    if (failures == 0)
        return 0;
    return failures > 7 || (kFirstNs << (failures - 1)) > kMostNs ? kMostNs : kFirstNs << (failures - 1);
}

} // namespace lapbench
