#include "core/plan/schedule.h"

#include "core/base/units.h"
#include "core/plan/nearest.h"
#include "core/plan/williams.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace lapbench {

namespace {

/// Guesses, for the estimate before anything has been measured; the session corrects it with its own trials.
constexpr double kGuessedRequestsPerSecond = 20'000;
constexpr Nanoseconds kGuessedWarmup = std::chrono::seconds(5); // until steady
/// A scaled warm-up until steady may still take so long: below, nothing could be found to be steady.
constexpr Nanoseconds kLeastForSteady = std::chrono::seconds(5);
constexpr Nanoseconds kGuessedStart = std::chrono::milliseconds(700);
constexpr Nanoseconds kGuessedRest = std::chrono::milliseconds(300);

std::vector<std::size_t> selectedTargets(const Plan& plan)
{
    std::vector<std::size_t> selected;
    for (std::size_t i = 0; i < plan.targets.size(); ++i)
        if (plan.targets[i].selected)
            selected.push_back(i);
    return selected;
}

/// The places in the list of targets, in the order in which they run in this round (from 1).
std::vector<std::size_t> orderOf(unsigned round, std::size_t count, OrderKind kind)
{
    if (kind == OrderKind::williams && count > 0) {
        const auto orders = williamsOrders(count);
        return orders[(round - 1) % orders.size()];
    }
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (kind == OrderKind::rotate && count > 0)
        std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>((round - 1) % count), order.end());
    return order;
}

/// What a request takes on average over the plan's rates; a guess in a closed loop.
double secondsEach(const std::vector<unsigned>& rates)
{
    double sum = 0;
    for (const unsigned rate : rates)
        sum += 1.0 / rate;
    return rates.empty() ? 1 / kGuessedRequestsPerSecond : sum / static_cast<double>(rates.size());
}

Nanoseconds estimate(const Extent& extent, double secondsEach)
{
    if (extent.untilSteady)
        return std::min(extent.duration.value_or(kGuessedWarmup), kGuessedWarmup);
    if (extent.duration)
        return *extent.duration;
    const double seconds = static_cast<double>(extent.requests.value_or(0)) * secondsEach;
    return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds));
}

void scale(Extent& extent, double factor)
{
    if (extent.duration)
        extent.duration = scaled(*extent.duration, factor);
    if (extent.requests.value_or(0) > 0) {
        const auto shrunk = std::llround(static_cast<double>(*extent.requests) * factor);
        extent.requests = static_cast<std::uint64_t>(std::max(1LL, shrunk));
    }
}

} // namespace

std::vector<Level> levelsOf(const Load& load)
{
    std::vector<Level> levels;
    for (const unsigned connections : load.connections) {
        for (const unsigned rate : load.rates)
            levels.push_back({connections, rate});
        if (load.rates.empty())
            levels.push_back({connections, std::nullopt});
    }
    return levels;
}

std::string formatLevel(const Level& level)
{
    return formatCounted(level.connections, "connection") + (level.rate ? ", " + formatRate(*level.rate) + "/s" : "");
}

unsigned roundsOf(const Plan& plan)
{
    constexpr std::size_t kFewest = 6;
    if (plan.rounds)
        return *plan.rounds;
    const std::size_t targets = selectedTargets(plan).size();
    if (targets == 0)
        return kFewest;
    const std::size_t step = targets % 2 == 0 ? targets : 2 * targets;
    return static_cast<unsigned>((kFewest + step - 1) / step * step);
}

std::vector<TrialPlan> makeSchedule(const Plan& plan)
{
    const std::vector<std::size_t> selected = selectedTargets(plan);
    const unsigned rounds = roundsOf(plan);
    std::vector<TrialPlan> trials;
    for (unsigned round = 1; round <= rounds; ++round) {
        const std::vector<std::size_t> order = orderOf(round, selected.size(), plan.order);
        for (std::size_t place = 0; place < order.size(); ++place) {
            const std::size_t target = selected[order[place]];
            for (const Level& level : levelsOf(plan.load))
                for (std::size_t workload = 0; workload < plan.workloads.size(); ++workload)
                    trials.push_back({trials.size(), target, workload, level, round, static_cast<unsigned>(place + 1)});
        }
    }
    return trials;
}

Nanoseconds estimateTrial(const Plan& plan)
{
    const double each = secondsEach(plan.load.rates);
    return estimate(plan.warmup, each) + estimate(plan.measure, each) + plan.cooldown + kGuessedRest;
}

Nanoseconds estimateSession(const Plan& plan)
{
    const auto starts = static_cast<std::int64_t>(selectedTargets(plan).size() * roundsOf(plan));
    const auto trials = starts * static_cast<std::int64_t>(levelsOf(plan.load).size() * plan.workloads.size());
    return estimateTrial(plan) * trials + kGuessedStart * starts;
}

Nanoseconds scaled(Nanoseconds duration, double factor)
{
    if (duration == Nanoseconds::zero())
        return duration;
    const auto shrunk = std::llround(static_cast<double>(duration.count()) * factor);
    return std::max<Nanoseconds>(Nanoseconds(shrunk), std::chrono::milliseconds(1));
}

Result<void> applyScale(Plan& plan, double factor)
{
    if (!(factor > 0 && factor <= 1))
        return Problem{"", "a scale must be above 0 and at most 1", "for example 0.2"};
    scale(plan.measure, factor);
    const std::optional<Nanoseconds> whole = plan.warmup.duration;
    scale(plan.warmup, factor);
    if (plan.warmup.untilSteady && whole)
        plan.warmup.duration = std::max(*plan.warmup.duration, std::min(*whole, kLeastForSteady));
    plan.cooldown = scaled(plan.cooldown, factor);
    plan.scale *= factor;
    return {};
}

void applyRounds(Plan& plan, unsigned rounds)
{
    plan.rounds = rounds;
    auto source = nlohmann::ordered_json::parse(plan.sourceJson, nullptr, false);
    if (!source.is_object())
        return;
    source["rounds"] = rounds;
    plan.sourceJson = source.dump();
}

Result<void> selectTargets(Plan& plan, const std::vector<std::string>& names)
{
    const bool all = names.size() == 1 && names.front() == "all";
    std::vector<std::string_view> known;
    for (const Target& target : plan.targets)
        known.push_back(target.name);
    for (const std::string& name : names)
        if (!all && std::find(known.begin(), known.end(), name) == known.end())
            return Problem{"", "the plan has no target \"" + name + "\"", suggest(name, known)};
    for (Target& target : plan.targets)
        target.selected = all || std::find(names.begin(), names.end(), target.name) != names.end();
    return {};
}

} // namespace lapbench
