#include "core/result/hlog.h"
#include "core/result/import/formats.h"
#include "core/result/import/measure_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lapbench {

namespace {

constexpr double kNsPerUs = 1000;
/// Intervals up to this long are seconds of a run.
constexpr double kLongestSecond = 1.01;

bool isHlog(std::string_view text)
{
    return text.find(",HIST") != std::string_view::npos && looksLikeHlog(text);
}

/// Figures of a histogram as the libraries of HdrHistogram give them: the mean over the middles of its buckets.
ImportedLatency latencyOf(const Histogram& histogram)
{
    ImportedLatency latency;
    latency.count = histogram.total();
    if (histogram.empty())
        return latency;
    latency.minUs = static_cast<double>(*histogram.minNs()) / kNsPerUs;
    latency.maxUs = static_cast<double>(*histogram.maxNs()) / kNsPerUs;
    for (const ReportedPercentile& percentile : kReportedPercentiles)
        latency.percentilesUs[std::string(percentile.key)] =
            static_cast<double>(*histogram.percentileNs(percentile.p)) / kNsPerUs;
    const auto middleUs = [](std::uint32_t index) {
        return static_cast<double>(hdr::lowestAt(index) + hdr::highestAt(index)) / 2 / kNsPerUs;
    };
    const SparseHistogram counts = histogram.sparse();
    const auto total = static_cast<double>(histogram.total());
    double sum = 0, squares = 0;
    for (const auto& [index, count] : counts.counts)
        sum += middleUs(index) * static_cast<double>(count);
    const double mean = sum / total;
    for (const auto& [index, count] : counts.counts)
        squares += (middleUs(index) - mean) * (middleUs(index) - mean) * static_cast<double>(count);
    latency.meanUs = mean;
    latency.stdevUs = std::sqrt(squares / total);
    return latency;
}

/// A second for each interval; none where one is longer or two fall into the same.
std::vector<ImportedSecond> secondsOf(const std::vector<const HlogInterval*>& intervals, double first)
{
    std::vector<ImportedSecond> seconds;
    constexpr double kMostSeconds = 24 * 3600;
    for (const HlogInterval* interval : intervals) {
        const double since = std::floor(interval->startSeconds - first + 0.5);
        if (interval->lengthSeconds > kLongestSecond || since > kMostSeconds ||
            (!seconds.empty() && since <= seconds.back().t))
            return {};
        seconds.push_back({.t = static_cast<unsigned>(std::max(since, 0.0)),
                           .ok = interval->latency.total(),
                           .failed = 0,
                           .latency = interval->latency});
    }
    return seconds;
}

/// "node/user/64@5000/1", as Lapbench writes it: target, workload, connections with the rate, round.
void readOwnTag(std::string_view tag, ImportedRun& run)
{
    const std::size_t round = tag.rfind('/');
    const std::size_t level = round == 0 || round == tag.npos ? tag.npos : tag.rfind('/', round - 1);
    const std::size_t workload = level == 0 || level == tag.npos ? tag.npos : tag.rfind('/', level - 1);
    if (workload == tag.npos)
        return;
    const std::string_view told = tag.substr(level + 1, round - level - 1);
    const std::size_t at = told.find('@');
    const auto connections = parseWhole(told.substr(0, at));
    constexpr std::uint64_t kMost = 10'000'000;
    if (!connections || *connections > kMost)
        return;
    run.target = tag.substr(0, workload);
    run.workload = tag.substr(workload + 1, level - workload - 1);
    run.connections = static_cast<unsigned>(*connections);
    if (at != told.npos)
        run.rate = parseNumber(told.substr(at + 1));
}

Semantics semanticsOf(bool isOwn, const ImportedRun& run, double unitNs)
{
    Semantics semantics;
    semantics.resolutionUs = unitNs / kNsPerUs;
    semantics.notes = {"The log has latencies to the digits of its histograms, each as the highest of its bucket."};
    if (isOwn) {
        semantics.latencyIncludesErrors = false;
        semantics.rpsCountsErrors = false;
        semantics.correction = run.rate ? Correction::intended : Correction::none;
    } else {
        semantics.notes.emplace_back(
            "The log does not tell its unit, nor whether failed requests are in it and whether "
            "it was corrected for coordinated omission.");
    }
    return semantics;
}

ImportedRun runOf(const std::string& tag, const std::vector<const HlogInterval*>& intervals, bool isOwn)
{
    ImportedRun run;
    run.target = tag;
    if (isOwn)
        readOwnTag(tag, run);
    Histogram histogram;
    double first = intervals.front()->startSeconds, last = first;
    std::uint64_t clamped = 0;
    for (const HlogInterval* interval : intervals) {
        histogram.add(interval->latency);
        first = std::min(first, interval->startSeconds);
        last = std::max(last, interval->startSeconds + interval->lengthSeconds);
        clamped += interval->clamped;
    }
    run.completed = histogram.total();
    if (last > first) {
        run.durationSeconds = last - first;
        run.rps = static_cast<double>(histogram.total()) / *run.durationSeconds;
    }
    constexpr double kOldest = 1e8, kNewest = 9e9; // 1973 to 2255: else no time of day
    if (first >= kOldest && first <= kNewest)
        run.started = UtcTime{} + std::chrono::microseconds(std::llround(first * 1e6));
    run.latency = latencyOf(histogram);
    run.seconds = secondsOf(intervals, first);
    run.semantics = semanticsOf(isOwn, run, intervals.front()->unitNs);
    if (clamped > 0)
        run.doubts.push_back(std::to_string(clamped) + " latencies are above an hour and stand as an hour.");
    if (!histogram.empty())
        run.histogram = std::move(histogram);
    return run;
}

Result<ImportedRuns> readHlog(std::string_view text)
{
    const auto intervals = parseHlog(text);
    if (!intervals)
        return intervals.problem();
    const bool isOwn = text.find(", written by Lapbench\n#[Histogram log") != std::string_view::npos;
    std::vector<std::string> order;
    std::map<std::string, std::vector<const HlogInterval*>> byTag;
    for (const HlogInterval& interval : intervals.value()) {
        auto& same = byTag[interval.tag];
        if (same.empty())
            order.push_back(interval.tag);
        same.push_back(&interval);
        if (order.size() > kMostRuns)
            return tooManyRuns(interval.line);
    }
    ImportedRuns runs;
    for (const std::string& tag : order)
        runs.push_back(runOf(tag, byTag[tag], isOwn));
    return runs;
}

} // namespace

void addHlog(Formats& formats)
{
    formats.text.push_back({"hdrhistogram", "log (.hlog)", isHlog, readHlog});
}

} // namespace lapbench
