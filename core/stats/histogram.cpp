#include "core/stats/histogram.h"

#include <cmath>

namespace lapbench {

namespace hdr {

namespace {
constexpr std::size_t kHalf = std::size_t{1} << kSubBucketHalfBits;

// The first two half-buckets have width 1; each further one is twice as wide as the one before.
int shiftAt(std::size_t index)
{
    const std::size_t half = index >> kSubBucketHalfBits;
    return half == 0 ? 0 : static_cast<int>(half) - 1;
}
} // namespace

std::int64_t lowestAt(std::size_t index)
{
    const int shift = shiftAt(index);
    return static_cast<std::int64_t>(index - (static_cast<std::size_t>(shift) * kHalf)) << shift;
}

std::int64_t highestAt(std::size_t index)
{
    return lowestAt(index) + (std::int64_t{1} << shiftAt(index)) - 1;
}

} // namespace hdr

namespace {

double rankOf(double p, std::uint64_t total)
{
    // 0.999 * 1000 is a hair above 999 in doubles; rank 1000 would be wrong.
    const double exact = p * static_cast<double>(total);
    return std::max(1.0, std::ceil(exact - exact * 1e-12));
}

} // namespace

std::uint64_t SparseHistogram::total() const
{
    std::uint64_t sum = 0;
    for (const auto& [index, count] : counts)
        sum += count;
    return sum;
}

std::optional<std::int64_t> SparseHistogram::percentileNs(double p) const
{
    const double rank = rankOf(p, total());
    double seen = 0;
    for (const auto& [index, count] : counts) {
        seen += static_cast<double>(count);
        if (seen >= rank)
            return hdr::highestAt(index);
    }
    return maxNs();
}

std::optional<std::int64_t> SparseHistogram::maxNs() const
{
    return counts.empty() ? std::nullopt : std::optional(hdr::highestAt(counts.back().first));
}

void Histogram::record(std::int64_t valueNs, std::uint64_t count)
{
    if (valueNs > hdr::kHighestNs)
        m_clamped += count;
    addAt(hdr::indexOf(valueNs), count);
}

void Histogram::addAt(std::size_t index, std::uint64_t count)
{
    if (m_counts.empty())
        m_counts.resize(hdr::kCounters);
    m_counts[index] += count;
    m_total += count;
}

void Histogram::add(const Histogram& other)
{
    for (std::size_t index = 0; index < other.m_counts.size(); ++index)
        if (other.m_counts[index] != 0)
            addAt(index, other.m_counts[index]);
    m_clamped += other.m_clamped;
}

void Histogram::add(const SparseHistogram& other)
{
    for (const auto& [index, count] : other.counts)
        addAt(index, count);
}

std::optional<std::int64_t> Histogram::percentileNs(double p) const
{
    if (m_total == 0)
        return std::nullopt;
    const double rank = rankOf(p, m_total);
    double seen = 0;
    for (std::size_t index = 0; index < m_counts.size(); ++index) {
        seen += static_cast<double>(m_counts[index]);
        if (seen >= rank)
            return hdr::highestAt(index);
    }
    return maxNs();
}

std::optional<std::int64_t> Histogram::maxNs() const
{
    for (std::size_t index = m_counts.size(); index-- > 0;)
        if (m_counts[index] != 0)
            return hdr::highestAt(index);
    return std::nullopt;
}

std::optional<std::int64_t> Histogram::minNs() const
{
    for (std::size_t index = 0; index < m_counts.size(); ++index)
        if (m_counts[index] != 0)
            return hdr::lowestAt(index);
    return std::nullopt;
}

SparseHistogram Histogram::sparse() const
{
    SparseHistogram sparse;
    for (std::size_t index = 0; index < m_counts.size(); ++index)
        if (m_counts[index] != 0)
            sparse.counts.emplace_back(static_cast<std::uint32_t>(index), m_counts[index]);
    return sparse;
}

bool Histogram::operator==(const Histogram& other) const
{
    return m_total == other.m_total && m_clamped == other.m_clamped && sparse().counts == other.sparse().counts;
}

} // namespace lapbench
