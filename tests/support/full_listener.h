#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace lapbench::test {

/// A listener with a line of one and nobody behind it: further handshakes with it are never completed.
class FullListener {
public:
    FullListener() : m_fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        m_address.sin_family = AF_INET;
        m_address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof m_address;
        auto* any = reinterpret_cast<sockaddr*>(&m_address);
        if (m_fd < 0 || ::bind(m_fd, any, size) != 0 || ::listen(m_fd, 0) != 0 || ::getsockname(m_fd, any, &size) != 0)
            std::abort();
    }
    ~FullListener() { ::close(m_fd); }
    FullListener(const FullListener&) = delete;
    FullListener& operator=(const FullListener&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(ntohs(m_address.sin_port)); }

private:
    int m_fd;
    sockaddr_in m_address{};
};

} // namespace lapbench::test
