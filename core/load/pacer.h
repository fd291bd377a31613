#pragma once

#include <cstdint>

namespace lapbench {

/// Says when the next request is due; a pure function. Closed loop: as soon as the connection is free.
struct Pacer {
    constexpr std::int64_t dueNs(std::int64_t freeNs) const { return freeNs; }
};

/// How long to wait before a connection that could not be opened `failures` times in a row is asked for again: 10 ms,
/// doubling to 1 s. A pure function.
constexpr std::int64_t backOffNs(unsigned failures)
{
    constexpr std::int64_t kFirstNs = 10'000'000, kMostNs = 1'000'000'000;
    if (failures == 0)
        return 0;
    return failures > 7 || (kFirstNs << (failures - 1)) > kMostNs ? kMostNs : kFirstNs << (failures - 1);
}

} // namespace lapbench
