#include "core/result/import/row_time.h"

#include "core/result/import/measure_text.h"

#include <chrono>
#include <cmath>

namespace lapbench {

namespace {

constexpr double kUsPerSecond = 1e6;

/// `digits` digits at the start of `text`, which are cut off from it.
std::optional<int> takeDigits(std::string_view& text, std::size_t digits)
{
    int value = 0;
    if (text.size() < digits)
        return std::nullopt;
    for (std::size_t i = 0; i < digits; ++i) {
        if (text[i] < '0' || text[i] > '9')
            return std::nullopt;
        value = value * 10 + (text[i] - '0');
    }
    text.remove_prefix(digits);
    return value;
}

bool takeOneOf(std::string_view& text, std::string_view allowed)
{
    if (text.empty() || allowed.find(text.front()) == std::string_view::npos)
        return false;
    text.remove_prefix(1);
    return true;
}

/// Days since 1970 of "2014-02-24"; nothing for a day that there is not.
std::optional<double> takeDay(std::string_view& text)
{
    const auto year = takeDigits(text, 4);
    const bool first = takeOneOf(text, "-/.");
    const auto month = takeDigits(text, 2);
    const bool second = takeOneOf(text, "-/.");
    const auto day = takeDigits(text, 2);
    if (!year || !first || !month || !second || !day)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year{*year}, std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok())
        return std::nullopt;
    return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

/// Seconds of "07:42:21.256"; a comma is a point too.
std::optional<double> takeClock(std::string_view& text)
{
    const auto hour = takeDigits(text, 2);
    const bool first = takeOneOf(text, ":");
    const auto minute = takeDigits(text, 2);
    const bool second = takeOneOf(text, ":");
    const auto whole = takeDigits(text, 2);
    if (!hour || !first || !minute || !second || !whole || *hour > 23 || *minute > 59 || *whole > 60)
        return std::nullopt;
    double seconds = *hour * 3600.0 + *minute * 60.0 + *whole;
    if (takeOneOf(text, ".,:"))
        for (double step = 0.1; const auto digit = takeDigits(text, 1); step /= 10)
            seconds += *digit * step;
    return seconds;
}

/// Seconds east of Greenwich: "Z", "+02:00", "-0530"; nothing where there is no zone or another text.
std::optional<double> zoneOf(std::string_view text)
{
    if (text == "Z" || text == "z")
        return 0;
    const bool west = text.starts_with('-');
    if (!takeOneOf(text, "+-"))
        return std::nullopt;
    const auto hours = takeDigits(text, 2);
    takeOneOf(text, ":");
    const auto minutes = takeDigits(text, 2);
    if (!hours || !minutes || !text.empty())
        return std::nullopt;
    return (west ? -1 : 1) * (*hours * 3600.0 + *minutes * 60.0);
}

} // namespace

std::optional<RowTime> parseRowTime(std::string_view text)
{
    text = trimmed(text);
    if (text.find_first_not_of("0123456789.") == std::string_view::npos) {
        if (const auto number = parseNumber(text)) {
            const double perSecond = *number >= 1e17 ? 1e9 : *number >= 1e14 ? 1e6 : *number >= 1e11 ? 1e3 : 1;
            return RowTime{*number / perSecond * kUsPerSecond, true};
        }
    }
    const auto day = takeDay(text);
    if (!day || !takeOneOf(text, " Tt_"))
        return std::nullopt;
    const auto clock = takeClock(text);
    text = trimmed(text);
    const auto zone = zoneOf(text);
    if (!clock || (!zone && !text.empty()))
        return std::nullopt;
    return RowTime{std::round((*day * 86400 + *clock - zone.value_or(0)) * kUsPerSecond), zone.has_value()};
}

} // namespace lapbench
