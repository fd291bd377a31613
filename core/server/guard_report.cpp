#include "core/server/guard_report.h"

#include <sstream>

namespace lapbench {

std::string formatReport(const GuardReport& report)
{
    switch (report.kind) {
    case GuardReport::Kind::started:
        return "started " + std::to_string(report.pid) + " " + std::to_string(report.execNs) + "\n";
    case GuardReport::Kind::failed:
        return "failed " + std::to_string(report.error) + " " + std::to_string(report.inFolder ? 1 : 0) + "\n";
    case GuardReport::Kind::ended:
        return "ended " + std::to_string(report.status) + "\n";
    }
    return {};
}

std::optional<GuardReport> parseReport(std::string_view line)
{
    std::istringstream fields{std::string(line)};
    std::string kind;
    fields >> kind;
    GuardReport report;
    if (kind == "started" && fields >> report.pid >> report.execNs)
        return report;
    report.kind = GuardReport::Kind::failed;
    if (kind == "failed" && fields >> report.error >> report.inFolder)
        return report;
    report.kind = GuardReport::Kind::ended;
    if (kind == "ended" && fields >> report.status)
        return report;
    return std::nullopt;
}

} // namespace lapbench
