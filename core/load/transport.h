#pragma once

#include "core/load/poller.h"
#include "core/stats/summary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// Why an exchange failed.
struct Failure {
    ErrorKind kind = ErrorKind::none;
    Phase phase = Phase::connect;
    std::string message;
};

/// One finished request, right or failed. Times are steadyNs().
struct Sample {
    std::int64_t startNs = 0; ///< first byte handed to the socket; with new connections when one was asked for
    std::int64_t endNs = 0;   ///< last byte of the answer, or the failure
    std::uint64_t received = 0, sent = 0, body = 0; ///< bytes above TCP
    int status = 0;                                 ///< 0: no answer
    const Failure* failure = nullptr;               ///< null: a complete answer
    unsigned kind = 0;                              ///< which of the workload's kinds of request it was
    std::string_view head;                          ///< how the answer begins, at most kHeadSampleBytes
    std::string_view text; ///< the answer's body, at most kMostCheckedBytes, where the kind's check needs it
};
inline constexpr std::size_t kHeadSampleBytes = 512;
inline constexpr std::size_t kMostCheckedBytes = 16 * 1024 * 1024;

/// Who is told what happens on the wire; called by Transport on its thread, from within poll().
class TransportSink {
public:
    virtual ~TransportSink() = default;
    /// There is a server: a connection was opened ahead and closed again, for this transport opens them as it goes.
    virtual void reachable() = 0;
    /// A connection was opened for `slot`, which took `connectNs`; `again`: in place of one that had been told of and
    /// was closed, each of which is replaced once.
    virtual void opened(unsigned slot, std::int64_t connectNs, bool again) = 0;
    /// None could be opened for `slot` outside of a request.
    virtual void openFailed(unsigned slot, const Failure& failure) = 0;
    /// The number of the request that is to follow on this slot at once; nothing: the slot rests.
    virtual std::optional<std::uint64_t> finished(unsigned slot, const Sample& sample) = 0;
};

/// A request that has not been answered yet.
struct OpenRequest {
    unsigned slot = 0;
    std::int64_t startNs = 0;
};

/// Puts requests on the wire and hands back samples: the one seam between a worker and the network. It serves slots
/// 0..n-1, each with one request at a time on a connection of its own or, with several streams, on one that it shares.
/// Owned and used by one worker's thread.
class Transport {
public:
    virtual ~Transport() = default;

    /// Opens connections ahead of the first request; ends with as many calls of opened(), reachable() or openFailed()
    /// as it returns.
    virtual unsigned openAhead() = 0;
    /// Starts the request of this number on an idle slot, on its connection or on a new one; ends with finished().
    virtual void start(unsigned slot, std::uint64_t number, std::int64_t nowNs) = 0;
    /// Waits until something happens or steadyNs() is `untilNs`, and deals with it.
    virtual void poll(std::int64_t untilNs) = 0;
    /// Requests that were sent (or, with new connections, asked for) and have not ended.
    virtual std::vector<OpenRequest> openRequests() const = 0;
    /// Connections that are open now and not only asked for, and the most there ever were.
    virtual unsigned open() const = 0;
    virtual unsigned peakOpen() const = 0;
};

} // namespace lapbench
