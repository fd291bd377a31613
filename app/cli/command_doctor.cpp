#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/host/host_info.h"
#include "core/session/calibration.h"
#include "core/session/examine_others.h"

namespace lapbench {

namespace {

ExitCode examine(const SessionPlaces& places)
{
    constexpr std::size_t kSeverityWidth = 8;
    std::string text;
    std::vector<DoctorFinding> findings = examineHost();
    findings.push_back(examineOthers());
    findings.push_back(examineCalibration(places.home, thisMachine()));
    for (const DoctorFinding& finding : findings) {
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

void addDoctor(CLI::App& app, const SessionPlaces& places, Body& body)
{
    CLI::App* command = app.add_subcommand("doctor", "Tell what on this machine would spoil a measurement");
    command->callback([&places, &body] { body = [&places] { return examine(places); }; });
}

} // namespace lapbench
