#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <string>
#include <utility>
#include <vector>

namespace lapbench {

/// An HTTP/1.1 request, made once per trial and sent as it stands. Immutable; any thread.
struct PreparedRequest {
    std::string method;
    std::string target;                                       ///< path and query
    std::vector<std::pair<std::string, std::string>> headers; ///< all that are sent, in order
    std::size_t firstOwn = 0;                                 ///< where the workload's own begin among them
    std::string body;
    std::string bytes; ///< the whole message

    bool isHead() const { return method == "HEAD"; }
};

/// Puts a workload's request together. `authority` is the Host value, `basePath` stands before the workload's path. A
/// header of the workload replaces ours whatever its case. Problems: a method, path or header that cannot be sent.
Result<PreparedRequest> prepareRequest(RequestTemplate workload, const std::string& authority,
                                       const std::string& basePath);

} // namespace lapbench
