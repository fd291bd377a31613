#include "core/result/import/measure_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace lapbench {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/// Digits from `at` on, and whether what follows them is the end of the number.
std::size_t digitsEnd(std::string_view text, std::size_t at)
{
    while (at < text.size() && isDigit(text[at]))
        ++at;
    return at;
}

/// A blank between groups of digits: plain, no-break (U+00A0) or narrow (U+202F) in UTF-8; its length or 0.
std::size_t groupBlank(std::string_view text)
{
    for (const std::string_view blank : {"\u00a0", "\u202f", " ", "'", "_"})
        if (text.starts_with(blank))
            return blank.size();
    return 0;
}

/// Length of a group separator at the start of `text` that three digits and no fourth one follow; 0 where there is
/// none.
std::size_t groupAt(std::string_view text, char separator)
{
    const std::size_t length = text.starts_with(separator) ? 1 : groupBlank(text);
    return length > 0 && digitsEnd(text, length) == length + 3 ? length : 0;
}

/// The longest number at the start of `text` in C's way of writing, and how much of the text it took.
std::pair<std::string, std::size_t> plainNumber(std::string_view text, NumberStyle style)
{
    const char point = style == NumberStyle::point ? '.' : ',';
    const char group = style == NumberStyle::point ? ',' : '.';
    std::string plain;
    std::size_t at = 0;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) {
        if (text[at] == '-')
            plain += '-';
        ++at;
    }
    const std::size_t first = digitsEnd(text, at);
    plain += text.substr(at, first - at);
    bool grouped = first > at && first - at <= 3;
    at = first;
    while (grouped) {
        const std::size_t length = groupAt(text.substr(at), group);
        if (length == 0)
            break;
        plain += text.substr(at + length, 3);
        at += length + 3;
    }
    if (at < text.size() && text[at] == point && at + 1 < text.size() && isDigit(text[at + 1])) {
        const std::size_t end = digitsEnd(text, at + 1);
        plain += '.';
        plain += text.substr(at + 1, end - at - 1);
        at = end;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        const std::size_t sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') ? 2 : 1;
        const std::size_t end = digitsEnd(text, at + sign);
        if (end > at + sign) {
            plain += text.substr(at, end - at);
            at = end;
        }
    }
    return {plain, at};
}

/// The number at the start of `text`, which is cut off from it; nothing where there is none.
std::optional<double> takeNumber(std::string_view& text, NumberStyle style)
{
    const auto [plain, length] = plainNumber(text, style);
    double value = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (error != std::errc() || end != plain.data() + plain.size() || plain.empty() || !std::isfinite(value))
        return std::nullopt;
    text.remove_prefix(length);
    return value;
}

/// Letters and µ at the start of `text`, which are cut off from it.
std::string_view takeUnit(std::string_view& text)
{
    text = trimmed(text);
    std::size_t end = 0;
    while (end < text.size() && (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || (text[end] & 0x80) != 0))
        ++end;
    const std::string_view unit = text.substr(0, end);
    text.remove_prefix(end);
    return unit;
}

std::optional<double> microsecondsOf(std::string_view unit)
{
    constexpr std::array<std::pair<std::string_view, double>, 16> kUnits = {{{"ns", 1e-3},
                                                                             {"us", 1},
                                                                             {"\u00b5s", 1},
                                                                             {"\u03bcs", 1},
                                                                             {"ms", 1e3},
                                                                             {"s", 1e6},
                                                                             {"sec", 1e6},
                                                                             {"secs", 1e6},
                                                                             {"second", 1e6},
                                                                             {"seconds", 1e6},
                                                                             {"m", 60e6},
                                                                             {"min", 60e6},
                                                                             {"mins", 60e6},
                                                                             {"h", 3600e6},
                                                                             {"hour", 3600e6},
                                                                             {"hours", 3600e6}}};
    const auto found = std::find_if(kUnits.begin(), kUnits.end(), [&](const auto& row) { return row.first == unit; });
    return found == kUnits.end() ? std::nullopt : std::optional(found->second);
}

/// What a number with one comma or point tells about the text: "0,5" and "12,34" have a decimal comma.
std::optional<NumberStyle> styleAt(std::string_view number)
{
    const std::size_t commas = static_cast<std::size_t>(std::count(number.begin(), number.end(), ','));
    const std::size_t points = static_cast<std::size_t>(std::count(number.begin(), number.end(), '.'));
    if (commas == 0 || commas + points == 0)
        return std::nullopt;
    if (points > 0)
        return number.rfind(',') > number.rfind('.') ? (commas == 1 ? std::optional(NumberStyle::comma) : std::nullopt)
                                                     : (points == 1 ? std::optional(NumberStyle::point) : std::nullopt);
    if (commas > 1)
        return std::nullopt;
    const std::size_t before = number.find(','), after = number.size() - before - 1;
    return after != 3 || number.starts_with("0,") || before > 3 ? std::optional(NumberStyle::comma) : std::nullopt;
}

} // namespace

NumberStyle numberStyleOf(std::string_view text)
{
    constexpr std::size_t kLookedAt = 1 << 20;
    text = text.substr(0, kLookedAt);
    std::size_t at = 0;
    int comma = 0, point = 0;
    while (at < text.size()) {
        if (!isDigit(text[at])) {
            ++at;
            continue;
        }
        const std::size_t start = at;
        while (at < text.size() && (isDigit(text[at]) || ((text[at] == ',' || text[at] == '.') &&
                                                          at + 1 < text.size() && isDigit(text[at + 1]))))
            ++at;
        const auto style = styleAt(text.substr(start, at - start));
        comma += style == NumberStyle::comma ? 1 : 0;
        const std::string_view number = text.substr(start, at - start);
        point += style == NumberStyle::point ||
                         (std::count(number.begin(), number.end(), '.') == 1 &&
                          number.size() - number.find('.') - 1 != 3 && number.find(',') == std::string_view::npos)
                     ? 1
                     : 0;
    }
    return comma > point ? NumberStyle::comma : NumberStyle::point;
}

std::optional<double> parseNumber(std::string_view text, NumberStyle style)
{
    text = trimmed(text);
    const auto value = takeNumber(text, style);
    return text.empty() ? value : std::nullopt;
}

std::optional<std::uint64_t> parseWhole(std::string_view text, NumberStyle style)
{
    const auto value = parseNumber(text, style);
    constexpr double kMost = 9007199254740992.0; // 2^53
    if (!value || *value < 0 || *value > kMost || *value != std::floor(*value))
        return std::nullopt;
    return static_cast<std::uint64_t>(*value);
}

std::optional<double> parseTimeUs(std::string_view text, NumberStyle style)
{
    text = trimmed(text);
    double sum = 0;
    bool any = false;
    while (!text.empty()) {
        const auto value = takeNumber(text, style);
        const auto unit = microsecondsOf(takeUnit(text));
        if (!value || !unit)
            return std::nullopt;
        sum += *value * *unit;
        any = true;
    }
    return any && std::isfinite(sum) ? std::optional(sum) : std::nullopt;
}

std::optional<double> parseBytes(std::string_view text, double kilo, NumberStyle style)
{
    text = trimmed(text);
    const auto value = takeNumber(text, style);
    std::string_view unit = takeUnit(text);
    if (!value || !text.empty() || unit.empty())
        return std::nullopt;
    if (unit == "B" || unit == "bytes" || unit == "Bytes" || unit == "byte")
        return value;
    const std::size_t power = std::string_view("KMGTP").find(static_cast<char>(std::toupper(unit.front())));
    unit.remove_prefix(1);
    const bool binary = unit == "i" || unit == "iB";
    if (power == std::string_view::npos || !(binary || unit.empty() || unit == "B" || unit == "b"))
        return std::nullopt;
    return *value * std::pow(binary ? 1024.0 : kilo, static_cast<double>(power + 1));
}

std::optional<double> parseScaled(std::string_view text, NumberStyle style)
{
    text = trimmed(text);
    const auto value = takeNumber(text, style);
    if (!value || text.size() > 1)
        return std::nullopt;
    if (text.empty())
        return value;
    const std::size_t power = std::string_view("kMGT").find(text.front() == 'K' ? 'k' : text.front());
    return power == std::string_view::npos ? std::nullopt
                                           : std::optional(*value * std::pow(1000.0, static_cast<double>(power + 1)));
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return lines;
}

std::vector<std::string_view> wordsOf(std::string_view line)
{
    std::vector<std::string_view> words;
    std::size_t at = 0;
    while (at < line.size()) {
        if (isBlank(line[at])) {
            ++at;
            continue;
        }
        const std::size_t start = at;
        while (at < line.size() && !isBlank(line[at]))
            ++at;
        words.push_back(line.substr(start, at - start));
    }
    return words;
}

std::optional<std::string_view> afterLabel(std::string_view line, std::string_view label)
{
    line = trimmed(line);
    if (!line.starts_with(label))
        return std::nullopt;
    return trimmed(line.substr(label.size()));
}

} // namespace lapbench
