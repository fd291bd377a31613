#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapbench {

/// Where the load goes: what a URL says, and the addresses its name stands for, looked up once per trial.
struct Endpoint {
    std::string host; ///< without brackets, with the zone of an IPv6 literal
    std::uint16_t port = 80;
    std::string authority;              ///< for Host: brackets kept, no zone, no port that the scheme stands for
    std::string url;                    ///< "http[s]://host:port" as libcurl takes it
    std::string basePath;               ///< the URL's own path without its last slash; mostly empty
    std::vector<std::string> addresses; ///< numeric, in the order to try; see resolveEndpoint
    bool literal = false;               ///< the host is an address already
    bool secure = false;                ///< https

    /// "host:port:address,.." for CURLOPT_RESOLVE; empty for a literal.
    std::string pin() const;
};

/// Reads a URL "http[s]://host[:port][/path]". Problems: no URL, no host, another scheme, a user name.
Result<Endpoint> parseEndpoint(const std::string& url);

/// Finds the host's addresses: from the overrides, else from the name service, which blocks; of one kind where only
/// that is wanted. None for a proxy, which looks up by itself, and for a Unix socket. Problem: there are none.
Result<Endpoint> resolveEndpoint(Endpoint endpoint, const WireOptions& options = {});

/// libcurl's global set-up, once in the process. Any thread.
void startCurl();

} // namespace lapbench
