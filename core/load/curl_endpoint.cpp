#include "core/load/curl_endpoint.h"

#include "core/load/curl_handle.h"

#include <netdb.h>
#include <netinet/in.h>
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
    if (scheme == "https")
        return Problem{"url", "\"" + text + "\" asks for TLS, which this version cannot load yet",
                       "measure the server over plain http"};
    if (scheme != "http")
        return Problem{"url", "\"" + text + "\" is not http", cure};
    if (part(url, CURLUPART_USER) || part(url, CURLUPART_PASSWORD))
        return Problem{"url", "\"" + text + "\" holds a user name or password", "send an Authorization header instead"};
    if (part(url, CURLUPART_QUERY))
        return Problem{"url", "\"" + text + "\" holds a query", "put it into the workload's path"};

    Endpoint endpoint;
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
    endpoint.url = "http://" + inUrl + portText;
    endpoint.authority = *host + (endpoint.port == 80 ? "" : portText);
    endpoint.basePath = part(url, CURLUPART_PATH).value_or("");
    if (endpoint.basePath.ends_with('/'))
        endpoint.basePath.pop_back();
    return endpoint;
}

Result<Endpoint> resolveEndpoint(Endpoint endpoint)
{
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int code = getaddrinfo(endpoint.host.c_str(), nullptr, &hints, &found);
    if (code != 0)
        return Problem{"url", "the host \"" + endpoint.host + "\" cannot be found (" + gai_strerror(code) + ")",
                       "check its spelling and the name service"};
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(found, freeaddrinfo);
    const auto add = [&endpoint](const char* address) {
        if (std::find(endpoint.addresses.begin(), endpoint.addresses.end(), address) == endpoint.addresses.end())
            endpoint.addresses.emplace_back(address);
    };
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        std::array<char, NI_MAXHOST> name{};
        if (getnameinfo(each->ai_addr, each->ai_addrlen, name.data(), name.size(), nullptr, 0, NI_NUMERICHOST) == 0)
            add(name.data());
    }
    // Both loopback addresses, as RFC 6761, 6.3 has it: many hosts files name only one of them.
    if (endpoint.host == "localhost")
        for (const char* address : {"127.0.0.1", "::1"})
            add(address);
    return endpoint;
}

} // namespace lapbench
