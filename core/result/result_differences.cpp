#include "core/base/units.h"
#include "core/result/align_imported.h"
#include "core/result/compare_results.h"
#include "core/result/plan_settings.h"

#include <algorithm>
#include <functional>
#include <set>

namespace lapbench {

namespace {

using Value = std::optional<std::string>;
using Values = std::vector<Value>;

constexpr std::size_t kLongestValue = 60;

Value known(const std::string& text)
{
    return text.empty() ? std::nullopt : Value(text);
}

Value switched(std::optional<bool> value)
{
    return value ? Value(*value ? "on" : "off") : std::nullopt;
}

Value bytes(std::optional<std::uint64_t> value)
{
    return value ? Value(formatBytes(static_cast<double>(*value))) : std::nullopt;
}

std::string toolsOf(const SessionResult& result)
{
    std::string text;
    for (const std::string& tool : result.measuredBy())
        text += (text.empty() ? "" : ", ") + tool;
    return text;
}

/// What was on the wire of the trials that have figures: "keep-alive", or "curl, keep-alive" where it was not the same
/// for all.
Value used(const SessionResult& result, const std::function<std::string(const Trial&)>& of)
{
    std::set<std::string> found;
    for (const Trial& trial : result.trials)
        if (trial.outcome == Outcome::done && !of(trial).empty())
            found.insert(of(trial));
    std::string text;
    for (const std::string& one : found)
        text += (text.empty() ? "" : ", ") + one;
    return known(text);
}

Value condition(const SessionResult& result, const std::function<Value(const Conditions&)>& of)
{
    return result.conditionsBefore ? of(*result.conditionsBefore) : std::nullopt;
}

struct Fact {
    const char* what;
    Value (*of)(const SessionResult&);
    bool ofEveryTool = false; ///< else it is only told of Lapbench's own results
};

constexpr Fact kFacts[] = {
    {"measured_by", [](const SessionResult& r) { return known(toolsOf(r)); }, true},
    {"created_utc", [](const SessionResult& r) { return tellsItsTime(r) ? Value(formatUtc(r.created)) : Value(); },
     true},
    {"tool.version", [](const SessionResult& r) { return known(r.tool.version); }},
    {"tool.git", [](const SessionResult& r) { return known(r.tool.git); }},
    {"tool.build", [](const SessionResult& r) { return known(r.tool.build); }},
    {"tool.libcurl", [](const SessionResult& r) { return known(r.tool.libcurl); }},
    {"scale", [](const SessionResult& r) { return Value(formatSignificant(r.scale)); }},
    {"host.hostname", [](const SessionResult& r) { return known(r.host.hostname); }},
    {"host.os", [](const SessionResult& r) { return known(r.host.os); }},
    {"host.kernel", [](const SessionResult& r) { return known(r.host.kernel); }},
    {"host.cpu_model", [](const SessionResult& r) { return known(r.host.cpuModel); }},
    {"host.architecture", [](const SessionResult& r) { return known(r.host.architecture); }},
    {"host.cpus", [](const SessionResult& r) { return r.host.cpus ? Value(std::to_string(*r.host.cpus)) : Value(); }},
    {"host.memory", [](const SessionResult& r) { return bytes(r.host.memoryBytes); }},
    {"host.governor", [](const SessionResult& r) { return r.host.governor; }},
    {"host.root", [](const SessionResult& r) { return known(r.host.root ? "yes" : "no"); }},
    {"conditions.turbo",
     [](const SessionResult& r) { return condition(r, [](const Conditions& c) { return switched(c.turbo); }); }},
    {"conditions.on_battery",
     [](const SessionResult& r) { return condition(r, [](const Conditions& c) { return switched(c.onBattery); }); }},
    {"conditions.cpu_quota_cores",
     [](const SessionResult& r) {
         return condition(r, [](const Conditions& c) {
             return c.cpuQuotaCores ? Value(formatSignificant(*c.cpuQuotaCores)) : Value();
         });
     }},
    {"conditions.memory_limit",
     [](const SessionResult& r) {
         return condition(r, [](const Conditions& c) { return bytes(c.memoryLimitBytes); });
     }},
    {"transport", [](const SessionResult& r) { return used(r, [](const Trial& t) { return t.transport; }); }},
    {"http_version", [](const SessionResult& r) { return used(r, [](const Trial& t) { return t.httpVersion; }); }},
    {"tls",
     [](const SessionResult& r) {
         return used(r, [](const Trial& t) { return t.load.tls ? t.load.tls->version : std::string(); });
     }},
    {"generator.threads",
     [](const SessionResult& r) {
         return used(
             r, [](const Trial& t) { return t.load.threads > 0 ? std::to_string(t.load.threads) : std::string(); });
     }},
};

/// Results that say nothing about this, as they are another tool's, make no difference.
using Mask = std::vector<bool>;

void addWhereDifferent(std::vector<ResultDifference>& differences, const std::string& what, Values values,
                       const Mask& silent)
{
    std::set<Value> told;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (silent[i])
            values[i].reset();
        else
            told.insert(values[i]);
    if (told.size() < 2)
        return;
    for (Value& value : values)
        if (value && value->size() > kLongestValue) {
            std::size_t end = kLongestValue;
            while (end > 0 && ((*value)[end] & 0xC0) == 0x80) // not within a character of UTF-8
                --end;
            *value = value->substr(0, end) + "..";
        }
    differences.push_back({what, std::move(values)});
}

void addRuntimes(std::vector<ResultDifference>& differences, const std::vector<NamedResult>& results,
                 const Mask& silent)
{
    struct Part {
        const char* key;
        std::string UsedRuntime::*member;
    };
    constexpr Part kParts[] = {{"kind", &UsedRuntime::kind},
                               {"asked", &UsedRuntime::asked},
                               {"actual", &UsedRuntime::actual},
                               {"sha256", &UsedRuntime::sha256}};
    std::set<std::string> names;
    for (const NamedResult& one : results)
        for (const auto& [name, runtime] : one.result.runtimes)
            names.insert(name);
    for (const std::string& name : names)
        for (const Part& part : kParts) {
            Values values;
            for (const NamedResult& one : results) {
                const auto found = one.result.runtimes.find(name);
                values.push_back(found == one.result.runtimes.end() ? std::nullopt : known(found->second.*part.member));
            }
            addWhereDifferent(differences, "runtimes." + name + "." + part.key, std::move(values), silent);
        }
}

bool isPartOf(const std::string& path, const std::set<std::string>& parts)
{
    return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
        return path.size() > part.size() && path.starts_with(part) &&
               (path[part.size()] == '.' || path[part.size()] == '[');
    });
}

/// A runtime, target or request that not every plan has is one difference, not one for each of its settings.
std::vector<ResultDifference> planDifferences(const std::vector<NamedResult>& results, const Mask& silent)
{
    std::vector<PlanSettings> plans;
    std::set<std::string> parts, paths, partial;
    for (const NamedResult& one : results) {
        plans.push_back(planSettingsOf(one.result.planJson));
        for (const auto& [path, text] : plans.back().parts)
            parts.insert(path);
        for (const auto& [path, text] : plans.back().values)
            paths.insert(path);
    }
    std::vector<ResultDifference> differences;
    for (const std::string& part : parts) {
        Values values;
        for (const PlanSettings& plan : plans) {
            const auto found = plan.parts.find(part);
            values.push_back(found == plan.parts.end() ? std::nullopt : Value(found->second));
        }
        bool everywhere = true;
        for (std::size_t i = 0; i < values.size(); ++i)
            everywhere = everywhere && (values[i] || silent[i]);
        if (everywhere || isPartOf(part, partial))
            continue;
        partial.insert(part);
        addWhereDifferent(differences, "plan." + part, std::move(values), silent);
    }
    for (const std::string& path : paths) {
        Values values;
        for (const PlanSettings& plan : plans) {
            const auto found = plan.values.find(path);
            values.push_back(found == plan.values.end() ? known(standardAt(path)) : known(found->second));
        }
        if (!isPartOf(path, partial))
            addWhereDifferent(differences, "plan." + path, std::move(values), silent);
    }
    return differences;
}

} // namespace

std::vector<ResultDifference> differencesOf(const std::vector<NamedResult>& results, std::size_t& leftOut)
{
    std::vector<ResultDifference> differences;
    Mask foreign;
    for (const NamedResult& one : results)
        foreign.push_back(isImported(one.result));
    for (const Fact& fact : kFacts) {
        Values values;
        for (const NamedResult& one : results)
            values.push_back(fact.of(one.result));
        Mask silent = foreign;
        for (std::size_t i = 0; i < results.size(); ++i)
            silent[i] = silent[i] && !(fact.ofEveryTool && values[i]);
        addWhereDifferent(differences, fact.what, std::move(values), silent);
    }
    addRuntimes(differences, results, foreign);
    auto ofPlans = planDifferences(results, foreign);
    leftOut = ofPlans.size() > kMostPlanDifferences ? ofPlans.size() - kMostPlanDifferences : 0;
    ofPlans.resize(ofPlans.size() - leftOut);
    differences.insert(differences.end(), ofPlans.begin(), ofPlans.end());
    return differences;
}

} // namespace lapbench
