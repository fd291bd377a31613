#include "core/result/import/report_lines.h"

#include "core/result/import/formats.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

bool isFence(std::string_view line)
{
    line = trimmed(line);
    return line.starts_with("```") || line.starts_with("~~~");
}

/// The words of "## Words ##"; nothing where it is no heading.
std::string_view headingWords(std::string_view line)
{
    line = trimmed(line.substr(0, kLongestReportLine));
    const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
    constexpr std::size_t kDeepest = 6;
    if (level == 0 || level > kDeepest || level == line.size() || (line[level] != ' ' && line[level] != '\t'))
        return {};
    line = trimmed(line.substr(level));
    while (line.ends_with('#'))
        line.remove_suffix(1);
    return trimmed(line);
}

/// How numbers are written in the report that begins in line `at`: told by its first lines, as other numbers may stand
/// around it.
NumberStyle styleFrom(const std::vector<std::string_view>& lines, std::size_t at)
{
    constexpr std::size_t kLookedAt = 12;
    std::size_t end = at + 1;
    while (end < std::min(lines.size(), at + kLookedAt) && lines[end].size() <= kLongestReportLine &&
           !isFence(lines[end]) && headingWords(lines[end]).empty())
        ++end;
    const char* const first = lines[at].data();
    const char* const last = lines[end - 1].data() + lines[end - 1].size();
    return numberStyleOf(std::string_view(first, static_cast<std::size_t>(last - first)));
}

} // namespace

std::string_view withoutCutNumber(std::string_view text)
{
    const std::size_t blank = text.find_last_of(" \t\n");
    const std::size_t word = blank == std::string_view::npos ? 0 : blank + 1;
    const bool mayBeCut = text.find_first_of("0123456789", word) != std::string_view::npos || text.size() - word == 1;
    return mayBeCut ? text.substr(0, word) : text;
}

std::string_view Headings::above(std::size_t at)
{
    for (; m_next < std::min(at, m_lines.size()); ++m_next) {
        const std::string_view line = m_lines[m_next];
        if (isFence(line))
            m_fenced = !m_fenced;
        else if (const auto words = headingWords(line); !words.empty() && !m_fenced)
            m_heading = words;
    }
    return m_heading;
}

std::vector<std::string_view> headingsOf(const std::vector<std::string_view>& lines)
{
    Headings headings(lines);
    std::vector<std::string_view> each;
    each.reserve(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        each.push_back(headings.above(i));
    return each;
}

Result<ImportedRuns> readReports(std::string_view text, const ReportReader& reader)
{
    const auto lines = linesOf(withoutCutNumber(text));
    Headings headings(lines);
    ImportedRuns runs;
    std::optional<Problem> problem;
    std::size_t from = 0, begun = 0;
    for (std::size_t at = 0; at < lines.size();) {
        if (!reader.beginsAt(lines, at)) {
            ++at;
            continue;
        }
        if (++begun > kMostRuns)
            return tooManyRuns(at + 1);
        const std::string_view heading = headings.above(at);
        auto run = reader.read(lines, from, at, styleFrom(lines, at));
        from = at;
        if (!run) {
            problem = problem ? problem : run.problem();
            continue;
        }
        if (!heading.empty())
            run.value().target = heading;
        runs.push_back(std::move(run).value());
    }
    if (runs.empty())
        return problem.value_or(cutOff(reader.tool, 0, reader.firstLine));
    if (problem)
        runs.front().doubts.push_back("Another report in this file, " + problem->path + ", is cut off and left out.");
    return runs;
}

void setRequest(ImportedRun& run, std::string_view method, std::string_view url)
{
    run.method = method;
    run.url = url;
    const std::size_t scheme = url.find("://");
    const std::string_view rest = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
    const std::size_t hostEnd = std::min(rest.find_first_of("/?#"), rest.size());
    std::string_view path = rest.substr(hostEnd);
    path = path.substr(0, path.find('#'));
    if (run.target.empty())
        run.target = rest.substr(0, hostEnd);
    if (!method.empty() && !url.empty())
        run.workload = std::string(method) + " " + (path.starts_with('/') ? "" : "/") + std::string(path);
}

std::optional<double> printedStepUs(std::string_view time)
{
    time = trimmed(time);
    const std::size_t end = std::min(time.find_first_not_of("0123456789.,"), time.size());
    const std::size_t point = time.substr(0, end).find_last_of(".,");
    const std::size_t digits = point == std::string_view::npos ? 0 : end - point - 1;
    const auto unit = parseTimeUs("1" + std::string(time.substr(end)));
    if (end == 0 || !unit || time.find_first_of("0123456789", end) != std::string_view::npos)
        return std::nullopt;
    return *unit * std::pow(10.0, -static_cast<double>(digits));
}

void takeFiner(std::optional<double>& step, std::optional<double> other)
{
    if (other && (!step || *other < *step))
        step = other;
}

Problem cutOff(std::string_view tool, std::size_t line, std::string_view what)
{
    return {"line " + std::to_string(line + 1),
            "the report of " + std::string(tool) + " that begins here has no " + std::string(what) + ": it is cut off",
            "save the tool's whole output"};
}

} // namespace lapbench
