#include "core/result/export/openmetrics.h"

#include "core/base/shown_text.h"
#include "core/result/comparisons.h"
#include "core/result/export/text_table.h"
#include "core/result/result_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace lapbench {

namespace {

using LabelPairs = std::vector<std::pair<std::string, std::string>>;

/// A family of samples that is one figure of each trial, where it stands in a trial's JSON and what makes it the unit.
struct Figure {
    const char *name, *type, *unit, *help, *pointer;
    double factor = 1;
};

constexpr double kMicro = 1e-6, kMilli = 1e-3;

constexpr std::array<Figure, 26> kFigures = {{
    {"lapbench_requests_per_second", "gauge", "", "Right answers in the window divided by its length", "/rps"},
    {"lapbench_window_seconds", "gauge", "seconds", "Length of the measured window", "/duration_s"},
    {"lapbench_latency_min_seconds", "gauge", "seconds", "Shortest latency of a right answer", "/latency_us/min",
     kMicro},
    {"lapbench_latency_mean_seconds", "gauge", "seconds", "Mean latency of right answers", "/latency_us/mean", kMicro},
    {"lapbench_latency_max_seconds", "gauge", "seconds", "Longest latency of a right answer", "/latency_us/max",
     kMicro},
    {"lapbench_latency_stdev_seconds", "gauge", "seconds", "Standard deviation of the latency of right answers",
     "/latency_us/stdev", kMicro},
    {"lapbench_received_bytes", "counter", "bytes", "Bytes received above TCP and TLS", "/bytes/received"},
    {"lapbench_sent_bytes", "counter", "bytes", "Bytes sent above TCP and TLS", "/bytes/sent"},
    {"lapbench_received_body_bytes", "counter", "bytes", "Bytes of the bodies of answers", "/bytes/body_received"},
    {"lapbench_connections_opened", "counter", "", "Connections opened in the whole trial", "/connections/opened"},
    {"lapbench_connections_open_peak", "gauge", "", "Most connections open at once", "/connections/peak_open"},
    {"lapbench_reconnects", "counter", "", "Connections that had to be opened again", "/connections/reconnects"},
    {"lapbench_generator_threads", "gauge", "", "Threads of the generator", "/generator/threads"},
    {"lapbench_generator_cpu_cores", "gauge", "", "Processor time of the generator, in cores", "/generator/cpu_cores"},
    {"lapbench_generator_rss_peak_bytes", "gauge", "bytes", "Most memory of the generator",
     "/generator/peak_rss_bytes"},
    {"lapbench_schedule_lag_p99_seconds", "gauge", "seconds", "Open loop: between due and sent, 99th percentile",
     "/generator/schedule_lag_us/p99", kMicro},
    {"lapbench_server_startup_seconds", "gauge", "seconds", "From the server's start to its first right answer",
     "/server/startup_ms", kMilli},
    {"lapbench_server_cpu_cores", "gauge", "", "Processor time of the server's processes, in cores, mean of the window",
     "/server/cpu_cores_mean"},
    {"lapbench_server_cpu_peak_cores", "gauge", "", "The same of its busiest second", "/server/cpu_cores_peak"},
    {"lapbench_server_rss_bytes", "gauge", "bytes", "Resident memory of the server's processes, mean of the window",
     "/server/rss_bytes_mean"},
    {"lapbench_server_rss_peak_bytes", "gauge", "bytes", "The most of it", "/server/rss_bytes_peak"},
    {"lapbench_server_rss_idle_bytes", "gauge", "bytes", "The same before the first load", "/server/rss_bytes_idle"},
    {"lapbench_server_processes_peak", "gauge", "", "Most processes of the server at once", "/server/processes_peak"},
    {"lapbench_host_cpu_cores", "gauge", "", "Processor time of the whole machine, in cores", "/host/cpu_cores_mean"},
    {"lapbench_host_steal_ratio", "gauge", "ratio", "Share of the machine's time that the hypervisor gave to others",
     "/host/steal"},
    {"lapbench_host_noisy_seconds_ratio", "gauge", "ratio", "Share of the seconds in which others used too much",
     "/host/noisy_seconds"},
}};

std::string escapedLabel(const std::string& text)
{
    std::string escaped;
    for (const char c : withoutControls(text)) {
        if (c == '\\' || c == '"')
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string labelText(const LabelPairs& labels)
{
    std::string text;
    for (const auto& [name, value] : labels)
        if (!value.empty())
            text += (text.empty() ? "{" : ",") + name + "=\"" + escapedLabel(value) + "\"";
    return text.empty() ? text : text + "}";
}

LabelPairs with(LabelPairs labels, const LabelPairs& more)
{
    labels.insert(labels.end(), more.begin(), more.end());
    return labels;
}

/// One trial as it is told from: its JSON, in which what is not known has no key.
struct TrialSource {
    Json json;
    LabelPairs labels;
    std::string time; ///< of its samples, with a blank before it; empty where it is not known
};

std::optional<double> numberAt(const Json& json, const std::string& pointer)
{
    const Json::json_pointer place(pointer);
    if (!json.contains(place) || !json.at(place).is_number())
        return std::nullopt;
    return json.at(place).get<double>();
}

std::string plainAt(const Json& json, const std::string& pointer)
{
    const Json::json_pointer place(pointer);
    if (!json.contains(place))
        return {};
    const Json& value = json.at(place);
    return value.is_string() ? value.get<std::string>() : value.is_number() ? formatExact(value.get<double>()) : "";
}

std::string timeOf(const Trial& trial)
{
    if (trial.started == UtcTime{})
        return {};
    const double began = std::chrono::duration<double>(trial.started.time_since_epoch()).count();
    return " " + formatExact(std::round((began + trial.load.durationSeconds) * 1000) / 1000);
}

std::vector<TrialSource> sourcesOf(const SessionResult& result)
{
    std::vector<TrialSource> sources;
    std::set<LabelPairs> taken;
    for (const Trial& trial : result.trials) {
        if (trial.superseded)
            continue;
        Trial lean = trial;
        lean.seconds.clear();
        lean.load.histogram = {};
        lean.load.censored = {};
        TrialSource source{trialToJson(lean), {}, timeOf(trial)};
        source.labels = {{"target", trial.target},
                         {"workload", trial.workload},
                         {"connections", plainAt(source.json, "/level/connections")},
                         {"rate", plainAt(source.json, "/level/rate")},
                         {"round", std::to_string(trial.round)}};
        // No two samples may have the same labels.
        if (!taken.insert(source.labels).second)
            source.labels.emplace_back("trial", std::to_string(trial.index + 1));
        sources.push_back(std::move(source));
    }
    // Samples of one family have all a time, or none.
    if (std::any_of(sources.begin(), sources.end(), [](const TrialSource& source) { return source.time.empty(); }))
        for (TrialSource& source : sources)
            source.time.clear();
    return sources;
}

/// One family of samples; written only where it has any.
class Family {
public:
    Family(std::string name, const std::string& type, const std::string& unit, const std::string& help)
        : m_name(std::move(name)), m_counter(type == "counter"), m_negative(type == "gauge")
    {
        m_head = "# TYPE " + m_name + " " + type + "\n" + (unit.empty() ? "" : "# UNIT " + m_name + " " + unit + "\n") +
                 "# HELP " + m_name + " " + help + "\n";
    }

    void add(const TrialSource& source, const LabelPairs& more, double value, const std::string& suffix = "")
    {
        if (!std::isfinite(value) || (value < 0 && !m_negative)) // of a file that was changed by hand
            return;
        m_samples += m_name + (m_counter ? "_total" : suffix) + labelText(with(source.labels, more)) + " " +
                     formatExact(value) + source.time + "\n";
    }
    std::string text() const { return m_samples.empty() ? std::string() : m_head + m_samples; }

private:
    std::string m_name, m_head, m_samples;
    bool m_counter;
    bool m_negative; ///< may be below 0
};

std::string requestFamily(const std::vector<TrialSource>& sources)
{
    Family family("lapbench_requests", "counter", "", "Requests by what became of them: ok, failed, unfinished");
    for (const TrialSource& source : sources)
        for (const char* outcome : {"ok", "failed", "unfinished"})
            if (const auto count = numberAt(source.json, std::string("/requests/") + outcome))
                family.add(source, {{"outcome", outcome}}, *count);
    return family.text();
}

std::string answerFamilies(const std::vector<TrialSource>& sources)
{
    Family answers("lapbench_answers", "counter", "", "Answers by their status");
    Family errors("lapbench_errors", "counter", "", "Failed requests by kind, and how far the exchange had come");
    for (const TrialSource& source : sources) {
        if (const auto status = source.json.find("status"); status != source.json.end())
            for (const auto& [code, count] : status->items())
                answers.add(source, {{"code", code}}, count.get<double>());
        if (const auto list = source.json.find("errors"); list != source.json.end())
            for (const Json& error : *list)
                errors.add(source, {{"kind", plainAt(error, "/kind")}, {"phase", plainAt(error, "/phase")}},
                           numberAt(error, "/count").value_or(0));
    }
    return answers.text() + errors.text();
}

/// Latency from /latency_us or /service_us. A percentile of which only a bound is known stands in a family of its own.
std::string latencyFamilies(const std::vector<TrialSource>& sources, const std::string& name, const std::string& key,
                            const std::string& what)
{
    Family summary(name + "_seconds", "summary", "seconds", what + "; count and sum are of right answers");
    Family bounds(name + "_at_least_seconds", "gauge", "seconds",
                  what + ": percentiles that are known to be at least this");
    for (const TrialSource& source : sources) {
        for (const ReportedPercentile& percentile : kReportedPercentiles) {
            const std::string pointer = key + "/" + std::string(percentile.key);
            const LabelPairs quantile = {{"quantile", formatExact(percentile.p)}};
            if (const auto us = numberAt(source.json, pointer))
                summary.add(source, quantile, *us * kMicro);
            if (const auto us = numberAt(source.json, pointer + "/at_least"))
                bounds.add(source, quantile, *us * kMicro);
        }
        const auto count = numberAt(source.json, key + "/count"), mean = numberAt(source.json, key + "/mean");
        if (count)
            summary.add(source, {}, *count, "_count");
        if (count && mean)
            summary.add(source, {}, *count * *mean * kMicro, "_sum");
    }
    return summary.text() + bounds.text();
}

std::string figureFamily(const std::vector<TrialSource>& sources, const Figure& figure)
{
    Family family(figure.name, figure.type, figure.unit, figure.help);
    for (const TrialSource& source : sources)
        if (const auto value = numberAt(source.json, figure.pointer))
            family.add(source, {}, *value * figure.factor);
    return family.text();
}

std::string infoFamily(const SessionResult& result, const std::vector<TrialSource>& sources, const Labels& names)
{
    Family family("lapbench_trial", "info", "", "How a trial was made, and what limited it");
    for (const TrialSource& source : sources)
        family.add(source,
                   {{"label", labelOf(names, source.labels.front().second)},
                    {"result", result.id},
                    {"lapbench", result.tool.version},
                    {"outcome", plainAt(source.json, "/outcome")},
                    {"transport", plainAt(source.json, "/transport")},
                    {"http_version", plainAt(source.json, "/http_version")},
                    {"limit", plainAt(source.json, "/bottleneck/kind")},
                    {"tool", plainAt(source.json, "/semantics/tool")}},
                   1, "_info");
    return family.text();
}

} // namespace

std::string formatOpenMetrics(const SessionResult& result)
{
    const auto sources = sourcesOf(result);
    std::string text = infoFamily(result, sources, comparisonRulesOf(result).labels) + requestFamily(sources) +
                       answerFamilies(sources) +
                       latencyFamilies(sources, "lapbench_latency", "/latency_us", "Latency") +
                       latencyFamilies(sources, "lapbench_service_time", "/service_us",
                                       "Open loop: time from when a request was sent");
    for (const Figure& figure : kFigures)
        text += figureFamily(sources, figure);
    return text + "# EOF\n";
}

} // namespace lapbench
