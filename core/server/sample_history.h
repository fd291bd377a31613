#pragma once

#include "core/server/sampler.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lapbench {

/// The samples of a tree in the order they were taken, and the figures read from them. CPU between two samples is taken
/// to be even. Keeps the newest 100'000 samples (2.8 hours at 10 Hz). One thread.
class SampleHistory {
public:
    static constexpr std::size_t kMostSamples = 100'000;

    void add(const TreeSample& sample);
    const std::vector<TreeSample>& samples() const { return m_samples; }

    /// As in Sampler.
    std::optional<double> recentCpuCores() const;
    TreeUse use(std::int64_t fromNs, std::int64_t toNs) const;
    std::vector<TreeSecond> seconds(std::int64_t fromNs, std::int64_t toNs) const;

private:
    std::optional<double> meanCores(std::int64_t fromNs, std::int64_t toNs, std::int64_t shortestNs) const;
    std::optional<double> peakCores(std::int64_t fromNs, std::int64_t toNs) const;
    std::pair<std::size_t, std::size_t> within(std::int64_t fromNs, std::int64_t toNs) const;

    std::vector<TreeSample> m_samples;
};

} // namespace lapbench
