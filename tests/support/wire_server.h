#pragma once

#include "tests/support/certificates.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace lapbench::test {

/// One request as a server saw it.
struct SeenRequest {
    std::string head;          ///< up to the empty line
    std::string peer;          ///< numeric address of the client
    std::string name;          ///< the name it asked for in the handshake (SNI)
    std::string protocol;      ///< what was agreed on there (ALPN)
    std::string client;        ///< common name of the client's certificate
    std::string body;          ///< as long as Content-Length says
    unsigned inConnection = 0; ///< which request of its connection, from 1
};

/// How a WireServer answers one.
struct WireAnswer {
    std::string bytes;
    bool thenClose = false;
    bool rudely = false;   ///< closes without a word in TLS
    bool reset = false;    ///< breaks the connection off
    std::string rest = {}; ///< sent after `bytes`, by itself
};

/// A server for tests that remembers what reached it, with a thread for each connection: plain or over TLS, on a
/// loopback address or a Unix socket. A CONNECT is granted, and the server itself is what the tunnel leads to.
class WireServer {
public:
    struct Options {
        const Certificates* tls = nullptr; ///< null: plain
        bool tlsInTunnel = false;          ///< plain until a CONNECT was granted
        bool asksForClient = false;        ///< no handshake without a certificate of the client
        bool speaksH2 = false;             ///< agrees on h2, to which it then has no answer
        std::string host = "127.0.0.1";
        std::string unixPath = {}; ///< instead of host and port
        int backlog = 512;
        std::size_t aloneFor = 0; ///< requests on one connection before another is accepted beside it
        std::function<WireAnswer(const SeenRequest&)> answer = [](const SeenRequest&) { return hello(); };
    };
    explicit WireServer(Options options);
    ~WireServer();
    WireServer(const WireServer&) = delete;
    WireServer& operator=(const WireServer&) = delete;

    static WireAnswer hello(const std::string& moreHeaders = {}, const std::string& body = "hello");

    std::uint16_t port() const { return m_port; }
    std::vector<SeenRequest> seen() const;
    std::uint64_t connections() const { return m_connections.load(); }
    std::uint64_t open() const { return m_open.load(); }
    /// Closes all connections that are open now.
    void closeAll();

private:
    class Peer;
    void accept();
    void serve(int fd);

    const Options m_options;
    int m_listenFd = -1;
    std::uint16_t m_port = 0;
    void* m_context = nullptr; ///< an SSL_CTX
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<SeenRequest> m_seen;
    std::set<int> m_fds;
    std::vector<std::thread> m_threads;
    std::atomic<bool> m_stopping{false};
    std::atomic<std::uint64_t> m_connections{0}, m_open{0};
    std::thread m_thread;
};

} // namespace lapbench::test
