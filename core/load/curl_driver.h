#pragma once

#include "core/load/curl_handle.h"
#include "core/load/poller.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace lapbench {

/// What the drivers on one poller have registered there, by descriptor: one table for all of them, since each
/// descriptor belongs to one at a time. Used on their thread.
class CurlSockets {
public:
    struct Entry {
        std::uint32_t driver = 0;                ///< index of the one it belongs to
        std::uint8_t wanted = 0, registered = 0; ///< CURL_POLL_*: what libcurl wants, and what the poller was told
    };
    Entry& at(int fd)
    {
        if (static_cast<std::size_t>(fd) >= m_entries.size())
            m_entries.resize(static_cast<std::size_t>(fd) + 1);
        return m_entries[static_cast<std::size_t>(fd)];
    }
    /// When the driver of this index next wants its onTime().
    std::int64_t& due(std::uint32_t driver)
    {
        if (driver >= m_due.size())
            m_due.resize(driver + 1, std::numeric_limits<std::int64_t>::max());
        return m_due[driver];
    }
    /// By index, as far as there are drivers.
    const std::vector<std::int64_t>& due() const { return m_due; }

private:
    std::vector<Entry> m_entries;
    std::vector<std::int64_t> m_due;
};

/// One libcurl multi handle driven by a worker's poller: socket_action, a deadline variable instead of a timer
/// descriptor, descriptors registered late and kept registered. Stays where it is made; one thread.
class CurlDriver {
public:
    /// Beyond this many transfers at once a multi's bookkeeping dominates (ARCHITECTURE, decision 3).
    static constexpr unsigned kMostTransfers = 128;
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    /// `index` tells this driver's events from those of others on the same poller.
    CurlDriver(Poller& poller, CurlSockets& sockets, std::uint32_t index);
    CurlDriver(const CurlDriver&) = delete;
    CurlDriver& operator=(const CurlDriver&) = delete;

    /// Whether an event's tag belongs to a driver, and to which.
    static bool owns(std::uint64_t tag) { return (tag & kTagBit) != 0; }
    static std::uint32_t indexOf(std::uint64_t tag) { return static_cast<std::uint32_t>((tag & ~kTagBit) >> 32); }

    CURLM* multi() const { return m_multi.get(); }
    /// When onTime() is next wanted, steadyNs().
    std::int64_t dueNs() const { return m_sockets.due(m_index); }
    void onTime();
    void onSocket(const epoll_event& event);
    /// The next finished transfer, which the caller removes from the multi; a null handle when there is none.
    std::pair<CURL*, CURLcode> nextDone();
    /// The descriptor was closed or handed on: it is no longer this driver's.
    void forget(int fd);

private:
    static constexpr std::uint64_t kTagBit = std::uint64_t{1} << 63;
    static int socketCallback(CURL* easy, curl_socket_t fd, int what, void* self, void* perSocket);
    static int timerCallback(CURLM* multi, long timeoutMs, void* self);
    void wanted(int fd, int what);

    Poller& m_poller;
    CurlSockets& m_sockets;
    std::uint32_t m_index;
    std::uint64_t m_tag;
    CurlMulti m_multi;
};

} // namespace lapbench
