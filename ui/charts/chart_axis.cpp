#include "ui/charts/chart_axis.h"

#include "ui/models/number_format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

constexpr double kSteps[] = {1, 2, 5, 10};
/// Of a percentile axis.
constexpr double kHighestShare = 0.99999;

/// "18k", "2.5M", "0.05": as short as the tick allows, in the unit that suits `largest`.
QString tickText(double value, double largest)
{
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    if (value == 0)
        return QStringLiteral("0");
    if (largest >= 1e12)
        return locale.toString(value / 1e12, 'g', 6) + QLatin1Char('T');
    if (largest >= 1e9)
        return locale.toString(value / 1e9, 'g', 6) + QLatin1Char('G');
    if (largest >= 1e6)
        return locale.toString(value / 1e6, 'g', 6) + QLatin1Char('M');
    if (largest >= 1e4)
        return locale.toString(value / 1e3, 'g', 6) + QLatin1Char('k');
    return locale.toString(value, 'g', 6);
}

double stepFor(double largest, int ticks)
{
    const double rough = largest / ticks;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double step : kSteps) {
        if (step * power >= rough * 0.999)
            return step * power;
    }
    return 10 * power;
}

/// Every 1, 2, 5 within a decade; only decades where there are many of them.
std::vector<double> logarithmicTicks(double low, double high)
{
    const bool wholeDecades = std::log10(high / low) > 3;
    std::vector<double> values;
    for (double decade = std::floor(std::log10(low)); decade <= std::ceil(std::log10(high)); ++decade) {
        for (const double step : {1.0, 2.0, 5.0}) {
            const double value = step * std::pow(10.0, decade);
            if (value >= low * 0.999 && value <= high * 1.001 && (!wholeDecades || step == 1))
                values.push_back(value);
        }
    }
    return values;
}

double roundTo125(double value, bool up)
{
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    const double lead = value / power;
    if (up) {
        for (const double step : kSteps) {
            if (step >= lead * 0.999)
                return step * power;
        }
        return 10 * power;
    }
    for (const double step : {5.0, 2.0}) {
        if (step <= lead * 1.001)
            return step * power;
    }
    return power;
}

} // namespace

ChartAxis ChartAxis::linear(double largest, int ticks)
{
    ChartAxis axis;
    if (!std::isfinite(largest) || largest <= 0) {
        axis.m_ticks = {{0, QStringLiteral("0")}};
        return axis;
    }
    const double step = stepFor(largest, std::max(1, ticks));
    const int steps = static_cast<int>(std::ceil(largest / step - 1e-9));
    axis.m_high = step * steps;
    for (int i = 0; i <= steps; ++i)
        axis.m_ticks.emplace_back(step * i, tickText(step * i, axis.m_high));
    return axis;
}

ChartAxis ChartAxis::between(double first, double last, int ticks)
{
    if (!std::isfinite(first) || !std::isfinite(last) || last <= first)
        return linear(1, ticks);
    ChartAxis axis;
    axis.m_low = first;
    axis.m_high = last;
    const double step = stepFor(last - first, std::max(1, ticks));
    for (double tick = std::ceil(first / step - 1e-9); tick * step <= last * (1 + 1e-9); ++tick)
        axis.m_ticks.emplace_back(tick * step, tickText(tick * step, last));
    return axis;
}

ChartAxis ChartAxis::logarithmic(double smallest, double largest)
{
    if (!std::isfinite(smallest) || !std::isfinite(largest) || smallest <= 0 || largest < smallest)
        return linear(largest);
    ChartAxis axis;
    axis.m_logarithmic = true;
    const double low = roundTo125(smallest, false);
    double high = roundTo125(largest, true);
    if (high <= low * 1.001)
        high = low * 10;
    axis.m_low = std::log10(low);
    axis.m_high = std::log10(high);
    for (const double value : logarithmicTicks(low, high))
        axis.m_ticks.emplace_back(std::log10(value), tickText(value, value));
    return axis;
}

ChartAxis ChartAxis::percentile(double highest)
{
    ChartAxis axis;
    axis.m_percentile = true;
    axis.m_high = -std::log10(1 - std::clamp(highest, 0.5, kHighestShare));
    for (const double share : {0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999}) {
        const double place = -std::log10(1 - share);
        if (place <= axis.m_high + 1e-9)
            axis.m_ticks.emplace_back(place, QLocale().toString(share * 100, 'g', 7));
    }
    return axis;
}

double ChartAxis::place(double value) const
{
    if (std::isnan(value))
        return m_low;
    if (m_percentile)
        value = -std::log10(1 - std::clamp(value, 0.0, kHighestShare));
    if (m_logarithmic)
        value = value > 0 ? std::log10(value) : m_low;
    return std::clamp(value, m_low, m_high);
}

} // namespace lapbench
