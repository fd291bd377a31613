#pragma once

#include "core/load/engine.h"
#include "core/stats/histogram.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace lapbench {

/// What one worker has counted since it began, warm-up included. The worker alone writes, with plain stores; any other
/// thread may read at any time and never makes it wait.
class LiveCounters {
public:
    void recordOk(std::int64_t latencyNs) { bump(m_latency[hdr::indexOf(latencyNs)]); }
    void recordFailed() { bump(m_failed); }

    std::uint64_t failed() const { return m_failed.load(std::memory_order_relaxed); }
    std::uint64_t latencyAt(std::size_t index) const { return m_latency[index].load(std::memory_order_relaxed); }

private:
    static void bump(std::atomic<std::uint64_t>& counter)
    {
        counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    std::atomic<std::uint64_t> m_failed{0};
    std::array<std::atomic<std::uint64_t>, hdr::kCounters> m_latency{};
};

/// Turns the workers' counters into intervals: each is what was counted since the last. One thread.
class LiveReader {
public:
    explicit LiveReader(std::vector<const LiveCounters*> workers);

    /// The interval that ends now; `length` seconds long. The caller fills in the rest.
    LoadInterval read(double length);
    /// Right answers since the workers began.
    std::uint64_t right() const;

private:
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
