#pragma once

#include "core/base/clock.h"
#include "core/host/conditions.h"
#include "core/host/host_info.h"
#include "core/plan/plan.h"
#include "core/result/audit.h"
#include "core/result/comparison.h"
#include "core/result/goal_search.h"
#include "core/result/semantics.h"
#include "core/stats/bottleneck.h"
#include "core/stats/summary.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// A doubt about a measurement, as data.
struct Warning {
    std::string code;     ///< stable, snake_case
    std::string severity; ///< "info", "warning", "error"
    std::string text;     ///< one sentence
    std::string evidence; ///< the figures it rests on
};

enum class Outcome { done, failed, skipped, interrupted };

struct TrialFailure {
    std::string phase; ///< "start", "connect", "warmup", "measure"
    std::string message;
    std::vector<std::string> output; ///< last lines of the server
};

/// The server's figures in the measured window; start-up beside them.
struct ServerFigures {
    std::optional<double> startupMs;
    std::optional<double> cpuCoresMean, cpuCoresPeak;
    std::optional<std::uint64_t> rssBytesMean, rssBytesPeak;
    std::optional<unsigned> processesPeak;
    std::optional<std::uint64_t> rssBytesIdle;    ///< once it was ready, before its first load in this round
    std::optional<std::uint64_t> rssBytesSettled; ///< a moment after the load has ended
};

/// The whole machine in the measured window.
struct MachineFigures {
    std::optional<double> cpuCoresMean;       ///< of all processes
    std::optional<double> othersCpuCoresMean; ///< neither of the server nor of the generator
    std::optional<double> steal;              ///< share of the machine's time that the hypervisor gave to others
    std::optional<double> noisySeconds;       ///< share of the seconds in which others and steal took too much

    bool operator==(const MachineFigures&) const = default;
};

/// One second as it is saved: the load core's figures with the server's beside them.
struct TrialSecond {
    SecondFigures load;
    std::optional<double> serverCpuCores;
    std::optional<std::uint64_t> serverRssBytes;
    std::optional<double> noise; ///< share of the machine that others and steal took
    std::optional<std::uint64_t> tcpRetransmits, listenOverflows;
};

/// What another tool's trial is: what its figures mean, and which counts of Trial::load it tells. One that it does not
/// tell is 0 there, has no key in JSON and is no figure of a cell.
struct ImportedTrial {
    Semantics semantics;
    bool completed = false, failed = false, unfinished = false; ///< ok is told where both of the first two are
    bool duration = false, latencyCount = false;
    bool bytesReceived = false, bytesSent = false, bodyReceived = false;

    bool operator==(const ImportedTrial&) const = default;
};

/// One target x workload x level x round, finished in one way or another. Immutable once made.
struct Trial {
    std::size_t index = 0;
    std::string target, workload;
    Level level;
    unsigned round = 1, order = 1;
    unsigned attempt = 1;    ///< of its round; a round that was too noisy is run again
    bool superseded = false; ///< its round was run again: it is kept and counts in no figure of the session
    UtcTime started{};       ///< of another tool's trial the epoch where it does not tell
    std::string transport;   ///< "keep-alive" or "curl"; empty where no load was made, or by another tool
    std::string httpVersion; ///< "1.1"
    Outcome outcome = Outcome::done;
    std::optional<TrialFailure> failure;
    LoadFigures load;                  ///< its `seconds` stand in `seconds` below
    std::optional<double> openSeconds; ///< until every connection was open or had failed; absent where none opened
    ServerFigures server;
    MachineFigures host;
    std::optional<Bottleneck> bottleneck; ///< absent: not done, or of a file that does not say
    std::optional<GoalSearch> search;     ///< where the plan searches for a rate; `load` is then of the rate found
    std::vector<TrialSecond> seconds;
    std::vector<Warning> warnings;
    std::optional<ImportedTrial> imported; ///< absent: measured by Lapbench
    std::string unknownJson;               ///< keys of a file this version does not know, kept as compact JSON

    /// Whether `load` holds anything.
    bool hasLoad() const { return !transport.empty() || imported.has_value(); }
};

/// The figures of a target x workload x level over its rounds: medians, with every round's value kept.
struct CellFigure {
    std::optional<double> median;
    std::optional<double> spread;              ///< (max - min) / median
    bool atLeast = false;                      ///< the median lies beyond the censored tail: "at least this"
    std::vector<std::optional<double>> rounds; ///< in the order of the rounds; absent where that round has none
};

struct Cell {
    std::string target, workload;
    Level level;
    std::map<std::string, CellFigure> figures; ///< by the keys of kCellFigures; a figure no round has is left out
    std::optional<double> rpsRatio; ///< median rps to that of the first target in the same workload and level
    Histogram merged;               ///< latency of all rounds, added
};

/// How long a server took to start, over several starts outside of the rounds.
struct ColdStarts {
    std::string target;
    std::vector<double> ms; ///< each start, in order: exec to the first answer accepted
    std::optional<double> medianMs, p95Ms;
    std::string failure; ///< of the start that ended them; empty where all came up
};

/// A runtime as it was used.
struct UsedRuntime {
    std::string kind, asked, actual, sha256;
};

/// A finished session: one immutable record, self-contained, the plan included.
struct SessionResult {
    int schemaVersion = 1;
    std::string id; ///< random, 128 bits in hex
    UtcTime created{};
    struct Tool {
        std::string version, git, build, libcurl;
    } tool;
    double scale = 1;
    std::vector<std::string> tags;
    std::string notes;
    std::string planJson; ///< the whole plan as it was read
    std::string planSha256;
    /// From the start to the end, starts of servers and all; the time between an interruption and its resumption is no
    /// part of it.
    std::optional<double> elapsedSeconds;
    HostInfo host;
    std::optional<Conditions> conditionsBefore, conditionsAfter;
    std::map<std::string, UsedRuntime> runtimes;
    std::optional<FairWork> fairWork; ///< absent: not looked at
    std::vector<ColdStarts> coldStarts;
    std::vector<Trial> trials;
    std::vector<Cell> cells;
    std::vector<Comparison> comparisons;
    std::vector<Ranking> rankings; ///< one a workload and level; under "ranking" in JSON
    std::vector<Warning> warnings;
    std::string publishedJson; ///< empty where the plan has none
    std::string unknownJson;   ///< keys this version does not know, kept as compact JSON
    bool complete = true;      ///< false: read from a journal of a session that did not end

    /// The tools that measured its trials, in their order: "lapbench", "wrk". Empty where it has no trial.
    std::vector<std::string> measuredBy() const;
};

/// Cells of the trials that ended and were not superseded: in the order of their first appearance, the targets in that
/// of `targets` (names; those that are not among them come last). Ratios are to the first of them.
std::vector<Cell> makeCells(const std::vector<Trial>& trials, const std::vector<std::string>& targets = {});

/// The names of a plan's targets in its order; none where the text is no plan.
std::vector<std::string> targetsOf(const std::string& planJson);

/// The figures a cell holds, named as in JSON. Latency in microseconds, memory in bytes, CPU in cores.
inline constexpr std::array<std::string_view, 23> kCellFigures = {"rps",
                                                                  "mean_us",
                                                                  "p25_us",
                                                                  "p50_us",
                                                                  "p75_us",
                                                                  "p90_us",
                                                                  "p95_us",
                                                                  "p99_us",
                                                                  "p99_9_us",
                                                                  "max_us",
                                                                  "ok",
                                                                  "failed",
                                                                  "cpu_cores_mean",
                                                                  "cpu_cores_peak",
                                                                  "rss_bytes_mean",
                                                                  "rss_bytes_peak",
                                                                  "startup_ms",
                                                                  "goal_rate",
                                                                  "requests_per_cpu_second",
                                                                  "rss_bytes_per_1000_rps",
                                                                  "rss_bytes_idle",
                                                                  "rss_bytes_settled",
                                                                  "warmup_to_95_s"};

/// Right answers for each second of processor time that the server's tree used in the window, and its mean RSS for each
/// thousand right answers a second. Nothing where that is not known.
std::optional<double> requestsPerCpuSecond(const Trial& trial);
std::optional<double> rssBytesPer1000Rps(const Trial& trial);

/// One figure of one trial by its cell key; nothing where the trial has none. `us` holds the value whatever its unit.
std::optional<Quantile> trialFigure(const Trial& trial, std::string_view key);

} // namespace lapbench
