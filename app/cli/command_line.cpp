#include "app/cli/command_line.h"

#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/plan/nearest.h"

#include <algorithm>
#include <filesystem>

namespace lapbench {

namespace {

SessionPlaces findPlaces()
{
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    return {defaultHome(), defaultResources(program), program};
}

std::string helpOf(const CLI::App& app)
{
    return "see " + (app.get_parent() ? app.get_parent()->get_name() + " " : std::string()) + app.get_name() +
           " --help";
}

const CLI::App& chosen(const CLI::App& app)
{
    const auto given = app.get_subcommands();
    return given.empty() ? app : chosen(*given.front());
}

std::vector<std::string> commandNames(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

std::vector<std::string> optionNames(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

Problem unknownWord(const CLI::App& app, const std::string& word)
{
    const bool option = word.starts_with('-');
    const bool command = !option && !commandNames(app).empty() && app.get_subcommands().empty();
    const std::vector<std::string> known = option ? optionNames(app) : commandNames(app);
    const std::vector<std::string_view> views(known.begin(), known.end());
    const std::string_view near = nearest(option ? word.substr(0, word.find('=')) : word, views);
    const std::string what = option ? "unknown option" : command ? "unknown command" : "unexpected argument";
    return {"", what + " \"" + word + "\"",
            near.empty() || (!option && !command) ? helpOf(app) : "did you mean " + std::string(near) + "?"};
}

Problem usageProblem(CLI::App& app, const CLI::ParseError& error)
{
    const CLI::App& at = chosen(app);
    const std::vector<std::string> rest = app.remaining(true);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty())
        return unknownWord(at, rest.front());
    std::string message = error.what();
    if (!rest.empty() && at.get_subcommands().empty() && !commandNames(at).empty())
        return unknownWord(at, rest.front());
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && &at == &app)
        message = "no command was given";
    std::replace(message.begin(), message.end(), '\n', ' ');
    return {"", message, helpOf(at)};
}

} // namespace

int runCommandLine(int argc, char** argv)
{
    const SessionPlaces places = findPlaces();
    Body body;
    CLI::App app("Benchmarks JavaScript runtimes and other HTTP servers.", "lapbench-cli");
    app.set_version_flag("--version", "lapbench-cli " LAPBENCH_VERSION);
    app.require_subcommand(1);
    for (const auto add : {addRun, addLoad, addCheck, addPlans, addFields, addShow, addCompare, addExport, addImport,
                           addMerge, addResults, addRuntimes, addCalibrate, addDoctor, addServe})
        add(app, places, body);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& wanted) {
        return app.exit(wanted);
    } catch (const CLI::ParseError& error) {
        complain(usageProblem(app, error));
        return static_cast<int>(ExitCode::badInput);
    }
    return static_cast<int>(body());
}

} // namespace lapbench
