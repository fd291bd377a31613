#include "core/result/session_result.h"
#include "core/stats/rounds.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace lapbench {

namespace {

std::optional<Quantile> plain(std::optional<double> value)
{
    return value ? std::optional(Quantile{*value, false}) : std::nullopt;
}

template <typename Integer>
std::optional<Quantile> plainInteger(std::optional<Integer> value)
{
    return value ? std::optional(Quantile{static_cast<double>(*value), false}) : std::nullopt;
}

std::optional<Quantile> loadFigure(const Trial& trial, std::string_view key)
{
    const LoadFigures& load = trial.load;
    const auto& imported = trial.imported;
    if (key == "rps")
        return plain(load.rps);
    if (key == "ok")
        return !imported || (imported->completed && imported->failed) ? plain(static_cast<double>(load.ok))
                                                                      : std::nullopt;
    if (key == "failed")
        return !imported || imported->failed ? plain(static_cast<double>(load.failed)) : std::nullopt;
    if (key == "mean_us")
        return plain(load.latency.meanUs);
    if (key == "max_us")
        return plain(load.latency.maxUs);
    if (key.ends_with("_us"))
        return load.latency.percentile(key.substr(0, key.size() - 3));
    return std::nullopt;
}

/// A round whose value lies beyond its censored tail may be larger than it says; where such a value stands at or below
/// the upper middle one, the true median may be larger too.
CellFigure figureOf(const std::vector<std::optional<Quantile>>& rounds)
{
    CellFigure figure;
    std::vector<double> known;
    double lowestAtLeast = std::numeric_limits<double>::infinity();
    for (const auto& round : rounds) {
        figure.rounds.push_back(round ? std::optional(round->us) : std::nullopt);
        if (!round)
            continue;
        known.push_back(round->us);
        if (round->atLeast)
            lowestAtLeast = std::min(lowestAtLeast, round->us);
    }
    figure.median = median(known);
    figure.spread = spread(known);
    if (!known.empty()) {
        const auto upperMiddle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
        std::nth_element(known.begin(), upperMiddle, known.end());
        figure.atLeast = lowestAtLeast <= *upperMiddle;
    }
    return figure;
}

bool sameCell(const Cell& cell, const Trial& trial)
{
    return cell.target == trial.target && cell.workload == trial.workload && cell.level == trial.level;
}

/// Only trials that ran their whole window count: one that was broken off is not a round.
bool countsAsRound(const Trial& trial)
{
    return trial.outcome == Outcome::done;
}

void addRatios(std::vector<Cell>& cells)
{
    for (Cell& cell : cells) {
        const auto first = std::find_if(cells.begin(), cells.end(), [&](const Cell& other) {
            return other.workload == cell.workload && other.level == cell.level && other.target == cells.front().target;
        });
        if (first == cells.end())
            continue;
        const auto base = first->figures.find("rps");
        const auto own = cell.figures.find("rps");
        if (base != first->figures.end() && own != cell.figures.end() && *base->second.median > 0)
            cell.rpsRatio = *own->second.median / *base->second.median;
    }
}

} // namespace

std::optional<double> requestsPerCpuSecond(const Trial& trial)
{
    const double cpuSeconds = trial.server.cpuCoresMean.value_or(0) * trial.load.durationSeconds;
    return cpuSeconds > 0 ? std::optional(static_cast<double>(trial.load.ok) / cpuSeconds) : std::nullopt;
}

std::optional<double> rssBytesPer1000Rps(const Trial& trial)
{
    if (!trial.server.rssBytesMean || trial.load.rps.value_or(0) <= 0)
        return std::nullopt;
    return static_cast<double>(*trial.server.rssBytesMean) / (*trial.load.rps / 1000);
}

std::optional<Quantile> trialFigure(const Trial& trial, std::string_view key)
{
    if (key == "cpu_cores_mean")
        return plain(trial.server.cpuCoresMean);
    if (key == "cpu_cores_peak")
        return plain(trial.server.cpuCoresPeak);
    if (key == "rss_bytes_mean")
        return plainInteger(trial.server.rssBytesMean);
    if (key == "rss_bytes_peak")
        return plainInteger(trial.server.rssBytesPeak);
    if (key == "rss_bytes_idle")
        return plainInteger(trial.server.rssBytesIdle);
    if (key == "rss_bytes_settled")
        return plainInteger(trial.server.rssBytesSettled);
    if (key == "requests_per_cpu_second")
        return plain(requestsPerCpuSecond(trial));
    if (key == "rss_bytes_per_1000_rps")
        return plain(rssBytesPer1000Rps(trial));
    if (key == "startup_ms")
        return plain(trial.server.startupMs);
    if (key == "goal_rate")
        return trial.search && trial.search->rate ? std::optional(Quantile{*trial.search->rate, trial.search->atLeast})
                                                  : std::nullopt;
    if (key == "warmup_to_95_s")
        return plain(trial.load.warmSeconds);
    return trial.hasLoad() ? loadFigure(trial, key) : std::nullopt;
}

std::vector<std::string> SessionResult::measuredBy() const
{
    std::vector<std::string> tools;
    for (const Trial& trial : trials) {
        const std::string name = trial.imported ? trial.imported->semantics.tool : "lapbench";
        if (std::find(tools.begin(), tools.end(), name) == tools.end())
            tools.push_back(name);
    }
    return tools;
}

std::vector<std::string> targetsOf(const std::string& planJson)
{
    std::vector<std::string> names;
    const auto plan = nlohmann::json::parse(planJson, nullptr, false);
    if (!plan.is_object() || !plan.contains("targets") || !plan["targets"].is_array())
        return names;
    for (const auto& target : plan["targets"])
        if (target.is_object() && target.contains("name") && target["name"].is_string())
            names.push_back(target["name"].get<std::string>());
    return names;
}

std::vector<Cell> makeCells(const std::vector<Trial>& trials, const std::vector<std::string>& targets)
{
    const auto placeOf = [&](const Trial* trial) {
        return std::find(targets.begin(), targets.end(), trial->target) - targets.begin();
    };
    std::vector<const Trial*> sorted;
    for (const Trial& trial : trials)
        if (!trial.superseded)
            sorted.push_back(&trial);
    // Trials arrive in running order, in which the targets change places from round to round.
    std::stable_sort(sorted.begin(), sorted.end(), [&](const Trial* a, const Trial* b) {
        return a->round != b->round ? a->round < b->round : placeOf(a) < placeOf(b);
    });
    std::vector<Cell> cells;
    std::vector<std::vector<const Trial*>> members;
    for (const Trial* trial : sorted) {
        const auto found =
            std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) { return sameCell(cell, *trial); });
        if (found == cells.end()) {
            Cell cell;
            cell.target = trial->target;
            cell.workload = trial->workload;
            cell.level = trial->level;
            cells.push_back(std::move(cell));
            members.push_back({trial});
        } else {
            members[static_cast<std::size_t>(found - cells.begin())].push_back(trial);
        }
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        for (const std::string_view key : kCellFigures) {
            std::vector<std::optional<Quantile>> rounds;
            for (const Trial* trial : members[i])
                rounds.push_back(countsAsRound(*trial) ? trialFigure(*trial, key) : std::nullopt);
            CellFigure figure = figureOf(rounds);
            if (figure.median)
                cells[i].figures.emplace(key, std::move(figure));
        }
        for (const Trial* trial : members[i])
            if (countsAsRound(*trial))
                cells[i].merged.add(trial->load.histogram);
    }
    addRatios(cells);
    return cells;
}

} // namespace lapbench
