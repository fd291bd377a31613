#include "core/stats/foreign_histogram.h"

#include "core/stats/hdr_bytes.h"

#include <cmath>

namespace lapbench {

using namespace hdr;

namespace {

constexpr std::size_t kMostBytes = std::size_t{8} << 20;
constexpr std::size_t kHeaderV0 = 32, kHeaderV1 = 40; // V2 has the header of V1
constexpr int kMostDigits = 5;

/// How a histogram of HdrHistogram divides its range: linear within each power of two.
struct Layout {
    int halfBits = 0; ///< of the counters of a power of two
    int unitBits = 0; ///< of the smallest difference that it tells apart

    /// The counter's values; nothing where they are past 2^63.
    std::optional<ForeignHistogram::Bucket> at(std::size_t index) const
    {
        const std::size_t half = std::size_t{1} << halfBits;
        const std::size_t power = index >> halfBits;
        const int shift = unitBits + (power == 0 ? 0 : static_cast<int>(power) - 1);
        if (shift + halfBits + 1 > 63)
            return std::nullopt;
        const std::uint64_t step = power == 0 ? index : (index & (half - 1)) + half;
        return ForeignHistogram::Bucket{step << shift, ((step + 1) << shift) - 1, 0};
    }
};

struct Header {
    std::uint32_t version = 0; ///< one of the plain cookies
    Layout layout;
    int wordBytes = 0; ///< of a counter in V0 and V1
    std::string_view counters;
};

std::optional<Layout> layoutOf(std::uint64_t digits, std::uint64_t lowest)
{
    if (digits > kMostDigits || lowest < 1 || lowest > std::uint64_t{1} << 62)
        return std::nullopt;
    std::uint64_t singles = 2;
    for (std::uint64_t i = 0; i < digits; ++i)
        singles *= 10;
    const auto subBits = static_cast<int>(std::bit_width(singles - 1)); // of the next power of two
    return Layout{subBits - 1, static_cast<int>(std::bit_width(lowest)) - 1};
}

Result<Header> readHeader(std::string_view plain)
{
    if (plain.size() < kHeaderV0)
        return unreadable("it is cut short");
    Header header;
    const auto cookie = static_cast<std::uint32_t>(getBig(plain, 0, 4));
    header.version = cookie & ~kWordSizeBits;
    header.wordBytes = static_cast<int>((cookie & kWordSizeBits) >> 4);
    if (header.version == kPlainV0) {
        const auto layout = layoutOf(getBig(plain, 4, 4), getBig(plain, 8, 8));
        if (!layout)
            return unreadable("its layout makes no sense");
        header.layout = *layout;
        header.counters = plain.substr(kHeaderV0);
        return header;
    }
    if ((header.version != kPlainV1 && header.version != kPlainV2) || plain.size() < kHeaderV1)
        return unreadable("its encoding is not known");
    const auto layout = layoutOf(getBig(plain, 12, 4), getBig(plain, 16, 8));
    if (!layout)
        return unreadable("its layout makes no sense");
    // hdr-histogram-js writes 1 as index offset, and 1 as an integer for the ratio, and means neither.
    const bool fromJs = getBig(plain, 8, 4) == 1 && getBig(plain, 32, 8) == 1;
    if (getBig(plain, 8, 4) != 0 && !fromJs)
        return unreadable("its counters are shifted");
    const std::uint64_t size = getBig(plain, 4, 4);
    if (size > plain.size() - kHeaderV1)
        return unreadable("it is cut short");
    header.layout = *layout;
    header.counters = plain.substr(kHeaderV1, size);
    return header;
}

/// Puts a counter's bucket; false where its values are too large to be any.
bool put(ForeignHistogram& histogram, const Layout& layout, std::size_t index, std::uint64_t count)
{
    if (count == 0)
        return true;
    auto bucket = layout.at(index);
    if (!bucket)
        return false;
    bucket->count = count;
    histogram.buckets.push_back(*bucket);
    return true;
}

Result<ForeignHistogram> readWords(const Header& header)
{
    if (header.wordBytes != 2 && header.wordBytes != 4 && header.wordBytes != 8)
        return unreadable("its counters have no known size");
    ForeignHistogram histogram;
    const auto size = static_cast<std::size_t>(header.wordBytes);
    for (std::size_t index = 0; (index + 1) * size <= header.counters.size(); ++index)
        if (!put(histogram, header.layout, index, getBig(header.counters, index * size, header.wordBytes)))
            return unreadable("its values are too large");
    return histogram;
}

Result<ForeignHistogram> readZigZags(const Header& header)
{
    ForeignHistogram histogram;
    std::size_t index = 0;
    for (std::size_t at = 0; at < header.counters.size();) {
        const auto number = getZigZag(header.counters, at);
        if (!number)
            return unreadable("a counter is cut short");
        if (*number >= 0) {
            if (!put(histogram, header.layout, index++, static_cast<std::uint64_t>(*number)))
                return unreadable("its values are too large");
            continue;
        }
        const std::uint64_t zeros = std::uint64_t{0} - static_cast<std::uint64_t>(*number);
        if (zeros > kMostBytes)
            return unreadable("its values are too large");
        index += zeros;
    }
    return histogram;
}

} // namespace

SparseHistogram ForeignHistogram::inNanoseconds(double unitNs, std::uint64_t& clamped) const
{
    SparseHistogram sparse;
    for (const Bucket& bucket : buckets) {
        constexpr auto kMost = static_cast<double>(kHighestNs);
        const double highest = std::min(static_cast<double>(bucket.highest) * unitNs, kMost);
        const auto index = static_cast<std::uint32_t>(indexOf(std::llround(highest)));
        if (static_cast<double>(bucket.lowest) * unitNs > kMost)
            clamped += bucket.count;
        if (!sparse.counts.empty() && sparse.counts.back().first == index)
            sparse.counts.back().second += bucket.count;
        else
            sparse.counts.emplace_back(index, bucket.count);
    }
    return sparse;
}

Result<ForeignHistogram> decodeForeign(std::string_view base64)
{
    const auto packed = inflated(base64, kMostBytes);
    if (!packed)
        return packed.problem();
    const auto header = readHeader(packed.value().plain);
    if (!header)
        return header.problem();
    return header.value().version == kPlainV2 ? readZigZags(header.value()) : readWords(header.value());
}

} // namespace lapbench
