#include "core/workload/request_script.h"

namespace lapbench {

Result<RequestScript> RequestScript::compile(const Workload& workload, const ScriptPlace& place)
{
    auto request = prepareRequest(workload, place.authority, place.basePath);
    if (!request)
        return request.problem();
    RequestScript script;
    script.m_kinds.push_back(
        {workload.name, request.value().isHead(), true, std::move(request).value(), AnswerCheck(workload)});
    return script;
}

} // namespace lapbench
