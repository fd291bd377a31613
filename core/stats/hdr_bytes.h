#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The bytes of HdrHistogram's encodings: big-endian headers, ZigZag LEB128 numbers, zlib and base64. Pure functions.
namespace lapbench::hdr {

inline constexpr std::uint32_t kWordSizeBits = 0xf0; ///< of a cookie: the rest of it names the encoding
inline constexpr std::uint32_t kPlainV2 = 0x1c849303, kDeflatedV2 = 0x1c849304;
inline constexpr std::uint32_t kPlainV1 = 0x1c849301, kDeflatedV1 = 0x1c849302;
inline constexpr std::uint32_t kPlainV0 = 0x1c849308, kDeflatedV0 = 0x1c849309;

void putBig(std::string& bytes, std::uint64_t value, int size);
/// The number of `size` bytes (at most 8) at `at`, which are there.
std::uint64_t getBig(std::string_view bytes, std::size_t at, int size);

/// At most 9 bytes, as HdrHistogram V2 writes them.
void putZigZag(std::string& bytes, std::int64_t number);
/// Moves `at` behind the number; nothing where it is cut short.
std::optional<std::int64_t> getZigZag(std::string_view bytes, std::size_t& at);

std::string toBase64(std::string_view bytes);
std::optional<std::string> fromBase64(std::string_view text);

std::string deflated(const std::string& plain);

/// That a histogram cannot be read, and why; its path is left empty for the caller to fill.
Problem unreadable(const std::string& why);

/// What a deflated histogram holds.
struct Inflated {
    std::uint32_t cookie = 0; ///< of the deflated encoding, without kWordSizeBits
    std::string plain;
};
/// Problems: no base64, none of the deflated encodings, cut short, more than `maxBytes` of them.
Result<Inflated> inflated(std::string_view base64, std::size_t maxBytes);

} // namespace lapbench::hdr
