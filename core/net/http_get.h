#pragma once

#include "core/net/http_client.h"

#include <cstddef>
#include <functional>
#include <string>

namespace lapbench {

/// One bounded GET by libcurl: no proxy, no redirects, no cookies, on a connection of its own.
struct HttpGet {
    std::string url;
    Nanoseconds timeout = std::chrono::seconds(5); ///< of the whole exchange
    std::size_t maxBytes = 1u << 20;               ///< of the body; what is beyond is not read
};

/// Blocks; any thread. `giveUp` is asked every few milliseconds and breaks the exchange off. The problem's message is
/// libcurl's own ("Connection refused", ..).
Result<HttpAnswer> httpGet(const HttpGet& request, const std::function<bool()>& giveUp = {});

} // namespace lapbench
