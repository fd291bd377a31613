#include "core/result/merge.h"

#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/result/attempts.h"
#include "core/result/comparisons.h"
#include "core/result/json_reader.h"
#include "core/result/result_json.h"

#include <algorithm>
#include <map>

namespace lapbench {

namespace {

constexpr const char* kParts = "parts";
constexpr std::size_t kMostNamed = 3; ///< trials that a warning names

/// The ids of what a result was made of: those of its parts, else its own.
std::vector<std::string> idsOf(const SessionResult& result)
{
    std::vector<std::string> ids;
    const auto unknown = Json::parse(result.unknownJson, nullptr, false);
    if (unknown.is_object() && unknown.contains(kParts) && unknown[kParts].is_array())
        for (const Json& part : unknown[kParts])
            if (part.is_object() && part.contains("id") && part["id"].is_string())
                ids.push_back(part["id"].get<std::string>());
    if (ids.empty())
        ids.push_back(result.id);
    return ids;
}

std::optional<Problem> unfit(const NamedResult& part)
{
    const SessionResult& result = part.result;
    if (!result.complete)
        return Problem{part.name, "is of a session that did not end", "let it end by run --resume first"};
    if (result.planSha256.empty())
        return Problem{part.name, "has no plan, so that nothing says what it is a part of",
                       "merge results of lapbench-cli run"};
    for (const Trial& trial : result.trials) {
        if (trial.imported)
            return Problem{part.name, "has trials of another tool", "merge results of lapbench-cli run"};
        if (trial.search)
            return Problem{part.name, "searched for a rate, and rates found apart do not add up",
                           "merge parts that ran at fixed levels"};
    }
    return std::nullopt;
}

std::optional<Problem> unlike(const NamedResult& first, const NamedResult& other)
{
    if (other.result.schemaVersion != first.result.schemaVersion)
        return Problem{other.name,
                       "is of version " + std::to_string(other.result.schemaVersion) + " of the format, and " +
                           first.name + " of version " + std::to_string(first.result.schemaVersion),
                       "merge results of the same Lapbench"};
    if (other.result.planSha256 != first.result.planSha256)
        return Problem{other.name, "ran another plan than " + first.name, "merge parts of the same session"};
    if (other.result.scale != first.result.scale)
        return Problem{other.name, "ran at another scale than " + first.name, "merge parts of the same session"};
    return std::nullopt;
}

std::optional<Problem> whyNot(const std::vector<NamedResult>& parts)
{
    if (parts.size() < 2)
        return Problem{parts.empty() ? "" : parts.front().name, "is all there is, and merge needs two parts or more",
                       "name the results of the other machines too"};
    std::map<std::string, std::string> seen; // id to name
    for (const NamedResult& part : parts) {
        if (auto problem = unfit(part))
            return problem;
        if (auto problem = unlike(parts.front(), part))
            return problem;
        for (const std::string& id : idsOf(part.result))
            if (const auto [at, isNew] = seen.emplace(id, part.name); !isNew)
                return Problem{part.name, "holds the same part as " + at->second, "name each part once"};
    }
    return std::nullopt;
}

bool sameTrial(const Trial& a, const Trial& b)
{
    return a.target == b.target && a.workload == b.workload && a.level == b.level && a.round == b.round &&
           a.attempt == b.attempt;
}

/// A trial with what the parts measured in it.
struct Group {
    std::vector<const Trial*> trials;
    std::vector<const NamedResult*> parts;
};

/// In the first part's order; what only later parts have comes last.
std::vector<Group> grouped(const std::vector<NamedResult>& parts)
{
    std::vector<Group> groups;
    for (const NamedResult& part : parts)
        for (const Trial& trial : part.result.trials) {
            const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
                return sameTrial(*group.trials.front(), trial) && group.parts.back() != &part;
            });
            Group& group = same == groups.end() ? groups.emplace_back() : *same;
            group.trials.push_back(&trial);
            group.parts.push_back(&part);
        }
    return groups;
}

std::string inWords(const Trial& trial)
{
    return trial.target + ", " + trial.workload + ", " + formatLevel(trial.level) + ", round " +
           std::to_string(trial.round);
}

std::optional<Warning> missingIn(const std::vector<Group>& groups, const std::vector<NamedResult>& parts)
{
    std::size_t count = 0;
    std::string evidence;
    for (const Group& group : groups) {
        if (group.parts.size() == parts.size())
            continue;
        std::string names;
        for (const NamedResult* part : group.parts)
            names += (names.empty() ? "" : ", ") + part->name;
        if (count++ < kMostNamed)
            evidence += (evidence.empty() ? "" : "; ") + inWords(*group.trials.front()) + ": only in " + names;
    }
    if (count == 0)
        return std::nullopt;
    if (count > kMostNamed)
        evidence += "; and " + std::to_string(count - kMostNamed) + " more";
    return Warning{"part_missing", "warning",
                   formatCounted(count, "trial") + (count == 1 ? " is" : " are") +
                       " not in all parts: what the other machines did in " + (count == 1 ? "it" : "them") +
                       " is missing.",
                   evidence};
}

/// Whether one part had ended before another began, by their clocks: requests a second of such do not add up.
std::optional<Warning> notTogether(const std::vector<Group>& groups)
{
    std::size_t count = 0;
    std::string first;
    for (const Group& group : groups) {
        UtcTime latestStart{}, earliestEnd = UtcTime::max();
        for (const Trial* trial : group.trials) {
            if (trial->load.durationSeconds <= 0)
                continue;
            latestStart = std::max(latestStart, trial->started);
            const auto length = std::chrono::duration<double>(trial->load.durationSeconds);
            earliestEnd = std::min(earliestEnd, trial->started + std::chrono::duration_cast<UtcTime::duration>(length));
        }
        if (latestStart > earliestEnd && count++ == 0)
            first = inWords(*group.trials.front());
    }
    if (count == 0)
        return std::nullopt;
    return Warning{"not_together", "warning",
                   "The parts of " + formatCounted(count, "trial") +
                       " do not seem to have run at the same time: their requests a second were added all the same.",
                   first};
}

Json partsToJson(const std::vector<NamedResult>& parts)
{
    Json list = Json::array();
    for (const NamedResult& part : parts) {
        const auto unknown = Json::parse(part.result.unknownJson, nullptr, false);
        if (unknown.is_object() && unknown.contains(kParts) && unknown[kParts].is_array()) {
            for (const Json& inner : unknown[kParts])
                list.push_back(inner);
            continue;
        }
        std::uint64_t completed = 0;
        for (const Trial& trial : part.result.trials)
            completed += trial.load.completed();
        list.push_back({{"id", part.result.id},
                        {"host", part.result.host.hostname},
                        {"created_utc", formatUtc(part.result.created)},
                        {"requests", completed}});
    }
    return list;
}

/// Everything but the trials and what follows from them.
SessionResult headOf(const std::vector<NamedResult>& parts)
{
    SessionResult head = parts.front().result;
    head.id = newResultId();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const SessionResult& part = parts[i].result;
        head.created = std::min(head.created, part.created);
        if (part.elapsedSeconds && head.elapsedSeconds)
            head.elapsedSeconds = std::max(*head.elapsedSeconds, *part.elapsedSeconds);
        for (const std::string& tag : part.tags)
            if (std::find(head.tags.begin(), head.tags.end(), tag) == head.tags.end())
                head.tags.push_back(tag);
        if (!part.notes.empty() && part.notes != head.notes)
            head.notes += (head.notes.empty() ? "" : "\n") + part.notes;
        for (const Warning& warning : part.warnings)
            if (std::none_of(head.warnings.begin(), head.warnings.end(), [&](const Warning& other) {
                    return other.code == warning.code && other.text == warning.text;
                }))
                head.warnings.push_back(warning);
        if (!head.fairWork)
            head.fairWork = part.fairWork;
        if (head.coldStarts.empty())
            head.coldStarts = part.coldStarts;
    }
    Json unknown = head.unknownJson.empty() ? Json::object() : Json::parse(head.unknownJson);
    unknown[kParts] = partsToJson(parts);
    head.unknownJson = dumpJson(unknown);
    return head;
}

} // namespace

Result<SessionResult> mergeResults(const std::vector<NamedResult>& parts)
{
    if (auto problem = whyNot(parts))
        return *problem;
    SessionResult merged = headOf(parts);
    const std::vector<Group> groups = grouped(parts);
    merged.trials.clear();
    for (const Group& group : groups) {
        merged.trials.push_back(mergeTrials(group.trials));
        merged.trials.back().index = merged.trials.size() - 1;
    }
    markSuperseded(merged.trials);
    for (const auto& warning : {missingIn(groups, parts), notTogether(groups)})
        if (warning)
            merged.warnings.push_back(*warning);
    merged.cells = makeCells(merged.trials, targetsOf(merged.planJson));
    const ComparisonRules rules = comparisonRulesOf(merged);
    merged.comparisons = makeComparisons(merged.trials, rules);
    merged.rankings = makeRankings(merged.trials, rules);
    return merged;
}

} // namespace lapbench
