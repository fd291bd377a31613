#pragma once

#include <cstddef>
#include <vector>

namespace lapbench {

/// Orders of `count` things, each a permutation of 0..count-1, in which every thing stands in every place equally often
/// and follows every other equally often: Williams, Australian Journal of Scientific Research A 2 (1949) 149-168.
/// `count` orders where that is even, twice as many where it is odd (the second half are the mirror images), one for a
/// single thing. The first order begins with 0.
std::vector<std::vector<std::size_t>> williamsOrders(std::size_t count);

} // namespace lapbench
