#include "core/plan/williams.h"

namespace lapbench {

std::vector<std::vector<std::size_t>> williamsOrders(std::size_t count)
{
    if (count < 2)
        return {std::vector<std::size_t>(count, 0)};
    // 0, 1, n-1, 2, n-2, ..: neighbours differ by each amount once, so that adding a constant moves everything on.
    std::vector<std::size_t> first;
    for (std::size_t place = 0; place < count; ++place)
        first.push_back(place % 2 == 1 ? (place + 1) / 2 : (count - place / 2) % count);
    std::vector<std::vector<std::size_t>> orders;
    for (std::size_t shift = 0; shift < count; ++shift) {
        orders.emplace_back();
        for (const std::size_t thing : first)
            orders.back().push_back((thing + shift) % count);
    }
    if (count % 2 == 1)
        for (std::size_t i = 0; i < count; ++i)
            orders.emplace_back(orders[i].rbegin(), orders[i].rend());
    return orders;
}

} // namespace lapbench
