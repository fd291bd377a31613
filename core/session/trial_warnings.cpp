#include "core/session/trial_warnings.h"

#include "core/base/units.h"
#include "core/stats/stalls.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

constexpr double kLittlesTolerance = 0.05;
constexpr double kShortestWindow = 1;      // seconds
constexpr std::uint64_t kFewestEach = 100; // requests: what the last ones leave empty then weighs 1 %
constexpr double kMostReconnects = 0.001;  // of the completed requests; opening is no part of a latency

constexpr double kMost = 0.5;       // of the answers
constexpr double kIdleServer = 0.5; // cores

} // namespace

std::string firstError(const LoadFigures& load)
{
    if (load.errors.empty())
        return {};
    const ErrorCount& first = load.errors.front();
    std::string text(errorKindName(first.kind));
    if (!first.firstMessage.empty())
        text += " (" + first.firstMessage + ")";
    return text;
}

Warning neverSteady(const SteadyFigures& steady)
{
    const auto rate = [](std::optional<double> rps) { return rps ? formatRate(*rps) : std::string("no"); };
    return {"never_steady", "warning",
            "the load was not steady after a warm-up of " + formatSignificant(steady.warmupSeconds) + " s",
            rate(steady.firstRps) + " requests/s in its first second, " + rate(steady.lastRps) + " in its last"};
}

Warning gaveUp(std::uint64_t asked, const LoadFigures& load)
{
    const std::string error = firstError(load);
    return {"gave_up", "error",
            "not all of the " + std::to_string(asked) +
                " requests were made, as no connection to the server could be opened any more" +
                (error.empty() ? "" : ": " + error),
            std::to_string(load.completed()) + " of " + std::to_string(asked) + " ended in " +
                formatSignificant(load.durationSeconds) + " s"};
}

std::optional<Warning> littlesLaw(const LoadFigures& load, bool closedLoop)
{
    const std::uint64_t places = std::uint64_t{load.connectionsAsked} * load.streams;
    const std::uint64_t completed = load.completed();
    const bool unopened = std::any_of(load.errors.begin(), load.errors.end(), [](const ErrorCount& error) {
        return error.phase == Phase::connect && error.kind != ErrorKind::none;
    });
    if (!closedLoop || !load.requestSeconds || load.durationSeconds < kShortestWindow || unopened ||
        completed < places * kFewestEach ||
        static_cast<double>(load.reconnects) > kMostReconnects * static_cast<double>(completed))
        return std::nullopt;
    const double rate = static_cast<double>(completed) / load.durationSeconds;
    const double mean = *load.requestSeconds / static_cast<double>(completed);
    if (std::abs(rate * mean / static_cast<double>(places) - 1) <= kLittlesTolerance)
        return std::nullopt;
    const std::string asked = formatCounted(load.connectionsAsked, "connection") +
                              (load.streams == 1 ? "" : " with " + formatCounted(load.streams, "stream") + " each");
    return Warning{"littles_law", "warning",
                   formatSignificant(rate * mean) + " requests were under way at a time and not " +
                       std::to_string(places) + ": rate and latency are not those of " + asked,
                   asked + ", " + formatRate(rate) + " requests/s, mean latency " + formatLatencyUs(mean * 1e6)};
}

std::vector<Warning> stallWarnings(const LoadFigures& load, std::optional<double> serverCores)
{
    std::vector<Warning> warnings;
    for (const Stall& stall : findStalls(load)) {
        const bool timeout = stall.name == "timeout";
        if (!timeout && stall.share > kMost && !(serverCores && *serverCores < kIdleServer))
            continue;
        const std::string text =
            timeout ? formatShareRounded(stall.share) + " of the requests ended at the timeout: " + stall.explanation
                    : formatShareRounded(stall.share) + " of the answers crowd at " + stall.at + ": typical of " +
                          stall.explanation;
        warnings.push_back({"stall_" + stall.name, "info", text,
                            std::to_string(stall.count) + " of " +
                                std::to_string(timeout ? load.completed() : load.histogram.total())});
    }
    return warnings;
}

} // namespace lapbench
