#include "core/net/http_get.h"

#include <curl/curl.h>

#include <array>
#include <memory>
#include <mutex>

namespace lapbench {

namespace {

constexpr int kGiveUpPollMs = 5;

struct Body {
    HttpAnswer* answer;
    std::size_t maxBytes;
};

std::size_t takeBody(char* data, std::size_t one, std::size_t size, void* user)
{
    const Body& body = *static_cast<Body*>(user);
    const std::size_t bytes = one * size;
    const std::size_t room = body.maxBytes - body.answer->body.size();
    body.answer->body.append(data, bytes < room ? bytes : room);
    if (bytes <= room)
        return bytes;
    body.answer->cut = true;
    return CURL_WRITEFUNC_ERROR;
}

using Easy = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using Multi = std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)>;

} // namespace

Result<HttpAnswer> httpGet(const HttpGet& request, const std::function<bool()>& giveUp)
{
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });

    HttpAnswer answer;
    Body body{&answer, request.maxBytes};
    std::array<char, CURL_ERROR_SIZE> errorText{};
    const Multi multi(curl_multi_init(), &curl_multi_cleanup);
    const Easy easy(curl_easy_init(), &curl_easy_cleanup);
    if (!multi || !easy)
        return Problem{request.url, "libcurl cannot be used", "free memory"};
    const long timeoutMs = static_cast<long>(request.timeout / std::chrono::milliseconds(1));
    curl_easy_setopt(easy.get(), CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(easy.get(), CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy.get(), CURLOPT_PROXY, "");
    curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy.get(), CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(easy.get(), CURLOPT_TIMEOUT_MS, timeoutMs > 0 ? timeoutMs : 1L);
    curl_easy_setopt(easy.get(), CURLOPT_ERRORBUFFER, errorText.data());
    curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, takeBody);
    curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, &body);
    curl_multi_add_handle(multi.get(), easy.get());

    CURLcode code = CURLE_ABORTED_BY_CALLBACK;
    for (bool done = false; !done && !(giveUp && giveUp());) {
        int running = 0;
        if (curl_multi_perform(multi.get(), &running) != CURLM_OK)
            break;
        int left = 0;
        if (const CURLMsg* message = curl_multi_info_read(multi.get(), &left)) {
            code = message->data.result;
            done = true;
        } else {
            curl_multi_poll(multi.get(), nullptr, 0, giveUp ? kGiveUpPollMs : 1000, nullptr);
        }
    }
    long status = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
    curl_multi_remove_handle(multi.get(), easy.get());
    if (code != CURLE_OK && !answer.cut)
        return Problem{request.url, errorText[0] != '\0' ? errorText.data() : curl_easy_strerror(code), ""};
    answer.status = static_cast<int>(status);
    return answer;
}

} // namespace lapbench
