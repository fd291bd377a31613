#include "core/net/http_client.h"

#include <curl/curl.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>

namespace lapbench {

namespace {

constexpr int kGiveUpPollMs = 5;
constexpr int kPollMs = 1000;
constexpr long kMostRedirects = 10;

struct Free {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
struct FreeMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
using Easy = std::unique_ptr<CURL, Free>;
using Multi = std::unique_ptr<CURLM, FreeMulti>;
using List = std::unique_ptr<curl_slist, Free>;

void append(List& list, const std::string& line)
{
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    if (longer != nullptr && longer != list.get())
        list.reset(longer);
}

long msOf(Nanoseconds duration)
{
    return std::max(1L, static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(duration).count()));
}

long versionOf(HttpWay::Version version)
{
    switch (version) {
    case HttpWay::Version::two:
        return CURL_HTTP_VERSION_2TLS;
    case HttpWay::Version::twoKnowledge:
        return CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
    case HttpWay::Version::three:
        return CURL_HTTP_VERSION_3;
    case HttpWay::Version::one:
        break;
    }
    return CURL_HTTP_VERSION_1_1;
}

std::string nameOf(long version)
{
    switch (version) {
    case CURL_HTTP_VERSION_1_0:
        return "1.0";
    case CURL_HTTP_VERSION_1_1:
        return "1.1";
    case CURL_HTTP_VERSION_2_0:
        return "2";
    case CURL_HTTP_VERSION_3:
        return "3";
    default:
        return {};
    }
}

bool has(const HttpRequest& request, const char* name)
{
    return std::any_of(request.headers.begin(), request.headers.end(),
                       [name](const auto& header) { return strcasecmp(header.first.c_str(), name) == 0; });
}

/// What libcurl would add by itself is taken out.
List listOf(const HttpRequest& request)
{
    List list;
    for (const char* name : {"Accept", "User-Agent", "Accept-Encoding", "Content-Type", "Expect"})
        if (!has(request, name))
            append(list, std::string(name) + ":");
    for (const auto& [name, value] : request.headers)
        append(list, value.empty() ? name + ";" : name + ": " + value);
    return list;
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t from = text.find_first_not_of(" \t");
    return from == std::string_view::npos ? std::string_view()
                                          : text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

/// The answer while it comes in.
struct Incoming {
    HttpAnswer answer;
    std::size_t maxBytes;
    bool headOver = false;
};

std::size_t takeHead(char* data, std::size_t one, std::size_t size, void* user)
{
    Incoming& incoming = *static_cast<Incoming*>(user);
    HttpHeaders& headers = incoming.answer.headers;
    std::string_view line(data, one * size);
    if (line.starts_with("HTTP/")) {
        headers.clear();
        incoming.headOver = false;
        return one * size;
    }
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
        line.remove_suffix(1);
    const std::size_t colon = line.find(':');
    if (line.empty())
        incoming.headOver = true;
    else if (incoming.headOver)
        return one * size; // a trailer
    else if ((line.front() == ' ' || line.front() == '\t') && !headers.empty())
        headers.back().second.append(" ").append(trimmed(line));
    else if (colon != std::string_view::npos)
        headers.emplace_back(line.substr(0, colon), trimmed(line.substr(colon + 1)));
    return one * size;
}

std::size_t takeBody(char* data, std::size_t one, std::size_t size, void* user)
{
    Incoming& incoming = *static_cast<Incoming*>(user);
    const std::size_t bytes = one * size;
    const std::size_t room = incoming.maxBytes - incoming.answer.body.size();
    incoming.answer.body.append(data, std::min(bytes, room));
    if (bytes <= room)
        return bytes;
    incoming.answer.cut = true;
    return CURL_WRITEFUNC_ERROR;
}

} // namespace

/// libcurl's handles, which keep the connection between exchanges.
class HttpClient::Wire {
public:
    explicit Wire(HttpWay way) : m_way(std::move(way))
    {
        static std::once_flag once;
        std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
        m_multi.reset(curl_multi_init());
        m_easy.reset(curl_easy_init());
        for (const std::string& entry : m_way.resolve)
            append(m_resolve, entry);
    }

    Result<HttpAnswer> exchange(const HttpRequest& request, const std::function<bool()>& giveUp);

private:
    void setWay();
    void setTls();
    List setRequest(const HttpRequest& request);
    CURLcode perform(const std::function<bool()>& giveUp);

    const HttpWay m_way;
    List m_resolve;
    Multi m_multi;
    Easy m_easy; ///< goes before the multi handle
};

void HttpClient::Wire::setTls()
{
    CURL* easy = m_easy.get();
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, m_way.insecure ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, m_way.insecure ? 0L : 2L);
    if (!m_way.caCert.empty())
        curl_easy_setopt(easy, CURLOPT_CAINFO, m_way.caCert.c_str());
    if (m_way.cert.empty())
        return;
    curl_easy_setopt(easy, CURLOPT_SSLCERT, m_way.cert.c_str());
    curl_easy_setopt(easy, CURLOPT_SSLKEY, (m_way.key.empty() ? m_way.cert : m_way.key).c_str());
}

void HttpClient::Wire::setWay()
{
    CURL* easy = m_easy.get();
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_PROXY, m_way.proxy.c_str());
    curl_easy_setopt(easy, CURLOPT_NOPROXY, m_way.proxy.empty() ? "*" : "");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, versionOf(m_way.version));
    curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, msOf(m_way.timeout));
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, msOf(m_way.connectTimeout));
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, m_way.followRedirects ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_MAXREDIRS, kMostRedirects);
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    if (m_resolve)
        curl_easy_setopt(easy, CURLOPT_RESOLVE, m_resolve.get());
    if (!m_way.localAddress.empty())
        curl_easy_setopt(easy, CURLOPT_INTERFACE, ("host!" + m_way.localAddress).c_str());
    if (m_way.ipv4 || m_way.ipv6)
        curl_easy_setopt(easy, CURLOPT_IPRESOLVE,
                         static_cast<long>(m_way.ipv4 ? CURL_IPRESOLVE_V4 : CURL_IPRESOLVE_V6));
    if (!m_way.unixSocket.empty())
        curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, m_way.unixSocket.c_str());
    setTls();
}

List HttpClient::Wire::setRequest(const HttpRequest& request)
{
    CURL* easy = m_easy.get();
    List headers = listOf(request);
    curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    // A proxy is asked for the whole URL, and a redirect for another one.
    if (!request.target.empty() && m_way.proxy.empty() && !m_way.followRedirects)
        curl_easy_setopt(easy, CURLOPT_REQUEST_TARGET, request.target.c_str());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
    const bool head = request.method == "HEAD";
    const bool posts = !request.body.empty() || (!head && has(request, "Content-Length"));
    if (posts) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.c_str());
    }
    curl_easy_setopt(easy, CURLOPT_NOBODY, head ? 1L : 0L);
    // A redirect may change the method, but not one that is set by name.
    if (!head && request.method != (posts ? "POST" : "GET"))
        curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    // The header that libcurl would ask by is among those taken out.
    if (request.decode)
        curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    return headers;
}

CURLcode HttpClient::Wire::perform(const std::function<bool()>& giveUp)
{
    curl_multi_add_handle(m_multi.get(), m_easy.get());
    CURLcode code = CURLE_ABORTED_BY_CALLBACK;
    for (bool done = false; !done && !(giveUp && giveUp());) {
        int running = 0;
        if (curl_multi_perform(m_multi.get(), &running) != CURLM_OK)
            break;
        int left = 0;
        if (const CURLMsg* message = curl_multi_info_read(m_multi.get(), &left)) {
            code = message->data.result;
            done = true;
        } else {
            curl_multi_poll(m_multi.get(), nullptr, 0, giveUp ? kGiveUpPollMs : kPollMs, nullptr);
        }
    }
    curl_multi_remove_handle(m_multi.get(), m_easy.get());
    return code;
}

Result<HttpAnswer> HttpClient::Wire::exchange(const HttpRequest& request, const std::function<bool()>& giveUp)
{
    if (!m_multi || !m_easy)
        return Problem{request.url, "libcurl cannot be used", "free memory"};
    Incoming incoming{{}, request.maxBytes};
    std::array<char, CURL_ERROR_SIZE> errorText{};
    CURL* easy = m_easy.get();
    curl_easy_reset(easy);
    setWay();
    const List headers = setRequest(request);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, errorText.data());
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, takeHead);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &incoming);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, takeBody);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &incoming);
    const CURLcode code = perform(giveUp);

    long status = 0, version = 0, opened = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(easy, CURLINFO_HTTP_VERSION, &version);
    curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &opened);
    curl_easy_reset(easy); // nothing of this call is referred to any more
    HttpAnswer& answer = incoming.answer;
    if (code != CURLE_OK && !answer.cut)
        return Problem{request.url, errorText[0] != '\0' ? errorText.data() : curl_easy_strerror(code), ""};
    answer.status = static_cast<int>(status);
    answer.version = nameOf(version);
    answer.reused = opened == 0;
    return std::move(answer);
}

HttpClient::HttpClient(HttpWay way) : m_wire(std::make_unique<Wire>(std::move(way))) {}
HttpClient::~HttpClient() = default;
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;

Result<HttpAnswer> HttpClient::exchange(const HttpRequest& request, const std::function<bool()>& giveUp)
{
    return m_wire->exchange(request, giveUp);
}

} // namespace lapbench
