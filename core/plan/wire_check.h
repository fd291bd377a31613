#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

/// What contradicts what in how requests reach the server, whatever the URL, and values that mean nothing. `place`
/// stands before each problem's key ("load"; empty: the key alone).
Problems checkWire(const WireOptions& options, const std::string& place);

/// Whether that version of HTTP goes with the scheme of a URL; `secure`: it is https.
Result<void> checkScheme(HttpVersion http, bool secure);

/// "HOST:PORT:ADDRESS" of --resolve in its parts; an IPv6 address may stand in brackets. Nothing where it is none.
struct ResolveOverride {
    std::string host, address;
    std::uint16_t port = 0;
};
std::optional<ResolveOverride> parseResolve(std::string_view text);

/// AF_INET or AF_INET6 of a numeric address; nothing where it is none.
std::optional<int> familyOf(const std::string& address);

} // namespace lapbench
