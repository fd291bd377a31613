#include "core/result/import/request_samples.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lapbench {

namespace {

constexpr double kNsPerUs = 1000;
/// A run longer than this is not cut into seconds.
constexpr double kLongestSeconds = 24 * 3600;

std::int64_t toNs(double us)
{
    return static_cast<std::int64_t>(
        std::llround(std::clamp(us * kNsPerUs, 0.0, static_cast<double>(hdr::kHighestNs))));
}

} // namespace

ImportedLatency latencyOf(std::vector<double>& values)
{
    ImportedLatency latency;
    latency.count = values.size();
    if (values.empty())
        return latency;
    std::sort(values.begin(), values.end());
    Moments moments;
    for (const double us : values)
        moments.record(toNs(us));
    latency.minUs = values.front();
    latency.maxUs = values.back();
    latency.meanUs = *moments.meanNs() / kNsPerUs;
    if (const auto stdev = moments.stdevNs())
        latency.stdevUs = *stdev / kNsPerUs;
    const auto count = static_cast<double>(values.size());
    for (const ReportedPercentile& percentile : kReportedPercentiles) {
        const double rank = std::clamp(std::ceil(percentile.p * count - 1e-9), 1.0, count);
        latency.percentilesUs[std::string(percentile.key)] = values[static_cast<std::size_t>(rank) - 1];
    }
    return latency;
}

void RequestSamples::add(double latencyUs, bool ok, std::optional<double> startUs)
{
    m_all.push_back({latencyUs, startUs.value_or(0), ok});
    m_allStarted = m_allStarted && startUs.has_value();
}

void RequestSamples::fill(ImportedRun& run) const
{
    run.completed = m_all.size();
    run.failed = static_cast<std::uint64_t>(
        std::count_if(m_all.begin(), m_all.end(), [](const Sample& sample) { return !sample.ok; }));
    std::vector<double> values;
    values.reserve(m_all.size());
    Histogram histogram;
    for (const Sample& sample : m_all) {
        values.push_back(sample.us);
        histogram.record(toNs(sample.us));
    }
    run.latency = latencyOf(values);
    if (!histogram.empty())
        run.histogram = std::move(histogram);
    if (m_all.empty() || !m_allStarted)
        return;
    double first = m_all.front().startUs, last = first;
    for (const Sample& sample : m_all) {
        first = std::min(first, sample.startUs);
        last = std::max(last, sample.startUs + sample.us);
    }
    const double seconds = (last - first) / 1e6;
    if (!(seconds > 0))
        return;
    run.durationSeconds = seconds;
    run.rps = static_cast<double>(m_all.size()) / seconds;
    if (seconds <= kLongestSeconds)
        run.seconds = secondsOf(first);
}

std::vector<ImportedSecond> RequestSamples::secondsOf(double firstUs) const
{
    struct Counted {
        unsigned second;
        std::uint32_t counter;
        bool ok;
    };
    std::vector<Counted> counted;
    counted.reserve(m_all.size());
    for (const Sample& sample : m_all)
        counted.push_back({static_cast<unsigned>((sample.startUs + sample.us - firstUs) / 1e6),
                           static_cast<std::uint32_t>(hdr::indexOf(toNs(sample.us))), sample.ok});
    std::sort(counted.begin(), counted.end(), [](const Counted& a, const Counted& b) {
        return std::tie(a.second, a.counter) < std::tie(b.second, b.counter);
    });
    std::vector<ImportedSecond> seconds;
    for (const Counted& one : counted) {
        if (seconds.empty() || seconds.back().t != one.second)
            seconds.push_back({.t = one.second, .ok = 0, .failed = 0, .latency = {}});
        ImportedSecond& second = seconds.back();
        ++(one.ok ? second.ok : second.failed);
        auto& counts = second.latency.counts;
        if (counts.empty() || counts.back().first != one.counter)
            counts.emplace_back(one.counter, 0);
        ++counts.back().second;
    }
    return seconds;
}

} // namespace lapbench
