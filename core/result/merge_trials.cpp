#include "core/result/merge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace lapbench {

namespace {

using Parts = std::vector<const Trial*>;

/// The sum, or the greatest, of what every part tells; nothing where one does not.
template <typename Get, typename Combine>
auto ofAll(const Parts& parts, Get get, Combine combine) -> decltype(get(*parts.front()))
{
    auto all = get(*parts.front());
    for (std::size_t i = 1; i < parts.size() && all; ++i) {
        const auto next = get(*parts[i]);
        all = next ? decltype(all)(combine(*all, *next)) : decltype(all)();
    }
    return all;
}

constexpr auto kAdd = [](auto a, auto b) { return a + b; };
constexpr auto kGreatest = [](auto a, auto b) { return std::max(a, b); };

/// The part of trials for which `has` holds, the first of them; the first of all where there is none.
template <typename Has>
const Trial& firstWith(const Parts& parts, Has has)
{
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const Trial* part) { return has(*part); });
    return found == parts.end() ? *parts.front() : **found;
}

/// Mean and standard deviation of all values together, from those of the parts: sums of squares within the parts and
/// between their means.
void poolMoments(const std::vector<const LatencySummary*>& parts, LatencySummary& pooled)
{
    const auto count = static_cast<double>(pooled.count);
    double mean = 0;
    for (const LatencySummary* part : parts) {
        if (!part->meanUs)
            return;
        mean += *part->meanUs * (static_cast<double>(part->count) / count);
    }
    pooled.meanUs = mean;
    double squares = 0;
    for (const LatencySummary* part : parts) {
        if (part->count > 1 && !part->stdevUs)
            return;
        const auto n = static_cast<double>(part->count);
        const double within = part->stdevUs.value_or(0);
        squares += (n - 1) * within * within + n * (*part->meanUs - mean) * (*part->meanUs - mean);
    }
    if (pooled.count > 1)
        pooled.stdevUs = std::sqrt(squares / (count - 1));
}

/// All but the percentiles.
LatencySummary pooledLatency(const std::vector<const LatencySummary*>& all)
{
    LatencySummary pooled;
    std::vector<const LatencySummary*> parts;
    for (const LatencySummary* part : all) {
        pooled.count += part->count;
        pooled.censored += part->censored;
        if (part->count > 0)
            parts.push_back(part);
    }
    if (parts.empty())
        return pooled;
    pooled.minUs = parts.front()->minUs;
    pooled.maxUs = parts.front()->maxUs;
    for (const LatencySummary* part : parts) {
        pooled.minUs =
            pooled.minUs && part->minUs ? std::optional(std::min(*pooled.minUs, *part->minUs)) : std::nullopt;
        pooled.maxUs =
            pooled.maxUs && part->maxUs ? std::optional(std::max(*pooled.maxUs, *part->maxUs)) : std::nullopt;
    }
    poolMoments(parts, pooled);
    return pooled;
}

void mergeLatency(const Parts& parts, LoadFigures& load)
{
    std::vector<const LatencySummary*> latencies, services;
    bool whole = true;
    for (const Trial* part : parts) {
        load.histogram.add(part->load.histogram);
        load.censored.add(part->load.censored);
        latencies.push_back(&part->load.latency);
        if (part->load.service)
            services.push_back(&*part->load.service);
        whole = whole && part->load.histogram.total() == part->load.latency.count &&
                part->load.censored.total() == part->load.latency.censored;
    }
    load.latency = pooledLatency(latencies);
    for (std::size_t i = 0; whole && i < kReportedPercentiles.size(); ++i)
        load.latency.percentiles[i] = censoredPercentile(load.histogram, load.censored, kReportedPercentiles[i].p);
    if (services.size() == parts.size())
        load.service = pooledLatency(services);
}

/// A percentile of several parts is not known from theirs; where only one has values, it is that one's.
ShortSummary mergeShort(const Parts& parts, ShortSummary LoadFigures::*which)
{
    ShortSummary merged;
    for (const Trial* part : parts) {
        const ShortSummary& one = part->load.*which;
        if (one.count == 0)
            continue;
        if (merged.count == 0) {
            merged = one;
            continue;
        }
        merged.count += one.count;
        merged.p50Us = merged.p99Us = std::nullopt;
        merged.maxUs = merged.maxUs && one.maxUs ? std::optional(std::max(*merged.maxUs, *one.maxUs)) : std::nullopt;
    }
    return merged;
}

std::vector<ErrorCount> mergeErrors(const Parts& parts)
{
    std::vector<ErrorCount> merged;
    for (const Trial* part : parts)
        for (const ErrorCount& error : part->load.errors) {
            const auto same = std::find_if(merged.begin(), merged.end(), [&](const ErrorCount& other) {
                return other.kind == error.kind && other.phase == error.phase;
            });
            if (same == merged.end()) {
                merged.push_back(error);
                continue;
            }
            const std::uint64_t count = same->count + error.count;
            if (error.firstAtSeconds < same->firstAtSeconds)
                *same = error;
            same->count = count;
        }
    return merged;
}

void addCounts(const Parts& parts, LoadFigures& load)
{
    for (const Trial* part : parts) {
        const LoadFigures& one = part->load;
        load.ok += one.ok;
        load.failed += one.failed;
        load.unfinished += one.unfinished;
        load.durationSeconds = std::max(load.durationSeconds, one.durationSeconds);
        for (const auto& [code, count] : one.status)
            load.status[code] += count;
        load.bytesReceived += one.bytesReceived;
        load.bytesSent += one.bytesSent;
        load.bodyReceived += one.bodyReceived;
        load.connectionsAsked += one.connectionsAsked;
        load.connectionsOpened += one.connectionsOpened;
        load.peakOpen += one.peakOpen;
        load.reconnects += one.reconnects;
        load.threads += one.threads;
    }
    const bool measured = std::any_of(parts.begin(), parts.end(), [](const Trial* part) { return part->load.rps; });
    if (measured && load.durationSeconds > 0)
        load.rps = static_cast<double>(load.ok) / load.durationSeconds;
}

std::optional<SteadyFigures> mergeSteady(const Parts& parts)
{
    if (!std::all_of(parts.begin(), parts.end(), [](const Trial* part) { return part->load.steady.has_value(); }))
        return std::nullopt;
    SteadyFigures steady;
    steady.afterSeconds = ofAll(
        parts, [](const Trial& t) { return t.load.steady->afterSeconds; }, kGreatest);
    steady.firstRps = ofAll(
        parts, [](const Trial& t) { return t.load.steady->firstRps; }, kAdd);
    steady.lastRps = ofAll(
        parts, [](const Trial& t) { return t.load.steady->lastRps; }, kAdd);
    for (const Trial* part : parts)
        steady.warmupSeconds = std::max(steady.warmupSeconds, part->load.steady->warmupSeconds);
    return steady;
}

void mergeGenerators(const Parts& parts, LoadFigures& load)
{
    load.generatorCpuCores = ofAll(
        parts, [](const Trial& t) { return t.load.generatorCpuCores; }, kAdd);
    load.busiestWorkerCores = ofAll(
        parts, [](const Trial& t) { return t.load.busiestWorkerCores; }, kGreatest);
    load.warmSeconds = ofAll(
        parts, [](const Trial& t) { return t.load.warmSeconds; }, kGreatest);
    load.requestSeconds = ofAll(
        parts, [](const Trial& t) { return t.load.requestSeconds; }, kAdd);
    load.generatorPeakRssBytes = ofAll(
        parts, [](const Trial& t) { return t.load.generatorPeakRssBytes; }, kGreatest);
    const auto spentUs = ofAll(
        parts,
        [](const Trial& t) -> std::optional<double> {
            if (t.load.completed() == 0)
                return 0;
            if (!t.load.generatorCpuUsPerRequest)
                return std::nullopt;
            return *t.load.generatorCpuUsPerRequest * static_cast<double>(t.load.completed());
        },
        kAdd);
    if (spentUs && load.completed() > 0)
        load.generatorCpuUsPerRequest = *spentUs / static_cast<double>(load.completed());
}

/// A generator that lacks a second added nothing to it, but its processor time in it is not known.
std::vector<TrialSecond> mergeSeconds(const Parts& parts, const Trial& serverSide)
{
    struct Sum {
        TrialSecond second;
        Histogram latency;
        std::size_t known = 0;
    };
    std::map<unsigned, Sum> sums;
    for (const Trial* part : parts)
        for (const TrialSecond& second : part->seconds) {
            Sum& sum = sums[second.load.t];
            sum.second.load.ok += second.load.ok;
            sum.second.load.failed += second.load.failed;
            sum.latency.add(second.load.latency);
            if (second.load.generatorCpuCores) {
                sum.second.load.generatorCpuCores =
                    sum.second.load.generatorCpuCores.value_or(0) + *second.load.generatorCpuCores;
                ++sum.known;
            }
            if (part != &serverSide)
                continue;
            sum.second.serverCpuCores = second.serverCpuCores;
            sum.second.serverRssBytes = second.serverRssBytes;
            sum.second.noise = second.noise;
            sum.second.tcpRetransmits = second.tcpRetransmits;
            sum.second.listenOverflows = second.listenOverflows;
        }
    std::vector<TrialSecond> seconds;
    for (auto& [t, sum] : sums) {
        sum.second.load.t = t;
        sum.second.load.latency = sum.latency.sparse();
        if (sum.known < parts.size())
            sum.second.load.generatorCpuCores.reset();
        seconds.push_back(std::move(sum.second));
    }
    return seconds;
}

/// The worse, the earlier in this list.
std::size_t badness(Outcome outcome)
{
    constexpr std::array kWorstFirst = {Outcome::failed, Outcome::interrupted, Outcome::skipped, Outcome::done};
    return static_cast<std::size_t>(std::find(kWorstFirst.begin(), kWorstFirst.end(), outcome) - kWorstFirst.begin());
}

std::optional<Bottleneck> mergeBottlenecks(const Parts& parts)
{
    std::optional<Bottleneck> merged;
    for (const Trial* part : parts) {
        if (!part->bottleneck)
            continue;
        const bool rankable = part->bottleneck->rankable && (!merged || merged->rankable);
        if (!merged || part->bottleneck->limit < merged->limit)
            merged = part->bottleneck;
        merged->rankable = rankable;
    }
    return merged;
}

std::vector<Warning> mergeWarnings(const Parts& parts)
{
    std::vector<Warning> merged;
    for (const Trial* part : parts)
        for (const Warning& warning : part->warnings)
            if (std::none_of(merged.begin(), merged.end(), [&](const Warning& other) {
                    return other.code == warning.code && other.text == warning.text;
                }))
                merged.push_back(warning);
    return merged;
}

bool knowsTheServer(const Trial& trial)
{
    const ServerFigures& server = trial.server;
    return server.cpuCoresMean || server.rssBytesMean || server.startupMs;
}

} // namespace

Trial mergeTrials(const std::vector<const Trial*>& parts)
{
    if (parts.size() == 1)
        return *parts.front();
    Trial merged;
    const Trial& first = *parts.front();
    const Trial& loaded = firstWith(parts, [](const Trial& part) { return part.hasLoad(); });
    merged.target = first.target;
    merged.workload = first.workload;
    merged.level = first.level;
    merged.round = first.round;
    merged.order = first.order;
    merged.attempt = first.attempt;
    merged.started = first.started;
    for (const Trial* part : parts)
        merged.started = std::min(merged.started, part->started);
    merged.transport = loaded.transport;
    merged.httpVersion = loaded.httpVersion;
    const Trial& worst = **std::min_element(parts.begin(), parts.end(), [](const Trial* a, const Trial* b) {
        return badness(a->outcome) < badness(b->outcome);
    });
    merged.outcome = worst.outcome;
    merged.failure = worst.failure;

    addCounts(parts, merged.load);
    mergeLatency(parts, merged.load);
    merged.load.scheduleLag = mergeShort(parts, &LoadFigures::scheduleLag);
    merged.load.generatorLag = mergeShort(parts, &LoadFigures::generatorLag);
    merged.load.connectTime = mergeShort(parts, &LoadFigures::connectTime);
    merged.load.failedLatency = mergeShort(parts, &LoadFigures::failedLatency);
    merged.load.errors = mergeErrors(parts);
    merged.load.steady = mergeSteady(parts);
    merged.load.tls = loaded.load.tls;
    merged.load.streams = loaded.load.streams;
    mergeGenerators(parts, merged.load);
    merged.openSeconds = ofAll(
        parts, [](const Trial& part) { return part.openSeconds; }, kGreatest);

    const Trial& serverSide = firstWith(parts, knowsTheServer);
    merged.server = serverSide.server;
    merged.host = serverSide.host;
    merged.seconds = mergeSeconds(parts, serverSide);
    merged.bottleneck = mergeBottlenecks(parts);
    merged.warnings = mergeWarnings(parts);
    merged.unknownJson = first.unknownJson;
    return merged;
}

} // namespace lapbench
