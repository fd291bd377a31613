#include "core/load/curl_endpoint.h"

#include "core/load/curl_handle.h"
#include "core/plan/wire_check.h"

#include <netdb.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

namespace lapbench {

namespace {

std::optional<std::string> part(const CurlUrl& url, CURLUPart which, unsigned flags = 0)
{
    char* text = nullptr;
    if (curl_url_get(url.get(), which, &text, flags) != CURLUE_OK || text == nullptr)
        return std::nullopt;
    std::string copy = text;
    curl_free(text);
    return copy;
}

Result<std::vector<std::string>> askNameService(const std::string& host)
{
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int code = getaddrinfo(host.c_str(), nullptr, &hints, &found);
    if (code != 0)
        return Problem{"url", "the host \"" + host + "\" cannot be found (" + gai_strerror(code) + ")",
                       "check its spelling and the name service"};
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(found, freeaddrinfo);
    std::vector<std::string> addresses;
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        std::array<char, NI_MAXHOST> name{};
        if (getnameinfo(each->ai_addr, each->ai_addrlen, name.data(), name.size(), nullptr, 0, NI_NUMERICHOST) == 0)
            addresses.emplace_back(name.data());
    }
    return addresses;
}

} // namespace

void startCurl()
{
    [[maybe_unused]] static const CURLcode kStarted = curl_global_init(CURL_GLOBAL_DEFAULT);
}

std::string Endpoint::pin() const
{
    if (literal || addresses.empty())
        return {};
    std::string text = host + ":" + std::to_string(port) + ":";
    for (std::size_t i = 0; i < addresses.size(); ++i)
        text += (i == 0 ? "" : ",") + addresses[i];
    return text;
}

Result<Endpoint> parseEndpoint(const std::string& text)
{
    const std::string cure = "write it as http://host:port/path";
    const CurlUrl url(curl_url());
    if (const CURLUcode code =
            curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_PATH_AS_IS | CURLU_NON_SUPPORT_SCHEME))
        return Problem{"url", "\"" + text + "\" is no URL (" + curl_url_strerror(code) + ")", cure};
    const auto scheme = part(url, CURLUPART_SCHEME);
    const auto host = part(url, CURLUPART_HOST);
    if (!host || host->empty())
        return Problem{"url", "\"" + text + "\" has no host", cure};
    if (scheme != "http" && scheme != "https")
        return Problem{"url", "\"" + text + "\" is neither http nor https", cure};
    if (part(url, CURLUPART_USER) || part(url, CURLUPART_PASSWORD))
        return Problem{"url", "\"" + text + "\" holds a user name or password", "send an Authorization header instead"};
    if (part(url, CURLUPART_QUERY))
        return Problem{"url", "\"" + text + "\" holds a query", "put it into the workload's path"};

    Endpoint endpoint;
    endpoint.secure = scheme == "https";
    const auto port = part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT);
    endpoint.port = static_cast<std::uint16_t>(std::stoul(port.value_or("80")));
    const auto zone = part(url, CURLUPART_ZONEID);
    const std::string portText = ":" + std::to_string(endpoint.port);
    endpoint.host = *host;
    std::string inUrl = *host;
    if (host->front() == '[') {
        endpoint.literal = true;
        endpoint.host = host->substr(1, host->size() - 2) + (zone ? "%" + *zone : "");
        inUrl = host->substr(0, host->size() - 1) + (zone ? "%25" + *zone : "") + "]";
    }
    endpoint.url = *scheme + "://" + inUrl + portText;
    endpoint.authority = *host + (endpoint.port == (endpoint.secure ? 443 : 80) ? "" : portText);
    endpoint.basePath = part(url, CURLUPART_PATH).value_or("");
    if (endpoint.basePath.ends_with('/'))
        endpoint.basePath.pop_back();
    return endpoint;
}

Result<Endpoint> resolveEndpoint(Endpoint endpoint, const WireOptions& options)
{
    if (!options.proxy.empty() || !options.unixSocket.empty())
        return endpoint;
    const auto add = [&endpoint](const std::string& address) {
        if (std::find(endpoint.addresses.begin(), endpoint.addresses.end(), address) == endpoint.addresses.end())
            endpoint.addresses.push_back(address);
    };
    for (const std::string& text : options.resolve)
        if (const auto entry = parseResolve(text))
            if (entry->port == endpoint.port && strcasecmp(entry->host.c_str(), endpoint.host.c_str()) == 0)
                add(entry->address);
    if (endpoint.addresses.empty()) {
        auto asked = askNameService(endpoint.host);
        if (!asked)
            return asked.problem();
        for (const std::string& address : asked.value())
            add(address);
        // Both loopback addresses, as RFC 6761, 6.3 has it: many hosts files name only one of them.
        if (endpoint.host == "localhost")
            for (const char* address : {"127.0.0.1", "::1"})
                add(address);
    }
    if (!options.ipv4 && !options.ipv6)
        return endpoint;
    const bool six = options.ipv6;
    std::erase_if(endpoint.addresses,
                  [six](const std::string& address) { return (address.find(':') != std::string::npos) != six; });
    if (endpoint.addresses.empty())
        return Problem{"url", "the host \"" + endpoint.host + "\" has no " + (six ? "IPv6" : "IPv4") + " address",
                       std::string("leave ") + (six ? "-6" : "-4") + " out, or name another host"};
    return endpoint;
}

} // namespace lapbench
