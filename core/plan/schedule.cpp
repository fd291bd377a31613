#include "core/plan/schedule.h"

#include "core/base/units.h"
#include "core/plan/fields.h"
#include "core/plan/nearest.h"
#include "core/plan/williams.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace lapbench {

namespace {

using Json = nlohmann::ordered_json;

/// Guesses, for the estimate before anything has been measured; the session corrects it with its own trials.
constexpr double kGuessedRequestsPerSecond = 20'000;
constexpr Nanoseconds kGuessedWarmup = std::chrono::seconds(5); // until steady
/// A scaled warm-up until steady may still take so long: below, nothing could be found to be steady.
constexpr Nanoseconds kLeastForSteady = std::chrono::seconds(5);
constexpr Nanoseconds kGuessedStart = std::chrono::milliseconds(700);
constexpr Nanoseconds kGuessedRest = std::chrono::milliseconds(300);

constexpr int kGuessedTries = 10; // of rates, in a search

constexpr unsigned kMostRounds = 1000;
constexpr const char* kControlSuffix = "-again";

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

template <typename Change>
void changeSource(Plan& plan, Change change)
{
    Json source = Json::parse(plan.sourceJson, nullptr, false);
    if (!source.is_object())
        return;
    change(source);
    plan.sourceJson = source.dump();
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
    const std::string connections =
        level.connections > 0 ? formatCounted(level.connections, "connection") : "connections not told";
    return connections + (level.rate ? ", " + formatRate(*level.rate) + "/s" : "");
}

unsigned roundsOf(const Plan& plan)
{
    if (plan.rounds && !plan.untilCi)
        return *plan.rounds;
    const auto targets = static_cast<unsigned>(selectedTargets(plan).size());
    const unsigned step = std::max(1u, targets % 2 == 0 ? targets : 2 * targets);
    return std::min((kFewestRounds + step - 1) / step * step, plan.rounds.value_or(kMostRounds));
}

unsigned mostRoundsOf(const Plan& plan)
{
    return plan.untilCi ? plan.rounds.value_or(kMostRounds) : roundsOf(plan);
}

std::vector<TrialPlan> makeSchedule(const Plan& plan)
{
    std::vector<TrialPlan> trials;
    for (unsigned round = 1; round <= roundsOf(plan); ++round)
        for (const TrialPlan& trial : makeRound(plan, round, 1, trials.size()))
            trials.push_back(trial);
    return trials;
}

std::vector<TrialPlan> makeRound(const Plan& plan, unsigned round, unsigned attempt, std::size_t firstIndex)
{
    const std::vector<std::size_t> selected = selectedTargets(plan);
    const std::vector<std::size_t> order = orderOf(round, selected.size(), plan.order);
    std::vector<TrialPlan> trials;
    for (std::size_t place = 0; place < order.size(); ++place)
        for (const Level& level : levelsOf(plan.load))
            for (std::size_t workload = 0; workload < plan.workloads.size(); ++workload)
                trials.push_back({firstIndex + trials.size(), selected[order[place]], workload, level, round,
                                  static_cast<unsigned>(place + 1), attempt});
    return trials;
}

Nanoseconds estimateTrial(const Plan& plan)
{
    const double each = secondsEach(plan.load.rates);
    Nanoseconds window = estimate(plan.measure, each);
    if (plan.load.find)
        window += kGuessedTries * (window + window / 10); // with the warm-up of each
    return estimate(plan.warmup, each) + window + plan.cooldown + kGuessedRest;
}

Nanoseconds estimateRound(const Plan& plan)
{
    const auto starts = static_cast<std::int64_t>(selectedTargets(plan).size());
    const auto trials = starts * static_cast<std::int64_t>(levelsOf(plan.load).size() * plan.workloads.size());
    return estimateTrial(plan) * trials + kGuessedStart * starts;
}

Nanoseconds estimateSession(const Plan& plan)
{
    const std::int64_t starts = std::int64_t{plan.coldStarts} *
                                std::count_if(plan.targets.begin(), plan.targets.end(), [](const Target& target) {
                                    return target.selected && target.url.empty();
                                });
    const Nanoseconds all = estimateRound(plan) * roundsOf(plan) + kGuessedStart * starts;
    return plan.budget ? std::min(all, *plan.budget) : all;
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

Result<void> applyOption(Plan& plan, std::string_view key, const std::string& text)
{
    const Field& field = *findField(FieldScope::plan, key);
    const auto value = fieldValueFromText(field, {text});
    if (!value)
        return value.problem();
    field.assign(&plan, value.value());
    changeSource(plan, [&](Json& source) { source[std::string(key)] = fieldValueToJson(value.value()); });
    return {};
}

void dropOption(Plan& plan, std::string_view key)
{
    const Field& field = *findField(FieldScope::plan, key);
    field.assign(&plan, defaultOf(field));
    changeSource(plan, [&](Json& source) { source.erase(std::string(key)); });
}

Target controlOf(const Target& target)
{
    Target control = target;
    control.name += kControlSuffix;
    control.label = target.shownName() + " again";
    control.control = true;
    return control;
}

void applyControl(Plan& plan)
{
    const auto isControl = [](const Target& target) { return target.control; };
    const std::vector<std::size_t> selected = selectedTargets(plan);
    if (plan.aaControl && !selected.empty() && std::none_of(plan.targets.begin(), plan.targets.end(), isControl))
        plan.targets.push_back(controlOf(plan.targets[selected.front()]));
}

std::string controlName(const Plan& plan)
{
    for (const Target& target : plan.targets)
        if (target.control)
            return target.name;
    const std::vector<std::size_t> selected = selectedTargets(plan);
    return plan.aaControl && !selected.empty() ? controlOf(plan.targets[selected.front()]).name : "";
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
