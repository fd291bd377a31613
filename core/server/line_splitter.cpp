#include "core/server/line_splitter.h"

#include <cstdint>
#include <utility>

namespace lapbench {

namespace {

/// Bytes of the well-formed UTF-8 character at the start of `text`, 0 where there is none (Unicode 15, table 3-7).
std::size_t characterLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0u; };
    const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) > 0x9F;
        return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool beyond = first == 0xF4 && byte(1) > 0x8F;
        return continues(1) && continues(2) && continues(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

/// Bytes of the control sequence or character at the start of `text` (ECMA-48, 5.4), 0 where there is none.
std::size_t controlLength(std::string_view text)
{
    constexpr char kEscape = 0x1b;
    if (text.starts_with("\x1b[")) {
        for (std::size_t i = 2; i < text.size(); ++i)
            if (text[i] >= 0x40 && text[i] <= 0x7e)
                return i + 1;
        return text.size();
    }
    const auto first = static_cast<std::uint8_t>(text[0]);
    if (first == kEscape || (first < 0x20 && first != '\t') || first == 0x7f)
        return 1;
    return 0;
}

} // namespace

std::string LineSplitter::take()
{
    m_begun = false;
    const std::string raw = std::exchange(m_line, {});
    std::string line;
    line.reserve(raw.size());
    for (std::size_t at = 0; at < raw.size();) {
        const std::string_view rest = std::string_view(raw).substr(at);
        if (const std::size_t skipped = controlLength(rest); skipped > 0) {
            at += skipped;
            continue;
        }
        const std::size_t length = characterLength(rest);
        line += length == 0 ? std::string_view("?") : rest.substr(0, length);
        at += length == 0 ? 1 : length;
    }
    return line;
}

} // namespace lapbench
