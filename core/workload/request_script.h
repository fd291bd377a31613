#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/workload/answer_check.h"
#include "core/workload/request.h"
#include "core/workload/request_mix.h"
#include "core/workload/text_template.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapbench {

/// Where a workload's requests go and what they rest on.
struct ScriptPlace {
    std::string authority;        ///< the Host value
    std::string basePath;         ///< stands before the workload's paths
    std::filesystem::path folder; ///< where the names of files start
    std::uint64_t seed = 1;
};

/// One kind of request of a workload.
struct RequestKind {
    std::string name;
    bool head = false;        ///< the answer has no body whatever it says
    bool constant = false;    ///< every request of this kind is `prepared`
    PreparedRequest prepared; ///< where it is constant; else only its method and the names of its headers hold
    AnswerCheck check;
};

/// The texts that the requests of one kind are rendered from; all empty where the kind is constant.
struct RequestTexts {
    TextTemplate head; ///< the HTTP/1.1 message up to its body
    TextTemplate target;
    std::vector<TextTemplate> headers; ///< the values, in the order of `prepared.headers`
    TextTemplate body;
    bool bodyVaries = false;
    bool readsClock = false;
};

/// What a workload asks for, compiled once a trial. Which kind of request a number stands for, and all random values in
/// it, are a pure function of the seed and the number. Immutable; any thread.
class RequestScript {
public:
    /// Problems: a request that cannot be sent, a placeholder or a file that is not understood; the path is that within
    /// the workload ("headers.X-Id", "requests[1].body").
    static Result<RequestScript> compile(const Workload& workload, const ScriptPlace& place);

    const std::vector<RequestKind>& kinds() const { return m_kinds; }
    const RequestMix& mix() const { return m_mix; }
    const RequestTexts& texts(std::size_t kind) const { return m_texts[kind]; }
    std::uint64_t seed() const { return m_seed; }

private:
    std::vector<RequestKind> m_kinds;
    std::vector<RequestTexts> m_texts; ///< of each kind
    RequestMix m_mix;
    std::uint64_t m_seed = 1;
};

/// Everything that is wrong with the placeholders and the files of a plan's workloads, all at once
/// ("workloads[0].path"). What checkPlan finds is not said again.
Problems checkScripts(const Plan& plan);

} // namespace lapbench
