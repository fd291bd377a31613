#include "core/plan/rate_course.h"

#include "core/base/units.h"

#include <algorithm>
#include <chrono>
#include <string>

namespace lapbench {

namespace {

constexpr std::uint64_t kMostPerSecond = 100'000'000;

Result<double> parseRate(std::string_view text)
{
    const auto rate = parseCount(std::string(text));
    if (!rate)
        return rate.problem();
    if (rate.value() < 1 || rate.value() > kMostPerSecond)
        return Problem{"", "\"" + std::string(text) + "\" is no rate", "allowed: 1 to 100000000 requests a second"};
    return static_cast<double>(rate.value());
}

/// What stands before the last slash, and the time behind it.
Result<std::pair<std::string_view, Nanoseconds>> splitTime(std::string_view text, const std::string& form)
{
    const std::size_t slash = text.rfind('/');
    if (slash == std::string_view::npos)
        return Problem{"", "\"" + std::string(text) + "\" says no time", "write " + form};
    const auto time = parseDuration(std::string(text.substr(slash + 1)));
    if (!time)
        return time.problem();
    if (time.value() <= Nanoseconds::zero())
        return Problem{"", "\"" + std::string(text) + "\" takes no time", "write " + form};
    return std::pair(text.substr(0, slash), time.value());
}

} // namespace

RateCourse constantRate(double perSecond)
{
    return {{perSecond, perSecond, Nanoseconds::zero()}};
}

Result<RateCourse> parseRamp(std::string_view text)
{
    const std::string form = "R1..R2/T, such as 100..5000/30s";
    const auto parts = splitTime(text, form);
    if (!parts)
        return parts.problem();
    const auto& [rates, time] = parts.value();
    const std::size_t dots = rates.find("..");
    if (dots == std::string_view::npos)
        return Problem{"", "\"" + std::string(text) + "\" is no ramp", "write " + form};
    const auto from = parseRate(rates.substr(0, dots));
    if (!from)
        return from.problem();
    const auto to = parseRate(rates.substr(dots + 2));
    if (!to)
        return to.problem();
    return RateCourse{{from.value(), to.value(), time}};
}

Result<RateCourse> parseSteps(std::string_view text)
{
    const auto parts = splitTime(text, "R1,R2,../T, such as 1000,2000,4000/10s");
    if (!parts)
        return parts.problem();
    auto [rates, time] = parts.value();
    RateCourse course;
    for (std::size_t comma = 0; comma != std::string_view::npos;) {
        comma = rates.find(',');
        const auto rate = parseRate(rates.substr(0, comma));
        if (!rate)
            return rate.problem();
        course.push_back({rate.value(), rate.value(), time});
        rates.remove_prefix(comma == std::string_view::npos ? rates.size() : comma + 1);
    }
    return course;
}

Result<RateCourse> courseOf(const Load& load, std::optional<unsigned> rate)
{
    if (!load.ramp.empty())
        return parseRamp(load.ramp);
    if (!load.steps.empty())
        return parseSteps(load.steps);
    return rate ? constantRate(*rate) : RateCourse{};
}

std::optional<double> onlyRate(const RateCourse& course)
{
    return course.size() == 1 && course.front().from == course.front().to ? std::optional(course.front().to)
                                                                          : std::nullopt;
}

std::optional<double> meanRate(const RateCourse& course, Nanoseconds length)
{
    if (course.empty() || length <= Nanoseconds::zero())
        return std::nullopt;
    const auto seconds = [](Nanoseconds time) { return std::chrono::duration<double>(time).count(); };
    double arrivals = 0;
    Nanoseconds left = length;
    for (const RateStretch& stretch : course) {
        const Nanoseconds part = std::min(left, stretch.length);
        if (part <= Nanoseconds::zero())
            break;
        const double share = seconds(part) / seconds(stretch.length);
        arrivals += seconds(part) * (stretch.from + (stretch.to - stretch.from) * share / 2);
        left -= part;
    }
    arrivals += seconds(left) * course.back().to;
    return arrivals / seconds(length);
}

Nanoseconds lengthOf(const RateCourse& course)
{
    Nanoseconds length{};
    for (const RateStretch& stretch : course) {
        if (stretch.length == Nanoseconds::zero())
            return Nanoseconds::zero();
        length += stretch.length;
    }
    return length;
}

} // namespace lapbench
