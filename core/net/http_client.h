#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lapbench {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// How a server is reached. Nothing comes from the environment: an empty proxy is none.
struct HttpWay {
    enum class Version {
        one,          ///< HTTP/1.1
        two,          ///< HTTP/2 over TLS, where the server agrees
        twoKnowledge, ///< HTTP/2 without TLS
        three         ///< HTTP/3, where libcurl has it
    };
    Version version = Version::one;
    bool insecure = false;            ///< the server's certificate is not checked
    std::string caCert;               ///< file with the certificates to trust; empty: the system's
    std::string cert, key;            ///< the client's own; an empty key: in the file of the certificate
    std::vector<std::string> resolve; ///< "host:port:address"
    std::string localAddress;         ///< numeric; empty: the system's choice
    std::string unixSocket;           ///< path, instead of host and port
    bool ipv4 = false, ipv6 = false;  ///< only addresses of this kind
    std::string proxy;
    bool followRedirects = false;                         ///< at most 10, on http and https
    Nanoseconds timeout = std::chrono::seconds(5);        ///< of one whole exchange
    Nanoseconds connectTimeout = std::chrono::seconds(5); ///< of its connection
};

/// One request. What stands in `headers` is sent in that order and nothing but Host, where that is missing, is added.
struct HttpRequest {
    std::string url;
    std::string target; ///< path and query as they are sent, byte for byte; empty: those of the URL
    std::string method = "GET";
    HttpHeaders headers;             ///< Content-Length for a body included
    std::string body;                ///< sent where it is not empty
    std::size_t maxBytes = 1u << 20; ///< of the answer's body; what is beyond is not read
    bool decode = false;             ///< undo the answer's Content-Encoding, where libcurl can; never asks for one
};

struct HttpAnswer {
    int status = 0;
    std::string version; ///< "1.0", "1.1", "2", "3"
    HttpHeaders headers; ///< as they came, those of interim answers and redirects left out
    std::string body;    ///< without its chunking
    bool cut = false;    ///< the body was longer than maxBytes
    bool reused = false; ///< on the connection of the exchange before
};

/// A plain HTTP client by libcurl that shows what is on the wire: no cookies, no decoding that was not asked for, and a
/// connection that is kept from one exchange to the next. One thread at a time.
class HttpClient {
public:
    explicit HttpClient(HttpWay way);
    ~HttpClient();
    HttpClient(HttpClient&&) noexcept;
    HttpClient& operator=(HttpClient&&) noexcept;

    /// Blocks. `giveUp` is asked every few milliseconds and breaks the exchange off. The problem's path is the URL, its
    /// message libcurl's own ("Connection refused", ..).
    Result<HttpAnswer> exchange(const HttpRequest& request, const std::function<bool()>& giveUp = {});

private:
    class Wire;
    std::unique_ptr<Wire> m_wire;
};

} // namespace lapbench
