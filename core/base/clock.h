#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

using Nanoseconds = std::chrono::nanoseconds;
using UtcTime = std::chrono::system_clock::time_point;

/// Monotonic nanoseconds since an arbitrary start (CLOCK_MONOTONIC); every measured time is a difference of two. Any
/// thread.
inline std::int64_t steadyNs()
{
    return std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// "2026-11-30T11:20:31.123Z" (RFC 3339, UTC, milliseconds).
std::string formatUtc(UtcTime time);

/// The inverse of formatUtc; fractions of a second are optional. Nothing for anything else.
std::optional<UtcTime> parseUtc(std::string_view text);

/// "20261130T112031Z": UTC for use in file names.
std::string formatUtcCompact(UtcTime time);

} // namespace lapbench
