#include "core/result/export/article.h"

#include "core/result/export/detail_tables.h"
#include "core/result/export/facts.h"
#include "core/result/export/fair_work_text.h"
#include "core/result/export/goal_text.h"
#include "core/result/export/method_text.h"
#include "core/result/export/result_notes.h"
#include "core/result/export/server_tables.h"
#include "core/result/export/session_text.h"
#include "core/result/export/trials_csv.h"
#include "core/result/export/verdict_text.h"
#include "core/result/sha256.h"

#include <algorithm>

namespace lapbench {

namespace {

std::string paragraph(const std::string& text)
{
    return escapedMarkdown(text) + "\n\n";
}

std::string heading(const std::string& text, const char* marks = "##")
{
    return std::string(marks) + " " + escapedMarkdown(text) + "\n\n";
}

std::string list(const std::vector<std::string>& sentences, const Labels& labels)
{
    std::string text;
    for (const std::string& sentence : sentences)
        text += "- " + escapedMarkdown(asSentence(sentence, labels)) + "\n";
    return text.empty() ? text : text + "\n";
}

std::string section(const CellTable& table, const Labels& labels, const char* marks = "##")
{
    if (table.table.header.empty() || table.table.rows.empty())
        return {};
    return heading(table.title, marks) + formatMarkdown(table.table) + "\n" + list(table.lines, labels);
}

/// Notes as a list, a note's lines below it.
std::string notes(const std::vector<Note>& all, const Labels& labels)
{
    std::string text;
    for (const Note& note : all) {
        text += "- " + escapedMarkdown(asSentence(note.text, labels)) + "\n";
        for (const std::string& line : note.lines)
            text += "  - " + escapedMarkdown(line) + "\n";
    }
    return text.empty() ? text : text + "\n";
}

std::string chartFile(const ChartPicture& picture, const char* ending)
{
    return "charts/" + safeFileName(picture.name) + ending;
}

/// A picture with its alternative text, which says what it shows.
std::string chartText(const ChartPicture& picture)
{
    // A description mostly begins with the title.
    const std::string words = picture.description.starts_with(picture.title) ? picture.description
                              : picture.description.empty()                  ? picture.title
                                                            : picture.title + ". " + picture.description;
    std::string text = "![" + escapedMarkdown(words) + "](" + chartFile(picture, ".svg") + ")\n\n";
    std::string more;
    if (!picture.png.empty())
        more += "[PNG](" + chartFile(picture, ".png") + ")";
    if (!picture.csv.empty())
        more += (more.empty() ? "" : " · ") + std::string("[figures](") + chartFile(picture, ".csv") + ")";
    if (!more.empty())
        text += more + "\n\n";
    return text;
}

std::string chartsText(const Charts& charts, const Labels& labels)
{
    std::string text = heading("Charts");
    if (charts.light.empty())
        return text + paragraph(asSentence(charts.missing, labels));
    for (const ChartPicture& picture : charts.light)
        text += chartText(picture);
    return text;
}

/// The tables of the figures: of several levels first each measurement with all levels, then a table a level.
std::string figuresText(const SessionResult& result, const Labels& labels, const std::vector<std::string>& lead)
{
    std::string text;
    for (const CellTable& table : measurementTables(result, labels))
        text += section(table, labels);
    for (const auto& cells : groupsOf(result)) {
        CellTable compared = compareCells(result, cells, labels);
        std::erase_if(compared.lines, [&](const std::string& line) {
            return std::any_of(lead.begin(), lead.end(), [&](const std::string& told) { return told.ends_with(line); });
        });
        text += section(compared, labels) + notes(placeNotes(result, *cells.front()), labels);
        for (const CellTable& table :
             {latencyTable(result, cells, labels), errorTable(result, cells, labels), roundTable(cells, labels)})
            text += section(table, labels, "###");
    }
    for (const CellTable& table : goalTables(result))
        text += section(table, labels);
    for (const CellTable& table : serverTables(result))
        text += section(table, labels);
    return text + section(startUpTable(result, labels), labels);
}

std::string fairWorkText(const SessionResult& result, const Labels& labels)
{
    const auto told = result.fairWork ? fairWorkTold(*result.fairWork) : std::nullopt;
    return told ? paragraph(asSentence(told->headline, labels)) + list(told->lines, labels) : std::string();
}

std::string methodText(const SessionResult& result, const Labels& labels)
{
    std::string text = heading("Method");
    for (const std::string& one : methodParagraphs(result))
        text += paragraph(one);
    text += section(targetsTable(result, planThatRan(result)), labels, "###") +
            section(machineTable(result), labels, "###") + section(conditionsTable(result), labels, "###");
    if (const auto sentences = untold(result); !sentences.empty())
        text += heading("What this does not show") + list(sentences, labels);
    return text;
}

std::string fileText(const SessionResult& result, const ArticleSources& sources)
{
    const std::string& name = sources.name;
    std::string text = heading("Data");
    if (sources.output)
        text += "- [" + sources.output->name + "](" + sources.output->name + "): what the tool has printed\n";
    if (!sources.rawResult.empty())
        text += "- [" + name + ".lapbench.json](" + name + ".lapbench.json): the raw result, with every histogram\n";
    text += "- [" + name + "-trials.csv](" + name + "-trials.csv): every figure of every trial\n";
    text += "- [" + name + "-seconds.csv](" + name + "-seconds.csv): every second of every trial\n";
    text += "- [SHA256SUMS](SHA256SUMS): checksums of all files, for `sha256sum -c SHA256SUMS`\n\n";
    const std::string command = repeatCommand(result, name + ".plan.json");
    if (command.empty())
        return text;
    return text + heading("To repeat it") + "With the plan, [" + name + ".plan.json](" + name +
           ".plan.json), in the folder:\n\n```\n" + command + "\n```\n\n" +
           paragraph("The plan names its apps relative to its folder; those that are not there are taken from the ones "
                     "that come with Lapbench. Runtimes and packages that are missing are installed after a question.");
}

} // namespace

std::string articleText(const SessionResult& result, const ArticleSources& sources)
{
    const Labels labels = comparisonRulesOf(result).labels;
    const auto lead = leadSentences(result);
    std::string text = heading(titleOf(result), "#");
    if (const Plan plan = planThatRan(result); !plan.description.empty())
        text += paragraph(plan.description);
    text += list(lead, labels) + fairWorkText(result, labels) + notes(sessionNotes(result), labels) +
            figuresText(result, labels, lead) + chartsText(sources.charts, labels) + methodText(result, labels) +
            fileText(result, sources) + section(provenanceTable(result), labels);
    while (text.ends_with("\n\n"))
        text.pop_back();
    return text;
}

std::vector<ExportFile> articleFiles(const SessionResult& result, const ArticleSources& sources)
{
    std::vector<ExportFile> files = {{"index.md", articleText(result, sources)}};
    for (const ChartPicture& picture : sources.charts.light) {
        files.push_back({chartFile(picture, ".svg"), picture.svg});
        if (!picture.png.empty())
            files.push_back({chartFile(picture, ".png"), picture.png});
        if (!picture.csv.empty())
            files.push_back({chartFile(picture, ".csv"), picture.csv});
    }
    if (sources.output)
        files.push_back(*sources.output);
    if (!sources.rawResult.empty())
        files.push_back({sources.name + ".lapbench.json", sources.rawResult});
    files.push_back({sources.name + "-trials.csv", trialsAsCsv(result)});
    files.push_back({sources.name + "-seconds.csv", secondsAsCsv(result)});
    if (std::string plan = planText(result); !plan.empty())
        files.push_back({sources.name + ".plan.json", std::move(plan)});
    std::string sums;
    for (const ExportFile& file : files)
        sums += sha256Hex(file.content) + "  " + file.name + "\n";
    files.push_back({"SHA256SUMS", std::move(sums)});
    return files;
}

} // namespace lapbench
