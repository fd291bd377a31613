#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/base/atomic_file.h"
#include "core/result/export/text_table.h"
#include "core/result/library.h"
#include "core/result/result_json.h"

#include <algorithm>
#include <memory>

namespace lapbench {

namespace {

constexpr std::size_t kNoteColumns = 40;

struct ResultsOptions {
    LibraryQuery query;
    std::string since, until, format = "table";
    std::vector<std::string> results, tags;
    std::string result, text;
    bool remove = false, permanently = false;
};

ExitCode fail(const Problem& problem, ExitCode code = ExitCode::badInput)
{
    complain(problem);
    return code;
}

ExitCode print(const std::string& text)
{
    return printOut(text)
               ? ExitCode::done
               : fail({"stdout", "cannot be written", "free space or choose another place"}, ExitCode::unwritable);
}

std::string joined(const std::vector<std::string>& texts, const char* by)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : by) + text;
    return withoutControls(all);
}

/// "2026-11-30 11:20", in UTC.
std::string minuteOf(UtcTime time)
{
    std::string text = formatUtc(time).substr(0, 16);
    text[10] = ' ';
    return text;
}

std::string remarkOf(const LibraryEntry& entry)
{
    const std::string note = withoutControls(entry.notes);
    return entry.complete ? note : "did not end" + (note.empty() ? "" : "; " + note);
}

std::string asTable(const std::vector<LibraryEntry>& entries)
{
    TextTable table{{"made (UTC)", "name", "targets", "trials", "tags", "note"}, {}, true};
    std::string unreadable;
    for (const LibraryEntry& entry : entries) {
        const std::string name = withoutControls(entry.name);
        if (entry.readable())
            table.rows.push_back({minuteOf(entry.created), name, joined(entry.targets, ", "),
                                  std::to_string(entry.trials), joined(entry.tags, ", "),
                                  fitted(remarkOf(entry), kNoteColumns)});
        else
            unreadable +=
                withoutControls(entry.path.filename().string()) + ": " + withoutControls(entry.problem) + "\n";
    }
    std::string text = table.rows.empty() ? "" : formatAligned(table);
    if (!unreadable.empty())
        text += (text.empty() ? "" : "\n") + std::string("Cannot be read:\n") + unreadable;
    return text;
}

std::string asCsv(const std::vector<LibraryEntry>& entries)
{
    TextTable table{{"created_utc", "name", "id", "plan", "targets", "runtimes", "workloads", "tools", "host", "trials",
                     "rounds", "complete", "tags", "notes", "path", "problem"},
                    {},
                    true};
    for (const LibraryEntry& entry : entries) {
        std::vector<std::string> row(table.header.size());
        row[1] = entry.name;
        row[14] = entry.path.string();
        row[15] = entry.problem;
        if (entry.readable())
            row = {formatUtc(entry.created),
                   entry.name,
                   entry.id,
                   entry.plan,
                   joined(entry.targets, ";"),
                   joined(entry.runtimes, ";"),
                   joined(entry.workloads, ";"),
                   joined(entry.tools, ";"),
                   entry.host,
                   std::to_string(entry.trials),
                   std::to_string(entry.rounds),
                   entry.complete ? "true" : "false",
                   joined(entry.tags, ";"),
                   entry.notes,
                   entry.path.string(),
                   ""};
        table.rows.push_back(std::move(row));
    }
    return formatCsv(table);
}

Json entryToJson(const LibraryEntry& entry)
{
    Json json{{"name", entry.name}, {"path", entry.path.string()}};
    putEntry(json, entry);
    return json;
}

std::string asJson(const std::vector<LibraryEntry>& entries)
{
    Json list = Json::array();
    for (const LibraryEntry& entry : entries)
        list.push_back(entryToJson(entry));
    return dumpJson(list) + "\n";
}

/// Reads a day of --since or --until into its place.
Result<void> takeDay(const char* option, const std::string& text, bool end, std::optional<UtcTime>& day)
{
    if (text.empty())
        return {};
    day = parseDay(text, end);
    if (!day)
        return Problem{option, "\"" + text + "\" is no date", "give one such as 2026-11-30, in UTC"};
    return {};
}

ExitCode list(ResultsOptions& options, const Library& library)
{
    for (const auto& taken : {takeDay("--since", options.since, false, options.query.since),
                              takeDay("--until", options.until, true, options.query.until)})
        if (!taken)
            return fail(taken.problem());
    StatusLine status;
    auto entries = library.list([&](std::size_t done, std::size_t all) {
        status.show("Reading results: " + std::to_string(done) + " of " + std::to_string(all));
    });
    status.clear();
    if (!entries)
        return fail(entries.problem());
    std::vector<LibraryEntry>& found = entries.value();
    const bool any = !found.empty();
    std::erase_if(found, [&](const LibraryEntry& entry) { return !options.query.matches(entry); });
    if (options.format == "json")
        return print(asJson(found));
    if (options.format == "csv")
        return print(asCsv(found));
    if (found.empty())
        complain(any ? "no result is such" : "there is no result in " + library.folder().string() + " yet");
    return print(asTable(found));
}

/// Finds the result and does something with it.
template <typename Do>
ExitCode with(const Library& library, const std::string& text, Do work)
{
    const auto entry = library.find(text);
    if (!entry)
        return fail(entry.problem());
    if (!entry.value().readable())
        return fail({entry.value().path.string(), entry.value().problem, ""});
    if (const auto writable = checkDestination(entry.value().path); !writable)
        return fail(writable.problem(), ExitCode::unwritable);
    const auto done = work(entry.value());
    return done ? ExitCode::done : fail(done.problem());
}

ExitCode rename(const ResultsOptions& options, const Library& library)
{
    return with(library, options.result, [&](const LibraryEntry& entry) -> Result<void> {
        const auto place = Library::rename(entry, options.text);
        if (!place)
            return place.problem();
        printOut("Now " + place.value().string() + "\n");
        return {};
    });
}

/// All of them are found before the first one goes.
ExitCode remove(const ResultsOptions& options, const Library& library)
{
    std::vector<LibraryEntry> entries;
    for (const std::string& text : options.results) {
        auto entry = library.find(text);
        if (!entry)
            return fail(entry.problem());
        entries.push_back(std::move(entry).value());
    }
    for (const LibraryEntry& entry : entries)
        if (const auto removed = Library::remove(entry, options.permanently); !removed)
            return fail(removed.problem(), ExitCode::unwritable);
        else
            printOut((options.permanently ? "Deleted " : "Moved to the trash: ") + entry.path.string() + "\n");
    return ExitCode::done;
}

void addList(CLI::App& results, const std::shared_ptr<ResultsOptions>& options)
{
    CLI::App* command = results.add_subcommand("list", "Saved results, the newest first");
    command->add_option("words", options->query.words, "Each is in name, plan, targets, tags, notes or machine");
    command->add_option("--runtime", options->query.runtime, "Part of a runtime or target: bun, node 22");
    command->add_option("--tag", options->query.tag, "A tag");
    command->add_option("--since", options->since, "Made on this day or later, such as 2026-11-30 (UTC)");
    command->add_option("--until", options->until, "Made on this day or earlier (UTC)");
    command->add_option("--format", options->format, "table, csv or json")
        ->check(CLI::IsMember({"table", "csv", "json"}));
}

} // namespace

void addResults(CLI::App& app, const SessionPlaces& places, Body& body)
{
    const auto options = std::make_shared<ResultsOptions>();
    CLI::App* results = app.add_subcommand("results", "Saved results: list, tag, note, rename and delete them");
    results->require_subcommand(0, 1);
    const char* const kWhich = "A file, a name that `results` lists, or the beginning of an id";
    addList(*results, options);
    CLI::App* tag = results->add_subcommand("tag", "Add tags to a result, or take them off");
    tag->add_option("result", options->result, kWhich)->required();
    tag->add_option("tag", options->tags, "One or more tags")->required();
    tag->add_flag("--remove", options->remove, "Take them off");
    CLI::App* note = results->add_subcommand("note", "Put a note to a result, in place of the one it has");
    note->add_option("result", options->result, kWhich)->required();
    note->add_option("text", options->text, "The note; \"\" takes it off")->required();
    CLI::App* renaming = results->add_subcommand("rename", "Give a result another name");
    renaming->add_option("result", options->result, kWhich)->required();
    renaming->add_option("name", options->text, "The new name, without .lapbench.json")->required();
    CLI::App* removal = results->add_subcommand("delete", "Move results to the desktop's trash");
    removal->add_option("result", options->results, kWhich)->required();
    removal->add_flag("--permanently", options->permanently, "Delete them for good");
    results->callback([=, &places, &body] {
        body = [=, &places] {
            const Library library(places.home);
            if (tag->parsed())
                return with(library, options->result, [&](const LibraryEntry& entry) {
                    return Library::tag(entry, options->tags, options->remove);
                });
            if (note->parsed())
                return with(library, options->result,
                            [&](const LibraryEntry& entry) { return Library::note(entry, options->text); });
            if (renaming->parsed())
                return rename(*options, library);
            return removal->parsed() ? remove(*options, library) : list(*options, library);
        };
    });
}

} // namespace lapbench
