#include "core/result/import/k6_csv.h"

#include "core/result/import/csv_rows.h"
#include "core/result/import/error_words.h"
#include "core/result/import/formats.h"
#include "core/result/import/measure_text.h"
#include "core/result/import/request_samples.h"
#include "core/result/import/row_time.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace lapbench {

namespace {

constexpr std::string_view kHead = "metric_name,timestamp,metric_value";
/// How much of a text is looked through for the head.
constexpr std::size_t kLookedThrough = std::size_t{64} << 10;
/// Of how many different requests the names are kept.
constexpr std::size_t kMostNames = 2;
constexpr double kUsPerMs = 1000;
/// How much of an error's words is kept.
constexpr std::size_t kMostWords = 300;

std::size_t headOf(std::string_view text, std::size_t from = 0)
{
    text = text.substr(0, kLookedThrough);
    for (std::size_t at = text.find(kHead, from); at != std::string_view::npos; at = text.find(kHead, at + 1))
        if (at == 0 || text[at - 1] == '\n')
            return at;
    return std::string_view::npos;
}

/// Where the values of a row stand.
struct Columns {
    explicit Columns(const std::vector<std::string>& head)
        : all(head.size()), status(columnOf(head, "status")), errorCode(columnOf(head, "error_code")),
          error(columnOf(head, "error")), expected(columnOf(head, "expected_response")),
          method(columnOf(head, "method")), url(columnOf(head, "url")), name(columnOf(head, "name"))
    {}
    std::size_t all; ///< how many there are
    int status, errorCode, error, expected, method, url, name;
};

std::string_view valueAt(const std::vector<std::string>& row, int column)
{
    return column >= 0 && static_cast<std::size_t>(column) < row.size() ? trimmed(row[static_cast<std::size_t>(column)])
                                                                        : std::string_view();
}

/// The kinds of k6's own numbers of errors (its documentation, "Error codes").
ErrorKind kindOf(std::uint64_t code, std::string_view words)
{
    if (code >= 1400 && code < 1600)
        return ErrorKind::unexpectedStatus;
    if (code >= 1300 && code < 1400)
        return ErrorKind::tls;
    switch (code) {
    case 1050:
        return ErrorKind::timeout;
    case 1100:
    case 1101:
    case 1110:
    case 1111:
        return ErrorKind::resolve;
    case 1201:
    case 1220:
        return ErrorKind::reset;
    case 1211:
        return ErrorKind::connectTimeout;
    case 1212:
        return ErrorKind::connectRefused;
    default:
        return errorKindOf(words);
    }
}

/// One run as its rows come.
class Reading {
public:
    explicit Reading(const std::vector<std::string>& head) : m_columns(head) {}

    void take(const std::vector<std::string>& row)
    {
        if (row.size() < std::max<std::size_t>(m_columns.all, 3))
            return; // cut off
        const std::string_view metric = row[0];
        const auto value = parseNumber(row[2]);
        if (!value || *value < 0)
            return;
        if (metric == "http_req_duration")
            takeRequest(row, *value);
        else if (metric == "data_received")
            m_received = m_received.value_or(0) + *value;
        else if (metric == "data_sent")
            m_sent = m_sent.value_or(0) + *value;
        else if (metric == "dropped_iterations")
            m_dropped += *value;
        else if (metric == "vus" && m_users.size() < 2)
            m_users.insert(*value);
    }

    std::optional<ImportedRun> finish()
    {
        if (m_samples.count() == 0)
            return std::nullopt;
        ImportedRun run = std::move(m_run);
        m_samples.fill(run);
        constexpr double kMost = 1e18;
        if (m_received && *m_received < kMost)
            run.bytesReceived = static_cast<std::uint64_t>(std::llround(*m_received));
        if (m_sent && *m_sent < kMost)
            run.bytesSent = static_cast<std::uint64_t>(std::llround(*m_sent));
        if (m_users.size() == 1 && *m_users.begin() >= 1 && *m_users.begin() < 1e7 && m_dropped == 0)
            run.connections = static_cast<unsigned>(*m_users.begin());
        if (m_dropped > 0)
            run.doubts.push_back("k6 dropped " + std::to_string(std::llround(m_dropped)) +
                                 " iterations, as no virtual user was free for them: the rate that was asked for was "
                                 "not reached.");
        if (m_wholeSeconds && run.durationSeconds)
            run.doubts.emplace_back("k6 wrote the times of the requests in whole seconds: the time of the run may be a "
                                    "second off, and requests a second with it.");
        nameRun(run);
        run.semantics = k6Semantics();
        return run;
    }

private:
    void takeRequest(const std::vector<std::string>& row, double ms)
    {
        const auto status = parseWhole(valueAt(row, m_columns.status));
        const auto code = parseWhole(valueAt(row, m_columns.errorCode));
        const std::string_view error = valueAt(row, m_columns.error), told = valueAt(row, m_columns.expected);
        const bool answered = status && *status >= 100 && *status < 1000;
        const bool isRight =
            answered && *status < 400 && *status >= 200 && told != "false" && code.value_or(0) == 0 && error.empty();
        const auto time = parseRowTime(row[1]);
        std::optional<double> start;
        if (time) {
            start = time->us - ms * kUsPerMs;
            m_wholeSeconds = m_wholeSeconds && std::fmod(time->us, 1e6) == 0;
            if (!m_run.started || toUtc(*start) < *m_run.started)
                m_run.started = toUtc(*start);
        }
        m_samples.add(ms * kUsPerMs, isRight, start);
        if (answered)
            ++m_run.status[static_cast<int>(*status)];
        if (!isRight && answered && code.value_or(0) == 0)
            addError(m_run, ErrorKind::unexpectedStatus, "status " + std::to_string(*status), 1);
        else if (!isRight)
            addError(m_run, kindOf(code.value_or(0), error),
                     error.empty() ? "error code " + std::to_string(code.value_or(0))
                                   : std::string(error.substr(0, kMostWords)),
                     1);
        if (m_names.size() < kMostNames) {
            const std::string_view name = valueAt(row, m_columns.name), url = valueAt(row, m_columns.url);
            m_names.insert({std::string(valueAt(row, m_columns.method)), std::string(name.empty() ? url : name)});
        }
    }

    static UtcTime toUtc(double us)
    {
        constexpr double kMostUs = 9e15; // the year 2255
        return UtcTime{} + std::chrono::microseconds(std::llround(std::clamp(us, 0.0, kMostUs)));
    }

    void nameRun(ImportedRun& run) const
    {
        if (m_names.size() != 1)
            return;
        run.method = m_names.begin()->first;
        run.url = m_names.begin()->second;
        const std::size_t host = run.url.find("://");
        if (host == std::string::npos)
            return;
        const std::size_t path = run.url.find('/', host + 3);
        run.target = run.url.substr(host + 3, path == std::string::npos ? path : path - host - 3);
        run.workload = run.method + " " + (path == std::string::npos ? "/" : run.url.substr(path));
    }

    Columns m_columns;
    RequestSamples m_samples;
    ImportedRun m_run;
    std::optional<double> m_received, m_sent;
    double m_dropped = 0;
    std::set<double> m_users;
    std::set<std::pair<std::string, std::string>> m_names;
    bool m_wholeSeconds = true;
};

} // namespace

Semantics k6Semantics()
{
    Semantics semantics;
    semantics.latencyIncludesErrors = true;
    semantics.rpsCountsErrors = true;
    semantics.correction = Correction::none;
    semantics.resolutionUs = 0.001;
    semantics.bytes = BytesKind::wire;
    semantics.notes = {"The latencies of k6 leave out connecting and the TLS handshake, which it tells apart."};
    return semantics;
}

bool isK6Csv(std::string_view text)
{
    return headOf(text) != std::string_view::npos;
}

Result<ImportedRuns> readK6Csv(std::string_view text)
{
    const std::size_t at = headOf(text);
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    CsvRows rows(text.substr(at));
    std::vector<std::string> row;
    ImportedRuns runs;
    std::optional<Reading> reading;
    const auto finish = [&] {
        if (auto run = reading ? reading->finish() : std::nullopt)
            runs.push_back(std::move(*run));
    };
    while (rows.next(row)) {
        if (row.front() == "metric_name") {
            finish();
            if (runs.size() == kMostRuns)
                return tooManyRuns(static_cast<std::size_t>(line) + rows.line() - 1);
            reading.emplace(row);
        } else if (reading) {
            reading->take(row);
        }
    }
    finish();
    if (runs.empty())
        return Problem{"line " + std::to_string(line), "begins rows of k6, and none of them is an http_req_duration",
                       "save all rows that --out csv writes"};
    return runs;
}

} // namespace lapbench
