#include "core/base/shown_text.h"

#include <array>

namespace lapbench {

namespace {

struct Range {
    char32_t first, last;
};

/// East Asian wide and fullwidth blocks and emoji: Unicode Standard Annex 11, by block.
constexpr std::array<Range, 9> kWide = {{{0x1100, 0x115f},
                                         {0x2e80, 0xa4cf},
                                         {0xac00, 0xd7a3},
                                         {0xf900, 0xfaff},
                                         {0xfe30, 0xfe6f},
                                         {0xff00, 0xff60},
                                         {0xffe0, 0xffe6},
                                         {0x1f300, 0x1faff},
                                         {0x20000, 0x3fffd}}};
constexpr std::array<Range, 5> kNoWidth = {
    {{0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}}};

template <std::size_t count>
bool isIn(const std::array<Range, count>& ranges, char32_t c)
{
    for (const Range& range : ranges)
        if (c >= range.first && c <= range.last)
            return true;
    return false;
}

/// What turns the order of the text around it: one name would make a whole line read as something else. The marks that
/// right-to-left scripts need (U+200E, U+200F) are none of it.
constexpr std::array<Range, 2> kTurning = {{{0x202a, 0x202e}, {0x2066, 0x2069}}};
constexpr Range kLineEnds = {0x2028, 0x2029};

std::size_t widthOf(char32_t c)
{
    return isIn(kNoWidth, c) ? 0 : isIn(kWide, c) ? 2 : 1;
}

/// Takes one code point off the front; a byte that is not UTF-8 counts as one.
char32_t takeCodePoint(std::string_view& text)
{
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    char32_t c = length == 1 ? first : first & (0x7fu >> length);
    std::size_t taken = 1;
    while (taken < length && taken < text.size() && (static_cast<unsigned char>(text[taken]) & 0xc0) == 0x80)
        c = (c << 6) | (static_cast<unsigned char>(text[taken++]) & 0x3f);
    text.remove_prefix(taken);
    return c;
}

} // namespace

std::size_t displayWidth(std::string_view text)
{
    std::size_t width = 0;
    while (!text.empty())
        width += widthOf(takeCodePoint(text));
    return width;
}

std::string withoutControls(std::string_view text)
{
    std::string clean;
    while (!text.empty()) {
        const std::string_view before = text;
        const char32_t c = takeCodePoint(text);
        const bool lineEnd = c == '\n' || c == '\r' || (c >= kLineEnds.first && c <= kLineEnds.last);
        if (lineEnd || c == '\t' || c == ' ') {
            if (c == ' ' || !clean.ends_with(' '))
                clean += ' ';
        } else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || isIn(kTurning, c)) {
            clean += '?';
        } else {
            clean += before.substr(0, before.size() - text.size());
        }
    }
    return clean;
}

std::string fitted(std::string_view text, std::size_t columns)
{
    if (displayWidth(text) <= columns)
        return std::string(text);
    std::string_view rest = text;
    std::size_t width = 0;
    while (!rest.empty()) {
        std::string_view next = rest;
        width += widthOf(takeCodePoint(next));
        if (width + 1 > columns)
            break;
        rest = next;
    }
    return std::string(text.substr(0, text.size() - rest.size())) + "…";
}

} // namespace lapbench
