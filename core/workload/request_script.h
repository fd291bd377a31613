#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/workload/answer_check.h"
#include "core/workload/request.h"

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

/// What a workload asks for, compiled once a trial. Which kind of request a number stands for, and all random values in
/// it, are a pure function of the seed and the number. Immutable; any thread.
class RequestScript {
public:
    /// Problems: a request that cannot be sent, a placeholder or a file that is not understood.
    static Result<RequestScript> compile(const Workload& workload, const ScriptPlace& place);

    const std::vector<RequestKind>& kinds() const { return m_kinds; }

private:
    std::vector<RequestKind> m_kinds;
};

} // namespace lapbench
