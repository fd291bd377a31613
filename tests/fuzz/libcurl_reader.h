#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace lapbench::test {

/// What libcurl made of the bytes of one connection.
struct LibcurlReading {
    CURLcode code = CURLE_OK;
    std::string error;    ///< in libcurl's words, where it refused
    bool byClose = false; ///< it went on reading until the connection was closed
    bool keepAlive = false;
    int status = 0;
    std::string body;

    bool accepted() const { return code == CURLE_OK; }
};

/// Has libcurl read answers off a loopback connection, as HTTP/1.1 and with the body as it was sent. Everything
/// happens on the caller's thread and nothing waits, so that no clock decides an outcome.
class LibcurlReader {
public:
    LibcurlReader();
    ~LibcurlReader();
    LibcurlReader(const LibcurlReader&) = delete;
    LibcurlReader& operator=(const LibcurlReader&) = delete;

    /// The peer closes only when libcurl has taken all bytes and wants more.
    LibcurlReading read(std::string_view bytes, bool toHead);

private:
    CURL* prepared(bool toHead, std::string& body);
    bool exchange(std::string_view bytes);
    bool wantsMore() const;
    static curl_socket_t open(void* self, curlsocktype, curl_sockaddr* address);
    static int close(void* self, curl_socket_t socket);

    CURLM* m_multi = nullptr;
    std::string m_url;
    int m_listener = -1, m_ours = -1, m_peer = -1;
    char m_error[CURL_ERROR_SIZE] = "";
};

} // namespace lapbench::test
