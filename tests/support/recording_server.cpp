#include "tests/support/recording_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace lapbench::test {

namespace {

constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

void must(bool right)
{
    if (!right)
        std::abort();
}

std::size_t lengthIn(const std::string& head)
{
    const std::size_t at = head.find("Content-Length: ");
    return at == std::string::npos ? 0 : std::strtoul(head.c_str() + at + 16, nullptr, 10);
}

} // namespace

RecordingServer::RecordingServer()
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    m_listenFd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(m_listenFd >= 0 && ::bind(m_listenFd, reinterpret_cast<sockaddr*>(&address), size) == 0);
    must(::listen(m_listenFd, 256) == 0 && ::pipe(m_stopFds) == 0);
    must(::getsockname(m_listenFd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { serve(); });
}

std::vector<Recorded> RecordingServer::stop()
{
    if (m_thread.joinable()) {
        must(::write(m_stopFds[1], "x", 1) == 1);
        m_thread.join();
        for (const int fd : {m_listenFd, m_stopFds[0], m_stopFds[1]})
            ::close(fd);
        for (const Peer& peer : m_peers)
            ::close(peer.fd);
    }
    return m_recorded;
}

void RecordingServer::serve()
{
    while (true) {
        std::vector<pollfd> fds = {{m_stopFds[0], POLLIN, 0}, {m_listenFd, POLLIN, 0}};
        for (const Peer& peer : m_peers)
            fds.push_back({peer.fd, POLLIN, 0});
        must(::poll(fds.data(), fds.size(), -1) > 0);
        if (fds[0].revents != 0)
            return;
        for (std::size_t i = m_peers.size(); i-- > 0;)
            if (fds[i + 2].revents != 0 && !read(m_peers[i])) {
                ::close(m_peers[i].fd);
                m_peers.erase(m_peers.begin() + static_cast<std::ptrdiff_t>(i));
            }
        if (fds[1].revents != 0)
            if (const int fd = ::accept4(m_listenFd, nullptr, nullptr, SOCK_CLOEXEC); fd >= 0)
                m_peers.push_back({fd, {}});
    }
}

bool RecordingServer::read(Peer& peer)
{
    char bytes[65536];
    const ssize_t got = ::recv(peer.fd, bytes, sizeof bytes, 0);
    if (got <= 0)
        return false;
    peer.in.append(bytes, static_cast<std::size_t>(got));
    while (true) {
        const std::size_t end = peer.in.find("\r\n\r\n");
        if (end == std::string::npos)
            return true;
        Recorded request{peer.in.substr(0, peer.in.find("\r\n")), peer.in.substr(0, end + 4), {}};
        const std::size_t length = lengthIn(request.head);
        if (peer.in.size() < end + 4 + length)
            return true;
        request.body = peer.in.substr(end + 4, length);
        peer.in.erase(0, end + 4 + length);
        m_recorded.push_back(std::move(request));
        if (::send(peer.fd, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(kAnswer.size()))
            return false;
    }
}

} // namespace lapbench::test
