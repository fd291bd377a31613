#include "app/cli/commands.h"
#include "app/cli/result_place.h"
#include "app/cli/terminal.h"
#include "core/base/atomic_file.h"
#include "core/result/export/session_text.h"
#include "core/result/merge.h"
#include "core/result/result_json.h"

namespace lapbench {

namespace {

struct MergeOptions {
    std::vector<std::string> parts;
    std::string result;
    bool yes = false;
};

ExitCode fail(const Problem& problem, ExitCode code)
{
    complain(problem);
    return code;
}

ExitCode merge(const MergeOptions& options)
{
    std::vector<NamedResult> parts;
    for (const std::string& file : options.parts) {
        auto read = readResultOrJournal(file);
        if (!read)
            return fail(read.problem(), ExitCode::badInput);
        parts.push_back({file, std::move(read).value()});
    }
    const auto merged = mergeResults(parts);
    if (!merged)
        return fail(merged.problem(), ExitCode::badInput);
    if (const auto writable = checkDestination(options.result); !writable)
        return fail(writable.problem(), ExitCode::unwritable);
    if (const auto free = mayReplace(options.result, options.yes); !free)
        return fail(free.problem(), ExitCode::badInput);
    if (const auto written = writeFileAtomically(options.result, formatResult(merged.value())); !written)
        return fail(written.problem(), ExitCode::unwritable);
    if (printOut(comparisonAsText(merged.value()) + "Saved " + options.result + "\n"))
        return ExitCode::done;
    return fail({"stdout", "cannot be written", "the result is saved in " + options.result}, ExitCode::unwritable);
}

} // namespace

void addMerge(CLI::App& app, const SessionPlaces&, Body& body)
{
    const auto options = std::make_shared<MergeOptions>();
    CLI::App* command = app.add_subcommand("merge", "Add up parts of one session that ran on several machines at once");
    command->add_option("result", options->parts, "The results of the machines; the first is the one at the server")
        ->required();
    command->add_option("-o,--output", options->result, "Where the merged result goes")->required();
    command->add_flag("--yes", options->yes, "Replace the result without asking");
    command->callback([options, &body] { body = [options] { return merge(*options); }; });
}

} // namespace lapbench
