#include "app/cli/load_report.h"

#include "app/cli/terminal.h"
#include "core/base/units.h"
#include "core/plan/schedule.h"

#include <array>

namespace lapbench {

namespace {

constexpr std::size_t kLabelWidth = 13;

std::string line(const std::string& label, const std::string& text)
{
    return label + std::string(kLabelWidth - label.size(), ' ') + text + "\n";
}

std::string quantileText(const LatencySummary& latency, std::string_view key)
{
    const auto quantile = latency.percentile(key);
    return quantile ? (quantile->atLeast ? ">= " : "") + formatLatencyUs(quantile->us) : "-";
}

/// Percentiles above their values, each column as wide as the wider of the two.
std::string latencyBlock(const LatencySummary& latency)
{
    constexpr std::array<std::string_view, 5> kShown = {"p25", "p50", "p75", "p90", "p99"};
    std::string heads, values;
    const auto column = [&](std::string_view head, const std::string& value) {
        const std::size_t width = std::max(value.size(), std::size_t(8));
        heads += std::string(width - head.size() + 2, ' ') + std::string(head);
        values += std::string(width - value.size() + 2, ' ') + value;
    };
    for (const std::string_view key : kShown) {
        column(key, quantileText(latency, key));
    }
    column("max", latency.maxUs ? formatLatencyUs(*latency.maxUs) : "-");
    return line("Latency", heads.substr(2)) + line("", values.substr(2));
}

std::string steadyText(const SteadyFigures& steady)
{
    return formatSignificant(steady.warmupSeconds) + " s, " +
           (steady.afterSeconds ? "steady after " + formatSignificant(*steady.afterSeconds) + " s" : "never steady");
}

std::string failureLines(const LoadFigures& load)
{
    std::string text;
    for (const ErrorCount& error : load.errors) {
        std::string what = std::to_string(error.count) + " " + std::string(errorKindName(error.kind)) + " (" +
                           std::string(phaseName(error.phase)) + "), first at " +
                           formatSignificant(error.firstAtSeconds) + " s";
        if (!error.firstMessage.empty())
            what += ": " + error.firstMessage;
        text += line(text.empty() ? "Failed" : "", withoutControls(what));
        const std::string head = error.firstResponseHead.substr(0, error.firstResponseHead.find_first_of("\r\n"));
        if (!head.empty())
            text += line("", "  answered " + withoutControls(head));
    }
    return text;
}

std::string generatorLine(const LoadFigures& load)
{
    if (!load.generatorCpuCores)
        return {};
    std::string text = formatSignificant(*load.generatorCpuCores) + " cores";
    if (load.generatorCpuUsPerRequest)
        text += ", " + formatSignificant(*load.generatorCpuUsPerRequest) + " us a request";
    if (load.generatorPeakRssBytes)
        text += ", " + formatBytes(static_cast<double>(*load.generatorPeakRssBytes));
    return line("Generator", text);
}

std::string efficiencyLine(const Trial& trial)
{
    std::string text;
    if (const auto requests = requestsPerCpuSecond(trial))
        text = formatRate(*requests) + " requests a CPU second";
    if (const auto bytes = rssBytesPer1000Rps(trial))
        text += (text.empty() ? "" : ", ") + formatBytes(*bytes) + " for 1,000 requests/s";
    return text.empty() ? "" : line("Efficiency", text);
}

std::string serverLine(const Trial& trial)
{
    const ServerFigures& server = trial.server;
    if (!server.cpuCoresMean && !server.rssBytesPeak)
        return {};
    std::string text = server.cpuCoresMean ? formatSignificant(*server.cpuCoresMean) + " cores" : "";
    if (server.rssBytesPeak)
        text += (text.empty() ? "" : ", ") + std::string("peak RSS ") +
                formatBytes(static_cast<double>(*server.rssBytesPeak));
    return line("Server", text) + efficiencyLine(trial);
}

std::string limitLine(const Bottleneck& bottleneck)
{
    const auto by = [&bottleneck]() -> std::string {
        switch (bottleneck.limit) {
        case Limit::errors:
            return "Limited by errors";
        case Limit::clientLimit:
            return "Limited by the connections of this machine";
        case Limit::generator:
            return "Limited by the generator";
        case Limit::noise:
            return "Disturbed by others";
        case Limit::rate:
            return "Limited by the rate";
        case Limit::server:
            return "Limited by the server";
        case Limit::unknown:
            break;
        }
        return "The limit is not known";
    };
    return "\n" + by() + ": " + bottleneck.reason +
           (bottleneck.rankable ? "." : ". It says nothing about what the server can do.") + "\n";
}

} // namespace

std::string formatTrial(const Trial& trial)
{
    const LoadFigures& load = trial.load;
    std::string text = withoutControls(trial.target) + "\n\n";
    std::string how = formatLevel(trial.level);
    if (load.streams > 1)
        how += ", " + formatCounted(load.streams, "stream") + " each";
    if (load.threads > 0)
        how += ", " + formatCounted(load.threads, "thread");
    if (trial.hasLoad())
        how += ", " + trial.transport;
    if (!trial.httpVersion.empty() && trial.httpVersion != "1.1")
        how += ", HTTP/" + trial.httpVersion;
    text += line("Load", how);
    if (load.tls)
        text += line("TLS", load.tls->version + ", " + load.tls->cipher + (load.tls->verified ? "" : ", not verified"));
    text += line("Window", formatSignificant(load.durationSeconds) + " s" +
                               (trial.outcome == Outcome::interrupted ? ", interrupted" : ""));
    text += line("Requests", std::to_string(load.ok) + " right, " + std::to_string(load.failed) + " failed, " +
                                 std::to_string(load.unfinished) + " unfinished");
    text += line("Requests/s", load.rps ? formatRate(*load.rps) : "-");
    if (load.steady)
        text += line("Warm-up", steadyText(*load.steady));
    if (load.warmSeconds)
        text += line("Warm after", formatSignificant(*load.warmSeconds) + " s, at 95 % of the rate");
    text += latencyBlock(load.latency);
    if (load.service)
        text += line("Service", "p50 " + quantileText(*load.service, "p50") + ", p99 " +
                                    quantileText(*load.service, "p99") + " from when a request was sent");
    if (load.scheduleLag.p99Us)
        text += line("Behind", "p50 " + formatLatencyUs(*load.scheduleLag.p50Us) + ", p99 " +
                                   formatLatencyUs(*load.scheduleLag.p99Us) + " between due and sent");
    text += line("Received", formatBytes(static_cast<double>(load.bytesReceived)));
    text += generatorLine(load) + serverLine(trial) + failureLines(load);
    if (trial.failure && load.errors.empty())
        text += line("Failed", withoutControls(trial.failure->message));
    for (const Warning& warning : trial.warnings)
        text += line(warning.severity == "info" ? "Note" : "Warning",
                     withoutControls(warning.text) +
                         (warning.evidence.empty() ? "" : " (" + withoutControls(warning.evidence) + ")"));
    if (trial.bottleneck)
        text += limitLine(*trial.bottleneck);
    return text;
}

} // namespace lapbench
