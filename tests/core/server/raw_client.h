#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

/// A blocking loopback socket for tests that want to see the very bytes. Every read gives up after ten seconds.
class RawClient {
public:
    explicit RawClient(std::uint16_t port) : m_fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        const timeval limit{10, 0};
        ::setsockopt(m_fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        m_connected = ::connect(m_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    }
    ~RawClient() { ::close(m_fd); }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    bool connected() const { return m_connected; }

    bool send(std::string_view text)
    {
        while (!text.empty()) {
            const ssize_t sent = ::send(m_fd, text.data(), text.size(), MSG_NOSIGNAL);
            if (sent <= 0)
                return false;
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    void finishSending() { ::shutdown(m_fd, SHUT_WR); }

    /// One answer's head, the empty line included.
    std::string readHead() { return readUntil("\r\n\r\n"); }
    /// Exactly `size` bytes, fewer at the end of the stream.
    std::string readBytes(std::size_t size)
    {
        while (m_buffer.size() < size && fill()) {
        }
        return take(size < m_buffer.size() ? size : m_buffer.size());
    }
    std::string readToEnd()
    {
        while (fill()) {
        }
        return take(m_buffer.size());
    }
    std::string readUntil(std::string_view mark)
    {
        std::size_t at;
        while ((at = m_buffer.find(mark)) == std::string::npos)
            if (!fill())
                return take(m_buffer.size());
        return take(at + mark.size());
    }
    /// Sends a GET and returns head and body of an answer with a Content-Length.
    std::string get(const std::string& target)
    {
        send("GET " + target + " HTTP/1.1\r\nHost: test\r\n\r\n");
        std::string head = readHead();
        return head + readBytes(contentLength(head));
    }
    static std::size_t contentLength(const std::string& head)
    {
        const std::size_t at = head.find("Content-Length: ");
        return at == std::string::npos ? 0 : std::stoul(head.substr(at + 16));
    }
    static std::string bodyOf(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

private:
    bool fill()
    {
        char piece[65536];
        const ssize_t got = ::recv(m_fd, piece, sizeof piece, 0);
        if (got > 0)
            m_buffer.append(piece, static_cast<std::size_t>(got));
        return got > 0;
    }
    std::string take(std::size_t size)
    {
        std::string taken = m_buffer.substr(0, size);
        m_buffer.erase(0, size);
        return taken;
    }

    int m_fd;
    bool m_connected = false;
    std::string m_buffer;
};
