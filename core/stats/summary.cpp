#include "core/stats/summary.h"

#include <algorithm>

namespace lapbench {

namespace {

constexpr std::array<std::string_view, kErrorKinds> kKindNames = {
    "",        "resolve",   "connect_refused",   "connect_timeout", "tls",      "client_limit", "reset", "closed_early",
    "timeout", "malformed", "unexpected_status", "failed_check",    "too_large"};
constexpr std::array<std::string_view, kPhases> kPhaseNames = {"connect", "send", "wait_head", "read_body", "check"};
constexpr std::uint64_t kThinBelow = 20;

double toUs(std::int64_t ns)
{
    return static_cast<double>(ns) / 1000.0;
}

std::optional<double> toUs(std::optional<std::int64_t> ns)
{
    return ns ? std::optional(toUs(*ns)) : std::nullopt;
}

} // namespace

std::string_view errorKindName(ErrorKind kind)
{
    return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<ErrorKind> parseErrorKind(std::string_view name)
{
    const auto found = std::find(kKindNames.begin() + 1, kKindNames.end(), name);
    if (found == kKindNames.end())
        return std::nullopt;
    return static_cast<ErrorKind>(found - kKindNames.begin());
}

std::string_view phaseName(Phase phase)
{
    return kPhaseNames[static_cast<std::size_t>(phase)];
}

std::optional<Phase> parsePhase(std::string_view name)
{
    const auto found = std::find(kPhaseNames.begin(), kPhaseNames.end(), name);
    if (found == kPhaseNames.end())
        return std::nullopt;
    return static_cast<Phase>(found - kPhaseNames.begin());
}

std::optional<Quantile> LatencySummary::percentile(std::string_view key) const
{
    for (std::size_t i = 0; i < kReportedPercentiles.size(); ++i)
        if (kReportedPercentiles[i].key == key)
            return percentiles[i];
    return std::nullopt;
}

std::optional<Quantile> censoredPercentile(const Histogram& events, const Histogram& censored, double p)
{
    if (censored.empty()) {
        const auto ns = events.percentileNs(p);
        return ns ? std::optional(Quantile{toUs(*ns), false}) : std::nullopt;
    }
    const double wanted = (1 - p) + 1e-12; // rounding must not push a percentile into the next bucket
    double surviving = 1;
    auto atRisk = static_cast<double>(events.total() + censored.total());
    std::size_t last = 0, lastEvent = 0;
    for (std::size_t index = 0; index < hdr::kCounters; ++index) {
        const auto ended = static_cast<double>(events.countAt(index));
        const auto left = static_cast<double>(censored.countAt(index));
        if (ended > 0) {
            lastEvent = index;
            surviving *= (atRisk - ended) / atRisk;
            if (surviving <= wanted)
                return Quantile{toUs(hdr::highestAt(index)), false};
        }
        if (ended + left > 0)
            last = index;
        atRisk -= ended + left;
    }
    // "At least" must stay true, so it is the lowest value the last one can have had; but where an answer shares its
    // bucket, a lower percentile stands at the bucket's highest, and a higher one cannot stand below.
    return Quantile{toUs(last == lastEvent ? hdr::highestAt(last) : hdr::lowestAt(last)), true};
}

LatencySummary summarizeLatency(const Histogram& events, const Moments& moments, const Histogram& censored)
{
    LatencySummary summary;
    summary.count = events.total();
    summary.censored = censored.total();
    summary.minUs = toUs(moments.minNs());
    summary.maxUs = toUs(moments.maxNs());
    if (const auto mean = moments.meanNs())
        summary.meanUs = *mean / 1000.0;
    if (const auto stdev = moments.stdevNs())
        summary.stdevUs = *stdev / 1000.0;
    for (std::size_t i = 0; i < kReportedPercentiles.size(); ++i)
        summary.percentiles[i] = censoredPercentile(events, censored, kReportedPercentiles[i].p);
    return summary;
}

ShortSummary summarizeShort(const Histogram& values)
{
    return {values.total(), toUs(values.percentileNs(0.50)), toUs(values.percentileNs(0.99)), toUs(values.maxNs())};
}

bool isThin(std::uint64_t count, double p)
{
    // 100,000 values have exactly 20 beyond p99.98; doubles must not make that 19.
    return static_cast<double>(count) * (1 - p) < static_cast<double>(kThinBelow) - 1e-6;
}

} // namespace lapbench
