#include "core/stats/packed_histogram.h"

namespace lapbench {

namespace {

std::uint64_t take(const std::string& bytes, std::size_t& at)
{
    std::uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        number |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80)
            return number;
    }
}

} // namespace

PackedHistogram::PackedHistogram(const SparseHistogram& histogram)
{
    for (const auto& [index, count] : histogram.counts)
        add(index, count);
    trim();
}

void PackedHistogram::put(std::uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        m_bytes.push_back(static_cast<char>(number | 0x80));
    m_bytes.push_back(static_cast<char>(number));
}

void PackedHistogram::add(std::uint32_t index, std::uint64_t count)
{
    put(index - m_next);
    put(count);
    m_next = index + 1;
    m_total += count;
}

SparseHistogram PackedHistogram::unpacked() const
{
    SparseHistogram histogram;
    std::uint32_t next = 0;
    for (std::size_t at = 0; at < m_bytes.size(); ++next) {
        next += static_cast<std::uint32_t>(take(m_bytes, at));
        histogram.counts.emplace_back(next, take(m_bytes, at));
    }
    return histogram;
}

} // namespace lapbench
