#include "core/load/curl_multi_transport.h"

#include <strings.h>

#include <algorithm>

// How a slot's libcurl handle is set up, once for all requests and for each that differs.

namespace lapbench {

namespace {

constexpr long kMostRedirects = 10;
constexpr unsigned kAsRedirect =
    CURLU_PATH_AS_IS | CURLU_NON_SUPPORT_SCHEME | CURLU_ALLOW_SPACE | CURLU_URLENCODE; // as much as libcurl takes
constexpr std::size_t kExpectsContinue = 1024 * 1024; // from there libcurl would ask before it sends a body

bool isNamed(const std::pair<std::string, std::string>& header, const char* name)
{
    return strcasecmp(header.first.c_str(), name) == 0;
}

bool has(const PreparedRequest& request, const char* name)
{
    return std::any_of(request.headers.begin(), request.headers.end(),
                       [name](const auto& header) { return isNamed(header, name); });
}

std::string hostOf(const CurlUrl& url)
{
    char* host = nullptr;
    if (curl_url_get(url.get(), CURLUPART_HOST, &host, 0) != CURLUE_OK || host == nullptr)
        return {};
    std::string copy = host;
    curl_free(host);
    return copy;
}

} // namespace

CurlUrl CurlMultiTransport::urlOf(const PreparedRequest& request) const
{
    CurlUrl url(curl_url());
    curl_url_set(url.get(), CURLUPART_URL, (m_task.endpoint.url + request.target).c_str(), CURLU_PATH_AS_IS);
    return url;
}

CurlList CurlMultiTransport::headersOf(const PreparedRequest& request) const
{
    CurlList list;
    // What libcurl would add by itself is taken out, so that both transports send the same request.
    if (!has(request, "Accept"))
        append(list, "Accept:");
    if ((!request.body.empty() || has(request, "Content-Length")) && !has(request, "Content-Type"))
        append(list, "Content-Type:");
    if (request.body.size() >= kExpectsContinue && !has(request, "Expect"))
        append(list, "Expect:");
    for (const auto& header : request.headers) {
        // libcurl sends these by itself, and at less cost than those of the list, which it searches many times.
        if ((isNamed(header, "Host") && header.second == m_task.endpoint.authority) || isNamed(header, "User-Agent"))
            continue;
        // The same goes for the length of a body, which is not to be sent where a redirect leads on without the body.
        if (isNamed(header, "Content-Length") && request.method != "HEAD" &&
            header.second == std::to_string(request.body.size()))
            continue;
        append(list, header.second.empty() ? header.first + ";" : header.first + ": " + header.second);
    }
    return list;
}

void CurlMultiTransport::prepare(Transfer& transfer, Shard& shard)
{
    const WireOptions& options = m_task.options;
    transfer.easy.reset(curl_easy_init());
    CURL* easy = transfer.easy.get();
    m_setup.apply(easy);
    curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, options.followRedirects ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_MAXREDIRS, kMostRedirects);
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 16L * 1024);
    curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, 2147483647L); // 0 would mean: older than a second is dead
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, 0L);    // expire() is cheaper than libcurl's timers
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, options.newConnections ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, options.newConnections ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, multiplexes() ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, takeBody);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, takeHead);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, beforeSending);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, openSocket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, closeSocket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, &shard);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.message.data());
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
    if (m_kinds.size() == 1 && m_kinds.front().url)
        setRequest(transfer, 0);
}

void CurlMultiTransport::setRequest(Transfer& transfer, std::uint64_t number)
{
    CURL* easy = transfer.easy.get();
    transfer.kind = m_cursor.kindOf(number);
    const RequestKind& kind = m_cursor.kind(transfer.kind);
    const PreparedRequest& request = m_cursor.parts(number);
    if (!kind.constant) {
        transfer.url = urlOf(request);
        transfer.headers = headersOf(request);
        transfer.postFields = request.body;
    }
    const Kind& shared = m_kinds[transfer.kind];
    curl_easy_setopt(easy, CURLOPT_CURLU, kind.constant ? shared.url.get() : transfer.url.get());
    const auto agent = std::find_if(request.headers.begin(), request.headers.end(),
                                    [](const auto& header) { return isNamed(header, "User-Agent"); });
    const bool named = agent != request.headers.end() && !agent->second.empty();
    curl_easy_setopt(easy, CURLOPT_USERAGENT, named ? agent->second.c_str() : nullptr);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, kind.constant ? shared.headers.get() : transfer.headers.get());
    const bool posts = !request.body.empty() || has(request, "Content-Length");
    if (posts) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, kind.constant ? request.body.c_str() : transfer.postFields.c_str());
    } else {
        curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    }
    curl_easy_setopt(easy, CURLOPT_NOBODY, kind.head ? 1L : 0L);
    // A redirect may change the method, but not one that is set by name.
    const bool natural = !kind.head && request.method == (posts ? "POST" : "GET");
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, natural || kind.head ? nullptr : request.method.c_str());
    transfer.wantsText = kind.check.needsBody();
    transfer.sent = kind.constant ? request.bytes.size() : m_cursor.message(number).size();
}

/// The host that a "Location" header line points to, where that is another than the request went to.
std::string CurlMultiTransport::foreignHost(CURL* easy, std::string_view line)
{
    constexpr std::string_view kName = "location:";
    if (line.size() < kName.size() || strncasecmp(line.data(), kName.data(), kName.size()) != 0)
        return {};
    line.remove_prefix(kName.size());
    const std::size_t from = line.find_first_not_of(" \t");
    const std::size_t to = line.find_last_not_of(" \t\r\n");
    if (from == std::string_view::npos || to == std::string_view::npos)
        return {};
    const std::string place(line.substr(from, to - from + 1));
    char* here = nullptr;
    curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &here);
    const CurlUrl url(curl_url());
    if (here == nullptr || curl_url_set(url.get(), CURLUPART_URL, here, CURLU_PATH_AS_IS) != CURLUE_OK)
        return {};
    const std::string before = hostOf(url);
    if (curl_url_set(url.get(), CURLUPART_URL, place.c_str(), kAsRedirect) != CURLUE_OK)
        return {}; // libcurl itself will refuse it
    const std::string after = hostOf(url);
    return strcasecmp(before.c_str(), after.c_str()) == 0 ? std::string() : after;
}

} // namespace lapbench
