#pragma once

#include "core/server/builtin_server_answers.h"

#include <llhttp.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// What the threads of one built-in server share.
struct BuiltinShared {
    struct alignas(64) Counter {
        std::atomic<std::uint64_t> answered{0}; ///< written by one thread
    };

    int stopFd = -1; ///< an eventfd, readable once the server stops
    std::atomic<std::int64_t> stallUntilNs{0};
    std::vector<Counter> counters; ///< one a thread

    std::uint64_t answered() const;
    void stallFor(Nanoseconds time);
    /// Returns when no stall is in force, or when the server stops.
    void waitOutStall() const;
};

/// One client of the built-in server: reads requests, answers them in order. One thread; owned by its loop, registered
/// edge-triggered, so that it never changes what it waits for.
class BuiltinConnection {
public:
    enum class Next {
        wait,  ///< for the next event
        again, ///< has more to do, others first
        close
    };

    /// Takes over the non-blocking socket `fd`. `common` outlives it and holds the headers of every answer.
    BuiltinConnection(int fd, std::uint64_t id, BuiltinShared& shared, BuiltinShared::Counter& counter,
                      const std::string& common, std::vector<char>& buffer);
    ~BuiltinConnection();
    BuiltinConnection(const BuiltinConnection&) = delete;
    BuiltinConnection& operator=(const BuiltinConnection&) = delete;

    std::uint64_t id() const { return m_id; }

    Next onEvents(std::uint32_t events);
    Next onTimer();
    Next proceed();
    /// When onTimer() is wanted (steadyNs), once for each delay.
    std::optional<std::int64_t> takeDueTime();

private:
    struct Callbacks;

    bool flush();
    void parse(const char* data, std::size_t size);
    std::size_t parseOne(const char* data, std::size_t size);
    void respond();
    void sendAnswer();
    void refuse(int status);
    void makeFill();
    bool hasUnsent() const { return m_sent < m_out.size(); }
    void beginDrain();
    Next drain();
    bool receive();

    const int m_fd;
    const std::uint64_t m_id;
    BuiltinShared& m_shared;
    BuiltinShared::Counter& m_counter;
    const std::string& m_common;
    std::vector<char>& m_buffer;

    llhttp_t m_parser;
    BuiltinRequest m_request;
    std::string m_headerField;
    std::string m_expect;
    std::size_t m_headBytes = 0;
    std::uint64_t m_bodyBytes = 0;
    int m_refusal = 0; ///< the status a callback wants the request refused with

    std::string m_input; ///< received, not yet parsed
    std::size_t m_parsed = 0;
    std::string m_out; ///< answered, not yet sent
    std::size_t m_sent = 0;
    std::uint64_t m_fillLeft = 0;
    bool m_fillChunked = false;
    BuiltinAnswer m_answer;
    std::optional<std::int64_t> m_dueNs;
    bool m_waiting = false; ///< for onTimer()
    bool m_readable = false;
    bool m_hungUp = false;
    bool m_ended = false; ///< the client sends no more
    bool m_closeAfter = false;
    bool m_drainAfter = false; ///< close only when the client has stopped sending, or it would lose the answer
    bool m_draining = false;
    std::uint64_t m_drained = 0;
};

} // namespace lapbench
