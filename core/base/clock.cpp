#include "core/base/clock.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace lapbench {

namespace {

std::tm utcParts(UtcTime time)
{
    const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(time));
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    return parts;
}

std::string formatParts(const char* pattern, const std::tm& parts)
{
    std::array<char, 64> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), pattern, &parts);
    return {text.data(), length};
}

} // namespace

std::string formatUtc(UtcTime time)
{
    const auto sinceSecond = time - std::chrono::floor<std::chrono::seconds>(time);
    const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(sinceSecond).count();
    std::array<char, 8> fraction{};
    std::snprintf(fraction.data(), fraction.size(), ".%03dZ", static_cast<int>(millis));
    return formatParts("%Y-%m-%dT%H:%M:%S", utcParts(time)) + fraction.data();
}

std::optional<UtcTime> parseUtc(std::string_view text)
{
    std::tm parts{};
    int used = 0;
    const std::string copy(text);
    if (std::sscanf(copy.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%n", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                    &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &used) != 6)
        return std::nullopt;
    if (parts.tm_mon < 1 || parts.tm_mon > 12 || parts.tm_mday < 1 || parts.tm_mday > 31 || parts.tm_hour > 23 ||
        parts.tm_min > 59 || parts.tm_sec > 60)
        return std::nullopt;
    std::size_t at = static_cast<std::size_t>(used);
    std::int64_t nanos = 0;
    if (at < copy.size() && copy[at] == '.') {
        std::int64_t scale = 100'000'000;
        for (++at; at < copy.size() && copy[at] >= '0' && copy[at] <= '9'; ++at, scale /= 10)
            nanos += (copy[at] - '0') * scale;
    }
    if (copy.substr(at) != "Z")
        return std::nullopt;
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    const std::time_t seconds = timegm(&parts);
    return std::chrono::system_clock::from_time_t(seconds) +
           std::chrono::duration_cast<UtcTime::duration>(Nanoseconds(nanos));
}

std::string formatUtcCompact(UtcTime time)
{
    return formatParts("%Y%m%dT%H%M%SZ", utcParts(time));
}

} // namespace lapbench
