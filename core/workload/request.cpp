#include "core/workload/request.h"

#include <strings.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace lapbench {

namespace {

constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~"; // RFC 9110, 5.6.2

bool isToken(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               kMarks.find(c) != std::string_view::npos;
    });
}

bool isTarget(std::string_view text)
{
    return !text.empty() && text.front() == '/' && std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) != 0x7f;
    });
}

bool isHeaderValue(std::string_view text)
{
    return std::none_of(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

bool sameName(const std::string& a, const std::string& b)
{
    return strcasecmp(a.c_str(), b.c_str()) == 0;
}

using Headers = std::vector<std::pair<std::string, std::string>>;

bool has(const Headers& headers, const std::string& name)
{
    return std::any_of(headers.begin(), headers.end(),
                       [&](const auto& header) { return sameName(header.first, name); });
}

bool usuallyHasBody(const std::string& method)
{
    return method == "POST" || method == "PUT" || method == "PATCH";
}

} // namespace

Result<PreparedRequest> prepareRequest(RequestTemplate workload, const std::string& authority,
                                       const std::string& basePath)
{
    if (!isToken(workload.method))
        return Problem{"method", "\"" + workload.method + "\" is no HTTP method", "give a word like GET or POST"};
    PreparedRequest request;
    request.method = workload.method;
    request.target = basePath + workload.path;
    request.body = std::move(workload.body);
    if (!isTarget(request.target))
        return Problem{"path", "\"" + request.target + "\" is no path that can be asked for",
                       "begin it with / and write spaces as %20"};
    for (const auto& [name, value] : workload.headers) {
        if (!isToken(name))
            return Problem{"headers", "\"" + name + "\" is no header name", "write it as Name: value"};
        if (!isHeaderValue(value))
            return Problem{"headers." + name, "the value holds a line break", "a header is one line"};
    }

    const Headers& own = workload.headers;
    if (!has(own, "Host"))
        request.headers.emplace_back("Host", authority);
    if (!has(own, "User-Agent"))
        request.headers.emplace_back("User-Agent", "lapbench/" LAPBENCH_VERSION);
    request.firstOwn = request.headers.size();
    request.headers.insert(request.headers.end(), own.begin(), own.end());
    const bool framed = has(own, "Content-Length") || has(own, "Transfer-Encoding");
    if (!framed && (!request.body.empty() || usuallyHasBody(request.method)))
        request.headers.emplace_back("Content-Length", std::to_string(request.body.size()));

    request.bytes = request.method + " " + request.target + " HTTP/1.1\r\n";
    for (const auto& [name, value] : request.headers)
        request.bytes += name + ": " + value + "\r\n";
    request.bytes += "\r\n" + request.body;
    return request;
}

} // namespace lapbench
