#include "core/workload/request_script.h"

#include "core/workload/request_compiler.h"

#include <utility>

namespace lapbench {

namespace {

std::string placeOf(const Workload& workload, std::size_t request)
{
    return workload.requests.empty() ? "" : "requests[" + std::to_string(request) + "].";
}

std::size_t requestsOf(const Workload& workload)
{
    return workload.requests.empty() ? 1 : workload.requests.size();
}

const RequestTemplate& requestOf(const Workload& workload, std::size_t request)
{
    return workload.requests.empty() ? workload : workload.requests[request];
}

} // namespace

Result<RequestScript> RequestScript::compile(const Workload& workload, const ScriptPlace& place)
{
    RequestScript script;
    script.m_seed = place.seed;
    FeedShelf feeds(place.folder);
    std::vector<unsigned> weights;
    for (std::size_t i = 0; i < requestsOf(workload); ++i) {
        const RequestTemplate& request = requestOf(workload, i);
        RequestCompiler compiler(request, place, feeds, placeOf(workload, i));
        if (const Problems problems = compiler.compileTexts(); !problems.empty())
            return problems.front();
        auto compiled = compiler.finish();
        if (!compiled)
            return compiled.problem();
        script.m_kinds.push_back(std::move(compiled.value().kind));
        script.m_texts.push_back(std::move(compiled.value().texts));
        weights.push_back(request.weight);
    }
    script.m_mix = RequestMix(weights);
    return script;
}

Problems checkScripts(const Plan& plan)
{
    Problems all;
    FeedShelf feeds(plan.folder);
    const ScriptPlace place{"localhost", "", plan.folder, plan.load.seed};
    for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
        const Workload& workload = plan.workloads[i];
        const std::string prefix = "workloads[" + std::to_string(i) + "].";
        for (std::size_t j = 0; j < requestsOf(workload); ++j) {
            RequestCompiler compiler(requestOf(workload, j), place, feeds, prefix + placeOf(workload, j));
            for (Problem& problem : compiler.compileTexts())
                all.push_back(std::move(problem));
        }
    }
    return all;
}

} // namespace lapbench
