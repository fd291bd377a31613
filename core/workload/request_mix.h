#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace lapbench {

/// Which kind of request stands at which number in a weighted mix. Requests come in cycles: each holds every kind
/// exactly as often as its weight says (weights divided by their greatest common divisor), in an order of its own that
/// depends only on the seed and the cycle's number. Immutable; any thread.
class RequestMix {
public:
    /// A request's place among the kinds.
    struct Turn {
        std::uint32_t kind = 0;
        std::uint64_t occurrence = 0; ///< how many requests of its kind have a lower number

        bool operator==(const Turn&) const = default;
    };

    /// The cycle that was looked at last, so that it need not be shuffled again for its next request. One thread's.
    class Cycle {
    public:
        explicit Cycle(const RequestMix& mix) : m_turns(mix.m_sorted.size()), m_counts(mix.m_shares.size()) {}

    private:
        friend class RequestMix;
        std::uint64_t m_number = std::numeric_limits<std::uint64_t>::max(); ///< none
        std::vector<Turn> m_turns;                                          ///< occurrences within the cycle
        std::vector<std::uint64_t> m_counts;
    };

    RequestMix() : RequestMix({1}) {}
    /// At least one weight, each at least 1.
    explicit RequestMix(const std::vector<unsigned>& weights);

    /// Allocates nothing.
    Turn turn(std::uint64_t seed, std::uint64_t number, Cycle& last) const;

private:
    void shuffle(std::uint64_t seed, Cycle& cycle) const;

    std::vector<std::uint32_t> m_shares; ///< requests of each kind in a cycle
    std::vector<std::uint32_t> m_sorted; ///< the kinds of a cycle before they are shuffled
};

} // namespace lapbench
