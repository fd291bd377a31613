#include "core/stats/verdict_sentence.h"

#include "core/base/units.h"

#include <array>
#include <charconv>
#include <cmath>

namespace lapbench {

namespace {

std::string printed(double value, std::chars_format format, int decimals)
{
    std::array<char, 400> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, decimals).ptr;
    return {text.data(), end};
}

std::string fixed(double value, int decimals)
{
    return printed(value, std::chars_format::fixed, decimals);
}

std::string scientific(double value, int decimals)
{
    return printed(value, std::chars_format::scientific, decimals);
}

bool isUsual(double confidence)
{
    return std::abs(confidence - 0.95) < 1e-9;
}

std::string range(const PairedRatio& figures)
{
    return formatRatio(*figures.low) + "-" + formatRatio(*figures.high);
}

std::string named(double confidence)
{
    return formatPercent(confidence) + " interval ";
}

std::string roundsOf(const PairedRatio& figures)
{
    return formatCounted(figures.rounds, "round");
}

/// In brackets what a difference rests on.
std::string basis(const PairedRatio& figures, bool name, double confidence)
{
    return " (" + (name || !isUsual(confidence) ? named(confidence) : std::string()) + range(figures) +
           (figures.thin ? "" : ", " + roundsOf(figures)) + ")";
}

/// "Bun serves 1.63 times as many requests as Node".
std::string ratioSentence(const PairedRatio& figures, const SentenceTerms& terms, bool past)
{
    const std::string ratio = formatRatio(figures.ratio);
    if (terms.metric == "rps")
        return terms.b + (past ? " served " : " serves ") + ratio + " times as many requests as " + terms.a;
    return terms.b + "'s " + std::string(terms.metric) + (past ? " was " : " is ") + ratio + " times " + terms.a + "'s";
}

std::string sameSentence(const PairedRatio& figures, const SentenceTerms& terms)
{
    const std::string within = " within " + formatPercent(terms.zone) + ": " + formatRatio(figures.ratio);
    if (terms.metric == "rps")
        return terms.b + " and " + terms.a + " serve the same number of requests" + within;
    return terms.b + "'s and " + terms.a + "'s " + std::string(terms.metric) + " are the same" + within;
}

std::string unknownSentence(const PairedRatio& figures, const SentenceTerms& terms)
{
    std::string text = "no difference ";
    if (terms.metric != "rps")
        text += "in " + std::string(terms.metric) + " ";
    text += "can be shown between " + terms.a + " and " + terms.b + ": " + formatInterval(figures, terms.confidence);
    if (terms.noiseFloor)
        text += "; the noise floor is " + fixed(*terms.noiseFloor * 100, 1) + " %";
    return text;
}

} // namespace

std::string formatRatio(double ratio)
{
    // The interval of two rounds at a high confidence may reach over a hundred powers of ten.
    if (ratio > 0 && std::isfinite(ratio) && (ratio < 1e-4 || ratio >= 1e6))
        return scientific(ratio, 2);
    return ratio < 0.1 || ratio >= 10 ? formatSignificant(ratio) : fixed(ratio, 2);
}

std::string formatPercent(double share)
{
    std::string text = fixed(share * 100, 2);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text + " %";
}

std::string formatInterval(const PairedRatio& figures, double confidence)
{
    if (!figures.low || !figures.high)
        return formatRatio(figures.ratio);
    return formatRatio(figures.ratio) + " (" + (isUsual(confidence) ? std::string() : named(confidence)) +
           range(figures) + ")";
}

std::string verdictSentence(const PairedRatio& figures, const SentenceTerms& terms)
{
    if (!figures.low || !figures.high)
        return ratioSentence(figures, terms, true) + " in a single round, which shows nothing";
    std::string text;
    switch (figures.verdict) {
    case Verdict::equivalent:
        text = sameSentence(figures, terms) + basis(figures, false, terms.confidence);
        break;
    case Verdict::cannotTell:
        text = unknownSentence(figures, terms);
        break;
    default:
        text = ratioSentence(figures, terms, false) + basis(figures, true, terms.confidence);
    }
    if (figures.thin)
        text += " (" + roundsOf(figures) + "; rests on normal rounds, run " +
                std::to_string(PairedRatio::kFewestRounds) + " or more)";
    return text;
}

} // namespace lapbench
