#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <filesystem>

namespace lapbench {

/// What a trial takes of this machine.
struct LimitsAsked {
    unsigned connections = 1; ///< of all workers
    unsigned workers = 1;
    TransportKind transport = TransportKind::keepAlive;
    bool secure = false; ///< over TLS
    const WireOptions& options;
};

/// How many descriptors that takes at most: a connection's own, and two for each libcurl multi handle.
std::uint64_t descriptorsNeeded(const LimitsAsked& asked);

/// Whether this process may open them beside those it has open. The problem says how many are asked for, how many are
/// allowed and how to raise that.
Result<void> checkDescriptors(const LimitsAsked& asked);

/// Whether there are enough local ports for so many TCP connections to one address and port, a set of them for each of
/// the local addresses. `proc` is /proc. Where the range cannot be read nothing is wrong.
Result<void> checkPorts(const LimitsAsked& asked, const std::filesystem::path& proc = "/proc");

/// Whether the local addresses that connections are to come from are this machine's: each is bound once.
Result<void> checkInterfaces(const WireOptions& options);

} // namespace lapbench
