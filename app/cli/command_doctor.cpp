#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/host/host_info.h"

namespace lapbench {

namespace {

ExitCode examine()
{
    constexpr std::size_t kSeverityWidth = 8;
    std::string text;
    for (const DoctorFinding& finding : examineHost()) {
        std::string severity = finding.severity;
        severity.resize(std::max(kSeverityWidth, severity.size() + 1), ' ');
        text += severity + withoutControls(finding.text) + "\n";
        if (!finding.cure.empty())
            text += std::string(kSeverityWidth, ' ') + withoutControls(finding.cure) + "\n";
    }
    printOut(text);
    return ExitCode::done;
}

} // namespace

void addDoctor(CLI::App& app, const SessionPlaces&, Body& body)
{
    CLI::App* command = app.add_subcommand("doctor", "Tell what on this machine would spoil a measurement");
    command->callback([&body] { body = examine; });
}

} // namespace lapbench
