#pragma once

#include <QString>

#include <utility>
#include <vector>

namespace lapbench {

/// A value axis with ticks at 1, 2, 5 times powers of ten. Values may be put on it linearly or by their logarithm;
/// place() gives where, so that the chart itself is always linear. A value type.
class ChartAxis {
public:
    /// From 0 to at least `largest`, with about `ticks` steps. 0 to 1 where there is nothing to show.
    static ChartAxis linear(double largest, int ticks = 4);
    /// From `first` to at least `last`, with ticks at round values in between: for time. 0 to 1 where they do not
    /// ascend.
    static ChartAxis between(double first, double last, int ticks = 6);
    /// From `smallest` down and `largest` up to the next 1, 2 or 5; both above 0, else a linear axis.
    static ChartAxis logarithmic(double smallest, double largest);
    /// Of percentiles as shares: from 0 to `highest` (0.5 to below 1), by log10(1 / (1 - p)), so that each further nine
    /// takes the same length.
    static ChartAxis percentile(double highest);
    /// Without ticks: of categories, whose names are drawn by whoever places them.
    static ChartAxis none() { return {}; }

    bool isLogarithmic() const { return m_logarithmic; }
    /// Where a value stands, within low()..high(): values outside are moved to the edge, never NaN.
    double place(double value) const;
    double low() const { return m_low; }
    double high() const { return m_high; }
    /// Places with their labels, ascending.
    const std::vector<std::pair<double, QString>>& ticks() const { return m_ticks; }

    bool operator==(const ChartAxis&) const = default;

private:
    bool m_logarithmic = false, m_percentile = false;
    double m_low = 0, m_high = 1;
    std::vector<std::pair<double, QString>> m_ticks;
};

} // namespace lapbench
