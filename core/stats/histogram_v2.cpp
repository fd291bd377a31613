#include "core/stats/hdr_bytes.h"
#include "core/stats/histogram.h"

// The layout is that of HdrHistogram's encodeIntoCompressedByteBuffer, V2: big-endian headers, then the counters as
// ZigZag LEB128 numbers of at most 9 bytes, a run of zeros as its negative length.

namespace lapbench {

namespace {

constexpr std::uint32_t kLebWords = 0x10; // in a cookie: counters of variable length
constexpr std::size_t kHeaderBytes = 40;
constexpr std::uint32_t kDigits = 3;
constexpr std::uint64_t kRatioOne = 0x3ff0000000000000; // 1.0 as IEEE 754
constexpr std::size_t kMostCounterBytes = hdr::kCounters * 9;

using namespace hdr;

} // namespace

std::string encodeV2(const SparseHistogram& histogram)
{
    std::string counters;
    std::size_t next = 0;
    for (const auto& [index, count] : histogram.counts) {
        const auto zeros = static_cast<std::int64_t>(index - next);
        if (zeros > 0)
            putZigZag(counters, zeros == 1 ? 0 : -zeros);
        putZigZag(counters, static_cast<std::int64_t>(count));
        next = index + std::size_t{1};
    }
    if (counters.empty())
        putZigZag(counters, 0); // other libraries expect at least counter 0

    std::string plain;
    putBig(plain, kPlainV2 | kLebWords, 4);
    putBig(plain, counters.size(), 4);
    putBig(plain, 0, 4); // normalizing index offset
    putBig(plain, kDigits, 4);
    putBig(plain, hdr::kLowestNs, 8);
    putBig(plain, hdr::kHighestNs, 8);
    putBig(plain, kRatioOne, 8);
    const std::string packed = deflated(plain + counters);

    std::string whole;
    putBig(whole, kDeflatedV2 | kLebWords, 4);
    putBig(whole, packed.size(), 4);
    return toBase64(whole + packed);
}

std::string Histogram::encodeV2() const
{
    return lapbench::encodeV2(sparse());
}

Result<Histogram> Histogram::decodeV2(std::string_view base64)
{
    const auto packed = inflated(base64, kHeaderBytes + kMostCounterBytes);
    if (!packed)
        return packed.problem();
    const std::string& plain = packed.value().plain;
    if (packed.value().cookie != kDeflatedV2 || plain.size() < kHeaderBytes ||
        (getBig(plain, 0, 4) & ~std::uint64_t{kWordSizeBits}) != kPlainV2)
        return unreadable("not the V2 encoding");
    // hdr-histogram-js writes 1 as index offset, and 1 as an integer for the ratio, and means neither.
    const bool fromJs = getBig(plain, 8, 4) == 1 && getBig(plain, 32, 8) == 1;
    if ((getBig(plain, 8, 4) != 0 && !fromJs) || getBig(plain, 12, 4) != kDigits ||
        getBig(plain, 16, 8) != hdr::kLowestNs || getBig(plain, 24, 8) > static_cast<std::uint64_t>(hdr::kHighestNs))
        return unreadable("its layout is not 3 digits from 1 ns to 1 h");
    const std::uint64_t payload = getBig(plain, 4, 4);
    if (payload > plain.size() - kHeaderBytes)
        return unreadable("it is cut short");

    const std::string_view counters = std::string_view(plain).substr(kHeaderBytes, payload);
    Histogram histogram;
    std::size_t index = 0;
    for (std::size_t at = 0; at < counters.size();) {
        const auto number = getZigZag(counters, at);
        if (!number)
            return unreadable("a counter is cut short");
        const std::uint64_t step = *number < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(*number) : 1;
        if (step > hdr::kCounters - index)
            return unreadable("it has more than " + std::to_string(hdr::kCounters) + " counters");
        if (*number > 0)
            histogram.addAt(index, static_cast<std::uint64_t>(*number));
        index += step;
    }
    return histogram;
}

} // namespace lapbench
