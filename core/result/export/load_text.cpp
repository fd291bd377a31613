#include "core/result/export/load_text.h"

#include "core/base/units.h"
#include "core/plan/schedule.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace lapbench {

namespace {

std::string listed(const std::vector<std::string>& words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

/// "10 s", where formatDuration() has "10s".
std::string timeText(Nanoseconds duration)
{
    std::string text = formatDuration(duration);
    text.insert(text.find_last_of("0123456789") + 1, " ");
    return text;
}

std::string requestText(const RequestTemplate& request)
{
    return request.method + " " + request.path +
           (request.body.empty() && request.bodyFile.empty() ? "" : " with a body");
}

std::string rightText(const RequestTemplate& request)
{
    std::string statuses;
    for (const auto& [low, high] : request.expectStatus)
        statuses +=
            (statuses.empty() ? "" : ", ") + std::to_string(low) + (low == high ? "" : "-" + std::to_string(high));
    std::vector<std::string> right = {"the status " + statuses};
    if (request.expectBytes)
        right.push_back(formatCounted(*request.expectBytes, "byte"));
    if (!request.expectContains.empty())
        right.push_back("the expected text");
    if (!request.expectJson.empty())
        right.push_back("the expected JSON values");
    return listed(right);
}

std::string mixText(const Workload& workload)
{
    const unsigned all = std::accumulate(workload.requests.begin(), workload.requests.end(), 0u,
                                         [](unsigned sum, const auto& request) { return sum + request.weight; });
    std::vector<std::string> parts;
    for (const RequestTemplate& request : workload.requests)
        parts.push_back(formatSignificant(all > 0 ? 100.0 * request.weight / all : 0) + " % " + requestText(request));
    return "a mix of " + listed(parts);
}

std::string extentText(const Extent& extent)
{
    if (extent.untilSteady)
        return "until the load was steady" +
               (extent.duration ? ", for at most " + timeText(*extent.duration) : std::string());
    if (extent.requests)
        return formatCounted(*extent.requests, "request");
    return extent.duration ? timeText(*extent.duration) : std::string();
}

std::string goalText(const Goal& goal)
{
    std::vector<std::string> parts;
    const auto add = [&](const char* name, const std::optional<Nanoseconds>& bound) {
        if (bound)
            parts.push_back(std::string(name) + " of at most " + timeText(*bound));
    };
    add("p50", goal.p50);
    add("p90", goal.p90);
    add("p95", goal.p95);
    add("p99", goal.p99);
    add("p99.9", goal.p99_9);
    parts.push_back("at most " + formatShare(goal.errors) + " errors");
    return listed(parts);
}

} // namespace

std::string workloadText(const Plan& plan)
{
    std::string text;
    for (const Workload& workload : plan.workloads) {
        const std::string what = workload.requests.empty() ? requestText(workload) : mixText(workload);
        text +=
            (text.empty() ? "" : " ") +
            (plan.workloads.size() == 1 ? "Each target was asked for " : "Workload " + workload.name + " asked for ") +
            what;
        text += workload.requests.empty() ? "; right was an answer with " + rightText(workload) + "." : ".";
    }
    return text;
}

std::string hardnessText(const Plan& plan)
{
    std::vector<std::string> counts;
    for (const unsigned connections : plan.load.connections)
        counts.push_back(std::to_string(connections));
    std::string text = "It was asked over " + listed(counts) +
                       (plan.load.connections == std::vector<unsigned>{1} ? " connection" : " connections");
    if (plan.load.newConnections)
        text += ", a new one for each request";
    if (plan.load.streams > 1)
        text += " with " + formatCounted(plan.load.streams, "stream") + " each";
    if (plan.load.find)
        return text + "; searched for was the highest rate at which " + goalText(*plan.load.find) +
               " held (an open loop).";
    if (!plan.load.rates.empty()) {
        std::vector<std::string> rates;
        for (const unsigned rate : plan.load.rates)
            rates.push_back(std::to_string(rate));
        return text + " at " + listed(rates) + " requests a second, whatever the server did (an open loop).";
    }
    if (!plan.load.ramp.empty() || !plan.load.steps.empty())
        return text + " at the rates " + plan.load.ramp + plan.load.steps + ", whatever the server did (an open loop).";
    return text + ", each of which sent its next request when it had its answer (a closed loop).";
}

std::string windowText(const Plan& plan)
{
    std::string text = plan.load.find ? "Each rate was held for " : "A measured window was ";
    text += extentText(plan.measure);
    const std::string warmup = extentText(plan.warmup);
    if (plan.warmup.untilSteady)
        text += " after a warm-up " + warmup;
    else if (!warmup.empty() && plan.warmup.duration.value_or(Nanoseconds(1)) > Nanoseconds::zero())
        text += " after a warm-up of " + warmup;
    else
        text += " without a warm-up";
    if (plan.cooldown > Nanoseconds::zero())
        text += ", with " + timeText(plan.cooldown) + " between trials";
    return text + ".";
}

} // namespace lapbench
