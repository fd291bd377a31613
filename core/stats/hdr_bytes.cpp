#include "core/stats/hdr_bytes.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>

namespace lapbench::hdr {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

struct InflateEnd {
    void operator()(z_stream* stream) const { inflateEnd(stream); }
};

} // namespace

void putBig(std::string& bytes, std::uint64_t value, int size)
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

void putZigZag(std::string& bytes, std::int64_t number)
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

std::optional<std::string> fromBase64(std::string_view text)
{
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    if (text.size() % 4 == 1)
        return std::nullopt;
    std::string bytes;
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

std::string deflated(const std::string& plain)
{
    uLongf size = compressBound(plain.size());
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
              plain.size(), Z_DEFAULT_COMPRESSION);
    packed.resize(size);
    return packed;
}

Problem unreadable(const std::string& why)
{
    return {"", "histogram cannot be read: " + why, "save it again as HdrHistogram V2, deflated, base64"};
}

Result<Inflated> inflated(std::string_view base64, std::size_t maxBytes)
{
    const auto bytes = fromBase64(base64);
    if (!bytes)
        return unreadable("not base64");
    Inflated result;
    if (bytes->size() >= 8)
        result.cookie = static_cast<std::uint32_t>(getBig(*bytes, 0, 4)) & ~kWordSizeBits;
    if (result.cookie != kDeflatedV2 && result.cookie != kDeflatedV1 && result.cookie != kDeflatedV0)
        return unreadable("not a deflated encoding of HdrHistogram");
    const std::uint64_t size = getBig(*bytes, 4, 4);
    if (size > bytes->size() - 8)
        return unreadable("it is cut short");

    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes->data())) + 8;
    stream.avail_in = static_cast<uInt>(size);
    if (inflateInit(&stream) != Z_OK)
        return unreadable("it does not inflate");
    const std::unique_ptr<z_stream, InflateEnd> end(&stream);
    std::array<char, 16384> piece;
    int state = Z_OK;
    while (state == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = piece.size();
        state = inflate(&stream, Z_NO_FLUSH);
        result.plain.append(piece.data(), piece.size() - stream.avail_out);
        if (result.plain.size() > maxBytes)
            return unreadable("it has more counters than any histogram of latencies");
    }
    if (state != Z_STREAM_END)
        return unreadable("it does not inflate");
    return result;
}

} // namespace lapbench::hdr
