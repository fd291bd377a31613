#include "core/result/export/html_report.h"

#include "core/host/condition_findings.h"
#include "core/result/export/detail_tables.h"
#include "core/result/export/facts.h"
#include "core/result/export/fair_work_text.h"
#include "core/result/export/goal_text.h"
#include "core/result/export/html_text.h"
#include "core/result/export/method_text.h"
#include "core/result/export/result_notes.h"
#include "core/result/export/server_tables.h"
#include "core/result/export/session_text.h"
#include "core/result/export/verdict_text.h"

#include <algorithm>
#include <map>

namespace lapbench {

namespace {

std::string heading(const std::string& text, int level = 2)
{
    const std::string tag = "h" + std::to_string(level);
    return "<" + tag + ">" + escapedHtml(text) + "</" + tag + ">\n";
}

std::string paragraph(const std::string& text, std::string_view style = "")
{
    return (style.empty() ? "<p>" : "<p class=\"" + std::string(style) + "\">") + escapedHtml(text) + "</p>\n";
}

std::string block(const std::string& text)
{
    // One line at a time, for the breaks are to stay.
    std::string html = "<pre>";
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); begin < text.size(); end = text.find('\n', begin)) {
        const std::string line = text.substr(begin, end == std::string::npos ? end : end - begin);
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        html += std::string(indent, ' ') + escapedHtml(line.substr(indent)) + "\n";
        begin = end == std::string::npos ? text.size() : end + 1;
    }
    return html + "</pre>\n";
}

std::string section(const CellTable& table, int level, const std::set<std::size_t>& struck = {})
{
    if (table.table.header.empty() || table.table.rows.empty())
        return {};
    return heading(table.title, level) + htmlTable(table.table, struck) + htmlList(table.lines);
}

/// Notes as a list, a note's lines below it.
std::string doubtsOf(const std::vector<Note>& notes, const Labels& labels)
{
    if (notes.empty())
        return {};
    std::string list = "<ul class=\"doubts\">\n";
    for (const Note& note : notes) {
        list += "<li>" + escapedHtml(asSentence(note.text, labels));
        for (const std::string& line : note.lines)
            list += "<br/><small>" + escapedHtml(line) + "</small>";
        list += "</li>\n";
    }
    return list + "</ul>\n";
}

/// Versions, machine and date in a line.
std::string subtitleOf(const SessionResult& result)
{
    std::vector<std::string> parts;
    if (result.created != UtcTime{})
        parts.push_back(dateText(result.created));
    static const std::map<std::string, std::string> kNames = {{"node", "Node.js "}, {"deno", "Deno "}, {"bun", "Bun "}};
    for (const auto& [name, runtime] : result.runtimes)
        if (const auto kind = kNames.find(runtime.kind); kind != kNames.end() && !runtime.actual.empty())
            parts.push_back(kind->second + runtime.actual);
    if (!result.host.cpuModel.empty())
        parts.push_back(result.host.cpuModel +
                        (result.host.cpus ? ", " + std::to_string(*result.host.cpus) + " processors" : ""));
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : " · ") + part;
    return text;
}

std::vector<std::string> sentencesOf(std::vector<std::string> texts, const Labels& labels)
{
    for (std::string& text : texts)
        text = asSentence(std::move(text), labels);
    return texts;
}

/// `lead`: what stands above already, in the same words.
std::string comparisonSection(const SessionResult& result, const std::vector<const Cell*>& cells, const Labels& labels,
                              const std::vector<std::string>& lead)
{
    CellTable compared = compareCells(result, cells, labels);
    std::erase_if(compared.lines, [&](const std::string& line) {
        return std::any_of(lead.begin(), lead.end(), [&](const std::string& told) { return told.ends_with(line); });
    });
    compared.lines = sentencesOf(std::move(compared.lines), labels);
    std::set<std::size_t> struck;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (verdictText(result, *cells[i]) == kNotRanked)
            struck.insert(i);
    return section(compared, 2, struck) + doubtsOf(placeNotes(result, *cells.front()), labels);
}

std::string detailSection(const SessionResult& result, const std::vector<const Cell*>& cells, const Labels& labels)
{
    std::string text;
    for (const CellTable& table : {latencyTable(result, cells, labels), resourceTable(cells, labels),
                                   errorTable(result, cells, labels), roundTable(cells, labels)})
        text += section(table, 3);
    return text.empty() ? text : heading(placeText(*cells.front()) + " in detail") + text;
}

std::string figureOf(const Charts& charts, std::size_t index)
{
    const ChartPicture& picture = charts.light[index];
    const std::string prefix = "c" + std::to_string(index);
    const auto light = inlineSvg(picture.svg, prefix + "l-");
    if (!light)
        return {};
    const auto same = std::find_if(charts.dark.begin(), charts.dark.end(),
                                   [&](const ChartPicture& other) { return other.name == picture.name; });
    const auto dark = same == charts.dark.end() ? std::nullopt : inlineSvg(same->svg, prefix + "d-");
    std::string text = "<figure>\n";
    text +=
        dark ? "<div class=\"light\">" + *light + "</div>\n<div class=\"dark\">" + *dark + "</div>\n" : *light + "\n";
    if (!picture.description.empty())
        text += "<figcaption>" + escapedHtml(picture.description) + "</figcaption>\n";
    return text + "</figure>\n";
}

std::string chartSection(const Charts& charts)
{
    std::string text = heading("Charts");
    for (std::size_t i = 0; i < charts.light.size(); ++i)
        text += figureOf(charts, i);
    return charts.light.empty() ? text + paragraph(charts.missing + ".", "soft") : text;
}

std::string fairWorkSection(const FairWork& work)
{
    const auto told = fairWorkTold(work, work.findings.size());
    if (!told)
        return {};
    std::vector<std::string> more;
    for (const FairFinding& finding : work.findings)
        if (finding.severity == "info")
            more.push_back(finding.text);
    return heading("Fair work") + paragraph(told->headline + ".") + htmlList(told->lines, "doubts") +
           (more.empty() ? "" : paragraph("What differs and costs no other work:", "soft") + htmlList(more));
}

std::string conditionSection(const SessionResult& result)
{
    std::string text = section(machineTable(result), 3) + section(conditionsTable(result), 3);
    std::vector<std::string> findings;
    if (result.conditionsBefore)
        for (const DoctorFinding& finding : judgeConditions(*result.conditionsBefore, result.host.cpus))
            if (finding.severity == "warning" || finding.severity == "error")
                findings.push_back(finding.text);
    text += htmlList(findings, "doubts");
    return text.empty() ? text : heading("Machine and conditions") + text;
}

std::string originSection(const SessionResult& result, const std::string& planFile)
{
    std::string text = section(provenanceTable(result), 2);
    const std::string plan = planText(result), command = repeatCommand(result, planFile);
    if (!command.empty())
        text += heading("To repeat it") + paragraph("With the plan below saved as " + planFile + ":") + block(command);
    if (!plan.empty())
        text += "<details><summary>The plan</summary>\n" + block(plan) + "</details>\n";
    return text;
}

} // namespace

std::string reportAsHtml(const SessionResult& result, const Charts& charts, const std::string& planFile)
{
    const Labels labels = comparisonRulesOf(result).labels;
    const auto groups = groupsOf(result);
    const std::string title = titleOf(result);
    const auto lead = leadSentences(result);
    std::string text = htmlHead(title) + "<body>\n<main>\n<header>\n" + heading(title, 1) +
                       paragraph(subtitleOf(result), "sub") + "</header>\n" +
                       htmlList(sentencesOf(lead, labels), "lead");
    if (result.fairWork)
        if (const auto told = fairWorkTold(*result.fairWork))
            text += paragraph(told->headline + ".", "soft");
    text += doubtsOf(sessionNotes(result), labels);
    for (const auto& cells : groups)
        text += comparisonSection(result, cells, labels, lead);
    for (const CellTable& table : goalTables(result))
        text += section(table, 2);
    text += chartSection(charts);
    std::string measurements;
    for (const CellTable& table : measurementTables(result, labels))
        measurements += section(table, 3);
    if (!measurements.empty())
        text += heading("By measurement") + measurements;
    for (const auto& cells : groups)
        text += detailSection(result, cells, labels);
    for (const CellTable& table : serverTables(result))
        text += section(table, 2);
    text += section(startUpTable(result, labels), 2) + section(targetsTable(result, planThatRan(result)), 2) +
            conditionSection(result);
    if (result.fairWork)
        text += fairWorkSection(*result.fairWork);
    text += heading("How it was measured");
    for (const std::string& one : methodParagraphs(result))
        text += paragraph(one);
    if (const auto sentences = untold(result); !sentences.empty())
        text += heading("What it does not show") + htmlList(sentencesOf(sentences, labels));
    text += originSection(result, planFile);
    return text + "<footer>Made with Lapbench " + escapedHtml(result.tool.version) +
           "</footer>\n</main>\n</body>\n</html>\n";
}

} // namespace lapbench
