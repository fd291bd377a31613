#include "core/result/export/verdict_text.h"

#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/stats/verdict_sentence.h"

#include <algorithm>
#include <set>

namespace lapbench {

namespace {

bool counts(const Trial& trial, const Cell& cell)
{
    return trial.outcome == Outcome::done && !trial.superseded && trial.target == cell.target &&
           trial.workload == cell.workload && trial.level == cell.level;
}

/// The trials of a target that say nothing about it.
std::vector<const Trial*> obstaclesOf(const SessionResult& result, const Cell& cell)
{
    std::vector<const Trial*> found;
    for (const Trial& trial : result.trials)
        if (counts(trial, cell) && trial.bottleneck && !trial.bottleneck->rankable)
            found.push_back(&trial);
    return found;
}

std::string inWords(std::string_view name)
{
    std::string words(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string markedVerdict(const Comparison& comparison)
{
    return verdictInWords(comparison.figures.verdict) + (comparison.figures.thin ? " (thin)" : "");
}

/// "p99 against Node: Bun 0.61 (0.57-0.66) faster; Deno 0.97 (0.93-1.02) cannot tell".
void addLatencyLines(const SessionResult& result, const std::vector<const Cell*>& cells, std::string_view metric,
                     const Labels& labels, std::vector<std::string>& lines)
{
    std::string line;
    for (const Cell* cell : cells) {
        const Comparison* comparison = comparisonOf(result, *cell, metric);
        if (comparison == nullptr || !comparison->rankable)
            continue;
        if (comparison->figures.rounds == 0) {
            lines.push_back(comparison->sentence);
            continue;
        }
        line += (line.empty() ? std::string(metric) + " against " + labelOf(labels, comparison->a) + ": " : "; ") +
                labelOf(labels, comparison->b) + " " + formatInterval(comparison->figures, comparison->confidence) +
                " " + markedVerdict(*comparison);
    }
    if (!line.empty())
        lines.push_back(line);
}

/// "Sign-flip test of requests/s against Node, decides nothing: Bun p = 0.0313; Deno p = 0.406".
void addSignFlips(const SessionResult& result, const std::vector<const Cell*>& cells, const Labels& labels,
                  std::vector<std::string>& lines)
{
    std::string line;
    for (const Cell* cell : cells) {
        const Comparison* comparison = comparisonOf(result, *cell, "rps");
        if (comparison == nullptr || !comparison->rankable || !comparison->figures.signFlipP)
            continue;
        line += (line.empty()
                     ? "Sign-flip test of requests/s against " + labelOf(labels, comparison->a) + ", decides nothing: "
                     : "; ") +
                labelOf(labels, comparison->b) + " p = " + formatSignificant(*comparison->figures.signFlipP);
    }
    if (!line.empty())
        lines.push_back(line);
}

/// "Ranking by requests/s: 1. Bun; 2. Node = Deno"; empty where fewer than two are ranked.
std::string rankingLine(const Ranking& ranking, const Labels& labels)
{
    if (ranking.places.size() < 2)
        return {};
    std::string line = "Ranking by requests/s:";
    unsigned rank = 0;
    for (const Ranking::Place& place : ranking.places) {
        line += place.rank == rank ? " = " : (rank == 0 ? " " : "; ") + std::to_string(place.rank) + ". ";
        line += labelOf(labels, place.target);
        rank = place.rank;
    }
    return line;
}

void addRanking(const SessionResult& result, const Cell& like, const Labels& labels, std::vector<std::string>& lines)
{
    const auto ranking = std::find_if(result.rankings.begin(), result.rankings.end(), [&](const Ranking& one) {
        return one.workload == like.workload && one.level == like.level;
    });
    if (ranking == result.rankings.end())
        return;
    if (std::string line = rankingLine(*ranking, labels); !line.empty())
        lines.push_back(std::move(line));
}

std::string placeOf(const std::string& workload, const Level& level)
{
    return "Workload " + workload + ", " + formatLevel(level) + ": ";
}

} // namespace

std::string verdictInWords(Verdict verdict)
{
    return inWords(verdictName(verdict));
}

const Comparison* comparisonOf(const SessionResult& result, const Cell& cell, std::string_view metric)
{
    const auto found =
        std::find_if(result.comparisons.begin(), result.comparisons.end(), [&](const Comparison& comparison) {
            return comparison.metric == metric && comparison.b == cell.target && comparison.workload == cell.workload &&
                   comparison.level == cell.level;
        });
    return found == result.comparisons.end() ? nullptr : &*found;
}

std::string verdictText(const SessionResult& result, const Cell& cell)
{
    if (!obstaclesOf(result, cell).empty())
        return std::string(kNotRanked);
    const Comparison* comparison = comparisonOf(result, cell, "rps");
    return comparison == nullptr ? std::string() : markedVerdict(*comparison);
}

std::string limitText(const SessionResult& result, const Cell& cell)
{
    std::set<Limit> limits; // in the order of the rules
    for (const Trial& trial : result.trials)
        if (counts(trial, cell) && trial.bottleneck)
            limits.insert(trial.bottleneck->limit);
    std::string text;
    for (const Limit limit : limits)
        text += (text.empty() ? "" : ", ") + inWords(limitName(limit));
    return text;
}

std::string asSentence(std::string text, const Labels& labels)
{
    const bool name = std::any_of(labels.begin(), labels.end(), [&](const auto& label) {
        return text.starts_with(label.second) || text.starts_with(label.first);
    });
    const std::size_t word = std::min(text.find(' '), text.size());
    // "p99 against ..", "oha (text): ..": names too.
    const bool other = text.find_first_of("0123456789") < word || text.compare(word, 2, " (") == 0;
    if (!text.empty() && !name && !other && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    if (!text.empty() && !text.ends_with('.') && !text.ends_with('!') && !text.ends_with('?'))
        text += '.';
    return text;
}

std::vector<std::string> leadSentences(const SessionResult& result)
{
    constexpr std::size_t kMostSentences = 6;
    std::vector<std::string> sentences;
    const bool several = std::any_of(result.comparisons.begin(), result.comparisons.end(), [&](const Comparison& one) {
        return one.workload != result.comparisons.front().workload || one.level != result.comparisons.front().level;
    });
    for (const Comparison& comparison : result.comparisons)
        if (comparison.metric == "rps" && !comparison.control)
            sentences.push_back((several ? placeOf(comparison.workload, comparison.level) : std::string()) +
                                comparison.sentence);
    if (sentences.size() <= kMostSentences)
        return sentences;
    sentences.clear();
    const Labels labels = comparisonRulesOf(result).labels;
    for (const Ranking& ranking : result.rankings)
        if (const std::string line = rankingLine(ranking, labels); !line.empty())
            sentences.push_back(placeOf(ranking.workload, ranking.level) + line);
    if (sentences.size() > kMostSentences)
        sentences.clear();
    return sentences;
}

std::vector<std::string> verdictLines(const SessionResult& result, const std::vector<const Cell*>& cells,
                                      const Labels& labels)
{
    std::vector<std::string> lines;
    for (const Cell* cell : cells)
        if (const Comparison* comparison = comparisonOf(result, *cell, "rps"))
            lines.push_back(comparison->sentence);
    for (const std::string_view metric : {"p50", "p99"})
        addLatencyLines(result, cells, metric, labels, lines);
    addSignFlips(result, cells, labels, lines);
    addRanking(result, *cells.front(), labels, lines);
    for (const Cell* cell : cells) {
        const auto obstacles = obstaclesOf(result, *cell);
        if (obstacles.empty())
            continue;
        const Trial& first = *obstacles.front();
        lines.push_back("Not ranked: " + labelOf(labels, cell->target) + ", for " +
                        formatCounted(obstacles.size(), "trial") + " limited by " +
                        std::string(limitInWords(first.bottleneck->limit)) + ", the first in round " +
                        std::to_string(first.round) + ": " + first.bottleneck->reason);
    }
    return lines;
}

} // namespace lapbench
