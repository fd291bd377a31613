#include "core/load/engine.h"

#include "core/load/curl_endpoint.h"
#include "core/load/engine_run.h"
#include "core/load/limits.h"
#include "core/workload/request_script.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace lapbench {

namespace {

Result<void> checkExtent(const Extent& extent)
{
    const Problem problem{"measure", "there is nothing to measure", "give a duration or a number of requests above 0"};
    if (extent.duration.has_value() == extent.requests.has_value())
        return problem;
    if (extent.duration && *extent.duration <= Nanoseconds::zero())
        return problem;
    if (extent.requests && *extent.requests == 0)
        return problem;
    return {};
}

Result<void> checkTask(const LoadTask& task)
{
    if (task.connections == 0)
        return Problem{"connections", "no connections are asked for", "give a number from 1"};
    if (task.threads && *task.threads == 0)
        return Problem{"threads", "no threads are asked for", "give a number from 1, or auto"};
    if (task.timeout <= Nanoseconds::zero() || task.connectTimeout <= Nanoseconds::zero())
        return Problem{"timeout", "a timeout of nothing fails every request", "give a duration above 0"};
    return checkExtent(task.measure);
}

} // namespace

unsigned automaticThreads(unsigned connections)
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    const unsigned processors =
        known ? static_cast<unsigned>(CPU_COUNT(&allowed)) : std::thread::hardware_concurrency();
    return std::min(std::clamp(processors / 2, 1U, 8U), std::max(1U, connections));
}

Result<LoadReport> runLoad(const LoadTask& task, const LoadWatch& watch)
{
    if (auto checked = checkTask(task); !checked)
        return checked.problem();
    startCurl();
    auto parsed = parseEndpoint(task.url);
    if (!parsed)
        return parsed.problem();
    auto script = RequestScript::compile(task.workload,
                                         {parsed.value().authority, parsed.value().basePath, task.folder, task.seed});
    if (!script)
        return script.problem();
    const unsigned threads = std::min(task.threads.value_or(automaticThreads(task.connections)), task.connections);
    if (auto checked = checkDescriptors(task.connections, threads); !checked)
        return checked.problem();
    auto endpoint = resolveEndpoint(std::move(parsed).value());
    if (!endpoint)
        return endpoint.problem();

    LoadTask whole = task;
    // A request that may take a second cannot spend five of them on its connection.
    whole.connectTimeout = std::min(task.connectTimeout, task.timeout);
    EngineRun run(whole, watch, std::move(endpoint).value(), std::move(script).value(), threads);
    return run.run();
}

} // namespace lapbench
