#pragma once

#include "core/load/engine.h"
#include "core/stats/histogram.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace lapbench {

/// What one worker has counted since it began, warm-up included. The worker alone writes, with plain stores; any other
/// thread may read at any time and never makes it wait.
class LiveCounters {
public:
    /// The counters stand in blocks, of which most are never touched.
    static constexpr std::size_t kBlock = 1024;

    void recordOk(std::int64_t latencyNs)
    {
        const std::size_t index = hdr::indexOf(latencyNs);
        bump(m_latency[index]);
        const std::uint64_t block = std::uint64_t{1} << (index / kBlock);
        m_touched.store(m_touched.load(std::memory_order_relaxed) | block, std::memory_order_relaxed);
    }
    void recordFailed() { bump(m_failed); }

    std::uint64_t failed() const { return m_failed.load(std::memory_order_relaxed); }
    /// Bit b: something was counted in block b.
    std::uint64_t touched() const { return m_touched.load(std::memory_order_relaxed); }
    std::uint64_t latencyAt(std::size_t index) const { return m_latency[index].load(std::memory_order_relaxed); }

private:
    static void bump(std::atomic<std::uint64_t>& counter)
    {
        counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    static_assert(hdr::kCounters <= 64 * kBlock);
    std::atomic<std::uint64_t> m_failed{0}, m_touched{0};
    std::array<std::atomic<std::uint64_t>, hdr::kCounters> m_latency{};
};

/// Calls `look(index)` for every counter of the blocks in `touched`, in order.
template <typename Look>
void forTouched(std::uint64_t touched, Look look)
{
    for (; touched != 0; touched &= touched - 1) {
        const std::size_t first = static_cast<std::size_t>(std::countr_zero(touched)) * LiveCounters::kBlock;
        for (std::size_t index = first; index < first + LiveCounters::kBlock; ++index)
            look(index);
    }
}

/// Turns the workers' counters into intervals: each is what was counted since the last. One thread.
class LiveReader {
public:
    explicit LiveReader(std::vector<const LiveCounters*> workers);

    /// The interval that ends now; `length` seconds long. The caller fills in the rest.
    LoadInterval read(double length);
    /// Right answers since the workers began.
    std::uint64_t right() const;

private:
    std::uint64_t touched() const;

    std::vector<const LiveCounters*> m_workers;
    std::vector<std::uint64_t> m_seen;
    std::uint64_t m_failed = 0;
};

/// Memory of this process in bytes, now and at its peak, from /proc. Nothing where that cannot be read.
std::optional<std::uint64_t> residentBytes();
std::optional<std::uint64_t> peakResidentBytes();
/// Lets the peak begin anew at what is resident now (proc(5), clear_refs); false where the kernel does not.
bool restartPeakResident();

} // namespace lapbench
