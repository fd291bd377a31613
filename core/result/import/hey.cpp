#include "core/result/import/csv_rows.h"
#include "core/result/import/error_words.h"
#include "core/result/import/formats.h"
#include "core/result/import/report_lines.h"
#include "core/result/import/report_sections.h"
#include "core/result/import/request_samples.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

constexpr double kUsPerSecond = 1e6;
constexpr double kStepUs = 100; ///< four decimals of a second
/// hey keeps the latencies and statuses of that many answers, the first ones.
constexpr std::uint64_t kMostKept = 1'000'000;

std::optional<int> opening(std::string_view line)
{
    return trimmed(line) == "Summary:" ? std::optional(0) : std::nullopt;
}

bool isTotalLine(std::string_view line)
{
    return afterLabel(line, "Total:") && trimmed(line).ends_with(" secs");
}

/// Other tools have a "Summary:" too; hey's goes on with the time.
bool isOfHey(const ReportSection& section)
{
    return section.lines.size() > 1 && isTotalLine(section.lines[1]);
}

bool knows(std::string_view text)
{
    constexpr std::string_view kSummary = "Summary:\n";
    constexpr std::size_t kLongestLine = 80;
    for (std::size_t at = text.find(kSummary); at != text.npos; at = text.find(kSummary, at + 1)) {
        const std::string_view rest = text.substr(at + kSummary.size(), kLongestLine);
        if (isTotalLine(rest.substr(0, rest.find('\n'))))
            return true;
    }
    return false;
}

/// Reads one report line by line.
class Reader {
public:
    Reader(const ReportSection& section, ImportedRun& run) : m_section(section), m_run(run) {}

    void take(std::string_view line)
    {
        line = trimmed(line);
        if (line.empty())
            m_part = Part::figures;
        else if (line.starts_with("Latency distribution:"))
            m_part = Part::latencies;
        else if (line.starts_with("Status code distribution:"))
            m_part = Part::statuses;
        else if (line.starts_with("Error distribution:"))
            m_part = Part::errors;
        else if (m_part == Part::latencies)
            takePercentile(wordsOf(line.substr(0, 256)));
        else if (m_part == Part::statuses || m_part == Part::errors)
            takeCount(line);
        else
            takeFigure(line);
        m_hasStatuses = m_hasStatuses || m_part == Part::statuses;
    }

    void finish()
    {
        if ((m_answers == 0 && m_hasStatuses) || !m_run.latency.meanUs)
            m_run.latency = {}; // zeros, and NaN for the average, are printed where there was no answer
        else if (m_run.latency.meanUs || m_run.latency.maxUs)
            m_run.semantics.resolutionUs = kStepUs;
        if (!m_hasStatuses) {
            m_run.doubts.push_back("The report is cut off before the distribution of status codes: how many requests "
                                   "there were, and how many failed, is not told.");
            return;
        }
        if (m_answers == kMostKept && hadMore())
            return;
        if (isShort()) {
            m_run.doubts.push_back("The distributions of status codes and errors hold fewer requests than the rate and "
                                   "the time tell: the report is cut off, and how many requests there were, and how "
                                   "many failed, is not told.");
            return;
        }
        m_run.completed = m_answers + m_errors;
        m_run.failed = badStatuses(m_run) + m_errors;
        checkRate(m_run, kStepUs / kUsPerSecond);
    }

private:
    enum class Part { figures, latencies, statuses, errors };

    std::optional<double> secondsAfter(std::string_view line, std::string_view label) const
    {
        const auto rest = afterLabel(line, label);
        const auto words = rest ? wordsOf(rest->substr(0, 256)) : std::vector<std::string_view>();
        const auto number =
            words.size() == 2 && words[1] == "secs" ? parseNumber(words[0], m_section.style) : std::nullopt;
        return number && *number >= 0 ? number : std::nullopt;
    }

    void takeFigure(std::string_view line)
    {
        const auto us = [&](std::string_view label) -> std::optional<double> {
            const auto seconds = secondsAfter(line, label);
            return seconds ? std::optional(*seconds * kUsPerSecond) : std::nullopt;
        };
        if (const auto seconds = secondsAfter(line, "Total:"); seconds && *seconds > 0 && !m_run.durationSeconds)
            m_run.durationSeconds = seconds;
        else if (const auto slowest = us("Slowest:"))
            m_run.latency.maxUs = slowest;
        else if (const auto fastest = us("Fastest:"))
            m_run.latency.minUs = fastest;
        else if (const auto average = us("Average:"))
            m_run.latency.meanUs = average;
        else if (const auto rate = afterLabel(line, "Requests/sec:"); rate && !m_run.rps)
            m_run.rps = parseNumber(*rate, m_section.style);
        else if (const auto data = afterLabel(line, "Total data:"))
            if (const auto words = wordsOf(data->substr(0, 256)); !words.empty())
                m_run.bodyReceived = m_run.bytesReceived = parseWhole(words[0], m_section.style);
    }

    /// "50% in 0.0199 secs"; some versions print the sign twice. Slots that were not filled are "0% in 0.0000 secs".
    void takePercentile(const std::vector<std::string_view>& words)
    {
        if (words.size() != 4 || words[1] != "in")
            return;
        const auto percent = parseNumber(words[0].substr(0, words[0].find('%')), m_section.style);
        const auto seconds = parseNumber(words[2], m_section.style);
        const auto key = percent && seconds && *seconds >= 0 ? percentileKeyOf(*percent) : std::nullopt;
        if (key)
            m_run.latency.percentilesUs[*key] = *seconds * kUsPerSecond;
    }

    /// "[200]	4126 responses" and "[20]	Get "http://..": dial tcp ..".
    void takeCount(std::string_view line)
    {
        const std::size_t end = line.find(']');
        if (!line.starts_with('[') || end == line.npos)
            return;
        const auto number = parseWhole(line.substr(1, end - 1));
        const std::string_view rest = trimmed(line.substr(end + 1));
        if (!number)
            return;
        if (m_part == Part::errors) {
            addError(m_run, rest, *number);
            m_errors += *number;
            return;
        }
        const auto words = wordsOf(rest.substr(0, 256));
        const auto count = words.size() == 2 ? parseWhole(words[0], m_section.style) : std::nullopt;
        addStatus(m_run, *number, count.value_or(0));
        m_answers += count.value_or(0);
    }

    /// Whether requests are missing in what is printed of them, by rate and time.
    bool isShort() const
    {
        constexpr double kMostMissing = 0.002, kHalfStep = 0.00005; // of a time with four decimals
        const double seconds = m_run.durationSeconds.value_or(0);
        const double all = m_run.rps.value_or(0) * (seconds - kHalfStep);
        return static_cast<double>(m_answers + m_errors) + 1 < all * (1 - kMostMissing);
    }

    /// Whether there were more answers than hey keeps, by rate and time, and then what that does to the figures.
    bool hadMore()
    {
        constexpr double kSame = 0.0005;
        const double all = m_run.rps.value_or(0) * m_run.durationSeconds.value_or(0) - static_cast<double>(m_errors);
        if (all < static_cast<double>(kMostKept) * (1 + kSame))
            return false;
        m_run.latency.meanUs.reset();
        m_run.doubts.push_back("Latencies and status codes are those of the first 1,000,000 answers, of about " +
                               std::to_string(static_cast<std::uint64_t>(std::min(all, 1e15))) +
                               " by rate and time: how many there were exactly is not told, and the printed average is "
                               "wrong and left out.");
        return true;
    }

    const ReportSection& m_section;
    ImportedRun& m_run;
    Part m_part = Part::figures;
    std::uint64_t m_answers = 0, m_errors = 0;
    bool m_hasStatuses = false;
};

void setSemantics(Semantics& semantics)
{
    semantics.latencyIncludesErrors = true;
    semantics.rpsCountsErrors = true;
    semantics.correction = Correction::none;
    semantics.bytes = BytesKind::body;
    semantics.notes.push_back("hey tells times in steps of 0.1 ms; requests that got no answer are not among the "
                              "latencies.");
}

void setCommand(const ReportSection& section, ImportedRun& run)
{
    const std::string_view url = urlOf(section.command);
    if (url.empty())
        return;
    setRequest(run, optionOf(section.command, "", "-m").value_or("GET"), url);
    const auto workers = optionOf(section.command, "", "-c");
    const auto number = workers ? parseWhole(*workers) : std::nullopt;
    if (number && *number > 0 && *number < UINT32_MAX)
        run.connections = static_cast<unsigned>(*number);
}

Result<ImportedRun> readSection(const ReportSection& section)
{
    ImportedRun run;
    run.target = section.title;
    setSemantics(run.semantics);
    Reader reader(section, run);
    for (const std::string_view line : section.lines)
        reader.take(line);
    if (!run.rps)
        return cutOff("hey", section.line, "line \"Requests/sec:\"");
    reader.finish();
    setCommand(section, run);
    return run;
}

Result<ImportedRuns> read(std::string_view text)
{
    std::vector<ReportSection> sections = sectionsOf(text, opening, {"hey"});
    std::erase_if(sections, [](const ReportSection& section) { return !isOfHey(section); });
    return readSections(sections, readSection);
}

/// Where the header of the CSV is; npos: nowhere.
std::size_t headerAt(std::string_view text)
{
    constexpr std::string_view kFirst = "response-time", kSecond = "DNS+dialup";
    for (std::size_t at = text.find(kFirst); at != text.npos; at = text.find(kFirst, at + 1))
        if (text.substr(std::min(at + kFirst.size() + 1, text.size())).starts_with(kSecond))
            return at;
    return text.npos;
}

bool knowsCsv(std::string_view text)
{
    return headerAt(text) != text.npos;
}

/// `-o csv`: a row an answer, in no order.
Result<ImportedRuns> readCsv(std::string_view text)
{
    text = text.substr(headerAt(text));
    const char separator = separatorOf(text.substr(0, text.find('\n')));
    const NumberStyle style = separator == ',' ? NumberStyle::point : NumberStyle::comma;
    CsvRows rows(text, separator);
    std::vector<std::string> row;
    rows.next(row);
    const std::size_t columns = row.size();
    const int time = columnOf(row, "response-time"), status = columnOf(row, "status-code"),
              offset = columnOf(row, "offset");
    if (status < 0)
        return Problem{"", "the CSV of hey has no column status-code", "save the tool's whole output"};
    const auto valueOf = [&](int column) {
        const std::string& value = row[static_cast<std::size_t>(column)];
        const auto number = parseNumber(value, style);
        return number ? number : parseNumber(value);
    };
    ImportedRun run;
    RequestSamples samples;
    double endSeconds = 0;
    std::size_t broken = 0;
    while (rows.next(row)) {
        const auto seconds = row.size() == columns ? valueOf(time) : std::nullopt;
        const auto code = seconds ? parseWhole(row[static_cast<std::size_t>(status)]) : std::nullopt;
        if (!code || *seconds < 0) {
            ++broken;
            continue;
        }
        // The offset is the last value, and has as many digits as the time.
        if (rows.isOpen() && row.back().size() < row[static_cast<std::size_t>(time)].size()) {
            ++broken;
            continue;
        }
        const auto start = offset < 0 ? std::nullopt : valueOf(offset);
        endSeconds = std::max(endSeconds, start.value_or(0) + *seconds);
        samples.add(*seconds * kUsPerSecond, isGoodStatus(*code),
                    start ? std::optional(*start * kUsPerSecond) : std::nullopt);
        addStatus(run, *code, 1);
    }
    if (samples.count() == 0)
        return Problem{"", "the CSV of hey holds no rows: no request got an answer",
                       "import hey's text report instead"};
    samples.fill(run);
    if (run.durationSeconds) { // offsets are since the start of the run
        run.durationSeconds = endSeconds;
        run.rps = static_cast<double>(samples.count()) / endSeconds;
    }
    setSemantics(run.semantics);
    run.semantics.bytes = BytesKind::unknown;
    run.semantics.resolutionUs = kStepUs;
    run.semantics.notes.push_back(
        "hey's CSV has no rows for requests that got no answer: there may be more failed ones.");
    if (broken > 0)
        run.doubts.push_back(std::to_string(broken) + " lines are no rows of hey's CSV and are left out.");
    if (samples.count() == kMostKept)
        run.doubts.push_back("hey writes at most 1,000,000 rows: there may have been more answers.");
    return ImportedRuns{std::move(run)};
}

} // namespace

void addHey(Formats& formats)
{
    formats.text.push_back({"hey", "text", knows, read});
    formats.text.push_back({"hey", "CSV", knowsCsv, readCsv});
}

} // namespace lapbench
