#include "app/cli/commands.h"
#include "app/cli/result_place.h"
#include "app/cli/terminal.h"
#include "core/base/atomic_file.h"
#include "core/result/export/session_text.h"
#include "core/result/import/import_result.h"
#include "core/result/result_json.h"

#include <cstdio>
#include <optional>

namespace lapbench {

namespace {

namespace fs = std::filesystem;

struct ImportAsk {
    std::vector<std::string> files;
    std::string result;
    ImportNames names;
    bool yes = false;
};

bool isOwn(const fs::path& path)
{
    return readResultOrJournal(path).ok();
}

/// A result of Lapbench alone is taken as it is: what `export --format json` wrote comes back.
Result<SessionResult> read(const ImportAsk& ask)
{
    if (ask.files.size() == 1 && isOwn(ask.files.front()))
        return readResultOrJournal(ask.files.front());
    for (const std::string& file : ask.files)
        if (isOwn(file))
            return Problem{file, "is a result of Lapbench already", "leave it out: compare and show take it as it is"};
    return importFiles({ask.files.begin(), ask.files.end()}, ask.names);
}

ExitCode import(const ImportAsk& ask, const SessionPlaces& places)
{
    auto result = read(ask);
    if (!result) {
        complain(result.problem());
        return ExitCode::badInput;
    }
    const bool named = !ask.result.empty();
    std::optional<NewPlace> unnamed;
    if (!named)
        unnamed.emplace(newResultPlace(fs::path(ask.files.front()).stem().string(), places.home));
    const fs::path place = named ? fs::path(ask.result) : unnamed->path();
    if (const auto writable = checkDestination(place, !named); !writable) {
        complain(writable.problem());
        return ExitCode::unwritable;
    }
    if (const auto free = mayReplace(place, ask.yes); !free) {
        complain(free.problem());
        return ExitCode::badInput;
    }
    if (const auto written = writeFileAtomically(place, formatResult(result.value())); !written) {
        complain(written.problem());
        return ExitCode::unwritable;
    }
    complain("Saved " + place.string());
    if (printOut(comparisonAsText(result.value())))
        return ExitCode::done;
    complain(Problem{"stdout", "cannot be written", "free space or choose another place"});
    return ExitCode::unwritable;
}

} // namespace

void addImport(CLI::App& app, const SessionPlaces& places, Body& body)
{
    const auto ask = std::make_shared<ImportAsk>();
    CLI::App* command = app.add_subcommand("import", "Turn the output of other load tools into a result");
    command->add_option("file", ask->files, "What wrk, k6, ab and others wrote; the tool is recognised by content")
        ->required();
    command->add_option("-o,--output", ask->result, "Result; by default HOME/results/NAME-UTC.lapbench.json");
    command->add_option("--tool", ask->names.tool, "Only as the output of this tool");
    command->add_option("--target", ask->names.target, "Name of the target, instead of the heading or the file");
    command->add_option("--workload", ask->names.workload, "Name of the workload, instead of its request");
    command->add_flag("--yes", ask->yes, "Replace the result without asking");
    command->callback([ask, &places, &body] { body = [ask, &places] { return import(*ask, places); }; });
}

} // namespace lapbench
