#include "core/load/curl_setup.h"

#include "core/base/clock.h"
#include "core/load/curl_trust.h"

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace lapbench {

namespace {

long versionOf(HttpVersion http)
{
    switch (http) {
    case HttpVersion::http2:
        return CURL_HTTP_VERSION_2TLS;
    case HttpVersion::http2Knowledge:
        return CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
    case HttpVersion::http3:
#if LIBCURL_VERSION_NUM >= 0x075800
        return CURL_HTTP_VERSION_3ONLY;
#else
        return CURL_HTTP_VERSION_3;
#endif
    case HttpVersion::http1:
        break;
    }
    return CURL_HTTP_VERSION_1_1;
}

bool isLoopback(const curl_sockaddr& address)
{
    if (address.family == AF_INET) {
        sockaddr_in four{};
        std::memcpy(&four, &address.addr, sizeof four);
        return ntohl(four.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    }
    if (address.family != AF_INET6)
        return false;
    sockaddr_in6 six{};
    std::memcpy(&six, &address.addr, sizeof six);
    return IN6_IS_ADDR_LOOPBACK(&six.sin6_addr);
}

/// Within a machine there is no congestion to control, and a system's default (BBR) may cost several percent of a
/// request. Where it cannot be had the default stays.
void spareCongestionControl(int fd)
{
    constexpr std::string_view kCheapest = "reno"; // every Linux has it
    ::setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, kCheapest.data(), kCheapest.size());
}

} // namespace

long curlMs(Nanoseconds duration)
{
    return static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(duration).count());
}

void append(CurlList& list, const std::string& line)
{
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    if (longer != nullptr && longer != list.get())
        list.reset(longer);
}

CurlSetup::CurlSetup(const WireTask& task) : m_task(task)
{
    if (const std::string pin = task.endpoint.pin(); !pin.empty())
        append(m_pin, pin);
    for (const std::string& text : task.options.interfaces)
        if (const auto address = parseLocalAddress(text))
            (address->family() == AF_INET ? m_four : m_six).push_back(*address);
}

void CurlSetup::apply(CURL* easy) const
{
    const WireOptions& options = m_task.options;
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    // An empty proxy keeps libcurl from the environment's; an empty exception, from its exceptions.
    curl_easy_setopt(easy, CURLOPT_PROXY, options.proxy.c_str());
    curl_easy_setopt(easy, CURLOPT_NOPROXY, options.proxy.empty() ? "*" : "");
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, curlMs(options.connectTimeout));
    curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, -1L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, versionOf(options.http));
    if (m_pin)
        curl_easy_setopt(easy, CURLOPT_RESOLVE, m_pin.get());
    if (options.ipv4 || options.ipv6)
        curl_easy_setopt(easy, CURLOPT_IPRESOLVE,
                         static_cast<long>(options.ipv4 ? CURL_IPRESOLVE_V4 : CURL_IPRESOLVE_V6));
    if (!options.unixSocket.empty())
        curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, options.unixSocket.c_str());
    if (m_task.trust != nullptr)
        m_task.trust->apply(easy);
}

curl_socket_t CurlSetup::openSocket(unsigned slot, const curl_sockaddr& address) const
{
    const int fd = ::socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
    const bool bound = (!m_four.empty() || !m_six.empty()) && (address.family == AF_INET || address.family == AF_INET6);
    if (fd >= 0 && isLoopback(address))
        spareCongestionControl(fd);
    if (fd < 0 || !bound)
        return fd;
    const std::vector<LocalAddress>& choice = address.family == AF_INET ? m_four : m_six;
    // The port is then chosen with the connection: the same one may serve connections to other servers.
    const int on = 1;
    ::setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    const LocalAddress* local = choice.empty() ? nullptr : &choice[slot % choice.size()];
    if (local != nullptr && ::bind(fd, local->any(), local->size()) == 0)
        return fd;
    const int error = local != nullptr ? errno : EADDRNOTAVAIL;
    ::close(fd);
    errno = error;
    return CURL_SOCKET_BAD;
}

bool CurlSetup::mayTryAgain(CURL* easy, CURLcode code, std::int64_t sinceNs) const
{
    if (code != CURLE_COULDNT_CONNECT || m_task.options.unixSocket.empty())
        return false;
    long error = 0;
    curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error);
    return (error == 0 || error == EAGAIN) && steadyNs() - sinceNs < m_task.options.connectTimeout.count();
}

Result<void> checkCurlSpeaks(HttpVersion http)
{
    const curl_version_info_data* libcurl = curl_version_info(CURLVERSION_NOW);
    const std::string name = std::string("this libcurl (") + libcurl->version + ")";
    const bool two = http == HttpVersion::http2 || http == HttpVersion::http2Knowledge;
    if (two && (libcurl->features & CURL_VERSION_HTTP2) == 0)
        return Problem{"http", name + " has no HTTP/2", "use a libcurl built with nghttp2, or ask for http 1.1"};
    if (http == HttpVersion::http3 && (libcurl->features & CURL_VERSION_HTTP3) == 0)
        return Problem{"http", name + " has no HTTP/3", "use a libcurl built with HTTP/3, or ask for http 2"};
    return {};
}

} // namespace lapbench
