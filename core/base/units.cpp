#include "core/base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>

namespace lapbench {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kNsPerSecond = 1000 * kNsPerMs;
constexpr double kMaxHours = 1000;

struct NumberWithUnit {
    double number;
    std::string_view unit;
};

std::optional<NumberWithUnit> splitNumber(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc() || !std::isfinite(number))
        return std::nullopt;
    return NumberWithUnit{number, text.substr(static_cast<std::size_t>(end - text.data()))};
}

std::string quoted(std::string_view text)
{
    return "\"" + std::string(text) + "\"";
}

std::string printed(const char* pattern, int precision, double value)
{
    std::array<char, 400> text{};
    const int length = std::snprintf(text.data(), text.size(), pattern, precision, value);
    std::string result(text.data(), static_cast<std::size_t>(length));
    for (char& c : result)
        if (c == ',')
            c = '.';
    return result;
}

} // namespace

Result<Nanoseconds> parseDuration(std::string_view text)
{
    const auto parts = splitNumber(text);
    const std::string cure = "write a number with ms, s, m or h, for example 10s";
    if (!parts)
        return Problem{"", quoted(text) + " is not a duration", cure};
    double scale = 0;
    if (parts->unit == "ms")
        scale = kNsPerMs;
    else if (parts->unit == "s")
        scale = kNsPerSecond;
    else if (parts->unit == "m")
        scale = 60.0 * kNsPerSecond;
    else if (parts->unit == "h")
        scale = 3600.0 * kNsPerSecond;
    else
        return Problem{"", quoted(text) + (parts->unit.empty() ? " has no unit" : " has an unknown unit"), cure};
    if (std::signbit(parts->number))
        return Problem{"", quoted(text) + " is negative", "a duration is 0 or longer"};
    const double nanos = parts->number * scale;
    if (nanos > kMaxHours * 3600.0 * kNsPerSecond)
        return Problem{"", quoted(text) + " is longer than 1000h", "give a shorter duration"};
    return Nanoseconds(std::llround(nanos));
}

std::string formatDuration(Nanoseconds duration)
{
    const std::int64_t nanos = duration.count();
    if (nanos % kNsPerSecond == 0) {
        const std::int64_t seconds = nanos / kNsPerSecond;
        if (seconds != 0 && seconds % 3600 == 0)
            return std::to_string(seconds / 3600) + "h";
        if (seconds != 0 && seconds % 60 == 0)
            return std::to_string(seconds / 60) + "m";
        return std::to_string(seconds) + "s";
    }
    if (nanos % kNsPerMs == 0)
        return std::to_string(nanos / kNsPerMs) + "ms";
    std::string millis = formatSignificant(static_cast<double>(nanos) / kNsPerMs, 6);
    if (millis.find('.') != std::string::npos)
        millis.erase(millis.find_last_not_of('0') + 1);
    return (millis.ends_with('.') ? millis.substr(0, millis.size() - 1) : millis) + "ms";
}

Result<std::uint64_t> parseCount(std::string_view text)
{
    constexpr double kMaxCount = 9007199254740992.0;
    const auto parts = splitNumber(text);
    const std::string cure = "write a whole number, with k or M if you like, for example 100k";
    if (!parts)
        return Problem{"", quoted(text) + " is not a count", cure};
    double scale = 0;
    if (parts->unit.empty())
        scale = 1;
    else if (parts->unit == "k")
        scale = 1e3;
    else if (parts->unit == "M")
        scale = 1e6;
    else
        return Problem{"", quoted(text) + " has an unknown unit", cure};
    if (std::signbit(parts->number))
        return Problem{"", quoted(text) + " is negative", "a count is 0 or more"};
    const double value = parts->number * scale;
    if (value > kMaxCount)
        return Problem{"", quoted(text) + " is too large", "counts go up to 2^53"};
    if (std::abs(value - std::round(value)) > 1e-6)
        return Problem{"", quoted(text) + " is not a whole number", cure};
    return static_cast<std::uint64_t>(std::llround(value));
}

Result<double> parseShare(std::string_view text)
{
    const auto parts = splitNumber(text);
    const std::string cure = "write a percentage such as 2%, or a number such as 0.02";
    if (!parts || !(parts->unit.empty() || parts->unit == "%"))
        return Problem{"", quoted(text) + " is not a share", cure};
    if (std::signbit(parts->number))
        return Problem{"", quoted(text) + " is negative", "a share is 0 or more"};
    if (parts->unit.empty())
        return parts->number;
    // Moved by the exponent, since a division would round a second time: 1.1% is the number nearest to 0.011.
    const std::string moved = std::string(text.substr(0, text.size() - 1)) + "e-2";
    double share = 0;
    std::from_chars(moved.data(), moved.data() + moved.size(), share);
    return share;
}

std::string formatShare(double share)
{
    std::array<char, 400> text{};
    // Fifteen digits, so that the product's own rounding (7.000000000000001) is not shown.
    auto end =
        std::to_chars(text.data(), text.data() + text.size(), 100 * share, std::chars_format::scientific, 14).ptr;
    double percent = 0;
    std::from_chars(text.data(), end, percent);
    end = std::to_chars(text.data(), text.data() + text.size(), percent, std::chars_format::fixed).ptr;
    return std::string(text.data(), end) + "%";
}

std::string formatCounted(std::uint64_t count, const std::string& noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string formatSignificant(double value, int digits)
{
    constexpr double kSmallest = 1e-300; // below, its digits are no longer exact
    if (!std::isfinite(value))
        return "";
    if (std::abs(value) < kSmallest)
        return printed("%.*f", digits - 1, 0.0);
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double unit = std::pow(10.0, magnitude - digits + 1);
    double rounded = std::round(value / unit) * unit;
    if (!std::isfinite(rounded))
        rounded = value;
    const int roundedMagnitude = static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-9));
    const int decimals = digits - 1 - roundedMagnitude;
    return printed("%.*f", decimals > 0 ? decimals : 0, rounded);
}

std::string formatShareRounded(double share)
{
    return formatSignificant(share * 100) + " %";
}

std::string formatRate(double perSecond)
{
    if (std::abs(perSecond) >= 999.5e3)
        return formatSignificant(perSecond / 1e6) + "M";
    if (std::abs(perSecond) >= 999.5)
        return formatSignificant(perSecond / 1e3) + "k";
    return formatSignificant(perSecond);
}

std::string formatBytes(double bytes)
{
    if (std::abs(bytes) >= 999.5e6)
        return formatSignificant(bytes / 1e9) + " GB";
    if (std::abs(bytes) >= 999.5e3)
        return formatSignificant(bytes / 1e6) + " MB";
    if (std::abs(bytes) >= 999.5)
        return formatSignificant(bytes / 1e3) + " kB";
    return printed("%.*f", 0, bytes) + " B";
}

std::string formatLatencyUs(double latencyUs)
{
    if (std::abs(latencyUs) >= 999.5e3)
        return formatSignificant(latencyUs / 1e6) + " s";
    if (std::abs(latencyUs) >= 999.5)
        return formatSignificant(latencyUs / 1e3) + " ms";
    return formatSignificant(latencyUs) + " us";
}

std::string formatRemaining(Nanoseconds duration)
{
    const std::int64_t seconds = (duration.count() + kNsPerSecond / 2) / kNsPerSecond;
    if (seconds < 60)
        return std::to_string(seconds) + " s";
    if (seconds < 3600)
        return std::to_string(seconds / 60) + " min" + (seconds % 60 ? " " + std::to_string(seconds % 60) + " s" : "");
    const std::int64_t minutes = seconds / 60;
    return std::to_string(minutes / 60) + " h" + (minutes % 60 ? " " + std::to_string(minutes % 60) + " min" : "");
}

} // namespace lapbench
