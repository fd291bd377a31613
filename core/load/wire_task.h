#pragma once

#include "core/load/curl_endpoint.h"
#include "core/load/negotiated.h"
#include "core/plan/plan.h"
#include "core/workload/request_script.h"

namespace lapbench {

class CurlTrust;

/// What every transport is told; all of it outlives the transport.
struct WireTask {
    const Endpoint& endpoint;
    const RequestScript& script;
    const WireOptions& options;
    const CurlTrust* trust; ///< null: no TLS
    Negotiated& negotiated;
    unsigned connections = 1;

    unsigned slots() const { return connections * options.streams; }
};

} // namespace lapbench
