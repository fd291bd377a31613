#pragma once

#include "core/result/import/imported_run.h"
#include "core/result/import/measure_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// A longer line is none of a report.
inline constexpr std::size_t kLongestReportLine = 4096;
/// A report has no more lines.
inline constexpr std::size_t kMostReportLines = 4096;

/// Whether `isIt` says so of a line that holds `mark`, and of where it begins in `text`. Each line is looked at once.
template <typename Predicate>
bool anyLine(std::string_view text, std::string_view mark, Predicate isIt)
{
    std::size_t start = 0;
    for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, start)) {
        const std::size_t before = text.substr(start, at - start).rfind('\n');
        start += before == std::string_view::npos ? 0 : before + 1;
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (end - start <= kLongestReportLine && isIt(text.substr(start, end - start), start))
            return true;
        start = end;
    }
    return false;
}

/// The Markdown headings ("## Node") of a text, from above to below.
class Headings {
public:
    explicit Headings(const std::vector<std::string_view>& lines) : m_lines(lines) {}

    /// The one that line `at` stands under; "" where there is none. Lines in fences are none. `at` must not be less
    /// than the one before.
    std::string_view above(std::size_t at);

private:
    const std::vector<std::string_view>& m_lines;
    std::size_t m_next = 0;
    bool m_fenced = false;
    std::string_view m_heading;
};

/// What Headings says of each line.
std::vector<std::string_view> headingsOf(const std::vector<std::string_view>& lines);

/// `text` without its last word where that may be a number or a unit that was cut off: where it holds a digit or is one
/// letter, such as the m of "ms", and neither a blank nor a line end follows it.
std::string_view withoutCutNumber(std::string_view text);

/// How the reports of one tool are read, lines counted from 0.
struct ReportReader {
    std::string_view tool, firstLine; ///< for problems: "vegeta", "\"Requests\""
    bool (*beginsAt)(const std::vector<std::string_view>& lines, std::size_t at) = nullptr;
    /// The one that begins at `at`, which is left behind it; the one before ended at `from`.
    Result<ImportedRun> (*read)(const std::vector<std::string_view>& lines, std::size_t from, std::size_t& at,
                                NumberStyle style) = nullptr;
};

/// The reports in a text, each called by the heading it stands under. One that is cut off is the problem where there is
/// no other, else a doubt.
Result<ImportedRuns> readReports(std::string_view text, const ReportReader& reader);

/// What `method` and `url` tell: url, host as the target where the run has none, and "GET /path" as the workload where
/// the method is told.
void setRequest(ImportedRun& run, std::string_view method, std::string_view url);

/// The step in which a printed time is told, in microseconds: 10 of "3.65ms", 100 of "0.0015 secs". Nothing of text
/// that is no single number with a unit.
std::optional<double> printedStepUs(std::string_view time);

/// Makes `step` the finer of both: where the unit grows with the figure, each is told to the same number of digits.
void takeFiner(std::optional<double>& step, std::optional<double> other);

/// A report that was cut off, as a problem: `what` is missing of the one that begins in `line` (from 0).
Problem cutOff(std::string_view tool, std::size_t line, std::string_view what);

} // namespace lapbench
