#include "core/result/export/facts.h"

#include "core/base/units.h"
#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"
#include "core/result/export/figure_table.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace lapbench {

namespace {

using Row = std::vector<std::string>;

CellTable wordTable(const std::string& title, Row header)
{
    CellTable made{title, {}, {}};
    made.table.header = std::move(header);
    made.table.allLeft = true;
    return made;
}

void addFact(CellTable& facts, const std::string& what, const std::string& value)
{
    if (!value.empty())
        facts.table.rows.push_back({what, value});
}

std::string joined(const std::vector<std::string>& words, const std::string& between = " ")
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

std::string kindName(RuntimeKind kind)
{
    switch (kind) {
    case RuntimeKind::node:
        return "Node.js";
    case RuntimeKind::deno:
        return "Deno";
    case RuntimeKind::bun:
        return "Bun";
    default:
        return {};
    }
}

/// What is started, or where it was up already.
std::string programOf(const Target& target)
{
    if (target.builtin)
        return "the built-in server of Lapbench";
    if (!target.url.empty())
        return target.url + ", up already";
    if (!target.command.empty())
        return joined(target.command);
    return joined(target.flags) + (target.flags.empty() ? "" : " ") + target.app +
           (target.args.empty() ? "" : " " + joined(target.args));
}

struct Versions {
    std::string runtime, asked, actual;
};

Versions versionsOf(const SessionResult& result, const Plan& plan, const Target& target)
{
    const std::string missing(kMissing);
    Versions versions{missing, missing, missing};
    const auto ask = std::find_if(plan.runtimes.begin(), plan.runtimes.end(),
                                  [&](const RuntimeAsk& one) { return one.name == target.runtime; });
    if (ask != plan.runtimes.end()) {
        const std::string kind = kindName(ask->kind);
        versions.runtime = kind.empty() ? ask->command : kind;
        if (!ask->version.empty())
            versions.asked = ask->version;
    }
    if (const auto used = result.runtimes.find(target.runtime); used != result.runtimes.end()) {
        if (!used->second.asked.empty())
            versions.asked = used->second.asked;
        if (!used->second.actual.empty())
            versions.actual = used->second.actual;
    }
    return versions;
}

template <typename T>
std::string textOf(const std::optional<T>& value, std::string (*text)(double))
{
    return value ? text(static_cast<double>(*value)) : std::string(kMissing);
}

std::string plainNumber(double value)
{
    return formatSignificant(value);
}

std::string yesOrNo(double value)
{
    return value != 0 ? "yes" : "no";
}

std::string cores(double value)
{
    return formatSignificant(value) + " cores";
}

/// A row of what was before and after, where either is known.
template <typename T>
void addState(CellTable& table, const std::string& what, const SessionResult& result,
              std::optional<T> Conditions::*field, std::string (*text)(double))
{
    const auto of = [&](const std::optional<Conditions>& conditions) {
        return conditions ? (*conditions).*field : std::optional<T>();
    };
    const auto before = of(result.conditionsBefore), after = of(result.conditionsAfter);
    if (before || after)
        table.table.rows.push_back({what, textOf(before, text), textOf(after, text), std::string(kMissing)});
}

/// A row of what a counter rose by.
template <typename T>
void addRise(CellTable& table, const std::string& what, const SessionResult& result,
             std::optional<T> Conditions::*field, const std::string& unit = "")
{
    if (!result.conditionsBefore || !result.conditionsAfter)
        return;
    const auto before = (*result.conditionsBefore).*field, after = (*result.conditionsAfter).*field;
    if (!before || !after || *after < *before)
        return;
    const std::string rise = std::is_integral_v<T> ? std::to_string(static_cast<std::uint64_t>(*after - *before))
                                                   : formatSignificant(static_cast<double>(*after - *before));
    table.table.rows.push_back({what, std::string(kMissing), std::string(kMissing), rise + unit});
}

std::string processesText(const std::optional<Conditions>& conditions)
{
    if (!conditions || !conditions->busiestProcesses)
        return std::string(kMissing);
    return conditions->busiestProcesses->empty() ? "none" : joined(*conditions->busiestProcesses, ", ");
}

} // namespace

Plan planThatRan(const SessionResult& result)
{
    Plan plan = parsePlan(result.planJson, {}).plan;
    if (plan.name.empty() && plan.targets.empty())
        return {};
    if (result.scale > 0 && result.scale < 1)
        (void)applyScale(plan, result.scale);
    return plan;
}

std::vector<std::string> targetsThatRan(const SessionResult& result)
{
    return comparisonRulesOf(result).targets;
}

std::string dateText(UtcTime time)
{
    static constexpr std::array<const char*, 12> kMonths = {"January",   "February", "March",    "April",
                                                            "May",       "June",     "July",     "August",
                                                            "September", "October",  "November", "December"};
    const std::string utc = formatUtc(time); // 2026-11-30T11:20:31.123Z
    const auto month = static_cast<std::size_t>((utc[5] - '0') * 10 + (utc[6] - '0') - 1);
    const std::string day = utc[8] == '0' ? utc.substr(9, 1) : utc.substr(8, 2);
    return day + " " + kMonths[month % 12] + " " + utc.substr(0, 4) + ", " + utc.substr(11, 5) + " UTC";
}

CellTable targetsTable(const SessionResult& result, const Plan& plan)
{
    CellTable made = wordTable("What ran", {"target", "runs", "runtime", "version asked for", "version that ran"});
    const Labels labels = comparisonRulesOf(result).labels;
    const std::string control = controlName(plan);
    for (const std::string& name : targetsThatRan(result)) {
        const auto target = std::find_if(plan.targets.begin(), plan.targets.end(), [&](const Target& one) {
            return one.name == name || (name == control && one.selected);
        });
        if (target == plan.targets.end())
            continue;
        const Versions versions = versionsOf(result, plan, *target);
        made.table.rows.push_back(
            {labelOf(labels, name), programOf(*target), versions.runtime, versions.asked, versions.actual});
    }
    return made;
}

CellTable machineTable(const SessionResult& result)
{
    const HostInfo& host = result.host;
    CellTable made = wordTable("Machine", {"what", "value"});
    addFact(made, "name", host.hostname);
    addFact(made, "processor", host.cpuModel);
    addFact(made, "processors that Lapbench may use", host.cpus ? std::to_string(*host.cpus) : "");
    addFact(made, "memory", host.memoryBytes ? formatBytes(static_cast<double>(*host.memoryBytes)) : "");
    addFact(made, "architecture", host.architecture);
    addFact(made, "system", host.os);
    addFact(made, "kernel", host.kernel);
    addFact(made, "frequency governor", host.governor.value_or(""));
    return made;
}

CellTable conditionsTable(const SessionResult& result)
{
    CellTable made = wordTable("Conditions", {"what", "before", "after", "meanwhile"});
    addState(made, "load average of a minute", result, &Conditions::loadAverage, &plainNumber);
    addState(made, "waiting for a processor", result, &Conditions::cpuPressure, &formatShareRounded);
    addState(made, "waiting for memory", result, &Conditions::memoryPressure, &formatShareRounded);
    addState(made, "waiting for the disk", result, &Conditions::ioPressure, &formatShareRounded);
    addState(made, "swap in use", result, &Conditions::swapUsedBytes, &formatBytes);
    addState(made, "clock may boost", result, &Conditions::turbo, &yesOrNo);
    addState(made, "on battery", result, &Conditions::onBattery, &yesOrNo);
    addState(made, "processor quota", result, &Conditions::cpuQuotaCores, &cores);
    addState(made, "memory limit", result, &Conditions::memoryLimitBytes, &formatBytes);
    if ((result.conditionsBefore && result.conditionsBefore->busiestProcesses) ||
        (result.conditionsAfter && result.conditionsAfter->busiestProcesses))
        made.table.rows.push_back({"other busy programs", processesText(result.conditionsBefore),
                                   processesText(result.conditionsAfter), std::string(kMissing)});
    addRise(made, "pages swapped", result, &Conditions::swappedPages);
    addRise(made, "periods cut short by the quota", result, &Conditions::throttledPeriods);
    addRise(made, "slowed down from heat", result, &Conditions::thermalThrottles);
    addRise(made, "TCP segments sent again", result, &Conditions::tcpRetransmits);
    addRise(made, "connections turned away by a full queue", result, &Conditions::listenOverflows);
    addRise(made, "processor time taken by the hypervisor", result, &Conditions::stealSeconds, " s");
    return made;
}

CellTable provenanceTable(const SessionResult& result)
{
    CellTable made = wordTable("Provenance", {"what", "value"});
    addFact(made, "result", result.id);
    addFact(made, "made", result.created == UtcTime{} ? "" : dateText(result.created));
    const std::string tools = joined(result.measuredBy(), ", ");
    addFact(made, "measured by", tools == "lapbench" ? "" : tools);
    addFact(made, "Lapbench",
            result.tool.version + (result.tool.git.empty() ? "" : ", " + result.tool.git) +
                (result.tool.build.empty() ? "" : ", " + result.tool.build));
    addFact(made, "libcurl", result.tool.libcurl);
    addFact(made, "SHA-256 of the plan", result.planSha256);
    for (const auto& [name, runtime] : result.runtimes)
        if (!runtime.sha256.empty())
            addFact(made, "SHA-256 of " + name + " " + runtime.actual, runtime.sha256);
    addFact(made, "tags", joined(result.tags, ", "));
    addFact(made, "notes", result.notes);
    return made;
}

} // namespace lapbench
