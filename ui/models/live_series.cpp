#include "ui/models/live_series.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

std::optional<double> finite(std::optional<double> value)
{
    return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

template <typename Pick>
std::vector<double> known(const LivePoint* first, const LivePoint* last, Pick pick)
{
    std::vector<double> values;
    for (; first != last; ++first) {
        if (const auto value = pick(*first))
            values.push_back(*value);
    }
    std::sort(values.begin(), values.end());
    return values;
}

LivePoint together(const LivePoint* first, const LivePoint* last)
{
    const auto lowest = [](const std::vector<double>& v) {
        return v.empty() ? std::nullopt : std::optional(v.front());
    };
    const auto highest = [](const std::vector<double>& v) {
        return v.empty() ? std::nullopt : std::optional(v.back());
    };
    LivePoint point;
    point.t = (last - 1)->t;
    const auto rates = known(first, last, [](const LivePoint& p) { return p.rps; });
    if (!rates.empty()) {
        double sum = 0;
        for (const double rate : rates)
            sum += rate;
        point.rps = sum / static_cast<double>(rates.size());
    }
    const auto middles = known(first, last, [](const LivePoint& p) { return p.p50Us; });
    if (!middles.empty())
        point.p50Us = middles[middles.size() / 2];
    point.p25Us = lowest(known(first, last, [](const LivePoint& p) { return p.p25Us; }));
    point.p75Us = highest(known(first, last, [](const LivePoint& p) { return p.p75Us; }));
    point.p99Us = highest(known(first, last, [](const LivePoint& p) { return p.p99Us; }));
    point.noise = highest(known(first, last, [](const LivePoint& p) { return p.noise; }));
    return point;
}

} // namespace

void LiveSeries::add(const LiveInterval& interval)
{
    if (!std::isfinite(interval.t) || interval.isTooShort())
        return;
    m_points.push_back({interval.t, finite(interval.rps), finite(interval.p25Us), finite(interval.p50Us),
                        finite(interval.p75Us), finite(interval.p99Us), finite(interval.noise)});
}

LiveSeries LiveSeries::fromTrial(const Trial& trial)
{
    LiveSeries series;
    for (const TrialSecond& second : trial.seconds) {
        Histogram histogram;
        histogram.add(second.load.latency);
        const auto percentile = [&histogram](double p) -> std::optional<double> {
            const auto ns = histogram.percentileNs(p);
            return ns ? std::optional(static_cast<double>(*ns) / 1000.0) : std::nullopt;
        };
        series.m_points.push_back({second.load.t + 1.0, static_cast<double>(second.load.ok), percentile(0.25),
                                   percentile(0.5), percentile(0.75), percentile(0.99), finite(second.noise)});
    }
    // The last second is a rate only where the window filled it.
    const double whole = std::floor(trial.load.durationSeconds);
    if (!series.m_points.empty() && trial.load.durationSeconds > 0 && series.m_points.back().t > whole)
        series.m_points.back().rps = std::nullopt;
    return series;
}

std::vector<LivePoint> LiveSeries::drawn(std::size_t most) const
{
    if (most == 0 || m_points.size() <= most)
        return m_points;
    std::vector<LivePoint> points;
    points.reserve(most);
    const std::size_t count = m_points.size();
    for (std::size_t i = 0; i < most; ++i) {
        const std::size_t begin = i * count / most, end = (i + 1) * count / most;
        points.push_back(together(m_points.data() + begin, m_points.data() + end));
    }
    return points;
}

} // namespace lapbench
