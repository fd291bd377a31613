#pragma once

#include <cstdint>
#include <optional>

namespace lapbench {

/// Count, least, greatest, mean and standard deviation of nanosecond values, exact where a histogram is not. A value
/// type; one thread at a time. Sums of deviations from the first value, so that nothing cancels and record() needs no
/// division.
class Moments {
public:
    void record(std::int64_t valueNs)
    {
        if (m_count++ == 0)
            m_origin = m_min = m_max = valueNs;
        m_min = valueNs < m_min ? valueNs : m_min;
        m_max = valueNs > m_max ? valueNs : m_max;
        const auto deviation = static_cast<double>(valueNs - m_origin);
        m_sum += deviation;
        m_squares += deviation * deviation;
    }
    void add(const Moments& other);

    std::uint64_t count() const { return m_count; }
    /// Nothing when empty.
    std::optional<std::int64_t> minNs() const;
    std::optional<std::int64_t> maxNs() const;
    std::optional<double> meanNs() const;
    /// Of the sample (n - 1); nothing for fewer than two values.
    std::optional<double> stdevNs() const;

private:
    std::uint64_t m_count = 0;
    std::int64_t m_origin = 0, m_min = 0, m_max = 0;
    double m_sum = 0, m_squares = 0;
};

} // namespace lapbench
