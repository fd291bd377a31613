#pragma once

#include <optional>
#include <string_view>

namespace lapbench {

/// When a row was written, in microseconds since 1970.
struct RowTime {
    double us = 0;
    bool isUtc = false; ///< else by a clock whose zone is not told: good for differences only
};

/// Seconds, milli-, micro- or nanoseconds since 1970 by their size ("1595325560", "1595325560123"), RFC 3339 with its
/// zone, or year, month, day and time with - / or . between them ("2014-02-24 07:42:21.256"). Nothing for other text
/// and for days that there are not.
std::optional<RowTime> parseRowTime(std::string_view text);

} // namespace lapbench
