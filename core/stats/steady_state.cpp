#include "core/stats/steady_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace lapbench {

namespace {

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Variance of the noise around the mean: a difference of two values has twice it, and the median of the absolute
/// value of a normal variable is its standard deviation / 1.4826.
double noiseVariance(std::span<const double> series, double least)
{
    std::vector<double> differences;
    for (std::size_t i = 1; i < series.size(); ++i)
        differences.push_back(std::abs(series[i] - series[i - 1]));
    const double deviation = 1.4826 * median(std::move(differences)) / std::sqrt(2.0);
    const double floor = least * median({series.begin(), series.end()});
    return std::max({deviation * deviation, floor * floor, std::numeric_limits<double>::min()});
}

/// Each value the median of the up to five around it: a pause of one or two intervals is no change of level, and a step
/// stays where it is.
std::vector<double> withoutPauses(std::span<const double> series)
{
    std::vector<double> smooth;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const std::size_t reach = std::min({std::size_t{2}, i, series.size() - 1 - i});
        const auto around = series.subspan(i - reach, 2 * reach + 1);
        smooth.push_back(median({around.begin(), around.end()}));
    }
    return smooth;
}

/// Sums that give the squared error of any stretch around its own mean at once.
struct Sums {
    explicit Sums(std::span<const double> series) : values{0}, squares{0}
    {
        for (const double value : series) {
            values.push_back(values.back() + value);
            squares.push_back(squares.back() + value * value);
        }
    }
    double mean(std::size_t from, std::size_t to) const
    {
        return (values[to] - values[from]) / static_cast<double>(to - from);
    }
    double error(std::size_t from, std::size_t to) const
    {
        const double sum = values[to] - values[from];
        return squares[to] - squares[from] - sum * sum / static_cast<double>(to - from);
    }
    std::vector<double> values, squares;
};

/// How many values are to be taken together: one more than there are between two answers at most, of late; 0 where
/// there are none. Where few values are empty, a stretch of them is a pause and no pace.
std::size_t paceOf(std::span<const double> series)
{
    const auto late = series.subspan(series.size() / 2);
    std::size_t seen = 0, empty = 0, stretch = 0, longest = 0;
    for (const double value : late) {
        if (value == 0) {
            stretch += seen == 0 ? 0 : 1;
            continue;
        }
        ++seen;
        empty += stretch;
        longest = std::max(longest, std::exchange(stretch, 0));
    }
    if (seen == 0)
        return 0;
    return 3 * empty > seen ? longest + 1 : 1;
}

/// The sums of `size` values each, up to the last one; what is left over at the beginning goes.
std::vector<double> inGroups(std::span<const double> series, std::size_t size)
{
    std::vector<double> sums;
    for (std::size_t i = series.size() % size; i < series.size(); i += size) {
        const auto group = series.subspan(i, size);
        sums.push_back(std::accumulate(group.begin(), group.end(), 0.0));
    }
    return sums;
}

std::optional<std::size_t> steadySince(std::span<const double> series, const SteadyRules& rules, std::size_t shortest)
{
    if (series.size() < shortest)
        return std::nullopt;
    const std::vector<std::size_t> starts = changePoints(series, rules);
    const Sums sums(withoutPauses(series));
    const double level = sums.mean(starts.back(), series.size());
    std::size_t since = starts.back();
    for (std::size_t i = starts.size() - 1; i-- > 0;) {
        if (std::abs(sums.mean(starts[i], starts[i + 1]) - level) > rules.tolerance * level)
            break;
        since = starts[i];
    }
    return level > 0 && series.size() - since >= shortest ? std::optional(since) : std::nullopt;
}

} // namespace

std::vector<std::size_t> changePoints(std::span<const double> series, const SteadyRules& rules)
{
    const std::size_t count = series.size();
    if (count < 2 * rules.segment)
        return {0};
    const Sums sums(withoutPauses(series));
    const double penalty = 3 * std::log(static_cast<double>(count)) * noiseVariance(series, rules.leastNoise);
    std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> from(count + 1, 0);
    best[0] = -penalty;
    for (std::size_t end = rules.segment; end <= count; ++end)
        for (std::size_t start = 0; start + rules.segment <= end; ++start) {
            const double cost = best[start] + sums.error(start, end) + penalty;
            if (cost < best[end]) {
                best[end] = cost;
                from[end] = start;
            }
        }
    std::vector<std::size_t> starts;
    for (std::size_t end = count; end != 0; end = from[end])
        starts.push_back(from[end]);
    std::reverse(starts.begin(), starts.end());
    return starts;
}

std::optional<std::size_t> findSteady(std::span<const double> series, const SteadyRules& rules)
{
    const std::size_t past = series.size() - std::min(series.size(), rules.longest);
    series = series.subspan(past);
    if (series.size() < rules.shortest)
        return std::nullopt;
    const std::size_t pace = paceOf(series);
    if (pace == 0)
        return std::nullopt;
    if (pace == 1) {
        const auto since = steadySince(series, rules, rules.shortest);
        return since ? std::optional(past + *since) : std::nullopt;
    }
    const auto since =
        steadySince(inGroups(series, pace), rules, std::max(rules.groups, (rules.shortest + pace - 1) / pace));
    return since ? std::optional(past + series.size() % pace + *since * pace) : std::nullopt;
}

} // namespace lapbench
