#include "app/cli/progress.h"
#include "core/result/comparisons_json.h"
#include "core/result/result_json.h"
#include "core/session/round_planner.h"

namespace lapbench {

namespace {

double seconds(Nanoseconds duration)
{
    return std::chrono::duration<double>(duration).count();
}

std::string lineOf(const Json& event)
{
    return event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

void JsonlProgress::emit(const std::string& line)
{
    const std::lock_guard lock(m_mutex);
    if (!printOut(line))
        m_control.stop();
}

void JsonlProgress::sessionStarted(std::size_t trials, Nanoseconds estimate)
{
    emit(lineOf({{"event", "session_started"}, {"trials", trials}, {"estimate_s", seconds(estimate)}}));
}

void JsonlProgress::trialStarted(const TrialPlan& trial, const Plan& plan, Nanoseconds remaining)
{
    emit(lineOf({{"event", "trial_started"},
                 {"index", trial.index},
                 {"target", plan.targets[trial.target].name},
                 {"workload", plan.workloads[trial.workload].name},
                 {"level", levelToJson(trial.level)},
                 {"round", trial.round},
                 {"attempt", trial.attempt},
                 {"most_rounds", roundRulesOf(plan).most},
                 {"remaining_s", seconds(remaining)}}));
}

void JsonlProgress::phase(const std::string& name)
{
    emit(lineOf({{"event", "phase"}, {"name", name}}));
}

void JsonlProgress::interval(const SessionInterval& interval)
{
    const LoadInterval& load = interval.load;
    Json event = {{"event", "interval"}, {"t", load.t},           {"length", load.length},
                  {"ok", load.ok},       {"failed", load.failed}, {"errors", load.failed}};
    put(event, "rps", load.rps);
    put(event, "p25_us", load.p25Us);
    put(event, "p50_us", load.p50Us);
    put(event, "p75_us", load.p75Us);
    put(event, "p99_us", load.p99Us);
    put(event, "max_us", load.maxUs);
    put(event, "server_cpu_cores", interval.serverCpuCores);
    put(event, "server_rss_bytes", interval.serverRssBytes);
    put(event, "generator_cpu_cores", load.generatorCpuCores);
    put(event, "generator_rss_bytes", load.generatorRssBytes);
    put(event, "noise", interval.noise);
    if (load.latency.total() > 0)
        event["hdr"] = encodeV2(load.latency);
    emit(lineOf(event));
}

void JsonlProgress::trialFinished(const Trial& trial)
{
    emit(lineOf({{"event", "trial_finished"}, {"index", trial.index}, {"trial", trialToJson(trial)}}));
}

void JsonlProgress::roundFinished(unsigned round, const std::vector<Trial>&, const std::vector<Comparison>& comparisons)
{
    Json list = Json::array();
    for (const Comparison& comparison : comparisons)
        list.push_back(comparisonToJson(comparison));
    emit(lineOf({{"event", "round_finished"}, {"round", round}, {"comparisons", std::move(list)}}));
}

void JsonlProgress::warning(const Warning& warning)
{
    Json event = {{"event", "warning"}};
    event.update(warningToJson(warning));
    emit(lineOf(event));
}

void JsonlProgress::log(const std::string& source, const std::string& line)
{
    emit(lineOf({{"event", "log"}, {"source", source}, {"line", line}}));
}

void JsonlProgress::preparation(const std::string& line)
{
    log("install", line);
}

void JsonlProgress::finished(const std::string& resultPath)
{
    emit(lineOf({{"event", "session_finished"}, {"result", resultPath}}));
}

void JsonlProgress::failed(const std::string& message)
{
    emit(lineOf({{"event", "session_failed"}, {"message", message}}));
}

} // namespace lapbench
