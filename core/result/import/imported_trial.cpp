#include "core/result/import/imported_trial.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

constexpr double kLongestUs = 1e15;

bool isFigure(std::optional<double> value)
{
    return value && std::isfinite(*value) && *value >= 0 && *value < kLongestUs;
}

void warn(Trial& trial, const char* code, const char* severity, std::string text)
{
    trial.warnings.push_back({code, severity, std::move(text), ""});
}

void keepFigure(std::optional<double>& value, const char* what, Trial& trial)
{
    if (!value || isFigure(value))
        return;
    value.reset();
    warn(trial, "import_left_out", "warning", std::string("The ") + what + " is no possible figure and is left out.");
}

void setCounts(const ImportedRun& run, Trial& trial)
{
    LoadFigures& load = trial.load;
    ImportedTrial& told = *trial.imported;
    told.completed = run.completed.has_value();
    told.failed = run.failed.has_value() && run.failed.value() <= run.completed.value_or(UINT64_MAX);
    told.unfinished = run.unfinished.has_value();
    if (run.failed && !told.failed)
        warn(trial, "import_left_out", "warning",
             "The failed requests (" + std::to_string(*run.failed) + ") are more than all, " +
                 std::to_string(*run.completed) + ", and are left out.");
    load.failed = told.failed ? *run.failed : 0;
    load.ok = run.completed.value_or(load.failed) - load.failed;
    load.unfinished = run.unfinished.value_or(0);
    told.bytesReceived = run.bytesReceived.has_value();
    told.bytesSent = run.bytesSent.has_value();
    told.bodyReceived = run.bodyReceived.has_value();
    load.bytesReceived = run.bytesReceived.value_or(0);
    load.bytesSent = run.bytesSent.value_or(0);
    load.bodyReceived = run.bodyReceived.value_or(0);
    load.status = run.status;
    load.errors = run.errors;
    load.threads = run.threads.value_or(0);
}

void setLatency(ImportedRun& run, Trial& trial)
{
    ImportedLatency& told = run.latency;
    keepFigure(told.minUs, "shortest latency", trial);
    keepFigure(told.meanUs, "mean latency", trial);
    keepFigure(told.stdevUs, "standard deviation of the latency", trial);
    keepFigure(told.maxUs, "longest latency", trial);
    LatencySummary& latency = trial.load.latency;
    trial.imported->latencyCount = told.count.has_value();
    latency.count = told.count.value_or(trial.load.completed());
    latency.minUs = told.minUs;
    latency.meanUs = told.meanUs;
    latency.stdevUs = told.stdevUs;
    latency.maxUs = told.maxUs;
    for (std::size_t i = 0; i < kReportedPercentiles.size(); ++i) {
        const auto found = told.percentilesUs.find(std::string(kReportedPercentiles[i].key));
        if (found != told.percentilesUs.end() && isFigure(found->second))
            latency.percentiles[i] = Quantile{found->second, false};
    }
    if (run.histogram)
        trial.load.histogram = std::move(*run.histogram);
}

/// A trial that was limited by errors is not ranked, whoever measured it. What else limited it nobody knows.
void judgeErrors(Trial& trial)
{
    if (!trial.imported->completed || !trial.imported->failed)
        return;
    BottleneckEvidence evidence;
    evidence.completed = trial.load.completed();
    evidence.failed = trial.load.failed;
    if (Bottleneck found = findBottleneck(evidence); found.limit == Limit::errors)
        trial.bottleneck = std::move(found);
}

} // namespace

Trial trialOf(ImportedRun run)
{
    Trial trial;
    trial.imported = ImportedTrial{.semantics = run.semantics};
    trial.target = run.target;
    trial.workload = run.workload.empty() ? "default" : run.workload;
    trial.level.connections = run.connections.value_or(0);
    constexpr double kMostRate = 4e9;
    if (run.rate && *run.rate >= 0.5 && *run.rate < kMostRate)
        trial.level.rate = static_cast<unsigned>(std::llround(*run.rate));
    trial.started = run.started.value_or(UtcTime{});
    keepFigure(run.durationSeconds, "time", trial);
    keepFigure(run.rps, "number of requests a second", trial);
    trial.imported->duration = run.durationSeconds.has_value();
    trial.load.durationSeconds = run.durationSeconds.value_or(0);
    trial.load.rps = run.rps;
    setCounts(run, trial);
    setLatency(run, trial);
    for (const ImportedSecond& second : run.seconds) {
        TrialSecond& made = trial.seconds.emplace_back();
        made.load.t = second.t;
        made.load.ok = second.ok;
        made.load.failed = second.failed;
        made.load.latency = second.latency;
    }
    for (const std::string& doubt : run.doubts)
        warn(trial, "import_doubt", "warning", doubt);
    judgeErrors(trial);
    return trial;
}

} // namespace lapbench
