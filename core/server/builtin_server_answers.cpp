#include "core/server/builtin_server_answers.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lapbench {

namespace {

constexpr std::uint64_t kMaxWaitMs = 600'000;
constexpr std::uint64_t kMaxUserId = 1'000'000'000;

std::string_view pathOf(std::string_view target)
{
    // A client behind a proxy setting sends the absolute form.
    if (target.starts_with("http://")) {
        const std::size_t slash = target.find('/', 7);
        target = slash == std::string_view::npos ? "/" : target.substr(slash);
    }
    return target.substr(0, target.find('?'));
}

std::optional<std::uint64_t> numberAfter(std::string_view path, std::string_view prefix, std::uint64_t max)
{
    if (!path.starts_with(prefix))
        return std::nullopt;
    path.remove_prefix(prefix.size());
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
    if (error != std::errc() || end != path.data() + path.size() || number > max)
        return std::nullopt;
    return number;
}

std::string_view reasonOf(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 202:
        return "Accepted";
    case 204:
        return "No Content";
    case 301:
        return "Moved Permanently";
    case 302:
        return "Found";
    case 304:
        return "Not Modified";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 502:
        return "Bad Gateway";
    case 503:
        return "Service Unavailable";
    case 504:
        return "Gateway Timeout";
    default:
        return "Status";
    }
}

void appendNumber(std::string& out, std::uint64_t number)
{
    char digits[20];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    out.append(digits, end);
}

/// About 1.2 KB, as the published json-api experiment answers: a nested address and twelve role strings.
std::string userJson(std::uint64_t id)
{
    std::string number;
    appendNumber(number, id);
    std::string json;
    json.reserve(1300);
    json +=
        "{\"id\":" + number + ",\"name\":\"User " + number + "\",\"email\":\"user" + number +
        "@example.com\",\"address\":{\"street\":\"" + number +
        " Harbour Street\",\"city\":\"Rotterdam\",\"postcode\":\"3011 AA\",\"country\":\"Netherlands\"},\"roles\":[";
    for (int role = 1; role <= 12; ++role) {
        json += role == 1 ? "\"role-" : ",\"role-";
        appendNumber(json, static_cast<std::uint64_t>(role));
        json += ": reads, writes and reviews the entries of one department, on working days";
        json += '"';
    }
    json += "]}";
    return json;
}

BuiltinAnswer statusAnswer(int status)
{
    BuiltinAnswer answer;
    answer.status = status;
    if (status != 204 && status != 304)
        answer.body = std::to_string(status) + " " + std::string(reasonOf(status)) + "\n";
    return answer;
}

BuiltinAnswer fillAnswer(std::uint64_t size, bool chunked)
{
    BuiltinAnswer answer;
    answer.contentType = "application/octet-stream";
    answer.fill = size;
    answer.chunked = chunked;
    return answer;
}

} // namespace

BuiltinAnswer answerTo(BuiltinRequest& request, std::uint64_t count)
{
    BuiltinAnswer answer;
    answer.body = "hello, world";
    const std::string_view path = pathOf(request.target);
    if (path == "/")
        return answer;
    if (const auto id = numberAfter(path, "/users/", kMaxUserId)) {
        answer.contentType = "application/json";
        answer.body = userJson(*id);
        return answer;
    }
    if (const auto size = numberAfter(path, "/bytes/", kBuiltinMaxFill))
        return fillAnswer(*size, false);
    if (const auto size = numberAfter(path, "/chunked/", kBuiltinMaxFill))
        return fillAnswer(*size, !request.version10);
    if (const auto status = numberAfter(path, "/status/", 999); status && *status >= 200)
        return statusAnswer(static_cast<int>(*status));
    if (const auto ms = numberAfter(path, "/delay/", kMaxWaitMs)) {
        answer.delay = std::chrono::milliseconds(*ms);
        return answer;
    }
    if (const auto ms = numberAfter(path, "/stall/", kMaxWaitMs)) {
        answer.stall = std::chrono::milliseconds(*ms);
        return answer;
    }
    if (path == "/close") {
        answer.close = true;
        return answer;
    }
    if (path == "/echo") {
        answer.contentType = "application/octet-stream";
        answer.body = std::move(request.body);
        return answer;
    }
    if (path == "/count") {
        answer.counted = false;
        answer.body = std::to_string(count);
        return answer;
    }
    return statusAnswer(404);
}

bool wantsBody(std::string_view target)
{
    return pathOf(target) == "/echo";
}

void appendHead(std::string& out, const BuiltinAnswer& answer, const BuiltinRequest& request, std::string_view common)
{
    out += "HTTP/1.1 ";
    appendNumber(out, static_cast<std::uint64_t>(answer.status));
    out += ' ';
    out += reasonOf(answer.status);
    out += "\r\n";
    out += common;
    if (answer.close || !request.keepAlive)
        out += "Connection: close\r\n";
    else if (request.version10)
        out += "Connection: keep-alive\r\n";
    if (answer.status != 204 && answer.status != 304) {
        out += "Content-Type: ";
        out += answer.contentType;
        if (answer.chunked) {
            out += "\r\nTransfer-Encoding: chunked\r\n";
        } else {
            out += "\r\nContent-Length: ";
            appendNumber(out, answer.body.size() + answer.fill);
            out += "\r\n";
        }
    }
    out += "\r\n";
}

void appendFill(std::string& out, std::uint64_t size)
{
    out.append(static_cast<std::size_t>(size), 'x');
}

} // namespace lapbench
