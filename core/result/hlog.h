#pragma once

#include "core/base/result.h"
#include "core/result/session_result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// One interval of an HdrHistogram log, as other programs write them and formatHlog() does.
struct HlogInterval {
    std::size_t line = 0;      ///< where it stands in the log, from 1
    std::string tag;           ///< empty: none
    double startSeconds = 0;   ///< since 1970 where the log says from when its times count, else as written
    double lengthSeconds = 0;  ///< 0 or above
    double printedMax = 0;     ///< the third column as it was written, by default in milliseconds
    double unitNs = 1;         ///< what one unit of the log's histograms was taken for: see parseHlog()
    SparseHistogram latency;   ///< in nanoseconds, each value as the highest of its bucket
    std::uint64_t clamped = 0; ///< values above an hour, which stand as an hour
};

/// Whether a text has a line that can only be an interval of such a log: for those who look what a file is.
bool looksLikeHlog(std::string_view text);

/// Reads a log of any version: comments, StartTime, BaseTime, legend, tags, either kind of line end and a byte order
/// mark; of what stands before the first and after the last interval, lines that are none are passed over. A log does
/// not say its unit; as it is the custom to write the maximum in milliseconds, the unit is 1 ns, 1 us or 1 ms as the
/// largest maximum tells, and 1 ns where it tells nothing. Problems, with "line N" as their path: a line that is no
/// interval among those that are, an interval that is cut short or damaged, a log without any.
Result<std::vector<HlogInterval>> parseHlog(std::string_view text);

/// The trial's log: one line a second of the window with the latency of right answers in nanoseconds, one line for the
/// whole where its seconds are not known. Starts count from 1970 and the trial's start. The tag of its lines names
/// target, workload, level and round, so that trials can be told apart in one log: hlogTag().
std::string formatHlog(const Trial& trial);
/// All trials of a session that count and have answers, in one log.
std::string formatHlog(const SessionResult& result);

/// "node/user/64/1", "node/user/64@5000/1": target, workload, connections with the rate, round. What would end a tag (a
/// comma, a blank, a line end) becomes "_".
std::string hlogTag(const Trial& trial);

} // namespace lapbench
