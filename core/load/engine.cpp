#include "core/load/engine.h"

#include "core/base/processors.h"
#include "core/load/curl_endpoint.h"
#include "core/load/curl_trust.h"
#include "core/load/engine_run.h"
#include "core/load/limits.h"
#include "core/load/transport_choice.h"
#include "core/workload/request_script.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

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

unsigned threadsOf(const LoadTask& task)
{
    return std::min(task.threads.value_or(automaticThreads(task.connections, task.cores.size())), task.connections);
}

/// The names of files start at the task's folder.
LoadTask placed(LoadTask task)
{
    for (std::string* file : {&task.caCert, &task.cert, &task.key, &task.unixSocket})
        if (!file->empty())
            *file = (task.folder / *file).string();
    return task;
}

} // namespace

unsigned automaticThreads(unsigned connections, std::size_t cores)
{
    if (cores == 0) {
        const std::size_t allowed = allowedProcessors().size();
        cores = (allowed > 0 ? allowed : std::thread::hardware_concurrency()) / 2;
    }
    return std::min(static_cast<unsigned>(std::clamp(cores, std::size_t{1}, std::size_t{8})),
                    std::max(1U, connections));
}

Result<void> checkMachine(const LoadTask& task)
{
    startCurl();
    const auto endpoint = parseEndpoint(task.url);
    if (!endpoint)
        return endpoint.problem();
    const auto transport = chooseTransport(task, endpoint.value().secure);
    if (!transport)
        return transport.problem();
    if (const LoadTask whole = placed(task); endpoint.value().secure && !(whole.caCert + whole.cert).empty()) {
        Negotiated nobody;
        if (auto read = CurlTrust::load(whole, nobody); !read)
            return read.problem();
    }
    if (auto checked = checkProcessors(task.cores, "affinity.generator"); !checked)
        return checked;
    const LimitsAsked asked{task.connections, threadsOf(task), transport.value(), endpoint.value().secure, task};
    if (auto checked = checkDescriptors(asked); !checked)
        return checked;
    if (auto checked = checkPorts(asked); !checked)
        return checked;
    return checkInterfaces(task);
}

Result<LoadReport> runLoad(const LoadTask& task, const LoadWatch& watch)
{
    if (auto checked = checkTask(task); !checked)
        return checked.problem();
    if (auto checked = checkMachine(task); !checked)
        return checked.problem();
    LoadTask whole = placed(task);
    auto parsed = parseEndpoint(task.url);
    if (!parsed)
        return parsed.problem();
    auto transport = chooseTransport(whole, parsed.value().secure);
    if (!transport)
        return transport.problem();
    whole.transport = transport.value();
    auto script = RequestScript::compile(task.workload,
                                         {parsed.value().authority, parsed.value().basePath, task.folder, task.seed});
    if (!script)
        return script.problem();
    Negotiated negotiated;
    std::unique_ptr<CurlTrust> trust;
    if (parsed.value().secure) {
        auto loaded = CurlTrust::load(whole, negotiated);
        if (!loaded)
            return loaded.problem();
        trust = std::move(loaded).value();
    }
    auto endpoint = resolveEndpoint(std::move(parsed).value(), whole);
    if (!endpoint)
        return endpoint.problem();

    // A request that may take a second cannot spend five of them on its connection.
    whole.connectTimeout = std::min(task.connectTimeout, task.timeout);
    EngineRun run(whole, watch, std::move(endpoint).value(), std::move(script).value(), {trust.get(), negotiated},
                  threadsOf(task));
    return run.run();
}

} // namespace lapbench
