#include "app/cli/commands.h"
#include "app/cli/drawn_charts.h"
#include "app/cli/signals.h"
#include "app/cli/terminal.h"
#include "core/result/export/cells_csv.h"
#include "core/result/export/export_files.h"
#include "core/result/export/html_report.h"
#include "core/result/export/session_text.h"
#include "core/result/result_json.h"

#include <optional>

namespace lapbench {

namespace {

struct ShowOptions {
    std::string file, format = "table";
};

/// Absent where Ctrl-C or a signal ended the drawing.
std::optional<std::string> pageOf(const ResultSource& source, const SessionPlaces& places)
{
    SessionControl control;
    const StopSignals signals(control);
    const Charts charts = drawCharts(places.program, source, {.dark = true, .png = false}, control.stopFlag());
    if (control.stopping())
        return std::nullopt;
    if (!charts.missing.empty())
        complain(charts.missing);
    return reportAsHtml(source.result, charts, safeFileName(resultName(source.file)) + ".plan.json");
}

ExitCode show(const ShowOptions& options, const SessionPlaces& places)
{
    const auto source = readSource(options.file);
    if (!source) {
        complain(source.problem());
        return ExitCode::badInput;
    }
    const SessionResult& result = source.value().result;
    std::optional<std::string> page;
    if (options.format == "html" && !(page = pageOf(source.value(), places))) {
        complain(Problem{options.file, "was not shown, as the drawing of its charts was interrupted", "ask again"});
        return ExitCode::interrupted;
    }
    const std::string text = options.format == "json"       ? formatResult(result)
                             : options.format == "csv"      ? cellsAsCsv(result)
                             : options.format == "markdown" ? comparisonAsMarkdown(result)
                             : options.format == "html"     ? *page
                                                            : comparisonAsText(result);
    if (printOut(text))
        return ExitCode::done;
    complain(Problem{"stdout", "cannot be written", "free space or choose another place"});
    return ExitCode::unwritable;
}

} // namespace

void addShow(CLI::App& app, const SessionPlaces& places, Body& body)
{
    const auto options = std::make_shared<ShowOptions>();
    CLI::App* command = app.add_subcommand("show", "Show a result, or the journal of a session that did not end");
    command->add_option("result", options->file, "Result or journal")->required();
    command->add_option("--format", options->format, "table, markdown, csv, json or html")
        ->check(CLI::IsMember({"table", "markdown", "csv", "json", "html"}));
    command->callback([options, &places, &body] { body = [options, &places] { return show(*options, places); }; });
}

} // namespace lapbench
