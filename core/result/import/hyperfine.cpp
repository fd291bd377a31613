#include "core/result/import/error_words.h"
#include "core/result/import/formats.h"
#include "core/result/import/json_figures.h"
#include "core/result/import/request_samples.h"

namespace lapbench {

namespace {

constexpr double kUsPerSecond = 1e6;

bool isHyperfine(const Json& value)
{
    const Json& results = memberOf(value, "results");
    if (!results.is_array() || results.empty())
        return false;
    const Json& first = results.front();
    return memberOf(first, "command").is_string() && numberOf(first, "mean") &&
           (memberOf(first, "times").is_array() || numberOf(first, "user"));
}

std::optional<double> us(const Json& result, const char* name)
{
    const auto seconds = numberOf(result, name);
    return seconds ? std::optional(*seconds * kUsPerSecond) : std::nullopt;
}

/// The printed figures, over those of the single times. The printed median of an even number of runs lies between two.
void readFigures(const Json& result, ImportedRun& run)
{
    ImportedLatency& latency = run.latency;
    const auto keep = [](std::optional<double>& figure, std::optional<double> told) { figure = told ? told : figure; };
    keep(latency.minUs, us(result, "min"));
    keep(latency.meanUs, us(result, "mean"));
    keep(latency.stdevUs, us(result, "stddev"));
    keep(latency.maxUs, us(result, "max"));
    if (const auto median = us(result, "median"))
        latency.percentilesUs["p50"] = *median;
}

ImportedRun readCommand(const Json& result)
{
    ImportedRun run;
    RequestSamples samples;
    const Json &times = memberOf(result, "times"), &codes = memberOf(result, "exit_codes");
    const bool hasCodes = codes.is_array() && codes.size() == times.size();
    for (std::size_t i = 0; times.is_array() && i < times.size(); ++i) {
        if (!times[i].is_number() || times[i].get<double>() < 0)
            continue;
        const bool ended = !hasCodes || (codes[i].is_number_integer() && codes[i].get<std::int64_t>() == 0);
        samples.add(times[i].get<double>() * kUsPerSecond, ended);
        if (!ended)
            addError(run, ErrorKind::failedCheck,
                     codes[i].is_number_integer() ? "exit code " + codes[i].dump() : "ended by a signal", 1);
    }
    if (samples.count() > 0)
        samples.fill(run);
    if (!hasCodes)
        run.failed.reset();
    readFigures(result, run);
    run.target = textOf(result, "command");
    run.workload = "command";
    run.semantics.latencyIncludesErrors = true;
    run.semantics.correction = Correction::none;
    run.semantics.notes = {"hyperfine times whole commands, one after another, from start to end: no requests."};
    return run;
}

Result<ImportedRuns> readHyperfine(const Json& value)
{
    ImportedRuns runs;
    if (memberOf(value, "results").size() > kMostRuns)
        return Problem{"", "holds the times of more than " + std::to_string(kMostRuns) + " commands",
                       "import its parts one by one"};
    for (const Json& result : memberOf(value, "results"))
        if (memberOf(result, "command").is_string())
            runs.push_back(readCommand(result));
    return runs;
}

} // namespace

void addHyperfine(Formats& formats)
{
    formats.json.push_back({"hyperfine", "JSON", isHyperfine, readHyperfine});
}

} // namespace lapbench
