#include "core/load/snapshot.h"

#include <fstream>
#include <string>
#include <utility>

namespace lapbench {

namespace {

std::optional<double> toUs(std::optional<std::int64_t> ns)
{
    return ns ? std::optional(static_cast<double>(*ns) / 1000.0) : std::nullopt;
}

std::optional<std::uint64_t> statusKilobytes(const std::string& key)
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (std::uint64_t kilobytes = 0; word == key && status >> kilobytes)
            return kilobytes * 1024;
    return std::nullopt;
}

} // namespace

LiveReader::LiveReader(std::vector<const LiveCounters*> workers)
    : m_workers(std::move(workers)), m_seen(hdr::kCounters, 0)
{}

LoadInterval LiveReader::read(double length)
{
    LoadInterval interval;
    interval.length = length;
    std::uint64_t failed = 0;
    SparseHistogram& latency = interval.latency;
    for (const LiveCounters* worker : m_workers)
        failed += worker->failed();
    forTouched(touched(), [&](std::size_t index) {
        std::uint64_t now = 0;
        for (const LiveCounters* worker : m_workers)
            now += worker->latencyAt(index);
        if (now != m_seen[index])
            latency.counts.emplace_back(static_cast<std::uint32_t>(index), now - std::exchange(m_seen[index], now));
    });
    // Read off the histogram and not off a counter beside it: the two could disagree by what was recorded meanwhile.
    interval.ok = latency.total();
    interval.failed = failed - std::exchange(m_failed, failed);
    if (length > 0)
        interval.rps = static_cast<double>(interval.ok) / length;
    interval.p25Us = toUs(latency.percentileNs(0.25));
    interval.p50Us = toUs(latency.percentileNs(0.50));
    interval.p75Us = toUs(latency.percentileNs(0.75));
    interval.p99Us = toUs(latency.percentileNs(0.99));
    interval.maxUs = toUs(latency.maxNs());
    return interval;
}

std::uint64_t LiveReader::touched() const
{
    std::uint64_t touched = 0;
    for (const LiveCounters* worker : m_workers)
        touched |= worker->touched();
    return touched;
}

std::uint64_t LiveReader::right() const
{
    std::uint64_t sum = 0;
    for (const LiveCounters* worker : m_workers)
        forTouched(worker->touched(), [&](std::size_t index) { sum += worker->latencyAt(index); });
    return sum;
}

std::optional<std::uint64_t> residentBytes()
{
    return statusKilobytes("VmRSS:");
}

std::optional<std::uint64_t> peakResidentBytes()
{
    return statusKilobytes("VmHWM:");
}

bool restartPeakResident()
{
    std::ofstream file("/proc/self/clear_refs");
    file << 5 << std::flush;
    return file.good();
}

} // namespace lapbench
