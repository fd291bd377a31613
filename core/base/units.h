#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lapbench {

/// "250ms", "10s", "1.5m", "2h": a number 0 or above with the unit ms, s, m or h. Negative, unitless, non-finite and
/// larger than 1000 h are problems. The problem's path is left empty for the caller to fill.
Result<Nanoseconds> parseDuration(std::string_view text);

/// The shortest exact text that parseDuration reads back to the same value where it is whole milliseconds.
std::string formatDuration(Nanoseconds duration);

/// "100000", "100k", "1.5M": a whole number of things, 0 to 2^53.
Result<std::uint64_t> parseCount(std::string_view text);

/// "2%", "0.1%", or "0.02": a part of a whole, 0 or above; no upper limit. 2 % is 0.02.
Result<double> parseShare(std::string_view text);

/// "2%": the shortest text that parseShare reads back to the same value, for values of up to 15 digits.
std::string formatShare(double share);

/// A share in percent, three significant figures: 0.03125 -> "3.13 %".
std::string formatShareRounded(double share);

/// "1 trial", "3 trials": a count with its noun, in English.
std::string formatCounted(std::uint64_t count, const std::string& noun);

/// A number with `digits` significant digits, C locale, no exponent: 18123 -> "18100", 0.9934 -> "0.993".
std::string formatSignificant(double value, int digits = 3);

/// Requests per second and other counts in three significant figures with k or M: 18123 -> "18.1k", 34.42 -> "34.4".
std::string formatRate(double perSecond);

/// A size in bytes, three significant figures, powers of 1000: 61'400'000 -> "61.4 MB".
std::string formatBytes(double bytes);

/// A latency given in microseconds, in the unit that suits it: 812 -> "812 us", 3180 -> "3.18 ms", 2.0e6 -> "2.00 s".
std::string formatLatencyUs(double latencyUs);

/// Wall time for people, rounded to seconds: "42 s", "3 min 5 s", "1 h 10 min".
std::string formatRemaining(Nanoseconds duration);

} // namespace lapbench
