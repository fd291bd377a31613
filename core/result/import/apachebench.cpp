#include "core/result/import/error_words.h"
#include "core/result/import/formats.h"
#include "core/result/import/report_lines.h"
#include "core/result/import/report_sections.h"

#include <algorithm>

namespace lapbench {

namespace {

constexpr double kUsPerMs = 1000;

std::optional<int> opening(std::string_view line)
{
    if (afterLabel(line, "This is ApacheBench"))
        return 0;
    if (afterLabel(line, "Server Software:"))
        return 1;
    return afterLabel(line, "Concurrency Level:") ? std::optional(2) : std::nullopt;
}

bool knows(std::string_view text)
{
    return text.find("This is ApacheBench") != std::string_view::npos ||
           (text.find("Concurrency Level:") != std::string_view::npos &&
            text.find("Complete requests:") != std::string_view::npos);
}

/// Reads one report line by line.
class Reader {
public:
    Reader(const ReportSection& section, ImportedRun& run) : m_section(section), m_run(run) {}

    void take(std::string_view line)
    {
        line = trimmed(line);
        if (m_inPercentiles && takePercentile(line))
            return;
        if (line.starts_with("Percentage of the requests"))
            m_inPercentiles = true;
        else if (line.starts_with("Connection Times"))
            m_inTimes = true;
        else if (m_inTimes && line.starts_with("min ") && line.find("max") != line.npos)
            m_hasDeviation = line.find("+/-sd") != line.npos;
        else if (!takeRequest(line) && !takeCount(line) && !takeFailures(line))
            takeTimes(line);
    }

    void finish()
    {
        setFailed();
        setUrl();
        checkRate(m_run, m_timeStepSeconds);
        if (!m_run.latency.meanUs)
            m_run.latency.meanUs = m_totalMeanUs;
        if (!m_run.latency.maxUs)
            m_run.latency.maxUs = m_totalMaxUs;
        if (m_totalMedianUs)
            m_run.latency.percentilesUs.try_emplace("p50", *m_totalMedianUs);
        if (m_run.latency.maxUs || !m_run.latency.percentilesUs.empty())
            m_run.semantics.resolutionUs = kUsPerMs;
    }

private:
    std::optional<double> numberAfter(std::string_view line, std::string_view label) const
    {
        const auto rest = afterLabel(line, label);
        const auto words = rest ? wordsOf(rest->substr(0, 256)) : std::vector<std::string_view>();
        return words.empty() ? std::nullopt : parseNumber(words.front(), m_section.style);
    }

    /// False where the line has another label; what is no whole number is not told.
    bool countAfter(std::string_view line, std::string_view label, std::optional<std::uint64_t>& count) const
    {
        const auto rest = afterLabel(line, label);
        const auto words = rest ? wordsOf(rest->substr(0, 256)) : std::vector<std::string_view>();
        if (!words.empty())
            count = parseWhole(words.front(), m_section.style);
        return rest.has_value();
    }

    bool takeRequest(std::string_view line)
    {
        if (const auto host = afterLabel(line, "Server Hostname:"))
            m_host = *host;
        else if (const auto port = afterLabel(line, "Server Port:"))
            m_port = *port;
        else if (afterLabel(line, "SSL/TLS Protocol:"))
            m_isTls = true;
        else if (const auto path = afterLabel(line, "Document Path:"))
            m_path = *path;
        else if (const auto level = numberAfter(line, "Concurrency Level:"); level && *level >= 1 && *level < 1e9)
            m_run.connections = static_cast<unsigned>(*level);
        else if (const auto workers = numberAfter(line, "Number of workers:");
                 workers && *workers >= 1 && *workers < 1e6)
            m_run.threads = static_cast<unsigned>(*workers);
        else
            return false;
        return true;
    }

    bool takeCount(std::string_view line)
    {
        if (const auto seconds = afterLabel(line, "Time taken for tests:")) {
            const auto us = parseTimeUs(*seconds, m_section.style);
            if (us)
                m_run.durationSeconds = *us / 1e6;
            m_timeStepSeconds = printedStepUs(*seconds).value_or(kUsPerMs) / 1e6;
            return true;
        }
        if (afterLabel(line, "Requests per second:")) {
            m_run.rps = numberAfter(line, "Requests per second:");
            return true;
        }
        for (const std::string_view label : {"Total body sent:", "Total POSTed:", "Total PUT:"})
            if (countAfter(line, label, m_run.bytesSent)) {
                m_method = label == "Total PUT:" ? "PUT" : label == "Total POSTed:" ? "POST" : "";
                return true;
            }
        return countAfter(line, "Complete requests:", m_run.completed) || takeTransferred(line) ||
               countAfter(line, "HTML transferred:", m_run.bodyReceived);
    }

    /// It stands below all counts of failed requests, of which some are only printed where there are any.
    bool takeTransferred(std::string_view line)
    {
        const bool isIt = countAfter(line, "Total transferred:", m_run.bytesReceived);
        m_hasFailures = m_hasFailures || isIt;
        return isIt;
    }

    bool takeFailures(std::string_view line)
    {
        std::optional<std::uint64_t> unwritten;
        if (countAfter(line, "Write errors:", unwritten))
            addError(m_run, ErrorKind::reset, Phase::send, line, unwritten.value_or(0));
        else if (line.starts_with("(Connect:"))
            takeCauses(line);
        else
            return countAfter(line, "Failed requests:", m_called) || countAfter(line, "Non-2xx responses:", m_bad);
        return true;
    }

    /// "(Connect: 0, Receive: 0, Length: 5, Exceptions: 0)".
    void takeCauses(std::string_view line)
    {
        struct Cause {
            std::string_view label;
            ErrorKind kind;
            Phase phase;
        };
        constexpr Cause kCauses[] = {{"Connect:", ErrorKind::connectRefused, Phase::connect},
                                     {"Receive:", ErrorKind::reset, Phase::waitHead},
                                     {"Length:", ErrorKind::failedCheck, Phase::check},
                                     {"Exceptions:", ErrorKind::reset, Phase::waitHead}};
        for (const Cause& cause : kCauses) {
            const std::size_t at = line.find(cause.label);
            if (at == line.npos)
                continue;
            std::string_view number = line.substr(at + cause.label.size());
            const auto count = parseWhole(number.substr(0, number.find_first_of(",)")), m_section.style);
            addError(m_run, cause.kind, cause.phase, "Failed requests: " + std::string(line), count.value_or(0));
            if (cause.kind == ErrorKind::failedCheck && count.value_or(0) > 0)
                m_run.semantics.notes.push_back("ab calls an answer failed (Length) that is not as long as the first "
                                                "one, which is no fault where answers differ.");
        }
    }

    void takeTimes(std::string_view line)
    {
        const auto perRequest = afterLabel(line, "Time per request:");
        if (perRequest && !m_run.latency.meanUs && line.find("across") == line.npos) {
            if (const auto ms = numberAfter(line, "Time per request:"))
                m_run.latency.meanUs = *ms * kUsPerMs;
        } else if (const auto total = afterLabel(line, "Total:"); total && m_inTimes) {
            setTotal(wordsOf(total->substr(0, 256)));
            m_inTimes = false;
        }
    }

    /// min mean[+/-sd] median max, or without the option for it min avg max.
    void setTotal(const std::vector<std::string_view>& words)
    {
        const auto us = [&](std::size_t i) -> std::optional<double> {
            const auto ms = i < words.size() ? parseNumber(words[i], m_section.style) : std::nullopt;
            return ms ? std::optional(*ms * kUsPerMs) : std::nullopt;
        };
        const std::size_t columns = m_hasDeviation ? 5 : 3;
        if (words.size() < columns)
            return;
        m_run.latency.minUs = us(0);
        m_totalMeanUs = us(1);
        m_totalMaxUs = us(columns - 1);
        if (m_hasDeviation) {
            m_run.latency.stdevUs = us(2);
            m_totalMedianUs = us(3);
        }
    }

    /// "  50%     11", " 100%    113 (longest request)".
    bool takePercentile(std::string_view line)
    {
        const auto words = wordsOf(line.substr(0, 256));
        if (words.size() < 2 || !words[0].ends_with('%'))
            return false;
        const auto percent = parseNumber(words[0].substr(0, words[0].size() - 1), m_section.style);
        const auto ms = parseNumber(words[1], m_section.style);
        if (!percent || !ms)
            return true;
        m_inPercentiles = *percent < 100;
        if (!m_inPercentiles)
            m_run.latency.maxUs = *ms * kUsPerMs;
        else if (const auto key = percentileKeyOf(*percent))
            m_run.latency.percentilesUs[*key] = *ms * kUsPerMs;
        return true;
    }

    /// ab does not count answers outside of 2xx as failed; they are here. Those that are both are not told apart.
    void setFailed()
    {
        const std::uint64_t bad = m_bad.value_or(0);
        addError(m_run, ErrorKind::unexpectedStatus, Phase::check, "Non-2xx responses: " + std::to_string(bad), bad);
        if (bad > 0)
            m_run.semantics.notes.push_back("ab does not tell which status answers outside of 2xx had: redirects are "
                                            "among them, and count as failed here.");
        if (!m_hasFailures)
            m_run.doubts.push_back("The report is cut off within the counts of failed requests: how many failed is not "
                                   "told.");
        if (!m_called || !m_hasFailures)
            return;
        const std::uint64_t all = m_run.completed.value_or(0);
        m_run.failed = std::min(bad + *m_called, all);
        if (bad > 0 && *m_called > 0)
            m_run.doubts.push_back(std::to_string(*m_called) + " requests that ab calls failed may be among the " +
                                   std::to_string(bad) + " with another status than 2xx: " +
                                   std::to_string(*m_run.failed) + " is the most that can have failed.");
    }

    void setUrl()
    {
        const std::string_view given = urlOf(m_section.command);
        if (m_host.empty() || m_path.empty())
            return setRequest(m_run, methodOf(), given);
        const bool isUsual = m_port.empty() || m_port == (m_isTls ? "443" : "80");
        const bool isAddress = m_host.find(':') != m_host.npos && !m_host.starts_with('[');
        std::string url = m_isTls ? "https://" : "http://";
        url += isAddress ? "[" + std::string(m_host) + "]" : std::string(m_host);
        if (!isUsual)
            url += ":" + std::string(m_port);
        url += m_path;
        setRequest(m_run, methodOf(), url);
    }

    /// As the command line says; else what can be told from what was sent and received.
    std::string_view methodOf() const
    {
        const auto& command = m_section.command;
        if (const auto custom = optionOf(command, "-m", ""))
            return *custom;
        if (optionOf(command, "-p", ""))
            return "POST";
        if (optionOf(command, "-u", ""))
            return "PUT";
        if (std::find(command.begin(), command.end(), "-i") != command.end())
            return "HEAD";
        if (!m_method.empty() || m_run.bytesSent)
            return m_method;
        return m_run.bodyReceived.value_or(0) > 0 ? "GET" : "";
    }

    const ReportSection& m_section;
    ImportedRun& m_run;
    std::string_view m_host, m_port, m_path, m_method;
    std::optional<std::uint64_t> m_called, m_bad; ///< failed as ab calls it, and with another status than 2xx
    std::optional<double> m_totalMeanUs, m_totalMedianUs, m_totalMaxUs;
    double m_timeStepSeconds = 0;
    bool m_isTls = false, m_inTimes = false, m_inPercentiles = false, m_hasDeviation = false, m_hasFailures = false;
};

/// Why ab stopped: "apr_socket_recv: Connection refused (111)".
std::string_view causeIn(const ReportSection& section)
{
    for (const std::string_view line : section.lines)
        if (const std::size_t at = line.find("apr_"); at != line.npos)
            return trimmed(line.substr(at)).substr(0, 200);
    return {};
}

bool isHtml(const ReportSection& section)
{
    return std::any_of(section.lines.begin(), section.lines.end(),
                       [](std::string_view line) { return trimmed(line).starts_with("<tr"); });
}

Result<ImportedRun> readSection(const ReportSection& section)
{
    ImportedRun run;
    run.target = section.title;
    Semantics& semantics = run.semantics;
    semantics.latencyIncludesErrors = true;
    semantics.rpsCountsErrors = true;
    semantics.correction = Correction::none;
    semantics.bytes = BytesKind::wire;
    semantics.notes.push_back("ab's mean is connections x time / requests, not an average of measured latencies; "
                              "percentiles and maximum are whole milliseconds, where 0 is less than one.");
    semantics.notes.push_back("ab asks with HTTP/1.0, and with a new connection for each request unless -k is given.");
    Reader reader(section, run);
    for (const std::string_view line : section.lines)
        reader.take(line);
    if (!run.completed) {
        const std::string_view cause = causeIn(section);
        if (isHtml(section))
            return Problem{"line " + std::to_string(section.line + 1), "the report of ab that begins here is HTML (-w)",
                           "run ab without -w"};
        if (cause.empty())
            return cutOff("ab", section.line, "line \"Complete requests:\"");
        return Problem{"line " + std::to_string(section.line + 1),
                       "the report of ab that begins here has no figures: ab stopped with \"" + std::string(cause) +
                           "\"",
                       "run ab again; with -r it goes on after such errors"};
    }
    reader.finish();
    return run;
}

Result<ImportedRuns> read(std::string_view text)
{
    return readSections(sectionsOf(text, opening, {"ab"}), readSection);
}

} // namespace

void addApacheBenchRows(Formats& formats);

void addApacheBench(Formats& formats)
{
    formats.text.push_back({"ab", "text", knows, read});
    addApacheBenchRows(formats);
}

} // namespace lapbench
