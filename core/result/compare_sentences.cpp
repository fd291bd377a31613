#include "core/result/compare_sentences.h"

#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/result/align_imported.h"
#include "core/stats/verdict_sentence.h"

#include <algorithm>
#include <set>

namespace lapbench {

namespace {

std::string roundsText(const UnpairedRatio& figures)
{
    const std::string text = std::to_string(figures.roundsA) + " and " + formatCounted(figures.roundsB, "round");
    return figures.thin
               ? text + "; rests on normal rounds, run " + std::to_string(PairedRatio::kFewestRounds) + " or more"
               : text;
}

/// The two values are known and not the same.
bool differ(const std::string& a, const std::string& b)
{
    return !a.empty() && !b.empty() && a != b;
}

std::string dayOf(const SessionResult& result)
{
    constexpr std::size_t kDay = 10; // "2026-11-30"
    return formatUtc(result.created).substr(0, kDay);
}

/// "on different machines and on different days"; empty where they are the same.
std::string whatDiffers(const SessionResult& a, const SessionResult& b)
{
    std::string text;
    if (a.measuredBy() != b.measuredBy())
        text = "by different tools";
    else if (differ(a.host.hostname, b.host.hostname) || differ(a.host.cpuModel, b.host.cpuModel))
        text = "on different machines";
    else if (differ(a.host.kernel, b.host.kernel))
        text = "under different kernels";
    if (tellsItsTime(a) && tellsItsTime(b) && dayOf(a) != dayOf(b))
        text += (text.empty() ? "" : " and ") + std::string("on different days");
    return text;
}

/// What the tools that wrote imported results are known for, and what is doubtful in these.
void addNotesOnTools(std::vector<std::string>& notes, const NamedResult& named)
{
    std::set<std::string> told;
    const auto tell = [&](const std::string& text) {
        if (told.insert(text).second)
            notes.push_back(named.name + ": " + text);
    };
    for (const Trial& trial : named.result.trials) {
        if (!trial.imported)
            continue;
        for (const std::string& note : trial.imported->semantics.notes)
            tell(note);
        for (const Warning& warning : trial.warnings)
            tell(warning.text);
    }
}

void addNotesOnResult(std::vector<std::string>& notes, const NamedResult& named)
{
    const SessionResult& result = named.result;
    addNotesOnTools(notes, named);
    if (result.scale != 1)
        notes.push_back(named.name + ": counts, windows and pauses were scaled to " + formatSignificant(result.scale) +
                        " of the plan's");
    if (!result.complete)
        notes.push_back(named.name + ": the session did not end; it finished " +
                        formatCounted(result.trials.size(), "trial") + " before that");
    for (const Warning& warning : result.warnings)
        if (warning.code == "changed")
            notes.push_back(named.name + ": " + warning.text);
}

void addNotesOnFailures(std::vector<std::string>& notes, const ResultComparison& comparison)
{
    std::set<std::string> told;
    for (const ComparedRow& row : comparison.rows)
        for (const ComparedSide& side : row.sides) {
            const std::string text = side.label + " in " + comparison.results[side.result].name + ", " + row.workload +
                                     ", " + formatLevel(row.level) + ": " + formatCounted(side.failed, "request") +
                                     " failed";
            if (side.failed > 0 && told.insert(text).second)
                notes.push_back(text);
        }
}

bool anyPair(const ResultComparison& comparison, const auto& holds)
{
    return std::any_of(comparison.rows.begin(), comparison.rows.end(), [&](const ComparedRow& row) {
        return std::any_of(row.pairs.begin(), row.pairs.end(), [&](const SidePair& pair) { return holds(row, pair); });
    });
}

} // namespace

std::string sentenceOf(const SidePair& pair, const std::string& a, const std::string& b, double zone,
                       const std::string& caveat)
{
    const bool isRps = pair.metric == 0;
    const std::string metric = isRps ? "requests a second" : std::string(kComparedMetrics[pair.metric]);
    const std::string between = " between " + a + " and " + b;
    if (!pair.figures)
        return metric + between + ": not compared; " + pair.refused;
    const UnpairedRatio& figures = *pair.figures;
    const std::string ratio = formatRatio(figures.ratio);
    if (!figures.low)
        return metric + " of " + b + " to " + a + ": " + ratio +
               ", from a single round of one of them, which says nothing about the next one";
    const std::string interval = formatPercent(pair.confidence) + " interval " + formatRatio(*figures.low) + "-" +
                                 formatRatio(*figures.high) + ", " + roundsText(figures);
    const std::string end = caveat.empty() ? "" : "; " + caveat;
    switch (figures.verdict) {
    case Verdict::equivalent:
        return metric + between + " are the same within " + formatPercent(zone) + ": " + ratio + " (" + interval + ")" +
               end;
    case Verdict::cannotTell:
        return "no difference can be shown" + between + " in " + metric + ": " + ratio + " (" + interval + ")" + end;
    default:
        break;
    }
    if (isRps)
        return b + " serves " + ratio + " times as many requests a second as " + a + " (" + interval + ")" + end;
    return b + " is " + std::string(verdictName(figures.verdict)) + ": its " + metric + " is " + ratio +
           " times that of " + a + " (" + interval + ")" + end;
}

std::string whatRoundsDoNotShow(const SessionResult& a, const SessionResult& b)
{
    const std::string what = whatDiffers(a, b);
    return what.empty() ? what : "measured " + what + ": the interval holds only what the rounds show";
}

std::vector<std::string> notesOn(const std::vector<NamedResult>& results, const ResultComparison& comparison)
{
    std::vector<std::string> notes;
    for (const NamedResult& named : results)
        addNotesOnResult(notes, named);
    for (std::size_t i = 0; i < results.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!results[i].result.id.empty() && results[i].result.id == results[j].result.id)
                notes.push_back(results[j].name + " and " + results[i].name + " are the same session");
    addNotesOnFailures(notes, comparison);
    if (comparison.rows.empty())
        notes.push_back("No cell of one result has a counterpart of the same workload and level in another");
    if (anyPair(comparison, [](const ComparedRow&, const SidePair& pair) { return pair.figures && pair.figures->low; }))
        notes.push_back("Intervals: rounds of different sessions are not paired, so each is a Welch t interval on the "
                        "logarithms of the rounds; the comparisons of one workload, level and metric share the error "
                        "of 5 %; within " +
                        formatPercent(comparison.zone) + " counts as equivalent");
    if (std::any_of(comparison.differences.begin(), comparison.differences.end(),
                    [](const ResultDifference& difference) { return difference.what == "transport"; }))
        notes.push_back("The transports differ, and with them what the generator takes of the machine: compare results "
                        "of one transport only");
    std::set<std::string> caveats;
    for (std::size_t i = 1; i < results.size(); ++i)
        if (const std::string what = whatDiffers(results.front().result, results[i].result); !what.empty())
            caveats.insert(results.front().name + " and " + results[i].name + " were measured " + what +
                           ", which may make a difference that no interval shows: it holds only what the rounds show");
    notes.insert(notes.end(), caveats.begin(), caveats.end());
    if (anyPair(comparison, [](const ComparedRow& row, const SidePair& pair) {
            return pair.metric != 0 && pair.figures && !row.level.rate;
        }))
        notes.push_back("Latencies are compared at the load as it was set, here the number of connections: in a closed "
                        "loop a server that answers sooner is also asked more often; a rate sets both the same load");
    return notes;
}

} // namespace lapbench
