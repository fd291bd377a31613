#pragma once

#include <cstdint>

namespace lapbench {

/// The n-th output, from 0, of SplitMix64 started with `seed` (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, OOPSLA 2014): a pure function, so that a random value needs no state that threads would have to share.
constexpr std::uint64_t splitMix64(std::uint64_t seed, std::uint64_t n)
{
    std::uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// A number 0..span-1, each exactly as likely as any other (Lemire: Fast random integer generation in an interval, ACM
/// TOMACS 29, 2019); `span` 0 means 2^64. Pure: the same for the same `seed`.
constexpr std::uint64_t drawBelow(std::uint64_t seed, std::uint64_t span)
{
    __extension__ using Wide = unsigned __int128;
    if (span == 0)
        return splitMix64(seed, 0);
    for (std::uint64_t attempt = 0;; ++attempt) {
        const Wide product = static_cast<Wide>(splitMix64(seed, attempt)) * span;
        const auto low = static_cast<std::uint64_t>(product);
        if (low >= span || low >= (0 - span) % span)
            return static_cast<std::uint64_t>(product >> 64);
    }
}

} // namespace lapbench
