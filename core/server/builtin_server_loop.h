#pragma once

#include "core/server/builtin_server_connection.h"

#include <queue>

#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lapbench {

/// One thread of the built-in server: its connections, their timers, and on the first thread the listening socket.
/// Made and destroyed by the server, run() on the thread itself.
class BuiltinLoop {
public:
    BuiltinLoop(BuiltinShared& shared, std::size_t index);
    ~BuiltinLoop();
    BuiltinLoop(const BuiltinLoop&) = delete;
    BuiltinLoop& operator=(const BuiltinLoop&) = delete;

    /// Makes the descriptors; 0, or the errno that kept them from being made.
    int open();
    /// Accepts from `listenFd` too, which stays the caller's, and deals the sockets out to `loops` (itself among them).
    int listenOn(int listenFd, std::vector<BuiltinLoop*> loops);

    /// Until BuiltinShared::stopFd is readable.
    void run();

private:
    struct Timer {
        std::int64_t dueNs;
        int fd;
        std::uint64_t id;
        bool operator>(const Timer& other) const { return dueNs > other.dueNs; }
    };

    int watch(int fd, std::uint32_t events);
    void adopt(int fd);
    void adoptGiven();
    void acceptSome();
    void deal(int fd);
    void follow(int fd, BuiltinConnection::Next next);
    BuiltinConnection* connectionAt(int fd);
    void runTimers();
    void armTimer();
    void runAgain();
    void refreshDate();

    BuiltinShared& m_shared;
    const std::size_t m_index;
    int m_epollFd = -1;
    int m_timerFd = -1;
    int m_giveReadFd = -1, m_giveWriteFd = -1;
    int m_listenFd = -1;
    int m_spareFd = -1; ///< given up for a moment to refuse clients when descriptors run out
    std::vector<BuiltinLoop*> m_dealTo;
    std::size_t m_turn = 0;
    std::uint64_t m_nextId = 1;
    std::string m_common;
    std::time_t m_dateSecond = 0;
    std::vector<char> m_buffer;
    std::vector<std::unique_ptr<BuiltinConnection>> m_connections; ///< by descriptor
    std::priority_queue<Timer, std::vector<Timer>, std::greater<>> m_timers;
    std::int64_t m_armedNs = 0;
    std::vector<std::pair<int, std::uint64_t>> m_again;
};

} // namespace lapbench
