#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace lapbench::test {

/// How OddServer answers. What a right client makes of it is in the tests of the load core.
enum class Odd {
    ok,          ///< "hello" with its length
    delayed,     ///< the same after `amount` ms
    hang,        ///< never
    half,        ///< every second request never
    empty,       ///< closes without a byte
    garbage,     ///< no HTTP at all
    close,       ///< announces the close, and closes
    quietClose,  ///< closes after the answer without saying so
    onceEach,    ///< answers the first request of a connection and closes it at the second, without a byte
    http10,      ///< HTTP/1.0 without a length, the close ends the body
    noLength,    ///< HTTP/1.1 without a length, the close ends the body
    limit,       ///< announces the close with every `amount`-th answer of a connection
    noContent,   ///< 204 with a length to be ignored
    notModified, ///< 304 with a length to be ignored
    headOnly,    ///< a length without a body: right for HEAD only
    trailers,    ///< chunked, with a trailer
    chunkCut,    ///< chunked without the last chunk, then closes
    shortBody,   ///< closes in the middle of the body
    resetBody,   ///< resets in the middle of the body
    bigHeader,   ///< one header of `amount` KiB
    manyHeaders, ///< `amount` headers
    drip,        ///< a byte each `amount` ms
    early,       ///< 103 before the answer
    extra,       ///< more bytes than the answer has
    echo,        ///< the request as the body
    status,      ///< status `amount`
    noRead,      ///< never reads
    said,        ///< the bytes it was given
    dies         ///< stops listening and drops everything after `amount` requests
};

/// A TCP server for tests that misbehaves on purpose, on a thread and a loopback port of its own from construction to
/// destruction. Its counts are what the load core's are held against.
class OddServer {
public:
    /// `host` is 127.0.0.1 or ::1. Aborts the test program where no port can be had.
    explicit OddServer(Odd how, int amount = 0, const char* host = "127.0.0.1");
    /// Odd::said: sends `answer` to every request, and closes the connection where `thenClose`.
    OddServer(std::string answer, bool thenClose);
    ~OddServer();
    OddServer(const OddServer&) = delete;
    OddServer& operator=(const OddServer&) = delete;

    std::uint16_t port() const { return m_port; }
    std::string url() const;
    std::uint64_t requests() const { return m_requests.load(); }
    std::uint64_t connections() const { return m_connections.load(); }
    /// Connections open now.
    std::uint64_t open() const { return m_open.load(); }

private:
    struct Peer {
        int fd = -1;
        std::string in, out;
        std::int64_t outDueNs = 0; ///< `out` is held back until then
        std::size_t dripped = 0;
        int served = 0;
        bool closeAfter = false, resetAfter = false;
    };

    void listen();
    void serve();
    void accept();
    bool read(Peer& peer);
    bool takeRequest(Peer& peer);
    void answer(Peer& peer, const std::string& request);
    bool write(Peer& peer);
    void drop(Peer& peer, bool reset);

    const Odd m_how;
    const int m_amount; ///< of Odd::said: whether it closes
    std::string m_host, m_said;
    int m_listenFd = -1;
    int m_stopFds[2] = {-1, -1};
    std::uint16_t m_port = 0;
    std::vector<std::unique_ptr<Peer>> m_peers;
    std::atomic<std::uint64_t> m_requests{0}, m_connections{0}, m_open{0};
    std::thread m_thread;
};

/// A loopback port on which nobody listens.
std::uint16_t freePort();

} // namespace lapbench::test
