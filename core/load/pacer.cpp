#include "core/load/pacer.h"

#include <cmath>
#include <utility>

namespace lapbench {

namespace {

constexpr long double kSecond = 1e9L;

long double secondsOf(Nanoseconds length)
{
    return static_cast<long double>(length.count()) / kSecond;
}

/// Arrivals of a stretch in its first `t` seconds: the integral of a rate that grows evenly.
long double arrivalsBy(const RateStretch& stretch, long double t)
{
    const long double length = secondsOf(stretch.length);
    const long double slope = length > 0 ? (static_cast<long double>(stretch.to) - stretch.from) / length : 0;
    return stretch.from * t + slope * t * t / 2;
}

/// The inverse: seconds into the stretch at which `arrivals` are reached. The root of the quadratic that is stable for
/// small slopes.
long double timeOf(const RateStretch& stretch, long double arrivals)
{
    const long double length = secondsOf(stretch.length);
    const long double slope = length > 0 ? (static_cast<long double>(stretch.to) - stretch.from) / length : 0;
    const long double root =
        std::sqrt(std::max(0.0L, static_cast<long double>(stretch.from) * stretch.from + 2 * slope * arrivals));
    return 2 * arrivals / (stretch.from + root);
}

/// Nanoseconds into the course at which arrival `number` is due.
long double courseNs(const RateCourse& course, std::uint64_t number)
{
    auto left = static_cast<long double>(number);
    long double begun = 0;
    for (const RateStretch& stretch : course) {
        const long double length = secondsOf(stretch.length);
        const long double whole = arrivalsBy(stretch, length);
        if (length == 0 || left < whole)
            return (begun + timeOf(stretch, left)) * kSecond;
        left -= whole;
        begun += length;
    }
    return (begun + left / course.back().to) * kSecond;
}

long double courseArrivals(const RateCourse& course, long double seconds)
{
    long double arrivals = 0;
    for (const RateStretch& stretch : course) {
        const long double length = secondsOf(stretch.length);
        if (length == 0 || seconds < length)
            return arrivals + arrivalsBy(stretch, seconds);
        arrivals += arrivalsBy(stretch, length);
        seconds -= length;
    }
    return arrivals + static_cast<long double>(course.back().to) * seconds;
}

/// The smallest number whose time is not below; both sides are rounded, so that a guess is put right by asking.
template <typename Due>
std::uint64_t firstNotBefore(std::int64_t ns, long double guess, Due due)
{
    auto number = static_cast<std::uint64_t>(std::max(0.0L, std::floor(guess)));
    while (number > 0 && due(number - 1) >= ns)
        --number;
    while (due(number) < ns)
        ++number;
    return number;
}

} // namespace

Arrivals::Arrivals(RateCourse course, std::int64_t fromNs) : m_course(std::move(course)), m_fromNs(fromNs) {}

void Arrivals::setOpening(std::int64_t openNs)
{
    m_beforeOpening = dueBefore(openNs);
    m_openNs = openNs;
}

std::int64_t Arrivals::dueNs(std::uint64_t number) const
{
    if (number >= m_beforeOpening)
        return m_openNs + static_cast<std::int64_t>(std::ceil(courseNs(m_course, number - m_beforeOpening)));
    return m_fromNs +
           static_cast<std::int64_t>(std::ceil(static_cast<long double>(number) / m_course.front().from * kSecond));
}

std::uint64_t Arrivals::dueBefore(std::int64_t ns) const
{
    const auto due = [this](std::uint64_t number) { return dueNs(number); };
    if (m_openNs == kNever || ns <= m_openNs)
        return firstNotBefore(ns, static_cast<long double>(ns - m_fromNs) / kSecond * m_course.front().from, due);
    return firstNotBefore(ns,
                          static_cast<long double>(m_beforeOpening) +
                              courseArrivals(m_course, static_cast<long double>(ns - m_openNs) / kSecond),
                          due);
}

} // namespace lapbench
