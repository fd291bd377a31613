#include "core/result/library_entry.h"

#include "core/result/comparisons.h"
#include "core/result/export/export_files.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lapbench {

namespace {

std::string lower(std::string_view text)
{
    std::string made(text);
    for (char& c : made)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return made;
}

bool contains(std::string_view text, const std::string& lowered)
{
    return lower(text).find(lowered) != std::string::npos;
}

bool anyContains(const std::vector<std::string>& texts, const std::string& lowered)
{
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return contains(text, lowered); });
}

void addOnce(std::vector<std::string>& texts, const std::string& text)
{
    if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end())
        texts.push_back(text);
}

std::string planNameOf(const std::string& planJson)
{
    const auto plan = nlohmann::json::parse(planJson, nullptr, false);
    return plan.is_object() && plan.contains("name") && plan["name"].is_string() ? plan["name"].get<std::string>() : "";
}

bool hasWord(const LibraryEntry& entry, const std::string& word)
{
    return contains(entry.name, word) || contains(entry.plan, word) || contains(entry.notes, word) ||
           contains(entry.host, word) || anyContains(entry.targets, word) || anyContains(entry.runtimes, word) ||
           anyContains(entry.workloads, word) || anyContains(entry.tags, word) || anyContains(entry.tools, word);
}

} // namespace

LibraryEntry makeEntry(const std::filesystem::path& path, const FileState& file, const SessionResult& result)
{
    LibraryEntry entry;
    entry.path = path;
    entry.name = resultName(path);
    entry.file = file;
    entry.id = result.id;
    entry.created = result.created;
    entry.plan = planNameOf(result.planJson);
    entry.host = result.host.hostname;
    entry.tools = result.measuredBy();
    entry.trials = result.trials.size();
    entry.tags = result.tags;
    entry.notes = result.notes;
    entry.complete = result.complete;
    const Labels labels = comparisonRulesOf(result).labels;
    for (const Trial& trial : result.trials) {
        addOnce(entry.targets, labelOf(labels, trial.target));
        addOnce(entry.workloads, trial.workload);
        entry.rounds = std::max(entry.rounds, trial.round);
    }
    for (const auto& [name, runtime] : result.runtimes)
        addOnce(entry.runtimes, runtime.kind + (runtime.actual.empty() ? "" : " " + runtime.actual));
    return entry;
}

LibraryEntry unreadableEntry(const std::filesystem::path& path, const FileState& file, std::string problem)
{
    LibraryEntry entry;
    entry.path = path;
    entry.name = resultName(path);
    entry.file = file;
    entry.problem = problem.empty() ? "cannot be read" : std::move(problem);
    return entry;
}

bool LibraryQuery::matches(const LibraryEntry& entry) const
{
    for (const std::string& word : words)
        if (!hasWord(entry, lower(word)))
            return false;
    // Nobody knows what a file that cannot be read holds: it is not hidden by what it might.
    if (!entry.readable())
        return true;
    if (!runtime.empty() && !anyContains(entry.runtimes, lower(runtime)) && !anyContains(entry.targets, lower(runtime)))
        return false;
    if (!tag.empty() && std::none_of(entry.tags.begin(), entry.tags.end(),
                                     [&](const std::string& own) { return lower(own) == lower(tag); }))
        return false;
    return (!since || entry.created >= *since) && (!until || entry.created < *until);
}

std::optional<UtcTime> parseDay(std::string_view text, bool end)
{
    constexpr std::size_t kDayLength = 10;
    if (text.size() != kDayLength)
        return parseUtc(text);
    const auto day = parseUtc(std::string(text) + "T00:00:00Z");
    return day && end ? std::optional(*day + std::chrono::hours(24)) : day;
}

void putEntry(nlohmann::ordered_json& json, const LibraryEntry& entry)
{
    if (!entry.readable()) {
        json["problem"] = entry.problem;
        return;
    }
    json["id"] = entry.id;
    json["created_utc"] = formatUtc(entry.created);
    json["plan"] = entry.plan;
    json["targets"] = entry.targets;
    json["runtimes"] = entry.runtimes;
    json["workloads"] = entry.workloads;
    json["tools"] = entry.tools;
    json["host"] = entry.host;
    json["trials"] = entry.trials;
    json["rounds"] = entry.rounds;
    json["complete"] = entry.complete;
    json["tags"] = entry.tags;
    json["notes"] = entry.notes;
}

} // namespace lapbench
