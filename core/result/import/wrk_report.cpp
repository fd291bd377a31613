#include "core/result/import/wrk_report.h"

#include "core/result/import/error_words.h"
#include "core/result/import/report_lines.h"

#include <algorithm>
#include <array>

namespace lapbench {

namespace {

/// A line longer than this is none of a report.
constexpr std::size_t kLongestLine = 4096;

/// "  8 threads and 16 connections".
bool isThreadLine(std::string_view line)
{
    constexpr std::size_t kLongest = 100;
    if (line.size() > kLongest || line.find(" and ") == line.npos)
        return false;
    const auto words = wordsOf(line);
    return words.size() == 5 && parseWhole(words[0]) && words[1].starts_with("thread") && words[2] == "and" &&
           parseWhole(words[3]) && words[4].starts_with("connection");
}

bool isStatsHeader(std::string_view line)
{
    return line.find("Thread Stats") != std::string_view::npos && line.find("Stdev") != std::string_view::npos;
}

bool isRunningLine(std::string_view line)
{
    return afterLabel(line, "Running ") && line.find(" test @ ") != std::string_view::npos;
}

std::optional<int> opening(std::string_view line)
{
    if (isRunningLine(line))
        return 0;
    if (isThreadLine(line))
        return 1;
    return isStatsHeader(line) ? std::optional(2) : std::nullopt;
}

/// autocannon begins its report as wrk does; the second line is another.
bool isOfWrk(const ReportSection& section)
{
    return std::any_of(section.lines.begin(), section.lines.end(),
                       [](std::string_view line) { return isThreadLine(line) || isStatsHeader(line); });
}

/// The line behind the one that holds `at`, as far as it is short.
std::string_view nextLine(std::string_view text, std::size_t at)
{
    const std::string_view rest = text.substr(at, kLongestLine);
    const std::size_t end = rest.find('\n');
    if (end == rest.npos)
        return {};
    const std::string_view next = rest.substr(end + 1);
    return next.substr(0, next.find('\n'));
}

/// Whether the lines that only these tools print may be there; without a look at every line.
bool mayHold(std::string_view text)
{
    constexpr std::string_view kHeader = "Thread Stats ", kTest = " test @ ";
    constexpr std::size_t kHeaderLength = 80;
    for (std::size_t at = text.find(kHeader); at != text.npos; at = text.find(kHeader, at + 1))
        if (isStatsHeader(text.substr(at, kHeaderLength)))
            return true;
    for (std::size_t at = text.find(kTest); at != text.npos; at = text.find(kTest, at + 1))
        if (isThreadLine(nextLine(text, at)))
            return true;
    return false;
}

/// Reads one report line by line.
class Reader {
public:
    Reader(const ReportSection& section, ImportedRun& run) : m_section(section), m_run(run) {}

    /// True as long as there is more to read.
    bool take(std::string_view line)
    {
        if (isRunningLine(line))
            setRequestOf(trimmed(line.substr(line.find(" test @ ") + 8)));
        else if (isThreadLine(line))
            setConnections(line);
        else if (isStatsHeader(line))
            m_inStats = true;
        else if (line.find("Latency Distribution") != std::string_view::npos)
            m_inDistribution = line.find("Uncorrected") == std::string_view::npos;
        else if (line.find("Detailed Percentile") != std::string_view::npos)
            m_inDistribution = false;
        else if (const auto rate = afterLabel(line, "Requests/sec:"))
            return setRate(*rate);
        else
            takeFigure(line);
        return true;
    }

    void finish()
    {
        ImportedLatency& latency = m_run.latency;
        const bool anything = latency.meanUs.value_or(0) > 0 || latency.maxUs.value_or(0) > 0;
        if (!anything) // a run in which nothing was recorded prints zeros
            latency = {};
        if (m_run.latency.meanUs || !m_run.latency.percentilesUs.empty())
            m_run.semantics.resolutionUs = std::max(1.0, m_step.value_or(1));
        if (m_ended && !m_run.failed)
            m_run.failed = 0; // the line is only printed where there are some
        if (m_run.failed && m_run.completed && *m_run.failed > *m_run.completed)
            m_run.failed = m_run.completed;
        checkRate(m_run, m_durationStepSeconds);
    }

private:
    std::optional<double> timeOf(std::string_view text)
    {
        const auto us = parseTimeUs(text, m_section.style);
        if (us && *us > 0)
            takeFiner(m_step, printedStepUs(text));
        return us;
    }

    void setRequestOf(std::string_view url)
    {
        const bool scripted = optionOf(m_section.command, "-s", "--script").has_value();
        setRequest(m_run, scripted ? "" : "GET", url);
        m_run.semantics.notes.push_back(scripted
                                            ? "The requests come from a script; the report does not show them."
                                            : "The report does not name the method: GET, which only a script changes.");
    }

    void setConnections(std::string_view line)
    {
        const auto words = wordsOf(line);
        m_run.threads = static_cast<unsigned>(std::min<std::uint64_t>(*parseWhole(words[0]), UINT32_MAX));
        m_run.connections = static_cast<unsigned>(std::min<std::uint64_t>(*parseWhole(words[3]), UINT32_MAX));
    }

    bool setRate(std::string_view text)
    {
        m_run.rps = parseNumber(text, m_section.style);
        m_ended = true;
        return false;
    }

    void takeFigure(std::string_view line)
    {
        const auto words = wordsOf(line.substr(0, kLongestLine));
        if (m_inStats && words.size() >= 4 && words[0] == "Latency") {
            m_run.latency.meanUs = timeOf(words[1]);
            m_run.latency.stdevUs = timeOf(words[2]);
            m_run.latency.maxUs = timeOf(words[3]);
            m_inStats = false;
        } else if (m_inDistribution && words.size() == 2 && words[0].ends_with('%')) {
            setPercentile(words[0].substr(0, words[0].size() - 1), words[1]);
        } else if (words.size() >= 4 && words[1] == "requests" && words[2] == "in") {
            setCounts(words);
        } else if (const auto errors = afterLabel(line, "Socket errors:")) {
            setErrors(*errors);
        } else if (const auto bad = afterLabel(line, "Non-2xx or 3xx responses:")) {
            m_run.failed = parseWhole(*bad, m_section.style);
            addError(m_run, ErrorKind::unexpectedStatus, Phase::check, trimmed(line), m_run.failed.value_or(0));
        }
    }

    void setPercentile(std::string_view percent, std::string_view time)
    {
        const auto number = parseNumber(percent, m_section.style);
        const auto us = timeOf(time);
        if (!number || !us)
            return;
        if (const auto key = percentileKeyOf(*number))
            m_run.latency.percentilesUs[*key] = *us;
        else if (*number == 100)
            m_run.latency.maxUs = *us;
    }

    /// "1045 requests in 5.08s, 46.03MB read".
    void setCounts(const std::vector<std::string_view>& words)
    {
        m_run.completed = parseWhole(words[0], m_section.style);
        std::string_view time = words[3];
        if (time.ends_with(','))
            time.remove_suffix(1);
        if (const auto us = parseTimeUs(time, m_section.style); us && *us > 0)
            m_run.durationSeconds = *us / 1e6;
        m_durationStepSeconds = printedStepUs(time).value_or(0) / 1e6;
        constexpr double kKilo = 1024;
        const auto bytes = words.size() >= 5 ? parseBytes(words[4], kKilo, m_section.style) : std::nullopt;
        if (bytes && *bytes >= 0 && *bytes < 1e18)
            m_run.bytesReceived = static_cast<std::uint64_t>(*bytes + 0.5);
    }

    /// "connect 0, read 88124, write 0, timeout 80".
    void setErrors(std::string_view line)
    {
        const auto words = wordsOf(line);
        const auto countOf = [&](std::string_view name) -> std::optional<std::uint64_t> {
            const auto found = std::find(words.begin(), words.end(), name);
            if (found == words.end() || found + 1 == words.end())
                return std::nullopt;
            std::string_view number = *(found + 1);
            if (number.ends_with(','))
                number.remove_suffix(1);
            return parseWhole(number, m_section.style);
        };
        const std::string text = "Socket errors: " + std::string(line);
        const auto unopened = countOf("connect");
        addError(m_run, hadTooFewDescriptors(unopened) ? ErrorKind::clientLimit : ErrorKind::connectRefused,
                 Phase::connect, text, unopened.value_or(0));
        addError(m_run, ErrorKind::reset, Phase::waitHead, text, countOf("read").value_or(0));
        addError(m_run, ErrorKind::reset, Phase::send, text, countOf("write").value_or(0));
        addError(m_run, ErrorKind::timeout, Phase::waitHead, text, countOf("timeout").value_or(0));
    }

    /// Whether as many connections were opened as a usual limit of open files leaves wrk, which has three of its own
    /// and one a thread.
    bool hadTooFewDescriptors(std::optional<std::uint64_t> unopened)
    {
        if (!unopened || !m_run.connections || !m_run.threads || *unopened >= *m_run.connections)
            return false;
        constexpr std::array<std::uint64_t, 3> kLimits = {256, 1024, 4096};
        constexpr std::uint64_t kOwn = 3, kInherited = 8;
        const std::uint64_t files = *m_run.connections - *unopened + kOwn + *m_run.threads;
        const bool evident = *unopened > 0 && std::any_of(kLimits.begin(), kLimits.end(), [&](std::uint64_t limit) {
            return files <= limit && files + kInherited >= limit;
        });
        if (evident)
            m_run.doubts.push_back(std::to_string(*unopened) + " of " + std::to_string(*m_run.connections) +
                                   " connections were not opened: the " +
                                   std::to_string(*m_run.connections - *unopened) +
                                   " that were are what the limit of open files (ulimit -n) left.");
        return evident;
    }

    const ReportSection& m_section;
    ImportedRun& m_run;
    std::optional<double> m_step;
    double m_durationStepSeconds = 0;
    bool m_inStats = false, m_inDistribution = false, m_ended = false;
};

} // namespace

std::vector<ReportSection> wrkSections(std::string_view text)
{
    if (!mayHold(text))
        return {};
    std::vector<ReportSection> sections = sectionsOf(text, opening, {"wrk", "wrk2"});
    std::erase_if(sections, [](const ReportSection& section) { return !isOfWrk(section); });
    // A command line once at the top stands for all reports; that it names a script is all that is taken from it.
    for (std::size_t i = 1; i < sections.size(); ++i)
        if (sections[i].command.empty() && optionOf(sections[i - 1].command, "-s", "--script"))
            sections[i].command = {"-s", "script"};
    return sections;
}

bool isWrk2(const ReportSection& section)
{
    if (optionOf(section.command, "-R", "--rate"))
        return true;
    return std::any_of(section.lines.begin(), section.lines.end(), [](std::string_view line) {
        if (afterLabel(line, "Thread calibration:") || line.find("HdrHistogram") != std::string_view::npos)
            return true;
        const auto perThread = afterLabel(line, "Req/Sec");
        return perThread && (perThread->starts_with("-nan") || perThread->starts_with("nan"));
    });
}

Result<ImportedRun> readWrkReport(const ReportSection& section, std::string_view tool)
{
    ImportedRun run;
    run.target = section.title;
    run.semantics.latencyIncludesErrors = true;
    run.semantics.rpsCountsErrors = true;
    run.semantics.bytes = BytesKind::wire;
    Reader reader(section, run);
    for (const std::string_view line : section.lines)
        if (!reader.take(line))
            break;
    if (!run.completed)
        return cutOff(tool, section.line, "line \"N requests in T\"");
    reader.finish();
    return run;
}

} // namespace lapbench
