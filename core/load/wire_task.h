#pragma once

#include "core/load/curl_endpoint.h"
#include "core/plan/plan.h"
#include "core/workload/request_script.h"

namespace lapbench {

/// What every transport is told; all of it outlives the transport.
struct WireTask {
    const Endpoint& endpoint;
    const RequestScript& script;
    const WireOptions& options;
    unsigned connections = 1;
};

} // namespace lapbench
