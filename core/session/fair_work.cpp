#include "core/session/fair_work.h"

#include "core/session/fair_wording.h"
#include "core/session/json_body.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

// Lays the answers of all targets side by side.

namespace lapbench {

namespace {

using Group = std::vector<const FairProbe*>;

bool answered(const FairProbe& probe)
{
    return probe.failure.empty();
}

/// The probes of one request of one workload, and the findings on them.
class SideBySide {
public:
    SideBySide(const Group& group, const FairWorkRules& rules, std::vector<FairFinding>& findings)
        : m_rules(rules), m_findings(findings)
    {
        for (const FairProbe* probe : group)
            (answered(*probe) ? m_answered : m_silent).push_back(probe);
    }

    void look()
    {
        lookAtSilent();
        if (m_answered.empty())
            return;
        lookAtStatus();
        lookAtConnection();
        lookAtHead();
        if (std::find(m_rules.ignore.begin(), m_rules.ignore.end(), "body") == m_rules.ignore.end())
            lookAtBody();
        lookAtHeaders();
    }

private:
    using Value = std::function<std::string(const FairProbe&)>;
    using Sentence = std::function<std::string(const Group&)>;

    const FairProbe& reference() const { return *m_answered.front(); }
    std::string what() const { return (m_answered.empty() ? *m_silent.front() : reference()).method + " " + path(); }
    std::string path() const { return (m_answered.empty() ? *m_silent.front() : reference()).path; }

    static std::string nameOf(const FairProbe& probe) { return probe.label.empty() ? probe.target : probe.label; }
    static std::string subject(const Group& probes)
    {
        std::vector<std::string> names;
        for (const FairProbe* probe : probes)
            names.push_back(nameOf(*probe));
        return formatList(names);
    }
    /// "Deno's answer to GET / is", "Deno's and Bun's answers to GET / are".
    std::string answers(const Group& probes, const char* one, const char* many) const
    {
        std::vector<std::string> names;
        for (const FairProbe* probe : probes)
            names.push_back(nameOf(*probe) + "'s");
        return formatList(names) + (probes.size() == 1 ? " answer to " : " answers to ") + what() + " " +
               (probes.size() == 1 ? one : many);
    }
    static std::string verb(const Group& probes, const char* one, const char* many)
    {
        return probes.size() == 1 ? one : many;
    }

    void find(const char* code, const char* severity, const Group& probes, std::string text)
    {
        const FairProbe& first = m_answered.empty() ? *m_silent.front() : reference();
        FairFinding finding{code, severity, first.workload, first.request, {}, std::move(text)};
        for (const FairProbe* probe : probes)
            finding.targets.push_back(probe->target);
        m_findings.push_back(std::move(finding));
    }

    /// One finding for each value that is not the reference's; targets with the same value stand in one sentence.
    void compare(const char* code, const char* severity, const Value& value, const Sentence& sentence)
    {
        compare(code, severity, m_answered, value, sentence);
    }
    void compare(const char* code, const char* severity, const Group& group, const Value& value,
                 const Sentence& sentence)
    {
        std::vector<std::pair<std::string, Group>> others;
        for (const FairProbe* probe : group) {
            const std::string mine = value(*probe);
            if (mine == value(reference()))
                continue;
            auto same =
                std::find_if(others.begin(), others.end(), [&](const auto& other) { return other.first == mine; });
            if (same == others.end())
                same = others.insert(others.end(), {mine, {}});
            same->second.push_back(probe);
        }
        for (const auto& [mine, probes] : others)
            find(code, severity, probes, sentence(probes));
    }

    void lookAtSilent()
    {
        std::vector<std::pair<std::string, Group>> reasons;
        for (const FairProbe* probe : m_silent) {
            auto same = std::find_if(reasons.begin(), reasons.end(),
                                     [&](const auto& reason) { return reason.first == probe->failure; });
            if (same == reasons.end())
                same = reasons.insert(reasons.end(), {probe->failure, {}});
            same->second.push_back(probe);
        }
        for (const auto& [reason, probes] : reasons)
            find("no_answer", "error", probes,
                 subject(probes) + verb(probes, " gives", " give") + " no answer to " + what() + " (" + reason + ")");
    }

    /// Answers of another status are another kind of answer: nothing more is said of them.
    void lookAtStatus()
    {
        const auto value = [](const FairProbe& probe) { return std::to_string(probe.status); };
        compare("status", "error", value, [&](const Group& probes) {
            return answers(probes, "has", "have") + " status " + value(*probes.front()) + ", " + nameOf(reference()) +
                   "'s " + value(reference());
        });
        const int status = reference().status;
        std::erase_if(m_answered, [status](const FairProbe* probe) { return probe->status != status; });
    }

    void lookAtConnection()
    {
        compare(
            "http_version", "warning", [](const FairProbe& probe) { return probe.httpVersion; },
            [&](const Group& probes) {
                return answers(probes, "is", "are") + " HTTP/" + probes.front()->httpVersion + ", " +
                       nameOf(reference()) + "'s HTTP/" + reference().httpVersion;
            });
        compare(
            "closes", "warning", [](const FairProbe& probe) { return std::string(probe.closes ? "closes" : "keeps"); },
            [&](const Group& probes) {
                const bool closes = probes.front()->closes;
                return subject(probes) +
                       (closes ? verb(probes, " closes", " close") : verb(probes, " keeps", " keep")) +
                       " the connection after the answer to " + what() + ", " + nameOf(reference()) +
                       (closes ? " keeps it" : " closes it");
            });
    }

    void lookAtHead()
    {
        compare(
            "date", "warning", [](const FairProbe& probe) { return std::string(probe.date ? "has" : "lacks"); },
            [&](const Group& probes) {
                const bool date = probes.front()->date;
                return answers(probes, "has", "have") + (date ? " a Date, " : " no Date, ") + nameOf(reference()) +
                       (date ? "'s has none" : "'s has one");
            });
        compare(
            "compression", "warning", [](const FairProbe& probe) { return probe.compression; },
            [&](const Group& probes) {
                const auto how = [](const FairProbe& probe) {
                    return (probe.compression.empty() ? "not compressed ("
                                                      : "compressed (" + probe.compression + ", ") +
                           formatGroupedBytes(probe.bodyBytes) + ")";
                };
                return answers(probes, "is", "are") + " " + how(*probes.front()) + ", " + nameOf(reference()) + "'s " +
                       how(reference());
            });
        const auto squeezed = [](const FairProbe& probe) {
            return probe.compression.empty() ? std::string() : std::to_string(probe.bodyBytes);
        };
        compare("compression", "warning", alike([](const FairProbe& probe) { return probe.compression; }), squeezed,
                [&](const Group& probes) {
                    return answers(probes, "is", "are") + " " + formatGroupedBytes(probes.front()->bodyBytes) + " of " +
                           reference().compression + ", " + nameOf(reference()) + "'s " +
                           formatGrouped(reference().bodyBytes) +
                           formatShareOf(probes.front()->bodyBytes, reference().bodyBytes);
                });
        compare(
            "framing", "info", [](const FairProbe& probe) { return probe.framing; },
            [&](const Group& probes) {
                return answers(probes, "is", "are") + " framed by " + frame(*probes.front()) + ", " +
                       nameOf(reference()) + "'s by " + frame(reference());
            });
    }

    static std::string frame(const FairProbe& probe)
    {
        if (probe.framing == "content-length")
            return "Content-Length";
        if (probe.framing == "chunked")
            return "chunks";
        return probe.framing == "close" ? "the end of the connection" : "the end of the stream";
    }

    /// Those whose value is the reference's.
    Group alike(const Value& value) const
    {
        Group group;
        for (const FairProbe* probe : m_answered)
            if (value(*probe) == value(reference()))
                group.push_back(probe);
        return group;
    }

    void lookAtBody()
    {
        for (const FairProbe* probe : m_answered)
            if (!probe->varies.empty())
                find("body_varies", "warning", {probe}, variation(*probe));
        // What changes by itself cannot be compared.
        Group steady;
        for (const FairProbe* probe : m_answered)
            if (probe->varies.empty())
                steady.push_back(probe);
        if (!reference().varies.empty())
            return;
        compare(
            "body_length", "error", steady,
            [](const FairProbe& probe) { return atLeast(probe) + std::to_string(probe.comparedBytes); },
            [&](const Group& probes) {
                const FairProbe& mine = *probes.front();
                return answers(probes, "is", "are") + " " + atLeast(mine) + formatGroupedBytes(mine.comparedBytes) +
                       ", " + nameOf(reference()) + "'s " + atLeast(reference()) +
                       formatGrouped(reference().comparedBytes) +
                       (mine.lengthKnown() && reference().lengthKnown()
                            ? formatShareOf(mine.comparedBytes, reference().comparedBytes)
                            : std::string());
            });
        compareContent(steady);
    }

    static const char* atLeast(const FairProbe& probe) { return probe.lengthKnown() ? "" : "more than "; }

    void compareContent(const Group& steady)
    {
        Group sameLength;
        for (const FairProbe* probe : steady) {
            if (probe->bodySha256 == reference().bodySha256) {
                if (probe->body != reference().body && m_rules.ignore.empty())
                    find("json_formatting", "info", {probe},
                         answers({probe}, "has", "have") + " the same JSON as " + nameOf(reference()) +
                             "'s, but other white space or another order of keys");
            } else if (probe->comparedBytes == reference().comparedBytes) {
                sameLength.push_back(probe);
            }
        }
        for (const FairProbe* probe : sameLength)
            find("body_content", "error", {probe}, difference(*probe));
    }

    std::string variation(const FairProbe& probe) const
    {
        const std::string changes = answers({&probe}, "changes", "change") + " from request to request";
        if (probe.varies == "status")
            return changes + ", in its status";
        if (probe.varies == "body")
            return changes + ", so its body cannot be compared; put \"body\" into fair_work.ignore if that is meant";
        return changes + ", first in " + probe.varies + "; put \"" + probe.varies +
               "\" into fair_work.ignore to compare the rest";
    }

    std::string difference(const FairProbe& probe) const
    {
        const std::string text =
            answers({&probe}, "is", "are") + " as long as " + nameOf(reference()) + "'s, but another";
        if (probe.body.empty() || reference().body.empty())
            return text;
        const JsonBody a = JsonBody::read(reference().body, m_rules.ignore);
        const JsonBody b = JsonBody::read(probe.body, m_rules.ignore);
        const std::string place = firstDifference(a, b);
        return place == "body" ? text : text + ", first in " + place;
    }

    void lookAtHeaders()
    {
        compare(
            "content_type", "info", [](const FairProbe& probe) { return probe.contentType; },
            [&](const Group& probes) {
                const auto type = [](const FairProbe& probe) {
                    return probe.contentType.empty() ? std::string("no Content-Type") : probe.contentType;
                };
                return answers(probes, "is", "are") + " " + type(*probes.front()) + ", " + nameOf(reference()) + "'s " +
                       type(reference());
            });
        compare(
            "headers", "info",
            [](const FairProbe& probe) {
                const auto names = otherHeaders(probe);
                return formatList({names.begin(), names.end()});
            },
            [&](const Group& probes) { return headerSentence(probes); });
    }

    /// The names, in lower case, of the headers that no other finding is about.
    static std::set<std::string> otherHeaders(const FairProbe& probe)
    {
        std::set<std::string> names;
        for (const auto& header : probe.headers)
            names.insert(lowered(header.first));
        for (const char* known :
             {"date", "connection", "content-length", "transfer-encoding", "content-encoding", "content-type"})
            names.erase(known);
        return names;
    }

    std::string headerSentence(const Group& probes) const
    {
        const std::set<std::string> mine = otherHeaders(*probes.front()), theirs = otherHeaders(reference());
        std::vector<std::string> more, fewer;
        std::set_difference(mine.begin(), mine.end(), theirs.begin(), theirs.end(), std::back_inserter(more));
        std::set_difference(theirs.begin(), theirs.end(), mine.begin(), mine.end(), std::back_inserter(fewer));
        std::string text = answers(probes, "has", "have");
        if (!more.empty())
            text += " " + formatNames(more) + ", which " + nameOf(reference()) + "'s has not";
        if (!fewer.empty())
            text += std::string(more.empty() ? "" : ", and") + " no " + formatNames(fewer) +
                    (more.empty() ? ", which " + nameOf(reference()) + "'s has" : "");
        return text;
    }

    const FairWorkRules& m_rules;
    std::vector<FairFinding>& m_findings;
    Group m_answered, m_silent;
};

/// The probes of the same request, in the order of their first appearance. Two requests of a mix may have one name:
/// then their order tells them apart.
std::vector<Group> groupsOf(const std::vector<FairProbe>& probes)
{
    std::vector<Group> groups;
    std::map<std::tuple<std::string, std::string, std::size_t>, std::size_t> places;
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> seen;
    for (const FairProbe& probe : probes) {
        const std::size_t before = seen[{probe.target, probe.workload, probe.request}]++;
        const auto [place, isNew] = places.try_emplace({probe.workload, probe.request, before}, groups.size());
        if (isNew)
            groups.emplace_back();
        groups[place->second].push_back(&probe);
    }
    return groups;
}

} // namespace

FairWork compareProbes(std::vector<FairProbe> probes, const FairWorkRules& rules)
{
    FairWork work;
    for (FairProbe& probe : probes)
        if (!probe.body.empty())
            describeBody(probe, rules);
    for (const Group& group : groupsOf(probes))
        SideBySide(group, rules, work.findings).look();
    for (FairProbe& probe : probes)
        std::string().swap(probe.body);
    work.probes = std::move(probes);
    return work;
}

std::optional<Warning> fairWorkWarning(const FairWork& work)
{
    const std::string verdict = work.verdict();
    if (verdict == "equal")
        return std::nullopt;
    Warning warning{"unequal_work", verdict == "differs" ? "error" : "warning", {}, {}};
    if (verdict == "unknown")
        warning.text = "Whether the targets do the same work is not known: none of them answered the audit";
    else if (verdict == "differs")
        warning.text = "The targets do not do the same work, so their figures cannot be compared as they stand";
    else
        warning.text = "The targets do not do quite the same work";
    for (const FairFinding& finding : work.findings)
        if (finding.severity != "info")
            warning.evidence += (warning.evidence.empty() ? "" : "; ") + finding.text;
    return warning;
}

} // namespace lapbench
