#include "core/stats/bottleneck.h"

#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapbench {

namespace {

using namespace bottleneck_bounds;

constexpr std::array<std::string_view, 7> kNames = {"errors", "client_limit", "generator", "noise",
                                                    "rate",   "server",       "unknown"};
using Evidence = BottleneckEvidence;
using Finding = std::optional<Bottleneck>;

Finding errors(const Evidence& evidence)
{
    const double share =
        evidence.completed == 0 ? 0 : static_cast<double>(evidence.failed) / static_cast<double>(evidence.completed);
    if (share > kFailedShare)
        return Bottleneck{Limit::errors, formatShareRounded(share) + " of the requests failed", false};
    // Few requests fail while nobody is there, and the time until that was given up is in the rate.
    if (evidence.gaveUp)
        return Bottleneck{Limit::errors, "not all requests were made, as no connection could be opened any more",
                          false};
    return std::nullopt;
}

Finding clientLimit(const Evidence& evidence)
{
    if (!evidence.connectionsAsked || !evidence.peakOpen || *evidence.peakOpen >= *evidence.connectionsAsked)
        return std::nullopt;
    return Bottleneck{Limit::clientLimit,
                      "no more than " + std::to_string(*evidence.peakOpen) + " of " +
                          formatCounted(*evidence.connectionsAsked, "connection") + " could be opened",
                      false};
}

Finding generator(const Evidence& evidence)
{
    if (evidence.busiestWorkerCores && *evidence.busiestWorkerCores > kWorkerCores)
        return Bottleneck{
            Limit::generator,
            "a thread of the generator used " + formatSignificant(*evidence.busiestWorkerCores) + " of a core", false};
    if (evidence.stoodStillShare && *evidence.stoodStillShare > kStoodStill)
        return Bottleneck{
            Limit::generator,
            "the generator stood still for " + formatShareRounded(*evidence.stoodStillShare) + " of the window", false};
    if (evidence.rps && evidence.ceilingRps && *evidence.rps >= *evidence.ceilingRps * (1 - kNearCeiling))
        return Bottleneck{Limit::generator,
                          formatRate(*evidence.rps) + " requests/s are " +
                              formatShareRounded(*evidence.rps / *evidence.ceilingRps) +
                              " of the most that this machine can generate",
                          false};
    if (evidence.lagP99Us && evidence.latencyP50Us && *evidence.lagP99Us > *evidence.latencyP50Us * kLagShare)
        return Bottleneck{Limit::generator,
                          "one request in a hundred was sent " + formatLatencyUs(*evidence.lagP99Us) +
                              " or more after it was due, while half were answered within " +
                              formatLatencyUs(*evidence.latencyP50Us),
                          false};
    return std::nullopt;
}

Finding noise(const Evidence& evidence)
{
    if (!evidence.noisySeconds || *evidence.noisySeconds <= kNoisySeconds)
        return std::nullopt;
    return Bottleneck{Limit::noise,
                      "in " + formatShareRounded(*evidence.noisySeconds) + " of the seconds others used more than " +
                          formatShareRounded(kOthersShare) + " of the machine",
                      true};
}

Finding rate(const Evidence& evidence)
{
    if (!evidence.rateAsked || !evidence.rateMade ||
        std::abs(*evidence.rateMade / *evidence.rateAsked - 1) > kRateMissed)
        return std::nullopt;
    return Bottleneck{Limit::rate,
                      std::string("the rate asked for was reached") +
                          (evidence.rateMadeLater ? " in the later half of the window: " : ": ") +
                          formatRate(*evidence.rateMade) + " requests/s",
                      true};
}

Finding server(const Evidence& evidence)
{
    if (evidence.busiestProcessCores && *evidence.busiestProcessCores >= kProcessCores)
        return Bottleneck{Limit::server,
                          "its busiest process used " + formatSignificant(*evidence.busiestProcessCores) + " of a core",
                          true};
    if (evidence.serverCores && evidence.serverAllowedCores &&
        *evidence.serverCores >= *evidence.serverAllowedCores * kAllowedShare)
        return Bottleneck{Limit::server,
                          "it used " + formatSignificant(*evidence.serverCores) + " of the " +
                              formatSignificant(*evidence.serverAllowedCores) + " cores it may use",
                          true};
    if (!evidence.serverCores)
        return std::nullopt;
    return Bottleneck{Limit::server,
                      "waiting, not CPU: it used " + formatSignificant(*evidence.serverCores) +
                          " cores and nothing else was the limit",
                      true};
}

} // namespace

std::string_view limitName(Limit limit)
{
    return kNames[static_cast<std::size_t>(limit)];
}

std::string_view limitInWords(Limit limit)
{
    switch (limit) {
    case Limit::clientLimit:
        return "what this machine may open";
    case Limit::generator:
        return "the generator";
    case Limit::rate:
        return "the rate asked for";
    case Limit::server:
        return "the server";
    default:
        return limitName(limit);
    }
}

std::optional<Limit> parseLimit(std::string_view name)
{
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    return found == kNames.end() ? std::nullopt : std::optional(static_cast<Limit>(found - kNames.begin()));
}

Bottleneck findBottleneck(const BottleneckEvidence& evidence)
{
    for (const auto rule : {errors, clientLimit, generator, noise, rate, server})
        if (auto found = rule(evidence))
            return *std::move(found);
    return {Limit::unknown, "the server's processor time is not known", true};
}

} // namespace lapbench
