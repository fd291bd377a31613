#pragma once

#include "core/load/poller.h"
#include "core/load/transport.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lapbench {

class CurlTlsChannel;

/// How an attempt to open a connection ended: a descriptor, a channel where there is TLS on it, or a failure.
struct Opened {
    unsigned slot = 0;
    int fd = -1;                   ///< the receiver's; a channel's stays with the channel
    CurlTlsChannel* tls = nullptr; ///< the opener's
    std::int64_t connectNs = 0;
    std::optional<Failure> failure;
};

/// Opens connections for a transport's slots, one at a time for each; used by the transport's thread.
class Opener {
public:
    virtual ~Opener() = default;
    virtual void ask(unsigned slot) = 0;
    /// When onTime() is next wanted, steadyNs().
    virtual std::int64_t dueNs() const = 0;
    virtual void onTime(std::int64_t nowNs) = 0;
    virtual void onSocket(const epoll_event& event) = 0;
    /// What has ended since the last call; makes room for those waiting. Valid until the next call.
    virtual const std::vector<Opened>& collect() = 0;
};

} // namespace lapbench
