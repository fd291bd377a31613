#include "core/stats/rounds.h"

#include <algorithm>

namespace lapbench {

std::optional<double> median(std::vector<double> values)
{
    if (values.empty())
        return std::nullopt;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::optional<double> spread(const std::vector<double>& values)
{
    const auto centre = median(values);
    if (values.size() < 2 || !centre || *centre == 0)
        return std::nullopt;
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    return (*greatest - *least) / *centre;
}

} // namespace lapbench
