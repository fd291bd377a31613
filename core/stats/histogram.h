#pragma once

#include "core/base/result.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapbench {

/// HdrHistogram layout: 3 significant digits, 1 ns to 1 h, 33,792 counters. Larger values clamp and are counted.
namespace hdr {
inline constexpr std::int64_t kLowestNs = 1;
inline constexpr std::int64_t kHighestNs = 3'600'000'000'000;
inline constexpr int kSubBucketHalfBits = 10;
inline constexpr std::size_t kCounters = 33'792;

/// Counter that a value in nanoseconds falls into; values below 0 count as 0, above kHighestNs as kHighestNs.
constexpr std::size_t indexOf(std::int64_t valueNs)
{
    const auto value = static_cast<std::uint64_t>(std::clamp<std::int64_t>(valueNs, 0, kHighestNs));
    constexpr std::uint64_t kSubBucketMask = (std::uint64_t{2} << kSubBucketHalfBits) - 1;
    const auto bucket = static_cast<int>(std::bit_width(value | kSubBucketMask)) - (kSubBucketHalfBits + 1);
    return (static_cast<std::size_t>(bucket) << kSubBucketHalfBits) + static_cast<std::size_t>(value >> bucket);
}
/// Lowest and highest value in nanoseconds that share counter `index`.
std::int64_t lowestAt(std::size_t index);
std::int64_t highestAt(std::size_t index);
} // namespace hdr

/// The non-zero counters of a histogram, in order: small enough to keep one a second.
struct SparseHistogram {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> counts; ///< (counter index, count), ascending

    std::uint64_t total() const;
    /// As those of Histogram.
    std::optional<std::int64_t> percentileNs(double p) const;
    std::optional<std::int64_t> maxNs() const;
};

/// Counts of values in nanoseconds. A value type; one thread at a time. Counters are made at the first record.
class Histogram {
public:
    void record(std::int64_t valueNs, std::uint64_t count = 1);
    /// Adds `count` to counter `index` (< hdr::kCounters).
    void addAt(std::size_t index, std::uint64_t count);
    /// Addition is exact: the merged histogram equals the one of the concatenated values.
    void add(const Histogram& other);
    void add(const SparseHistogram& other);

    std::uint64_t total() const { return m_total; }
    std::uint64_t clamped() const { return m_clamped; }
    bool empty() const { return m_total == 0; }
    std::uint64_t countAt(std::size_t index) const { return m_counts.empty() ? 0 : m_counts[index]; }

    /// Nearest rank: highest value of the bucket that holds rank ceil(p * total). Nothing when empty. p in 0..1.
    std::optional<std::int64_t> percentileNs(double p) const;
    /// Highest value of the highest and lowest value of the lowest non-empty bucket. Nothing when empty.
    std::optional<std::int64_t> maxNs() const;
    std::optional<std::int64_t> minNs() const;

    SparseHistogram sparse() const;

    /// HdrHistogram V2, zlib-deflated, base64: what HdrHistogram libraries of other languages read.
    std::string encodeV2() const;
    static Result<Histogram> decodeV2(std::string_view base64);

    bool operator==(const Histogram& other) const;

private:
    std::vector<std::uint64_t> m_counts;
    std::uint64_t m_total = 0;
    std::uint64_t m_clamped = 0;
};

/// The same encoding for one second's counters.
std::string encodeV2(const SparseHistogram& histogram);

} // namespace lapbench
