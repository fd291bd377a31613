#include "core/result/export/session_text.h"

#include "core/base/shown_text.h"
#include "core/plan/plan_json.h"
#include "core/result/export/cell_tables.h"
#include "core/result/export/fair_work_text.h"
#include "core/result/export/result_notes.h"
#include "core/result/export/server_tables.h"

#include <algorithm>
#include <iterator>

namespace lapbench {

namespace {

/// How a form writes what it is made of.
struct Form {
    std::string title, section, note; ///< begin a title, a heading and a sentence
    std::string (*table)(const TextTable&);
    std::string (*line)(std::string_view); ///< a text of the result, safe where it comes to stand
};

std::string fairWorkIn(const Form& form, const FairWork& work)
{
    const auto told = fairWorkTold(work);
    if (!told)
        return {};
    if (told->equal)
        return form.line(told->headline) + "\n\n";
    std::string text = form.section + form.line(told->headline) + "\n\n";
    for (const std::string& line : told->lines)
        text += form.note + form.line(line) + "\n";
    return text + "\n";
}

std::string compose(const SessionResult& result, const Form& form)
{
    std::string text = form.title + form.line(titleOf(result)) + "\n\n";
    if (result.fairWork)
        text += fairWorkIn(form, *result.fairWork);
    std::vector<CellTable> tables = compareTargets(result);
    std::ranges::move(serverTables(result), std::back_inserter(tables));
    for (const CellTable& one : tables) {
        text += form.section + form.line(one.title) + "\n\n" + form.table(one.table) + "\n";
        for (const std::string& line : one.lines)
            text += form.note + form.line(line) + "\n";
        if (!one.lines.empty())
            text += "\n";
    }
    for (const Note& note : notesOn(result)) {
        text += form.note + form.line(note.text) + "\n";
        for (const std::string& line : note.lines)
            text += "      " + form.line(line) + "\n";
    }
    return text;
}

} // namespace

std::string titleOf(const SessionResult& result)
{
    const Plan plan = parsePlan(result.planJson, {}).plan;
    if (!plan.title.empty())
        return plan.title;
    if (!plan.name.empty())
        return plan.name;
    std::string tools;
    for (const std::string& tool : result.measuredBy())
        if (tool != "lapbench")
            tools += (tools.empty() ? " of " : ", ") + tool;
    return "Result" + tools;
}

std::string comparisonAsText(const SessionResult& result)
{
    return compose(result, {"", "", "", &formatAligned, &withoutControls});
}

std::string comparisonAsMarkdown(const SessionResult& result)
{
    return compose(result, {"# ", "## ", "- ", &formatMarkdown, &escapedMarkdown});
}

} // namespace lapbench
