#include "core/result/match_targets.h"

#include <algorithm>

namespace lapbench {

namespace {

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Results beyond the first that share no target with it.
std::vector<std::size_t> strangersIn(const std::vector<Names>& targets)
{
    std::vector<std::size_t> strangers;
    for (std::size_t i = 1; i < targets.size(); ++i)
        if (std::none_of(targets[i].begin(), targets[i].end(),
                         [&](const std::string& name) { return has(targets.front(), name); }))
            strangers.push_back(i);
    return strangers;
}

/// Puts one name of the strangers beside the first target of the first result, in the first row with room for it.
void placeStranger(std::vector<MatchedTargets>& rows, const std::vector<Names>& targets,
                   const std::vector<std::size_t>& strangers, const std::string& name)
{
    const std::string& base = targets.front().front();
    const auto fits = [&](const MatchedTargets& row) {
        return row.front() == base && std::all_of(strangers.begin(), strangers.end(),
                                                  [&](std::size_t i) { return !has(targets[i], name) || !row[i]; });
    };
    auto row = std::find_if(rows.begin(), rows.end(), fits);
    if (row == rows.end()) {
        rows.emplace_back(targets.size());
        row = rows.end() - 1;
        row->front() = base;
    }
    for (const std::size_t i : strangers)
        if (has(targets[i], name))
            (*row)[i] = name;
}

} // namespace

std::vector<MatchedTargets> matchTargets(const std::vector<Names>& targets)
{
    std::vector<MatchedTargets> rows;
    if (targets.empty() || targets.front().empty())
        return rows;
    const std::vector<std::size_t> strangers = strangersIn(targets);
    const auto isStranger = [&](std::size_t i) {
        return std::find(strangers.begin(), strangers.end(), i) != strangers.end();
    };
    Names placed;
    for (std::size_t i = 0; i < targets.size(); ++i)
        for (const std::string& name : targets[i]) {
            if (isStranger(i) || has(placed, name))
                continue;
            placed.push_back(name);
            rows.emplace_back(targets.size());
            for (std::size_t j = 0; j < targets.size(); ++j)
                if (!isStranger(j) && has(targets[j], name))
                    rows.back()[j] = name;
        }
    for (const std::size_t i : strangers)
        for (const std::string& name : targets[i])
            if (!has(placed, name)) {
                placed.push_back(name);
                placeStranger(rows, targets, strangers, name);
            }
    return rows;
}

} // namespace lapbench
