#pragma once

#include "core/load/curl_driver.h"
#include "core/load/curl_setup.h"
#include "core/load/opener.h"

#include <sys/types.h>

#include <array>
#include <string>

namespace lapbench {

/// One slot's connections over TLS, one after the other: libcurl opens them and encrypts (CURLOPT_CONNECT_ONLY), the
/// caller says what is sent. It has a multi handle of its own: where several shared one, opening one would let libcurl
/// close others that have something to read. Stays where it is made; one thread.
class CurlTlsChannel {
public:
    /// Keeps references to what it is given.
    CurlTlsChannel(Poller& poller, CurlSockets& sockets, std::uint32_t index, unsigned slot, const CurlSetup& setup);
    ~CurlTlsChannel();
    CurlTlsChannel(const CurlTlsChannel&) = delete;
    CurlTlsChannel& operator=(const CurlTlsChannel&) = delete;

    /// Begins to connect; the channel is closed.
    void begin();
    std::int64_t dueNs() const { return m_driver.dueNs(); }
    void onTime() { m_driver.onTime(); }
    void onSocket(const epoll_event& event) { m_driver.onSocket(event); }
    /// How begin() ended, once; nothing yet. The descriptor in it is no longer registered with the poller.
    std::optional<Opened> ended();

    /// As send(2) and recv(2) on a descriptor that does not block. errno EPROTO: TLS failed, see fault(). ENODATA: the
    /// peer closed the connection without saying so in TLS, and what it sent may have been cut short.
    ssize_t send(const char* bytes, std::size_t size);
    ssize_t recv(char* bytes, std::size_t size);
    std::string fault() const { return m_message.data(); }
    /// Closes the connection, or breaks off the attempt.
    void close();

private:
    static curl_socket_t openSocket(void* channel, curlsocktype purpose, curl_sockaddr* address);
    static int closeSocket(void* channel, curl_socket_t fd);
    ssize_t failed(CURLcode code);

    const CurlSetup& m_setup;
    const unsigned m_slot;
    bool m_added = false; ///< the handle is in the multi: connecting or connected
    int m_socketErrno = 0;
    std::int64_t m_askedNs = 0;
    std::array<char, CURL_ERROR_SIZE> m_message{};
    CurlEasy m_easy;
    CurlDriver m_driver; // the last member: closing its connections still needs the others
};

} // namespace lapbench
