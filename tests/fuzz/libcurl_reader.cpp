#include "tests/fuzz/libcurl_reader.h"

#include <arpa/inet.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace lapbench::test {

namespace {

[[noreturn]] void giveUp(const char* what)
{
    std::fprintf(stderr, "libcurl reader: %s\n", what);
    std::abort();
}

/// Bytes that wait at a socket: FIONREAD to be read, SIOCOUTQ to arrive at the other end.
int waiting(int fd, unsigned long where)
{
    int bytes = 0;
    return ::ioctl(fd, where, &bytes) == 0 ? bytes : 0;
}

std::size_t append(char* bytes, std::size_t, std::size_t size, void* body)
{
    static_cast<std::string*>(body)->append(bytes, size);
    return size;
}

} // namespace

LibcurlReader::LibcurlReader() : m_multi(curl_multi_init())
{
    m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(m_listener, generic, size) != 0 || ::listen(m_listener, 8) != 0 ||
        ::getsockname(m_listener, generic, &size) != 0)
        giveUp("cannot listen on the loopback address");
    m_url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
}

LibcurlReader::~LibcurlReader()
{
    curl_multi_cleanup(m_multi);
    ::close(m_listener);
}

CURL* LibcurlReader::prepared(bool toHead, std::string& body)
{
    CURL* const easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, m_url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_NOBODY, toHead ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
    curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, m_error);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &body);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, this);
    return easy;
}

curl_socket_t LibcurlReader::open(void* self, curlsocktype, curl_sockaddr* address)
{
    auto& reader = *static_cast<LibcurlReader*>(self);
    reader.m_ours = ::socket(address->family, address->socktype, address->protocol);
    return reader.m_ours;
}

int LibcurlReader::close(void* self, curl_socket_t socket)
{
    auto& reader = *static_cast<LibcurlReader*>(self);
    if (reader.m_ours == socket)
        reader.m_ours = -1;
    return ::close(socket);
}

LibcurlReading LibcurlReader::read(std::string_view bytes, bool toHead)
{
    LibcurlReading reading;
    m_error[0] = '\0';
    // A new one each time: libcurl 7.88 reads freed memory where a used one meets an answer that begins with a folded
    // line.
    CURL* const easy = prepared(toHead, reading.body);
    curl_multi_add_handle(m_multi, easy);
    reading.byClose = exchange(bytes);
    int left = 0;
    const CURLMsg* const message = curl_multi_info_read(m_multi, &left);
    reading.code = message != nullptr ? message->data.result : CURLE_FAILED_INIT;
    reading.error = m_error[0] != '\0' ? m_error : curl_easy_strerror(reading.code);
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    reading.status = static_cast<int>(status);
    curl_multi_remove_handle(m_multi, easy);
    curl_easy_cleanup(easy);
    reading.keepAlive = reading.accepted() && m_ours >= 0;
    m_ours = -1; // libcurl keeps it until the next connection comes
    if (m_peer >= 0) {
        const linger now{1, 0}; // leaves no port behind that nobody may use for a minute
        ::setsockopt(m_peer, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        ::close(std::exchange(m_peer, -1));
    }
    return reading;
}

bool LibcurlReader::exchange(std::string_view bytes)
{
    bool closed = false;
    int still = 0;
    for (int turn = 0; turn < 1'000'000; ++turn) {
        if (m_peer < 0)
            m_peer = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (m_peer >= 0 && !bytes.empty()) {
            const ssize_t sent = ::send(m_peer, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            bytes.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
        }
        int running = 0;
        curl_multi_perform(m_multi, &running);
        if (running == 0)
            return closed;
        // More than once, since some of libcurl's steps read nothing.
        still = bytes.empty() && wantsMore() ? still + 1 : 0;
        if (still == 4 && !closed) {
            closed = true;
            ::shutdown(m_peer, SHUT_WR);
        }
    }
    giveUp("libcurl does not come to an end");
}

bool LibcurlReader::wantsMore() const
{
    // Something to read at the peer is the request: it was sent, and the answer to it is all that can come.
    return m_peer >= 0 && m_ours >= 0 && waiting(m_peer, FIONREAD) > 0 && waiting(m_peer, SIOCOUTQ) == 0 &&
           waiting(m_ours, FIONREAD) == 0;
}

} // namespace lapbench::test
