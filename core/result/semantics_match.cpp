#include "core/result/semantics_match.h"

#include "core/base/units.h"

#include <algorithm>

namespace lapbench {

namespace {

std::string correctionInWords(Correction correction)
{
    switch (correction) {
    case Correction::none:
        return "from the send";
    case Correction::backfilled:
        return "from the send and back-filled for stalls";
    case Correction::intended:
        return "from when the request was due";
    case Correction::unknown:
        break;
    }
    return "in a way that is not told";
}

/// "counts failed requests", "leaves failed requests out", "does not tell whether it counts failed requests"
std::string errorsInWords(std::optional<bool> counted)
{
    return !counted ? "does not tell whether it counts failed requests"
                    : (*counted ? "counts failed requests" : "leaves failed requests out");
}

std::string whyOtherErrors(std::optional<bool> a, const Meaning& ofA, const std::string& nameA, std::optional<bool> b,
                           const Meaning& ofB, const std::string& nameB)
{
    const bool same = a && b && *a == *b;
    if (same || (ofA.noneFailed && ofB.noneFailed))
        return {};
    // Where one counts and the other does not, it is the one that counts whose failures matter.
    if (a && b && (*a ? ofA : ofB).noneFailed)
        return {};
    return nameA + " " + errorsInWords(a) + ", and " + nameB + " " + errorsInWords(b);
}

std::string whyTooCoarse(const Meaning& meaning, const std::string& name, double valueUs)
{
    const auto step = meaning.semantics.resolutionUs;
    if (!step || *step <= kCoarsestStep * valueUs)
        return {};
    return name + " tells latencies in steps of " + formatLatencyUs(*step);
}

} // namespace

std::string meaningInWords(const Semantics& semantics)
{
    const auto counted = [](std::optional<bool> value) { return !value ? "may be" : (*value ? "are" : "are not"); };
    std::string text = semantics.tool + (semantics.form.empty() ? "" : " (" + semantics.form + ")") +
                       ": failed requests " + counted(semantics.rpsCountsErrors) + " among the requests a second and " +
                       counted(semantics.latencyIncludesErrors) + " among the latencies; these are counted " +
                       correctionInWords(semantics.correction);
    if (semantics.resolutionUs)
        text += ", in steps of " + formatLatencyUs(*semantics.resolutionUs);
    if (semantics.bytes != BytesKind::unknown)
        text += semantics.bytes == BytesKind::body ? "; bytes are those of bodies"
                                                   : "; bytes are those of heads and bodies";
    return text;
}

Meaning meaningOf(const Trial& trial)
{
    if (trial.imported)
        return {trial.imported->semantics, trial.imported->failed && trial.load.failed == 0};
    Meaning own;
    own.semantics.tool = "lapbench";
    own.semantics.latencyIncludesErrors = false;
    own.semantics.rpsCountsErrors = false;
    const bool open = trial.level.rate || trial.load.service || trial.search;
    own.semantics.correction = open ? Correction::intended : Correction::none;
    own.semantics.bytes = BytesKind::wire;
    own.noneFailed = trial.load.failed == 0;
    return own;
}

std::string whyOtherMeaning(const Meaning& a, const std::string& nameA, const Meaning& b, const std::string& nameB,
                            std::string_view metric, double value)
{
    const Semantics &ofA = a.semantics, &ofB = b.semantics;
    const bool sameTool = ofA.tool == ofB.tool;
    const bool isRps = metric == "rps";
    if (isRps)
        return whyOtherErrors(ofA.rpsCountsErrors, a, nameA, ofB.rpsCountsErrors, b, nameB);
    if (ofA.correction != ofB.correction || (ofA.correction == Correction::unknown && !sameTool))
        return "latencies are counted " + correctionInWords(ofA.correction) + " in " + nameA + ", and " +
               correctionInWords(ofB.correction) + " in " + nameB;
    if (std::string why = whyOtherErrors(ofA.latencyIncludesErrors, a, nameA, ofB.latencyIncludesErrors, b, nameB);
        !why.empty())
        return why;
    std::string why = whyTooCoarse(a, nameA, value);
    return why.empty() ? whyTooCoarse(b, nameB, value) : why;
}

} // namespace lapbench
