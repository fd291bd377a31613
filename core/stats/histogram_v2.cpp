#include "core/stats/histogram.h"

#include <zlib.h>

#include <array>

// The layout is that of HdrHistogram's encodeIntoCompressedByteBuffer, V2: big-endian headers, then the counters as
// ZigZag LEB128 numbers of at most 9 bytes, a run of zeros as its negative length.

namespace lapbench {

namespace {

constexpr std::uint32_t kPlainCookie = 0x1c849313;
constexpr std::uint32_t kDeflatedCookie = 0x1c849314;
constexpr std::uint32_t kWordSizeBits = 0xf0;
constexpr std::size_t kHeaderBytes = 40;
constexpr std::uint32_t kDigits = 3;
constexpr std::uint64_t kRatioOne = 0x3ff0000000000000; // 1.0 as IEEE 754
constexpr std::size_t kMostCounterBytes = hdr::kCounters * 9;

using Bytes = std::string;

void putBig(Bytes& bytes, std::uint64_t value, int size)
{
    for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>(value >> shift));
}

std::uint64_t getBig(std::string_view bytes, std::size_t at, int size)
{
    std::uint64_t value = 0;
    for (int i = 0; i < size; ++i)
        value = (value << 8) | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
    return value;
}

void putZigZag(Bytes& bytes, std::int64_t number)
{
    std::uint64_t value = (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
    for (int i = 0; i < 8; ++i) {
        if (value < 0x80) {
            bytes.push_back(static_cast<char>(value));
            return;
        }
        bytes.push_back(static_cast<char>((value & 0x7f) | 0x80));
        value >>= 7;
    }
    bytes.push_back(static_cast<char>(value));
}

std::optional<std::int64_t> getZigZag(std::string_view bytes, std::size_t& at)
{
    std::uint64_t value = 0;
    for (int i = 0; i < 9; ++i) {
        if (at == bytes.size())
            return std::nullopt;
        const auto byte = static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at++]));
        if (i == 8 || byte < 0x80) {
            value |= byte << (7 * i);
            break;
        }
        value |= (byte & 0x7f) << (7 * i);
    }
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string toBase64(std::string_view bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t have = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = (group << 8) | (i < have ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text.push_back(i <= have ? kAlphabet[(group >> (18 - 6 * i)) & 63] : '=');
    }
    return text;
}

std::optional<Bytes> fromBase64(std::string_view text)
{
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    if (text.size() % 4 == 1)
        return std::nullopt;
    Bytes bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        const auto value = kAlphabet.find(c);
        if (value == std::string_view::npos)
            return std::nullopt;
        group = (group << 6) | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push_back(static_cast<char>(group >> bits));
        }
    }
    return bytes;
}

std::string deflated(const Bytes& plain)
{
    uLongf size = compressBound(plain.size());
    Bytes packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
              plain.size(), Z_DEFAULT_COMPRESSION);
    packed.resize(size);
    return packed;
}

Problem unreadable(const std::string& why)
{
    return {"", "histogram cannot be read: " + why, "save it again as HdrHistogram V2, deflated, base64"};
}

Result<Bytes> inflatedPayload(std::string_view base64)
{
    const auto bytes = fromBase64(base64);
    if (!bytes)
        return unreadable("not base64");
    if (bytes->size() < 8 ||
        (getBig(*bytes, 0, 4) & ~std::uint64_t{kWordSizeBits}) != (kDeflatedCookie & ~kWordSizeBits))
        return unreadable("not the deflated V2 encoding");
    if (getBig(*bytes, 4, 4) > bytes->size() - 8)
        return unreadable("it is cut short");
    Bytes plain(kHeaderBytes + kMostCounterBytes, '\0');
    uLongf size = plain.size();
    if (uncompress(reinterpret_cast<Bytef*>(plain.data()), &size, reinterpret_cast<const Bytef*>(bytes->data()) + 8,
                   getBig(*bytes, 4, 4)) != Z_OK)
        return unreadable("it does not inflate");
    plain.resize(size);
    return plain;
}

} // namespace

std::string encodeV2(const SparseHistogram& histogram)
{
    Bytes counters;
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

    Bytes plain;
    putBig(plain, kPlainCookie, 4);
    putBig(plain, counters.size(), 4);
    putBig(plain, 0, 4); // normalizing index offset
    putBig(plain, kDigits, 4);
    putBig(plain, hdr::kLowestNs, 8);
    putBig(plain, hdr::kHighestNs, 8);
    putBig(plain, kRatioOne, 8);
    const std::string packed = deflated(plain + counters);

    Bytes whole;
    putBig(whole, kDeflatedCookie, 4);
    putBig(whole, packed.size(), 4);
    return toBase64(whole + packed);
}

std::string Histogram::encodeV2() const
{
    return lapbench::encodeV2(sparse());
}

Result<Histogram> Histogram::decodeV2(std::string_view base64)
{
    auto inflated = inflatedPayload(base64);
    if (!inflated)
        return inflated.problem();
    const Bytes& plain = inflated.value();
    if (plain.size() < kHeaderBytes ||
        (getBig(plain, 0, 4) & ~std::uint64_t{kWordSizeBits}) != (kPlainCookie & ~kWordSizeBits))
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
