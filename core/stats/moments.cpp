#include "core/stats/moments.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

void Moments::add(const Moments& other)
{
    if (other.m_count == 0)
        return;
    if (m_count == 0) {
        *this = other;
        return;
    }
    const auto shift = static_cast<double>(other.m_origin - m_origin);
    const auto count = static_cast<double>(other.m_count);
    m_squares += other.m_squares + 2 * shift * other.m_sum + count * shift * shift;
    m_sum += other.m_sum + count * shift;
    m_min = std::min(m_min, other.m_min);
    m_max = std::max(m_max, other.m_max);
    m_count += other.m_count;
}

std::optional<std::int64_t> Moments::minNs() const
{
    return m_count == 0 ? std::nullopt : std::optional(m_min);
}

std::optional<std::int64_t> Moments::maxNs() const
{
    return m_count == 0 ? std::nullopt : std::optional(m_max);
}

std::optional<double> Moments::meanNs() const
{
    if (m_count == 0)
        return std::nullopt;
    return static_cast<double>(m_origin) + m_sum / static_cast<double>(m_count);
}

std::optional<double> Moments::stdevNs() const
{
    if (m_count < 2)
        return std::nullopt;
    const auto count = static_cast<double>(m_count);
    const double aroundMean = m_squares - m_sum * m_sum / count;
    return std::sqrt(std::max(0.0, aroundMean) / (count - 1));
}

} // namespace lapbench
