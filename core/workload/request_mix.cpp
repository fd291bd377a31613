#include "core/workload/request_mix.h"

#include "core/workload/seeded.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lapbench {

RequestMix::RequestMix(const std::vector<unsigned>& weights)
{
    const unsigned divisor = std::accumulate(weights.begin(), weights.end(), 0u, std::gcd<unsigned, unsigned>);
    for (std::uint32_t kind = 0; kind < weights.size(); ++kind) {
        m_shares.push_back(weights[kind] / divisor);
        m_sorted.resize(m_sorted.size() + m_shares.back(), kind);
    }
}

RequestMix::Turn RequestMix::turn(std::uint64_t seed, std::uint64_t number, Cycle& last) const
{
    if (m_sorted.size() == 1)
        return {0, number};
    const std::uint64_t cycle = number / m_sorted.size();
    if (last.m_number != cycle) {
        last.m_number = cycle;
        shuffle(seed, last);
    }
    Turn turn = last.m_turns[number % m_sorted.size()];
    turn.occurrence += cycle * m_shares[turn.kind];
    return turn;
}

void RequestMix::shuffle(std::uint64_t seed, Cycle& cycle) const
{
    std::vector<Turn>& turns = cycle.m_turns;
    for (std::size_t i = 0; i < turns.size(); ++i)
        turns[i].kind = m_sorted[i];
    // The values inside requests come from the outputs of the seed itself; its complement keeps the two apart.
    const std::uint64_t own = splitMix64(~seed, cycle.m_number);
    for (std::size_t left = turns.size(); left > 1; --left)
        std::swap(turns[left - 1], turns[drawBelow(splitMix64(own, left), left)]);
    std::fill(cycle.m_counts.begin(), cycle.m_counts.end(), 0);
    for (Turn& turn : turns)
        turn.occurrence = cycle.m_counts[turn.kind]++;
}

} // namespace lapbench
