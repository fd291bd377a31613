#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace lapbench::test {

/// One request as it came over the wire.
struct Recorded {
    std::string line; ///< "GET /a HTTP/1.1"
    std::string head; ///< all of it, the line included
    std::string body;
};

/// An HTTP/1.1 server for tests that answers everything with 200 and two bytes, and keeps what it was asked. A loopback
/// port and a thread of its own from construction to stop().
class RecordingServer {
public:
    /// Aborts the test program where no port can be had.
    RecordingServer();
    ~RecordingServer() { stop(); }
    RecordingServer(const RecordingServer&) = delete;
    RecordingServer& operator=(const RecordingServer&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(m_port); }
    /// Ends the thread; what it kept may be read from then on.
    std::vector<Recorded> stop();

private:
    struct Peer {
        int fd;
        std::string in;
    };

    void serve();
    bool read(Peer& peer);

    int m_listenFd = -1;
    int m_stopFds[2] = {-1, -1};
    std::uint16_t m_port = 0;
    std::vector<Peer> m_peers;
    std::vector<Recorded> m_recorded;
    std::thread m_thread;
};

} // namespace lapbench::test
