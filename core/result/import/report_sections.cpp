#include "core/result/import/report_sections.h"

#include "core/base/units.h"
#include "core/result/import/report_lines.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

/// How many lines above a report its command line or title may stand.
constexpr std::size_t kLinesAbove = 8;

bool isFence(std::string_view line)
{
    return trimmed(line).starts_with("```") || trimmed(line).starts_with("~~~");
}

/// "Node" of "=== Node ===", "--- Node ---" and "**Node**".
std::string_view ruledTitle(std::string_view line)
{
    line = trimmed(line);
    for (const char rule : {'=', '-', '*'}) {
        const std::size_t first = line.find_first_not_of(rule), last = line.find_last_not_of(rule);
        const bool isBold = rule == '*';
        if (first != line.npos && first >= 2 && line.size() - last > 2 &&
            (isBold || (line[first] == ' ' && line[last] == ' ')))
            return trimmed(line.substr(first, last - first + 1));
    }
    return {};
}

/// The words behind the name of one of `tools` in a command line, with any prompt before it.
std::vector<std::string_view> commandIn(std::string_view line, std::initializer_list<std::string_view> tools)
{
    constexpr std::size_t kLongest = 4096;
    std::vector<std::string_view> words = wordsOf(line.substr(0, kLongest));
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const std::string_view name = words[i].substr(words[i].rfind('/') + 1);
        const bool isTool = std::find(tools.begin(), tools.end(), name) != tools.end();
        if (!isTool || !(words[i + 1].starts_with('-') || words[i + 1].find("://") != std::string_view::npos))
            continue;
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        return words;
    }
    return {};
}

/// What stands above the report, down to line `least`. A title between === is nearer than
/// the heading; other rules may be anything.
void lookAbove(ReportSection& section, const std::vector<std::string_view>& lines,
               const std::vector<std::string_view>& headings, std::size_t least,
               std::initializer_list<std::string_view> tools)
{
    const std::size_t lowest = std::max(least, section.line - std::min(section.line, kLinesAbove));
    for (std::size_t i = section.line; i > lowest; --i) {
        const std::string_view line = lines[i - 1];
        if (section.command.empty())
            section.command = commandIn(line, tools);
        if (headings[i - 1].data() != headings[section.line].data())
            continue; // the heading itself, or above it
        const std::string_view title = ruledTitle(line);
        if (!title.empty() && (section.title.empty() || trimmed(line).starts_with('='))) {
            section.title = title;
            break;
        }
    }
}

std::string plain(double value)
{
    constexpr int kDigits = 6;
    return formatSignificant(value, kDigits);
}

} // namespace

std::vector<ReportSection> sectionsOf(std::string_view text, Opening opening,
                                      std::initializer_list<std::string_view> tools)
{
    const std::vector<std::string_view> lines = linesOf(withoutCutNumber(text));
    const std::vector<std::string_view> headings = headingsOf(lines);
    std::vector<ReportSection> sections;
    bool isOpen = false;
    int last = 0;          // how far the open section has begun
    std::size_t least = 0; // line behind the one in which the last section began
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool isBoundary = isFence(lines[i]) || (i > 0 && headings[i].data() != headings[i - 1].data());
        isOpen = isOpen && !isBoundary;
        if (const auto begun = opening(lines[i])) {
            if (!isOpen || *begun <= last) {
                ReportSection& section = sections.emplace_back();
                section.line = i;
                // A command line of root's shell looks like a heading.
                section.title = commandIn(headings[i], tools).empty() ? headings[i] : std::string_view();
                lookAbove(section, lines, headings, least, tools);
                least = i + 1;
            }
            last = *begun;
            isOpen = true;
        }
        if (isOpen)
            sections.back().lines.push_back(lines[i]);
    }
    for (ReportSection& section : sections) {
        const char* const first = section.lines.front().data();
        const std::string_view back = section.lines.back();
        section.style =
            numberStyleOf(std::string_view(first, static_cast<std::size_t>(back.data() + back.size() - first)));
    }
    return sections;
}

Result<ImportedRuns> readSections(const std::vector<ReportSection>& sections,
                                  Result<ImportedRun> (*read)(const ReportSection& section))
{
    ImportedRuns runs;
    std::optional<Problem> problem;
    for (const ReportSection& section : sections) {
        Result<ImportedRun> run = read(section);
        if (run)
            runs.push_back(std::move(run).value());
        else if (!problem)
            problem = run.problem();
    }
    if (runs.empty())
        return problem.value_or(Problem{"", "holds no report", "save the tool's whole output"});
    if (problem)
        runs.back().doubts.push_back("Another report in this file, " + problem->path +
                                     ", is left out: " + problem->message + ".");
    return runs;
}

std::optional<std::string_view> optionOf(const std::vector<std::string_view>& command, std::string_view shortName,
                                         std::string_view longName)
{
    for (std::size_t i = 0; i < command.size(); ++i) {
        std::string_view word = command[i];
        const bool isLong = !longName.empty() && word.starts_with(longName);
        if (!isLong && (shortName.empty() || !word.starts_with(shortName)))
            continue;
        word.remove_prefix(isLong ? longName.size() : shortName.size());
        if (word.empty())
            return i + 1 < command.size() ? command[i + 1] : std::string_view();
        if (isLong && !word.starts_with('='))
            continue;
        return isLong ? word.substr(1) : word;
    }
    return std::nullopt;
}

std::string_view urlOf(const std::vector<std::string_view>& command)
{
    for (std::string_view word : command) {
        while (!word.empty() && (word.front() == '"' || word.front() == '\''))
            word.remove_prefix(1);
        while (!word.empty() && (word.back() == '"' || word.back() == '\''))
            word.remove_suffix(1);
        if (word.starts_with("http://") || word.starts_with("https://"))
            return word;
    }
    return {};
}

std::optional<std::string> percentileKeyOf(double percent)
{
    constexpr double kClose = 1e-6;
    for (const ReportedPercentile& percentile : kReportedPercentiles)
        if (std::abs(percentile.p * 100 - percent) < kClose)
            return std::string(percentile.key);
    return std::nullopt;
}

void checkRate(ImportedRun& run, double stepSeconds)
{
    if (!run.completed || !run.durationSeconds || !(*run.durationSeconds > 0))
        return;
    const double rate = static_cast<double>(*run.completed) / *run.durationSeconds;
    if (!run.rps) {
        constexpr double kMostRounded = 0.01;
        if (stepSeconds / 2 > kMostRounded * *run.durationSeconds) {
            run.doubts.emplace_back("The line with the requests a second is missing, and the time is too rounded to "
                                    "compute them.");
            return;
        }
        run.rps = rate;
        run.doubts.push_back(
            "The line with the requests a second is missing: they are computed from requests and time.");
        return;
    }
    const double allowed = 0.01 + stepSeconds / 2 / *run.durationSeconds;
    if (std::abs(rate - *run.rps) > allowed * std::max(rate, *run.rps))
        run.doubts.push_back(std::to_string(*run.completed) + " requests in " + plain(*run.durationSeconds) +
                             " s are " + plain(rate) + " a second, and " + plain(*run.rps) +
                             " are printed: the printed figures are kept, and one of them is wrong.");
}

} // namespace lapbench
