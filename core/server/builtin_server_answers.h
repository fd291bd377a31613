#pragma once

#include "core/base/clock.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapbench {

/// A request of the built-in server, read completely.
struct BuiltinRequest {
    std::string target;
    std::string body;       ///< kept only for /echo
    bool head = false;      ///< HEAD
    bool keepAlive = true;  ///< what the client asked for
    bool version10 = false; ///< HTTP/1.0: no chunked answers
};

/// What the built-in server answers. The body is `body`, or else `fill` filler bytes made while they are sent.
struct BuiltinAnswer {
    int status = 200;
    std::string_view contentType = "text/plain"; ///< static text
    std::string body;
    std::uint64_t fill = 0;
    bool chunked = false;
    bool close = false;
    bool counted = true;                     ///< part of /count
    Nanoseconds delay = Nanoseconds::zero(); ///< this answer waits so long
    Nanoseconds stall = Nanoseconds::zero(); ///< the whole server answers nobody for so long
};

/// The largest request body taken, and the largest N of /bytes and /chunked.
inline constexpr std::uint64_t kBuiltinMaxRequestBody = 16u << 20;
inline constexpr std::uint64_t kBuiltinMaxFill = 64u << 20;

/// The routes. `count` is what /count tells. Pure; any thread.
BuiltinAnswer answerTo(BuiltinRequest& request, std::uint64_t count);

/// Whether the body of a request to this target is needed for its answer.
bool wantsBody(std::string_view target);

/// Appends status line and headers. `common` are the headers every answer has, each line ended.
void appendHead(std::string& out, const BuiltinAnswer& answer, const BuiltinRequest& request, std::string_view common);

/// Appends up to `size` bytes of filler.
void appendFill(std::string& out, std::uint64_t size);

} // namespace lapbench
