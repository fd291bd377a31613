#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

/// What kept a trial from more.
enum class Limit { errors, clientLimit, generator, noise, rate, server, unknown };

/// "server", "client_limit" and so on, as in results.
std::string_view limitName(Limit limit);
/// "the generator": as in "limited by ..".
std::string_view limitInWords(Limit limit);
std::optional<Limit> parseLimit(std::string_view name);

/// What is known about a trial; what is not is absent, and rules that need it are passed over.
struct BottleneckEvidence {
    std::uint64_t completed = 0, failed = 0;
    bool gaveUp = false; ///< a count of requests was not reached, as no connection came of any that was asked for
    std::optional<unsigned> connectionsAsked, peakOpen;
    std::optional<double> busiestWorkerCores;     ///< processor time of the worker that used most, in cores
    std::optional<double> stoodStillShare;        ///< of the window, in which the generator did not run at all, 0..1
    std::optional<double> rps, ceilingRps;        ///< achieved, and this machine's calibrated ceiling
    std::optional<double> lagP99Us, latencyP50Us; ///< open loop: between due and sent; from when it was due
    std::optional<double> noisySeconds;           ///< share of the seconds in which others took too much, 0..1
    std::optional<double> rateAsked, rateMade;    ///< due, and completed requests a second, wrong ones too
    bool rateMadeLater = false;                   ///< `rateMade` is of the window's later half
    std::optional<double> busiestProcessCores;    ///< of the server
    std::optional<double> serverCores;            ///< of its whole tree
    std::optional<double> serverAllowedCores;     ///< what it may use
};

/// The bounds of the rules, in one place.
namespace bottleneck_bounds {
inline constexpr double kFailedShare = 0.01;  ///< more is `errors`
inline constexpr double kWorkerCores = 0.90;  ///< more is `generator`
inline constexpr double kStoodStill = 0.01;   ///< of the window: more is `generator`
inline constexpr double kNearCeiling = 0.15;  ///< closer to the ceiling is `generator`
inline constexpr double kLagShare = 0.10;     ///< a lag above this share of p50 is `generator`
inline constexpr double kOthersShare = 0.10;  ///< of the machine: a second with more stolen or used by others is noisy
inline constexpr double kNoisySeconds = 0.20; ///< more is `noise`
inline constexpr double kRateMissed = 0.005;  ///< within is `rate`
inline constexpr double kProcessCores = 0.90; ///< as much is `server`
inline constexpr double kAllowedShare = 0.90; ///< as much is `server`
} // namespace bottleneck_bounds

/// What limited a trial, with a sentence that gives the evidence.
struct Bottleneck {
    Limit limit = Limit::unknown;
    std::string reason;
    bool rankable = true; ///< false: it says nothing about the server
};

/// The first rule that holds, in the order of Limit.
Bottleneck findBottleneck(const BottleneckEvidence& evidence);

} // namespace lapbench
