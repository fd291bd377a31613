#include "core/workload/percent_encoding.h"

#include <array>

namespace lapbench {

namespace {

constexpr std::array<bool, 256> kStands = [] {
    std::array<bool, 256> stands{};
    for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                         "-._~:/?[]@!$&'()*+,;="))
        stands[static_cast<unsigned char>(c)] = true;
    return stands;
}();

bool isHexDigit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

} // namespace

char* writePercentEncoded(std::string_view value, char* to)
{
    constexpr std::string_view kHex = "0123456789ABCDEF";
    for (std::size_t i = 0; i < value.size(); ++i) {
        const auto byte = static_cast<unsigned char>(value[i]);
        const bool isCode = byte == '%' && i + 2 < value.size() && isHexDigit(value[i + 1]) && isHexDigit(value[i + 2]);
        if (kStands[byte] || isCode) {
            *to++ = value[i];
        } else {
            *to++ = '%';
            *to++ = kHex[byte >> 4];
            *to++ = kHex[byte & 15];
        }
    }
    return to;
}

} // namespace lapbench
