#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace lapbench {

/// Exactly N requests, shared by all workers: each takes them in batches that shrink towards the end, so that none is
/// left with a heap of them while the others are through. Any thread.
class RequestBudget {
public:
    /// Only while no worker is at it.
    void fill(std::uint64_t requests, unsigned workers)
    {
        m_left.store(requests, std::memory_order_relaxed);
        m_workers = std::max(1U, workers);
    }
    /// A batch of requests, 0 when there are none left.
    std::uint64_t claim()
    {
        std::uint64_t left = m_left.load(std::memory_order_relaxed);
        std::uint64_t batch = 0;
        do {
            batch = batchOf(left, m_workers);
        } while (batch != 0 && !m_left.compare_exchange_weak(left, left - batch, std::memory_order_relaxed));
        return batch;
    }
    bool empty() const { return m_left.load(std::memory_order_relaxed) == 0; }

    static constexpr std::uint64_t batchOf(std::uint64_t left, unsigned workers)
    {
        return left == 0 ? 0 : std::clamp<std::uint64_t>(left / (std::uint64_t{8} * workers), 1, 64);
    }

private:
    std::atomic<std::uint64_t> m_left{0};
    unsigned m_workers = 1;
};

} // namespace lapbench
