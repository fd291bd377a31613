#pragma once

#include "core/base/clock.h"
#include "core/result/result_json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

// What a JSON value of another tool holds by a name. What is not there, or of another kind, is nothing.

/// null where `value` is no object or has none of that name.
const Json& memberOf(const Json& value, std::string_view name);
/// A finite number, also as text ("12").
std::optional<double> numberOf(const Json& value, std::string_view name);
/// A whole number from 0 to 2^53, also as text.
std::optional<std::uint64_t> wholeOf(const Json& value, std::string_view name);
std::string textOf(const Json& value, std::string_view name);
/// RFC 3339 with any offset: "2026-01-02T03:04:05.678901-04:00".
std::optional<UtcTime> timeOf(const Json& value, std::string_view name);
std::optional<UtcTime> parseTimestamp(std::string_view text);

} // namespace lapbench
