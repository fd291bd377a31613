#include "app/cli/commands.h"
#include "app/cli/compare_text.h"
#include "app/cli/terminal.h"
#include "core/result/import/import_result.h"
#include "core/result/result_json.h"

namespace lapbench {

namespace {

struct CompareOptions {
    std::vector<std::string> files;
    std::string format = "table";
};

ExitCode compare(const CompareOptions& options)
{
    if (options.files.size() < 2) {
        complain(Problem{options.files.front(), "is one result, and compare needs two or more",
                         "name another one, or see the targets of this one with lapbench-cli show"});
        return ExitCode::badInput;
    }
    const auto names = resultNames({options.files.begin(), options.files.end()});
    std::vector<NamedResult> results;
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto read = readAnyResult(options.files[i]);
        if (!read) {
            complain(read.problem());
            return ExitCode::badInput;
        }
        results.push_back({names[i], std::move(read).value()});
    }
    const ResultComparison comparison = compareResults(results);
    const std::string text = options.format == "json"       ? formatComparison(comparison)
                             : options.format == "csv"      ? resultsAsCsv(comparison)
                             : options.format == "markdown" ? resultsAsMarkdown(comparison)
                                                            : resultsAsText(comparison);
    if (printOut(text))
        return ExitCode::done;
    complain(Problem{"stdout", "cannot be written", "free space or choose another place"});
    return ExitCode::unwritable;
}

} // namespace

void addCompare(CLI::App& app, const SessionPlaces&, Body& body)
{
    const auto options = std::make_shared<CompareOptions>();
    CLI::App* command = app.add_subcommand("compare", "Compare results, of other days and machines too, side by side");
    command->add_option("result", options->files, "Results or journals, the first one is what others are compared with")
        ->required();
    command->add_option("--format", options->format, "table, markdown, csv or json")
        ->check(CLI::IsMember({"table", "markdown", "csv", "json"}));
    command->callback([options, &body] { body = [options] { return compare(*options); }; });
}

} // namespace lapbench
