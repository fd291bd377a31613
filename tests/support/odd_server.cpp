#include "tests/support/odd_server.h"

#include "core/base/clock.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace lapbench::test {

namespace {

constexpr std::int64_t kMsNs = 1'000'000;

[[noreturn]] void giveUp(const char* what)
{
    std::perror(what);
    std::abort();
}

int listenOn(const char* host, std::uint16_t& port)
{
    const bool six = std::strchr(host, ':') != nullptr;
    const int fd = ::socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_storage address{};
    socklen_t size = 0;
    if (six) {
        auto& in = reinterpret_cast<sockaddr_in6&>(address);
        in.sin6_family = AF_INET6;
        inet_pton(AF_INET6, host, &in.sin6_addr);
        size = sizeof in;
    } else {
        auto& in = reinterpret_cast<sockaddr_in&>(address);
        in.sin_family = AF_INET;
        inet_pton(AF_INET, host, &in.sin_addr);
        size = sizeof in;
    }
    if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd, 4096) != 0 ||
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        giveUp("odd server");
    port = ntohs(six ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                     : reinterpret_cast<sockaddr_in&>(address).sin_port);
    return fd;
}

std::string head(const std::string& headers, const std::string& status = "200 OK", const char* version = "1.1")
{
    return std::string("HTTP/") + version + " " + status + "\r\n" + headers + "\r\n";
}

std::string whole(const std::string& body, const std::string& headers = {})
{
    return head(headers + "Content-Length: " + std::to_string(body.size()) + "\r\n") + body;
}

} // namespace

OddServer::OddServer(Odd how, int amount, const char* host) : m_how(how), m_amount(amount), m_host(host)
{
    listen();
}

OddServer::OddServer(std::string answer, bool thenClose)
    : m_how(Odd::said), m_amount(thenClose ? 1 : 0), m_host("127.0.0.1"), m_said(std::move(answer))
{
    listen();
}

void OddServer::listen()
{
    m_listenFd = listenOn(m_host.c_str(), m_port);
    if (::pipe2(m_stopFds, O_CLOEXEC) != 0)
        giveUp("odd server");
    m_thread = std::thread([this] { serve(); });
}

OddServer::~OddServer()
{
    ::close(m_stopFds[1]);
    m_thread.join();
    ::close(m_stopFds[0]);
    for (const auto& peer : m_peers)
        ::close(peer->fd);
    if (m_listenFd >= 0)
        ::close(m_listenFd);
}

std::string OddServer::url() const
{
    const bool six = m_host.find(':') != std::string::npos;
    return "http://" + (six ? "[" + m_host + "]" : m_host) + ":" + std::to_string(m_port);
}

void OddServer::serve()
{
    std::vector<pollfd> waited;
    for (;;) {
        const std::int64_t nowNs = steadyNs();
        int timeoutMs = -1;
        waited.assign({{m_stopFds[0], POLLIN, 0}, {m_listenFd, POLLIN, 0}});
        for (const auto& peer : m_peers) {
            const bool due = !peer->out.empty() && peer->outDueNs <= nowNs;
            if (!peer->out.empty() && !due) {
                const auto ms = static_cast<int>((peer->outDueNs - nowNs) / kMsNs) + 1;
                timeoutMs = timeoutMs < 0 ? ms : std::min(timeoutMs, ms);
            }
            const int events = (m_how == Odd::noRead ? 0 : POLLIN) | (due ? POLLOUT : 0);
            waited.push_back({peer->fd, static_cast<short>(events), 0});
        }
        if (::poll(waited.data(), waited.size(), timeoutMs) < 0 && errno != EINTR)
            giveUp("odd server: poll");
        if (waited[0].revents != 0)
            return;
        const std::size_t known = m_peers.size();
        if (waited[1].revents != 0)
            accept();
        for (std::size_t i = 0; i < known; ++i) {
            Peer& peer = *m_peers[i];
            const short events = waited[i + 2].revents;
            if ((events & (POLLIN | POLLHUP | POLLERR)) != 0 && !read(peer))
                continue;
            if (peer.fd >= 0 && !peer.out.empty() && peer.outDueNs <= steadyNs())
                write(peer);
        }
        std::erase_if(m_peers, [](const auto& peer) { return peer->fd < 0; });
        if (m_how == Odd::dies && m_listenFd >= 0 && requests() >= static_cast<std::uint64_t>(m_amount)) {
            ::close(std::exchange(m_listenFd, -1));
            for (const auto& peer : m_peers)
                drop(*peer, true);
            m_peers.clear();
        }
    }
}

void OddServer::accept()
{
    for (;;) {
        const int fd = ::accept4(m_listenFd, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return;
        const int one = 1;
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        m_connections.fetch_add(1);
        m_open.fetch_add(1);
        m_peers.push_back(std::make_unique<Peer>());
        m_peers.back()->fd = fd;
    }
}

bool OddServer::read(Peer& peer)
{
    std::array<char, 65536> buffer{};
    const ssize_t got = ::recv(peer.fd, buffer.data(), buffer.size(), 0);
    if (got <= 0) {
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return true;
        drop(peer, false);
        return false;
    }
    peer.in.append(buffer.data(), static_cast<std::size_t>(got));
    while (peer.fd >= 0 && takeRequest(peer)) {
    }
    return peer.fd >= 0;
}

bool OddServer::takeRequest(Peer& peer)
{
    const std::size_t end = peer.in.find("\r\n\r\n");
    if (end == std::string::npos)
        return false;
    std::size_t length = 0;
    if (const std::size_t at = peer.in.find("Content-Length: "); at < end)
        length = std::strtoul(peer.in.c_str() + at + 16, nullptr, 10);
    if (peer.in.size() < end + 4 + length)
        return false;
    const std::string request = peer.in.substr(0, end + 4 + length);
    peer.in.erase(0, request.size());
    m_requests.fetch_add(1);
    answer(peer, request);
    return true;
}

void OddServer::answer(Peer& peer, const std::string& request)
{
    const std::string hello = whole("hello");
    const auto say = [&](const std::string& text, bool thenClose = false) {
        peer.out += text;
        peer.closeAfter = thenClose;
    };
    const auto amount = static_cast<std::size_t>(m_amount);
    switch (m_how) {
    case Odd::hang:
    case Odd::noRead:
        return;
    case Odd::half:
        return requests() % 2 == 1 ? say(hello) : void();
    case Odd::delayed:
        peer.outDueNs = steadyNs() + m_amount * kMsNs;
        return say(hello);
    case Odd::empty:
        return drop(peer, false);
    case Odd::garbage:
        return say("\x16\x03\x01 no http\r\n\r\n", true);
    case Odd::close:
        return say(whole("hello", "Connection: close\r\n"), true);
    case Odd::quietClose:
        return say(hello, true);
    case Odd::onceEach:
        return peer.served++ == 0 ? say(hello) : drop(peer, false);
    case Odd::http10:
        return say(head("", "200 OK", "1.0") + "hello", true);
    case Odd::noLength:
        return say(head("") + "hello", true);
    case Odd::limit:
        return ++peer.served >= m_amount ? say(whole("hello", "Connection: close\r\n"), true) : say(hello);
    case Odd::noContent:
        return say(head("Content-Length: 5\r\n", "204 No Content"));
    case Odd::notModified:
        return say(head("Content-Length: 1234\r\nETag: \"a\"\r\n", "304 Not Modified"));
    case Odd::headOnly:
        return say(head("Content-Length: 1234\r\n"));
    case Odd::trailers:
        return say(head("Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n") + "5\r\nhello\r\n0\r\nX-Sum: abc\r\n\r\n");
    case Odd::chunkCut:
        return say(head("Transfer-Encoding: chunked\r\n") + "5\r\nhello\r\n", true);
    case Odd::shortBody:
        return say(head("Content-Length: 1000\r\n") + "only this", true);
    case Odd::resetBody:
        peer.resetAfter = true;
        return say(head("Content-Length: 100000\r\n") + std::string(500, 'x'), true);
    case Odd::bigHeader:
        return say(whole("hello", "X-Big: " + std::string(amount * 1024, 'a') + "\r\n"));
    case Odd::manyHeaders: {
        std::string headers;
        for (std::size_t i = 0; i < amount; ++i)
            headers += "X-" + std::to_string(i) + ": " + std::string(40, 'v') + "\r\n";
        return say(whole("hello", headers));
    }
    case Odd::early:
        return say(head("Link: </a.css>\r\n", "103 Early Hints") + hello);
    case Odd::extra:
        return say(hello + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    case Odd::echo:
        return say(whole(request));
    case Odd::status:
        return say(head("Content-Length: 0\r\n", std::to_string(m_amount) + " Said So"));
    case Odd::said:
        return m_said.empty() ? drop(peer, false) : say(m_said, m_amount != 0);
    case Odd::ok:
    case Odd::drip:
    case Odd::dies:
        return say(hello);
    }
}

bool OddServer::write(Peer& peer)
{
    const std::size_t size = m_how == Odd::drip ? 1 : peer.out.size();
    const ssize_t sent = ::send(peer.fd, peer.out.data(), size, MSG_NOSIGNAL);
    if (sent < 0) {
        if (errno == EAGAIN || errno == EINTR)
            return true;
        drop(peer, false);
        return false;
    }
    peer.out.erase(0, static_cast<std::size_t>(sent));
    if (m_how == Odd::drip)
        peer.outDueNs = steadyNs() + m_amount * kMsNs;
    if (peer.resetAfter && peer.out.empty()) {
        // What was sent has to arrive before the reset, which would otherwise take it away.
        if (peer.served++ == 0) {
            peer.out = "x";
            peer.outDueNs = steadyNs() + 20 * kMsNs;
            return true;
        }
        drop(peer, true);
        return false;
    }
    if (peer.out.empty() && peer.closeAfter) {
        drop(peer, false);
        return false;
    }
    return true;
}

void OddServer::drop(Peer& peer, bool reset)
{
    if (peer.fd < 0)
        return;
    if (reset) {
        const linger now{1, 0};
        ::setsockopt(peer.fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    ::close(std::exchange(peer.fd, -1));
    m_open.fetch_sub(1);
}

std::uint16_t freePort()
{
    std::uint16_t port = 0;
    ::close(listenOn("127.0.0.1", port));
    return port;
}

} // namespace lapbench::test
