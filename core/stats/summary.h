#pragma once

#include "core/stats/histogram.h"
#include "core/stats/moments.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// Why a request failed; the names in JSON come from errorKindName().
enum class ErrorKind : std::uint8_t {
    none,
    resolve,
    connectRefused,
    connectTimeout,
    tls,
    clientLimit,
    reset,
    closedEarly,
    timeout,
    malformed,
    unexpectedStatus,
    failedCheck,
    tooLarge
};
inline constexpr std::size_t kErrorKinds = 13;

/// How far the failing exchange had come.
enum class Phase : std::uint8_t { connect, send, waitHead, readBody, check };
inline constexpr std::size_t kPhases = 5;

/// "connect_refused" and so on, as in interface JSON; "" for none.
std::string_view errorKindName(ErrorKind kind);
std::optional<ErrorKind> parseErrorKind(std::string_view name);
/// "connect", "send", "wait_head", "read_body", "check".
std::string_view phaseName(Phase phase);
std::optional<Phase> parsePhase(std::string_view name);

/// A percentile in microseconds; `atLeast` where it lies beyond the censored tail ("at least this").
struct Quantile {
    double us = 0;
    bool atLeast = false;

    bool operator==(const Quantile&) const = default;
};

/// The percentiles Lapbench reports, in order; p is a fraction.
struct ReportedPercentile {
    std::string_view key; ///< JSON key
    double p;
};
inline constexpr std::array<ReportedPercentile, 8> kReportedPercentiles = {{{"p25", 0.25},
                                                                            {"p50", 0.50},
                                                                            {"p75", 0.75},
                                                                            {"p90", 0.90},
                                                                            {"p95", 0.95},
                                                                            {"p99", 0.99},
                                                                            {"p99_9", 0.999},
                                                                            {"p99_99", 0.9999}}};

/// Latency in microseconds. count, min, mean, stdev and max are of right answers only; percentiles come from the
/// product-limit curve over right answers and censored ones (ARCHITECTURE, "What the numbers mean").
struct LatencySummary {
    std::uint64_t count = 0;
    std::uint64_t censored = 0;
    std::optional<double> minUs, meanUs, stdevUs, maxUs;
    std::array<std::optional<Quantile>, kReportedPercentiles.size()> percentiles{};

    /// By JSON key, "p50"; nothing where absent.
    std::optional<Quantile> percentile(std::string_view key) const;
};

/// p50, p99 and max in microseconds of what is kept apart (connects, failed requests).
struct ShortSummary {
    std::uint64_t count = 0;
    std::optional<double> p50Us, p99Us, maxUs;
};

/// One kind of error in one phase, with the first exchange that failed so.
struct ErrorCount {
    ErrorKind kind = ErrorKind::none;
    Phase phase = Phase::connect;
    std::uint64_t count = 0;
    double firstAtSeconds = 0;     ///< since the window opened; negative in the warm-up or while connecting
    std::string firstMessage;      ///< errno text or what the reader says
    std::string firstResponseHead; ///< the first bytes of the answer, at most 512
};

/// One second of the window as it was measured by the load core.
struct SecondFigures {
    unsigned t = 0; ///< second of the window, from 0: [t, t+1)
    std::uint64_t ok = 0;
    std::uint64_t failed = 0;
    SparseHistogram latency; ///< of right answers that ended in this second
    std::optional<double> generatorCpuCores;
};

/// Whether a warm-up that was to last until the load is steady got there.
struct SteadyFigures {
    std::optional<double> afterSeconds;      ///< since the warm-up began; absent: never, until the longest it may take
    double warmupSeconds = 0;                ///< how long it took in all
    std::optional<double> firstRps, lastRps; ///< right answers a second at the beginning and the end of the warm-up
};

/// What the first handshake of a trial over TLS agreed on.
struct TlsFigures {
    std::string version, cipher; ///< "TLSv1.3", "TLS_AES_256_GCM_SHA384"
    std::string protocol;        ///< "http/1.1", "h2"; empty where the server named none
    bool verified = false;       ///< the server's certificate was checked
    bool resumed = false;        ///< an earlier session was taken up

    bool operator==(const TlsFigures&) const = default;
};

/// What the load core found in the measured window of one trial. completed = ok + failed, sent = completed +
/// unfinished.
struct LoadFigures {
    std::uint64_t ok = 0, failed = 0, unfinished = 0;
    double durationSeconds = 0;
    std::optional<double> rps;             ///< ok / duration; absent where nothing was measured
    LatencySummary latency;                ///< open loop: from when a request was due
    std::optional<LatencySummary> service; ///< open loop: from when it was sent
    ShortSummary scheduleLag;              ///< open loop: between the two
    /// Open loop: how late the generator itself was, from when a request was due and a connection was free for it until
    /// it was handed to that. What waits for a busy connection waits for the server.
    ShortSummary generatorLag;
    ShortSummary connectTime, failedLatency;
    std::optional<SteadyFigures> steady;
    std::optional<TlsFigures> tls; ///< absent: no TLS, or not known
    unsigned streams = 1;          ///< requests at a time on one connection
    std::map<int, std::uint64_t> status;
    /// Of requests that failed in the window, and of connections that failed before it, which are no requests.
    std::vector<ErrorCount> errors;
    std::uint64_t bytesReceived = 0, bytesSent = 0, bodyReceived = 0;
    /// Over the whole trial, warm-up included: connections that were opened (with new connections, all of them), and
    /// how often one had to be opened again. Together they are what the server accepted, a probe a worker aside where
    /// the transport opens them as it goes.
    unsigned connectionsAsked = 0, connectionsOpened = 0, peakOpen = 0;
    std::uint64_t reconnects = 0;
    unsigned threads = 0;
    std::optional<double> requestSeconds; ///< how long requests were under way in the window, added up
    std::optional<double> generatorCpuCores, generatorCpuUsPerRequest;
    std::optional<double> busiestWorkerCores; ///< processor time of the worker that used most in the window, in cores
    std::optional<double> warmSeconds; ///< since the load began until its rate first reached 95 % of the window's
    std::optional<std::uint64_t> generatorPeakRssBytes;
    Histogram histogram; ///< latency of right answers, nanoseconds
    Histogram censored;  ///< ages at which unfinished and timed-out requests were left, nanoseconds
    std::vector<SecondFigures> seconds;

    std::uint64_t completed() const { return ok + failed; }
    std::uint64_t sent() const { return completed() + unfinished; }
};

/// Percentile p (0..1) of right-censored data by the product-limit (Kaplan-Meier) estimator, events before
/// censorings at equal values: Kaplan & Meier, JASA 53 (1958) 457-481. Without censored values it is the nearest
/// rank, reported as the highest value of its bucket. Nothing where both histograms are empty.
std::optional<Quantile> censoredPercentile(const Histogram& events, const Histogram& censored, double p);

/// The figures of right answers (`events` with their exact `moments`) and of those left open (`censored`).
LatencySummary summarizeLatency(const Histogram& events, const Moments& moments, const Histogram& censored);
/// Nearest-rank figures of what is kept apart.
ShortSummary summarizeShort(const Histogram& values);

/// Whether a percentile rests on fewer than 20 samples beyond it.
bool isThin(std::uint64_t count, double p);

} // namespace lapbench
