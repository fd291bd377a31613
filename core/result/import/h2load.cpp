#include "core/result/import/error_words.h"
#include "core/result/import/formats.h"
#include "core/result/import/h2load_counts.h"
#include "core/result/import/report_lines.h"
#include "core/result/import/report_sections.h"

#include <algorithm>

namespace lapbench {

namespace {

constexpr std::size_t kLongestLine = 512;

/// "finished in 38.44ms, 2601.59 req/s, 5.05MB/s".
bool isFinishedLine(std::string_view line)
{
    const auto rest = afterLabel(line.substr(0, kLongestLine), "finished in ");
    return rest && rest->find(" req/s") != rest->npos;
}

std::optional<int> opening(std::string_view line)
{
    if (afterLabel(line, "starting benchmark..."))
        return 0;
    if (afterLabel(line, "spawning thread #0:"))
        return 1;
    return isFinishedLine(line) ? std::optional(2) : std::nullopt;
}

bool knows(std::string_view text)
{
    constexpr std::string_view kFinished = "finished in ", kSpawning = "spawning thread #";
    for (std::size_t at = text.find(kFinished); at != text.npos; at = text.find(kFinished, at + 1)) {
        const std::string_view rest = text.substr(at, kLongestLine);
        const std::string_view line = rest.substr(0, rest.find('\n'));
        const std::string_view next = rest.substr(std::min(line.size() + 1, rest.size()));
        if (isFinishedLine(line) && afterLabel(next, "requests:"))
            return true;
    }
    for (std::size_t at = text.find(kSpawning); at != text.npos; at = text.find(kSpawning, at + 1))
        if (text.substr(at, 64).find("total client(s)") != text.npos)
            return true;
    return false;
}

/// Without the comma or dot at its end.
std::string_view bare(std::string_view word)
{
    while (word.ends_with(',') || word.ends_with('.'))
        word.remove_suffix(1);
    return word;
}

/// Reads one report line by line.
class Reader {
public:
    Reader(const ReportSection& section, ImportedRun& run) : m_section(section), m_run(run) {}

    void take(std::string_view line)
    {
        line = trimmed(line.substr(0, kLongestLine));
        m_ended = m_ended || line.starts_with("req/s ");
        if (m_ended) // the last row; what comes behind is not of this report
            return;
        if (line.starts_with("spawning thread #"))
            addThread(wordsOf(line));
        else if (isFinishedLine(line))
            setFinished(wordsOf(line));
        else if (const auto requests = afterLabel(line, "requests:"))
            setCounts(wordsOf(*requests), line);
        else if (const auto codes = afterLabel(line, "status codes:"))
            setStatus(wordsOf(*codes), line);
        else if (const auto traffic = afterLabel(line, "traffic:"))
            setTraffic(wordsOf(*traffic));
        else if (line.starts_with("min ") && line.find("mean") != line.npos)
            m_columns = wordsOf(line.substr(0, line.find("+/-")));
        else
            takeRow(line);
    }

    void finish()
    {
        setH2loadCounts(m_counts, m_run);
        if (m_run.completed.value_or(0) == 0 || m_counts.done == std::uint64_t{0})
            m_run.latency = {}; // zeros are printed where nothing was measured
        else if (m_run.latency.meanUs)
            m_run.semantics.resolutionUs = std::max(1.0, m_step.value_or(1));
        if (m_counts.errored.value_or(0) == 0)
            checkRate(m_run, m_durationStepSeconds);
        const std::string_view url = urlOf(m_section.command);
        if (!url.empty())
            setRequest(m_run, optionOf(m_section.command, "-d", "--data") ? "POST" : "GET", url);
        const auto clients = optionOf(m_section.command, "-c", "--clients");
        const auto number = clients ? parseWhole(*clients) : std::nullopt;
        if (!m_run.connections && number && *number > 0 && *number < UINT32_MAX)
            m_run.connections = static_cast<unsigned>(*number);
    }

private:
    /// "spawning thread #0: 10 total client(s). 100 total requests".
    void addThread(const std::vector<std::string_view>& words)
    {
        const auto clients = words.size() > 3 ? parseWhole(words[3], m_section.style) : std::nullopt;
        if (!clients || *clients > UINT32_MAX / 2)
            return;
        m_run.threads = m_run.threads.value_or(0) + 1;
        m_run.connections =
            static_cast<unsigned>(std::min<std::uint64_t>(m_run.connections.value_or(0) + *clients, UINT32_MAX));
    }

    void setFinished(const std::vector<std::string_view>& words)
    {
        if (words.size() < 4)
            return;
        const std::string_view time = bare(words[2]);
        if (const auto us = parseTimeUs(time, m_section.style); us && *us > 0)
            m_run.durationSeconds = *us / 1e6;
        m_durationStepSeconds = printedStepUs(time).value_or(0) / 1e6;
        m_run.rps = parseNumber(words[3], m_section.style);
    }

    /// "100 total, 100 started, 100 done, 100 succeeded, 0 failed, 0 errored, 0 timeout".
    void setCounts(const std::vector<std::string_view>& words, std::string_view line)
    {
        m_counts.words = line;
        for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
            const auto count = parseWhole(words[i], m_section.style);
            const std::string_view name = bare(words[i + 1]);
            if (name == "started")
                m_counts.started = count;
            else if (name == "done")
                m_counts.done = count;
            else if (name == "succeeded")
                m_counts.succeeded = count;
            else if (name == "failed")
                m_counts.failed = count;
            else if (name == "errored")
                m_counts.errored = count;
            else if (name == "timeout")
                m_counts.timedOut = count;
        }
    }

    /// "100 2xx, 0 3xx, 0 4xx, 0 5xx".
    void setStatus(const std::vector<std::string_view>& words, std::string_view line)
    {
        std::uint64_t bad = 0;
        for (std::size_t i = 0; i + 1 < words.size(); i += 2)
            if (const std::string_view name = bare(words[i + 1]); name == "4xx" || name == "5xx")
                bad += parseWhole(words[i], m_section.style).value_or(0);
        addError(m_run, ErrorKind::unexpectedStatus, line, bad);
    }

    /// "198.92KB (203690) total, .., 176.46KB (180700) data", and formerly "3812300 bytes total".
    void setTraffic(const std::vector<std::string_view>& words)
    {
        for (std::size_t i = 1; i < words.size(); ++i) {
            const std::string_view name = bare(words[i]);
            if (name != "total" && name != "data")
                continue;
            std::string_view number = words[i - 1] == "bytes" && i > 1 ? words[i - 2] : words[i - 1];
            if (number.starts_with('(') && number.ends_with(')'))
                number = number.substr(1, number.size() - 2);
            (name == "total" ? m_run.bytesReceived : m_run.bodyReceived) = parseWhole(number, m_section.style);
        }
    }

    /// "time for request:   1.70ms ..", and in newer versions "request     :".
    void takeRow(std::string_view line)
    {
        const std::size_t colon = line.find(':');
        if (colon == line.npos)
            return;
        const std::string_view label = trimmed(line.substr(0, colon));
        if (label != "time for request" && label != "request")
            return;
        const auto values = wordsOf(line.substr(colon + 1));
        static const std::vector<std::string_view> kFormerColumns = {"min", "max", "mean", "sd"};
        const auto& columns = m_columns.empty() ? kFormerColumns : m_columns;
        for (std::size_t i = 0; i < std::min(columns.size(), values.size()); ++i)
            setFigure(columns[i], values[i]);
    }

    void setFigure(std::string_view column, std::string_view value)
    {
        const auto us = parseTimeUs(value, m_section.style);
        if (!us || *us < 0)
            return;
        takeFiner(m_step, printedStepUs(value));
        ImportedLatency& latency = m_run.latency;
        if (column == "min")
            latency.minUs = us;
        else if (column == "max")
            latency.maxUs = us;
        else if (column == "mean")
            latency.meanUs = us;
        else if (column == "sd")
            latency.stdevUs = us;
        else if (column == "median")
            latency.percentilesUs["p50"] = *us;
        else if (column == "p95" || column == "p99")
            latency.percentilesUs[std::string(column)] = *us;
    }

    const ReportSection& m_section;
    ImportedRun& m_run;
    H2loadCounts m_counts;
    std::vector<std::string_view> m_columns;
    std::optional<double> m_step;
    double m_durationStepSeconds = 0;
    bool m_ended = false;
};

Result<ImportedRun> readSection(const ReportSection& section)
{
    ImportedRun run;
    run.target = section.title;
    setH2loadSemantics(run.semantics);
    Reader reader(section, run);
    for (const std::string_view line : section.lines)
        reader.take(line);
    reader.finish();
    if (!run.completed)
        return cutOff("h2load", section.line, "line \"requests: N total, N started\"");
    return run;
}

Result<ImportedRuns> read(std::string_view text)
{
    return readSections(sectionsOf(text, opening, {"h2load"}), readSection);
}

} // namespace

void addH2load(Formats& formats)
{
    formats.text.push_back({"h2load", "text", knows, read});
    addH2loadData(formats);
}

} // namespace lapbench
