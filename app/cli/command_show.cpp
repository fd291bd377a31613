#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/result/export/cells_csv.h"
#include "core/result/export/session_text.h"
#include "core/result/import/import_result.h"
#include "core/result/result_json.h"

namespace lapbench {

namespace {

struct ShowOptions {
    std::string file, format = "table";
};

ExitCode show(const ShowOptions& options)
{
    auto read = readAnyResult(options.file);
    if (!read) {
        complain(read.problem());
        return ExitCode::badInput;
    }
    SessionResult result = std::move(read).value();
    if (result.cells.empty())
        result.cells = makeCells(result.trials, targetsOf(result.planJson));
    const std::string text = options.format == "json"       ? formatResult(result)
                             : options.format == "csv"      ? cellsAsCsv(result)
                             : options.format == "markdown" ? comparisonAsMarkdown(result)
                                                            : comparisonAsText(result);
    if (printOut(text))
        return ExitCode::done;
    complain(Problem{"stdout", "cannot be written", "free space or choose another place"});
    return ExitCode::unwritable;
}

} // namespace

void addShow(CLI::App& app, const SessionPlaces&, Body& body)
{
    const auto options = std::make_shared<ShowOptions>();
    CLI::App* command = app.add_subcommand("show", "Show a result, or the journal of a session that did not end");
    command->add_option("result", options->file, "Result or journal")->required();
    command->add_option("--format", options->format, "table, markdown, csv or json")
        ->check(CLI::IsMember({"table", "markdown", "csv", "json"}));
    command->callback([options, &body] { body = [options] { return show(*options); }; });
}

} // namespace lapbench
