#include "core/result/export/result_notes.h"

#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/result/comparisons.h"
#include "core/result/export/verdict_text.h"
#include "core/result/semantics_match.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lapbench {

namespace {

/// What became of trials that have no figures, but for where and when: what is the same for several is told once.
std::string fateOf(const Trial& trial)
{
    switch (trial.outcome) {
    case Outcome::failed:
        return "failed" +
               (trial.failure ? " (" + trial.failure->phase + "): " + trial.failure->message : std::string());
    case Outcome::skipped:
        return "skipped";
    case Outcome::interrupted:
        return "interrupted";
    default:
        return {};
    }
}

/// The trials of one workload and level, or all.
std::vector<const Trial*> trialsAt(const SessionResult& result, const Cell* place)
{
    std::vector<const Trial*> trials;
    for (const Trial& trial : result.trials)
        if (place == nullptr || (trial.workload == place->workload && trial.level == place->level))
            trials.push_back(&trial);
    return trials;
}

std::vector<Note> fates(const std::vector<const Trial*>& trials, const Labels& labels)
{
    std::vector<std::pair<const Trial*, std::size_t>> groups;
    for (const Trial* trial : trials) {
        const std::string fate = fateOf(*trial);
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return group.first->target == trial->target && fateOf(*group.first) == fate;
        });
        if (fate.empty())
            continue;
        if (same == groups.end())
            groups.emplace_back(trial, 1);
        else
            ++same->second;
    }
    std::vector<Note> notes;
    for (const auto& [trial, count] : groups) {
        const std::string where = count == 1 ? formatLevel(trial->level) + ", round " + std::to_string(trial->round)
                                             : formatCounted(count, "trial");
        notes.push_back({labelOf(labels, trial->target) + ", " + where + ": " + fateOf(*trial), {}});
        if (trial->failure)
            notes.back().lines = trial->failure->output;
    }
    return notes;
}

/// The warnings of trials; one that several trials of a target have is told once.
std::vector<Note> doubts(const std::vector<const Trial*>& trials, const Labels& labels)
{
    struct Group {
        const Trial* trial;
        const Warning* warning;
        std::size_t count;
    };
    std::vector<Group> groups;
    for (const Trial* trial : trials)
        for (const Warning& warning : trial->warnings) {
            const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
                return group.trial->target == trial->target && group.warning->code == warning.code &&
                       (!trial->imported || group.warning->text == warning.text);
            });
            if (same == groups.end())
                groups.push_back({trial, &warning, 1});
            else
                ++same->count;
        }
    std::vector<Note> notes;
    for (const auto& [trial, warning, count] : groups)
        notes.push_back({labelOf(labels, trial->target) + ", " +
                             (count == 1 ? "" : formatCounted(count, "trial") + ", the first with ") +
                             formatLevel(trial->level) + ", round " + std::to_string(trial->round) + ": " +
                             warning->text,
                         {}});
    return notes;
}

/// What the figures of other tools mean, a note a tool, and what is known of it that touches them.
std::vector<Note> toolNotes(const SessionResult& result)
{
    std::vector<Note> notes;
    for (const Trial& trial : result.trials) {
        if (!trial.imported)
            continue;
        const std::string text = meaningInWords(trial.imported->semantics);
        auto note = std::find_if(notes.begin(), notes.end(), [&](const Note& one) { return one.text == text; });
        if (note == notes.end())
            note = notes.insert(notes.end(), Note{text, {}});
        for (const std::string& line : trial.imported->semantics.notes)
            if (std::find(note->lines.begin(), note->lines.end(), line) == note->lines.end())
                note->lines.push_back(line);
    }
    return notes;
}

std::vector<Note> basicNotes(const SessionResult& result)
{
    std::vector<Note> notes = toolNotes(result);
    if (result.scale != 1)
        notes.push_back(
            {"Counts, windows and pauses were scaled to " + formatSignificant(result.scale) + " of the plan's", {}});
    if (!result.complete)
        notes.push_back(
            {"The session did not end: it finished " + formatCounted(result.trials.size(), "trial") + " before that",
             {}});
    if (result.cells.empty())
        notes.push_back({"Nothing was measured", {}});
    return notes;
}

void add(std::vector<Note>& notes, std::vector<Note> more)
{
    std::ranges::move(more, std::back_inserter(notes));
}

void addWarnings(std::vector<Note>& notes, const SessionResult& result)
{
    for (const Warning& warning : result.warnings)
        notes.push_back({warning.text, {}});
}

} // namespace

std::vector<Note> notesOn(const SessionResult& result)
{
    std::vector<Note> notes = basicNotes(result);
    const Labels labels = comparisonRulesOf(result).labels;
    const auto trials = trialsAt(result, nullptr);
    add(notes, fates(trials, labels));
    add(notes, doubts(trials, labels));
    addWarnings(notes, result);
    return notes;
}

std::vector<Note> sessionNotes(const SessionResult& result)
{
    std::vector<Note> notes = basicNotes(result);
    addWarnings(notes, result);
    return notes;
}

std::vector<Note> placeNotes(const SessionResult& result, const Cell& place)
{
    const Labels labels = comparisonRulesOf(result).labels;
    const auto trials = trialsAt(result, &place);
    std::vector<Note> notes = fates(trials, labels);
    add(notes, doubts(trials, labels));
    return notes;
}

} // namespace lapbench
