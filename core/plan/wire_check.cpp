#include "core/plan/wire_check.h"

#include <arpa/inet.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lapbench {

namespace {

constexpr std::size_t kLongestSocketPath = sizeof(sockaddr_un::sun_path) - 1;

bool isProxy(std::string_view url)
{
    constexpr std::array<std::string_view, 6> kSchemes = {"http", "https", "socks4", "socks4a", "socks5", "socks5h"};
    if (const std::size_t colon = url.find("://"); colon != std::string_view::npos) {
        if (std::find(kSchemes.begin(), kSchemes.end(), url.substr(0, colon)) == kSchemes.end())
            return false;
        url.remove_prefix(colon + 3);
    }
    return !url.empty() && url.front() != ':' && url.front() != '/' &&
           std::all_of(url.begin(), url.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

class WireChecker {
public:
    WireChecker(const WireOptions& options, const std::string& place)
        : m_options(options), m_prefix(place.empty() ? "" : place + ".")
    {}

    Problems check()
    {
        checkTransport();
        checkStreams();
        checkTls();
        checkAddresses();
        checkSocketAndProxy();
        return std::move(m_problems);
    }

private:
    void problem(const char* key, std::string message, std::string cure)
    {
        m_problems.push_back({m_prefix + key, std::move(message), std::move(cure)});
    }

    void checkTransport()
    {
        if (m_options.transport != TransportKind::keepAlive)
            return;
        const std::string cure = "let the transport be auto or curl";
        if (m_options.http != HttpVersion::http1)
            problem("transport", "keep-alive speaks HTTP/1.1 only", cure);
        if (m_options.followRedirects)
            problem("transport", "keep-alive does not follow redirects", cure);
        if (!m_options.proxy.empty())
            problem("transport", "keep-alive does not go through a proxy", cure);
    }

    void checkStreams()
    {
        if (m_options.streams > 1 && m_options.http == HttpVersion::http1)
            problem("streams", "HTTP/1.1 has one request at a time on a connection",
                    "ask for http 2 or 2-prior-knowledge, or for more connections");
        if (m_options.streams > 1 && m_options.newConnections)
            problem("streams", "a new connection for each request has one stream", "leave one of the two out");
    }

    void checkTls()
    {
        if (!m_options.key.empty() && m_options.cert.empty())
            problem("key", "is the key of no certificate", "name the certificate with cert");
        if (m_options.insecure && !m_options.caCert.empty())
            problem("cacert", "is of no use where any certificate is taken", "leave insecure or cacert out");
    }

    void checkAddresses()
    {
        if (m_options.ipv4 && m_options.ipv6)
            problem("ipv4", "excludes ipv6", "keep one of them, or none for both kinds of address");
        for (const std::string& entry : m_options.resolve)
            if (!parseResolve(entry))
                problem("resolve", "\"" + entry + "\" is no HOST:PORT:ADDRESS", "for example name.test:8080:127.0.0.1");
        for (const std::string& address : m_options.interfaces)
            if (!familyOf(address))
                problem("interface", "\"" + address + "\" is no address", "give local addresses such as 127.0.0.2");
    }

    void checkSocketAndProxy()
    {
        if (m_options.unixSocket.size() > kLongestSocketPath)
            problem("unix_socket",
                    "the path has more than the " + std::to_string(kLongestSocketPath) + " bytes that a socket's may",
                    "use a shorter one");
        if (!m_options.unixSocket.empty() && !m_options.interfaces.empty())
            problem("interface", "a Unix socket has no local addresses", "leave one of the two out");
        if (!m_options.unixSocket.empty() && !m_options.proxy.empty())
            problem("proxy", "a Unix socket is not reached through a proxy", "leave one of the two out");
        if (!m_options.proxy.empty() && !isProxy(m_options.proxy))
            problem("proxy", "\"" + m_options.proxy + "\" is no proxy",
                    "for example http://127.0.0.1:3128 or socks5://127.0.0.1:1080");
    }

    const WireOptions& m_options;
    const std::string m_prefix;
    Problems m_problems;
};

} // namespace

Problems checkWire(const WireOptions& options, const std::string& place)
{
    return WireChecker(options, place).check();
}

Result<void> checkScheme(HttpVersion http, bool secure)
{
    switch (http) {
    case HttpVersion::http1:
        return {};
    case HttpVersion::http2:
        if (!secure)
            return Problem{"http", "HTTP/2 over TLS needs an https URL",
                           "write https://, or ask for 2-prior-knowledge"};
        return {};
    case HttpVersion::http2Knowledge:
        if (secure)
            return Problem{"http", "prior knowledge of HTTP/2 is for http URLs", "ask for http 2"};
        return {};
    case HttpVersion::http3:
        if (!secure)
            return Problem{"http", "HTTP/3 needs an https URL", "write https://"};
        return {};
    }
    return {};
}

std::optional<ResolveOverride> parseResolve(std::string_view text)
{
    const std::size_t hostEnd = text.find(':');
    if (hostEnd == std::string_view::npos || hostEnd == 0)
        return std::nullopt;
    ResolveOverride entry;
    entry.host = text.substr(0, hostEnd);
    text.remove_prefix(hostEnd + 1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), entry.port);
    if (error != std::errc() || entry.port == 0 || end == text.data() + text.size() || *end != ':')
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    if (text.starts_with('[') && text.ends_with(']'))
        text = text.substr(1, text.size() - 2);
    entry.address = text;
    if (!familyOf(entry.address))
        return std::nullopt;
    return entry;
}

std::optional<int> familyOf(const std::string& address)
{
    in6_addr room{};
    for (const int family : {AF_INET, AF_INET6})
        if (inet_pton(family, address.c_str(), &room) == 1)
            return family;
    return std::nullopt;
}

} // namespace lapbench
