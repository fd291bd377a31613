#include "core/result/export/method_text.h"

#include "core/base/units.h"
#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"
#include "core/result/export/facts.h"
#include "core/result/export/load_text.h"
#include "core/result/export/text_table.h"
#include "core/result/export/verdict_text.h"
#include "core/result/result_json.h"
#include "core/result/semantics_match.h"
#include "core/stats/verdict_sentence.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

namespace lapbench {

namespace {

constexpr std::size_t kMostOrders = 6; ///< rounds whose order is written out

std::string listed(const std::vector<std::string>& words, const std::string& last = " and ")
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
    return text;
}

std::string versionOf(const UsedRuntime& runtime)
{
    static const std::map<std::string, std::string> kNames = {{"node", "Node.js"}, {"deno", "Deno"}, {"bun", "Bun"}};
    const auto name = kNames.find(runtime.kind);
    if (name == kNames.end() || runtime.actual.empty())
        return {};
    const bool other = !runtime.asked.empty() && runtime.asked != runtime.actual;
    return name->second + " " + runtime.actual + (other ? " (" + runtime.asked + " was asked for)" : "");
}

std::string whatRan(const SessionResult& result, const Labels& labels)
{
    std::vector<std::string> targets;
    for (const std::string& name : targetsThatRan(result))
        targets.push_back(labelOf(labels, name));
    std::vector<std::string> runtimes;
    for (const auto& [name, runtime] : result.runtimes)
        if (std::string version = versionOf(runtime); !version.empty())
            runtimes.push_back(std::move(version));
    std::string text = formatCounted(targets.size(), "target") + (targets.size() == 1 ? " was" : " were") +
                       " measured on " + dateText(result.created) + ": " + listed(targets) + ".";
    if (!runtimes.empty())
        text += " The runtimes were " + listed(runtimes) + ".";
    return text;
}

/// "In round 1 the order was A, B; in round 2 B, A".
std::string ordersText(const SessionResult& result, const Labels& labels)
{
    std::map<unsigned, std::vector<std::pair<unsigned, std::string>>> rounds;
    for (const Trial& trial : result.trials) {
        if (trial.superseded)
            continue;
        auto& order = rounds[trial.round];
        const std::pair<unsigned, std::string> place(trial.order, labelOf(labels, trial.target));
        if (std::find(order.begin(), order.end(), place) == order.end())
            order.push_back(place);
    }
    std::string text;
    std::size_t told = 0;
    for (auto& [round, order] : rounds) {
        if (told++ == kMostOrders)
            return text + "; and so on";
        std::sort(order.begin(), order.end());
        std::vector<std::string> names;
        for (const auto& [place, label] : order)
            names.push_back(label);
        text += (text.empty() ? "in round " : "; in round ") + std::to_string(round) + " " + listed(names, ", ");
    }
    return text;
}

std::string roundsText(const SessionResult& result, const Plan& plan, const Labels& labels)
{
    std::set<unsigned> rounds;
    for (const Trial& trial : result.trials)
        rounds.insert(trial.round);
    const std::size_t targets = targetsThatRan(result).size();
    if (rounds.size() < 2 || targets < 2)
        return rounds.size() < 2 ? "Everything was measured once."
                                 : "Everything was repeated in " + formatCounted(rounds.size(), "round") +
                                       ", with a fresh start of the server in each.";
    const std::string order = plan.order == OrderKind::williams ? "balanced for place and predecessor"
                              : plan.order == OrderKind::rotate ? "which changed from round to round"
                                                                : "which was the same in each";
    return "Everything was repeated in " + formatCounted(rounds.size(), "round") +
           ", with a fresh start of each server in each. The order of the targets, " + order + ", was " +
           ordersText(result, labels) + ".";
}

/// The threads and the ways over the wire of the trials.
std::string generatorText(const SessionResult& result)
{
    std::set<std::string> ways;
    std::set<unsigned> threads;
    for (const Trial& trial : result.trials) {
        if (trial.transport.empty())
            continue;
        ways.insert("the transport " + trial.transport +
                    (trial.httpVersion.empty() ? "" : " (HTTP/" + trial.httpVersion + ")"));
        if (trial.load.threads > 0)
            threads.insert(trial.load.threads);
    }
    if (ways.empty())
        return {};
    std::string text = "The load was made by Lapbench " + result.tool.version;
    if (!result.tool.git.empty())
        text += " (" + result.tool.git + (result.tool.libcurl.empty() ? "" : ", libcurl " + result.tool.libcurl) + ")";
    if (threads.size() == 1)
        text += " with " + formatCounted(*threads.begin(), "thread");
    else if (!threads.empty())
        text += " with " + std::to_string(*threads.begin()) + " to " + formatCounted(*threads.rbegin(), "thread");
    return text + " over " + listed({ways.begin(), ways.end()}) + ".";
}

std::string machineText(const SessionResult& result, const Plan& plan)
{
    const HostInfo& host = result.host;
    std::vector<std::string> facts;
    if (host.cpus)
        facts.push_back(formatCounted(*host.cpus, "processor") +
                        (host.cpuModel.empty() ? "" : " (" + host.cpuModel + ")"));
    if (host.memoryBytes)
        facts.push_back(formatBytes(static_cast<double>(*host.memoryBytes)) + " of memory");
    for (const std::string& fact : {host.os, host.kernel, host.architecture})
        if (!fact.empty())
            facts.push_back(fact);
    if (facts.empty())
        return {};
    const auto names = targetsThatRan(result);
    const bool elsewhere = std::any_of(plan.targets.begin(), plan.targets.end(), [&](const Target& target) {
        return !target.url.empty() && std::find(names.begin(), names.end(), target.name) != names.end();
    });
    std::string text = "The machine has " + listed(facts, ", ") + ".";
    text += elsewhere ? " The generator ran on it; where servers that were up already ran is not known to Lapbench."
                      : " Generator and servers ran on it together.";
    if (!plan.affinity.server.empty() || !plan.affinity.generator.empty())
        text += " They were kept to processors of their own as the plan says.";
    return text;
}

std::string figuresText(const SessionResult& result)
{
    std::string text = "Requests per second are right answers in the window divided by its length; latency runs from "
                       "the first byte of a request handed to the socket, in an open loop from when it was due, until "
                       "the last byte of its answer. Requests that were still open at the end of a window count as "
                       "censored and are not dropped. Tables show medians over the rounds.";
    if (!result.comparisons.empty())
        text += " Targets are compared with the first one round by round: the ratio is the geometric mean over the "
                "rounds, with Student's t interval on the logarithms; the error of 5 % is shared by all comparisons "
                "of a workload and level.";
    return text;
}

std::vector<std::string> importedParagraphs(const SessionResult& result)
{
    std::vector<std::string> paragraphs = {"These figures were measured by " + listed(result.measuredBy()) +
                                           " and imported by Lapbench " + result.tool.version + ". " +
                                           (result.notes.empty() ? "" : result.notes + ".")};
    std::set<std::string> told;
    const auto tell = [&](const std::string& text) {
        if (!text.empty() && told.insert(text).second)
            paragraphs.push_back(text);
    };
    for (const Trial& trial : result.trials)
        if (trial.imported)
            tell(meaningInWords(trial.imported->semantics) + ".");
    return paragraphs;
}

bool isImported(const SessionResult& result)
{
    return std::any_of(result.trials.begin(), result.trials.end(),
                       [](const Trial& trial) { return trial.imported.has_value(); });
}

/// What no cell of a target has.
std::string missingOf(const SessionResult& result, const std::string& target)
{
    static constexpr std::array<std::pair<const char*, const char*>, 4> kWanted = {
        {{"rps", "requests per second"},
         {"p50_us", "latency percentiles"},
         {"cpu_cores_mean", "processor time"},
         {"rss_bytes_peak", "memory"}}};
    std::vector<std::string> missing;
    for (const auto& [key, what] : kWanted)
        if (std::none_of(result.cells.begin(), result.cells.end(), [&, wanted = std::string(key)](const Cell& cell) {
                return cell.target == target && cell.figures.contains(wanted);
            }))
            missing.push_back(what);
    return listed(missing);
}

/// For a shell: as it is where it is plain, else in quotes.
std::string shellWord(const std::string& word)
{
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return (std::isalnum(c) != 0 && c < 0x80) ||
               std::string_view("-_./,:@+%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain)
        return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace

std::vector<std::string> methodParagraphs(const SessionResult& result)
{
    if (isImported(result))
        return importedParagraphs(result);
    const Plan plan = planThatRan(result);
    const Labels labels = comparisonRulesOf(result).labels;
    std::vector<std::string> paragraphs = {whatRan(result, labels)};
    if (!plan.name.empty()) {
        paragraphs.push_back(workloadText(plan) + " " + hardnessText(plan) + " " + windowText(plan));
        paragraphs.push_back(roundsText(result, plan, labels));
    }
    if (result.scale != 1)
        paragraphs.back() +=
            " Counts, windows and pauses were scaled to " + formatSignificant(result.scale) + " of what the plan says.";
    if (result.elapsedSeconds)
        paragraphs.back() += " All of it took " +
                             formatRemaining(std::chrono::duration_cast<Nanoseconds>(
                                 std::chrono::duration<double>(*result.elapsedSeconds))) +
                             ".";
    for (std::string text : {generatorText(result), machineText(result, plan)})
        if (!text.empty())
            paragraphs.push_back(std::move(text));
    paragraphs.push_back(figuresText(result));
    return paragraphs;
}

std::vector<std::string> untold(const SessionResult& result)
{
    std::vector<std::string> sentences;
    const Labels labels = comparisonRulesOf(result).labels;
    bool thin = false, control = false;
    for (const Comparison& comparison : result.comparisons) {
        thin = thin || comparison.figures.thin;
        control = control || comparison.control;
        if (comparison.figures.rounds == 0 ||
            (comparison.metric == "rps" && comparison.figures.verdict == Verdict::cannotTell))
            sentences.push_back(comparison.sentence);
    }
    if (thin)
        sentences.push_back("The verdicts rest on fewer than " + std::to_string(kFewestRounds) +
                            " rounds and on their being normal");
    if (!control && !result.comparisons.empty())
        sentences.push_back("No control was run, so that how far two equal targets would differ here is not known");
    if (result.scale != 1)
        sentences.push_back("The session was scaled down: figures of whole windows may differ");
    for (const std::string& target : targetsThatRan(result))
        if (const std::string missing = missingOf(result, target); !missing.empty())
            sentences.push_back("Not known of " + labelOf(labels, target) + ": " + missing);
    return sentences;
}

std::string planText(const SessionResult& result)
{
    if (result.planJson.empty())
        return {};
    const Json plan = Json::parse(result.planJson, nullptr, false);
    return plan.is_object() && !plan.empty() ? plan.dump(2, ' ', false, Json::error_handler_t::replace) + "\n" : "";
}

std::string repeatCommand(const SessionResult& result, const std::string& planFile)
{
    if (planText(result).empty() || isImported(result))
        return {};
    const Plan plan = planThatRan(result);
    std::string command = "lapbench-cli run " + shellWord(planFile);
    if (result.scale != 1)
        command += " --scale " + formatExact(result.scale);
    std::vector<std::string> ran = targetsThatRan(result), chosen;
    std::erase(ran, controlName(plan));
    for (const Target& target : plan.targets)
        if (target.selected)
            chosen.push_back(target.name);
    if (ran != chosen && !ran.empty())
        command += " --only " + shellWord(listed(ran, ","));
    return command;
}

} // namespace lapbench
