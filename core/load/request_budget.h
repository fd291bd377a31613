#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

namespace lapbench {

/// A stretch of request numbers, [next, end).
struct NumberRange {
    std::uint64_t next = 0, end = 0;
    bool empty() const { return next == end; }
};

/// The numbers of a trial's requests, shared by all workers: without gaps or repeats over its stages, and exactly N
/// where a stage counts. Workers take them in batches that shrink towards the end, so that none is left with a heap of
/// them while the others are through. Any thread.
class RequestBudget {
public:
    static constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

    /// How many there are to be had from now on. Only while no worker is at it.
    void fill(std::uint64_t requests, unsigned workers)
    {
        const std::uint64_t next = m_next.load(std::memory_order_relaxed);
        m_end = requests == kEndless ? kEndless : next + requests;
        m_workers = std::max(1U, workers);
    }
    /// A batch of numbers, empty when there are none left.
    NumberRange claim()
    {
        std::uint64_t next = m_next.load(std::memory_order_relaxed);
        std::uint64_t batch = 0;
        do {
            batch = batchOf(m_end - next, m_workers);
        } while (batch != 0 && !m_next.compare_exchange_weak(next, next + batch, std::memory_order_relaxed));
        return {next, next + batch};
    }
    /// Numbers that were settled otherwise, by the arrivals of an open loop.
    void skip(std::uint64_t requests) { m_next.fetch_add(requests, std::memory_order_relaxed); }
    std::uint64_t next() const { return m_next.load(std::memory_order_relaxed); }
    bool exhausted() const { return m_next.load(std::memory_order_relaxed) == m_end; }

    static constexpr std::uint64_t batchOf(std::uint64_t left, unsigned workers)
    {
        return left == 0 ? 0 : std::clamp<std::uint64_t>(left / (std::uint64_t{8} * workers), 1, 64);
    }

private:
    std::atomic<std::uint64_t> m_next{0};
    std::uint64_t m_end = 0; ///< written while no worker is at it
    unsigned m_workers = 1;
};

} // namespace lapbench
