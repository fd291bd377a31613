#include "core/result/import/csv_rows.h"
#include "core/result/import/formats.h"
#include "core/result/import/measure_text.h"
#include "core/result/import/row_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace lapbench {

namespace {

using Row = std::vector<std::string>;

constexpr double kUsPerMs = 1000;
/// How much of a text is looked through for the head.
constexpr std::size_t kLookedThrough = std::size_t{64} << 10;
constexpr const char* kAll = "Aggregated";

/// The line that names the columns, told by two of them; newer versions and older ones call them differently.
std::size_t headOf(std::string_view text, std::string_view first, std::string_view second)
{
    text = text.substr(0, kLookedThrough);
    for (std::size_t at = text.find(first); at != std::string_view::npos; at = text.find(first, at + 1)) {
        const std::size_t before = text.rfind('\n', at);
        const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
        const std::string_view line = text.substr(begin, text.find('\n', at) - begin);
        if (line.find(second) != std::string_view::npos && line.find("Name") != std::string_view::npos)
            return begin;
        at = begin + line.size(); // the next line
    }
    return std::string_view::npos;
}

std::size_t historyHead(std::string_view text)
{
    return headOf(text, "Total Request Count", "Timestamp");
}

std::size_t statsHead(std::string_view text)
{
    if (historyHead(text) != std::string_view::npos)
        return std::string_view::npos;
    const std::size_t newer = headOf(text, "Request Count", "Failure Count");
    return newer != std::string_view::npos ? newer : headOf(text, "# requests", "# failures");
}

/// Values of a row by the names of their columns.
class Named {
public:
    Named(const Row& head, const Row& row) : m_head(head), m_row(row) {}

    std::string_view text(std::initializer_list<std::string_view> names) const
    {
        for (const std::string_view name : names)
            if (const int at = columnOf(m_head, name); at >= 0 && static_cast<std::size_t>(at) < m_row.size())
                return trimmed(m_row[static_cast<std::size_t>(at)]);
        return {};
    }
    std::optional<double> number(std::initializer_list<std::string_view> names) const
    {
        return parseNumber(text(names));
    }
    std::optional<std::uint64_t> whole(std::initializer_list<std::string_view> names) const
    {
        return parseWhole(text(names));
    }
    std::optional<double> us(std::initializer_list<std::string_view> names) const
    {
        const auto ms = number(names);
        return ms ? std::optional(*ms * kUsPerMs) : std::nullopt;
    }

private:
    const Row& m_head;
    const Row& m_row;
};

Semantics locustSemantics()
{
    Semantics semantics;
    semantics.latencyIncludesErrors = true;
    semantics.rpsCountsErrors = true;
    semantics.correction = Correction::none;
    semantics.resolutionUs = kUsPerMs;
    semantics.bytes = BytesKind::body;
    semantics.notes = {
        "Locust rounds the latencies behind its median and percentiles: to 1 ms below 100 ms, above to two "
        "digits, so that its p99 may lie above its longest latency."};
    return semantics;
}

void readBody(std::optional<double> average, ImportedRun& run)
{
    constexpr double kMost = 1e18;
    if (!average || *average < 0 || !run.completed)
        return;
    const double sum = *average * static_cast<double>(*run.completed);
    if (sum < kMost)
        run.bodyReceived = static_cast<std::uint64_t>(std::llround(sum));
}

bool isAggregated(const Named& row)
{
    const std::string_view name = row.text({"Name"}), type = row.text({"Type", "Method"});
    return (name == kAll || name == "Total") && (type.empty() || type == "None");
}

ImportedRun readStatsRow(const Named& row)
{
    ImportedRun run;
    run.semantics = locustSemantics();
    run.completed = row.whole({"Request Count", "# requests"});
    run.failed = row.whole({"Failure Count", "# failures"});
    run.rps = row.number({"Requests/s"});
    if (isAggregated(row)) {
        run.workload = kAll;
    } else {
        run.method = row.text({"Type", "Method"});
        run.workload = (run.method.empty() ? "" : run.method + " ") + std::string(row.text({"Name"}));
    }
    if (run.completed.value_or(0) == 0)
        return run;
    run.latency.minUs = row.us({"Min Response Time", "Min response time"});
    run.latency.meanUs = row.us({"Average Response Time", "Average response time"});
    run.latency.maxUs = row.us({"Max Response Time", "Max response time"});
    constexpr std::array<std::pair<const char*, const char*>, 7> kPercentiles = {{{"p50", "50%"},
                                                                                  {"p75", "75%"},
                                                                                  {"p90", "90%"},
                                                                                  {"p95", "95%"},
                                                                                  {"p99", "99%"},
                                                                                  {"p99_9", "99.9%"},
                                                                                  {"p99_99", "99.99%"}}};
    for (const auto& [key, name] : kPercentiles)
        if (const auto told = row.us({name}))
            run.latency.percentilesUs[key] = *told;
    if (const auto median = row.us({"Median Response Time", "Median response time"}))
        run.latency.percentilesUs.emplace("p50", *median);
    readBody(row.number({"Average Content Size"}), run);
    return run;
}

bool isStats(std::string_view text)
{
    return statsHead(text) != std::string_view::npos;
}

Problem noRows(std::string_view text, std::size_t at)
{
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    return {"line " + std::to_string(line), "begins figures of Locust, and no row of requests follows",
            "save the file after the run has ended"};
}

/// The requests one by one, and all together where there are several.
Result<ImportedRuns> readStats(std::string_view text)
{
    const std::size_t at = statsHead(text);
    CsvRows rows(text.substr(at));
    Row head, row;
    rows.next(head);
    ImportedRuns runs;
    std::optional<ImportedRun> all;
    while (rows.next(row)) {
        const Named named(head, row);
        if (row.size() != head.size() || !named.whole({"Request Count", "# requests"}))
            continue;
        if (isAggregated(named))
            all = readStatsRow(named);
        else
            runs.push_back(readStatsRow(named));
    }
    if (all && runs.size() != 1)
        runs.push_back(std::move(*all));
    return runs.empty() ? Result<ImportedRuns>(noRows(text, at)) : std::move(runs);
}

bool isHistory(std::string_view text)
{
    return historyHead(text) != std::string_view::npos;
}

/// What the rows of all requests together tell, one every second.
struct History {
    Row last;
    std::optional<double> firstUs, lastUs;
    std::map<std::uint64_t, std::uint64_t> users; ///< how many rows at a number of users
    std::uint64_t rows = 0;

    void take(const Named& named, const Row& row)
    {
        const auto time = parseRowTime(named.text({"Timestamp"}));
        if (!time || !named.whole({"Total Request Count"}))
            return;
        last = row;
        firstUs = firstUs.value_or(time->us);
        lastUs = time->us;
        ++rows;
        if (const auto active = named.whole({"User Count"}))
            ++users[*active];
    }
};

ImportedRun readHistoryEnd(const History& history, const Named& last)
{
    ImportedRun run;
    run.semantics = locustSemantics();
    run.workload = kAll;
    run.completed = last.whole({"Total Request Count"});
    run.failed = last.whole({"Total Failure Count"});
    run.durationSeconds = (*history.lastUs - *history.firstUs) / 1e6;
    if (*history.firstUs > 0 && *history.firstUs < 9e15)
        run.started = UtcTime{} + std::chrono::microseconds(std::llround(*history.firstUs));
    if (*run.durationSeconds > 0) {
        run.rps = static_cast<double>(*run.completed) / *run.durationSeconds;
        run.doubts.emplace_back("Locust wrote the times of its rows in whole seconds: the time of the run may be a "
                                "second off, and requests a second with it.");
    } else {
        run.durationSeconds.reset();
    }
    if (!history.users.empty()) {
        const auto& [most, count] = *history.users.rbegin();
        if (most > 0 && most < 10'000'000 && count * 2 >= history.rows)
            run.connections = static_cast<unsigned>(most);
    }
    if (*run.completed == 0)
        return run;
    run.latency.minUs = last.us({"Total Min Response Time"});
    run.latency.meanUs = last.us({"Total Average Response Time"});
    run.latency.maxUs = last.us({"Total Max Response Time"});
    if (const auto median = last.us({"Total Median Response Time"}))
        run.latency.percentilesUs["p50"] = *median;
    readBody(last.number({"Total Average Content Size"}), run);
    return run;
}

Result<ImportedRuns> readHistory(std::string_view text)
{
    const std::size_t at = historyHead(text);
    CsvRows rows(text.substr(at));
    Row head, row;
    rows.next(head);
    History history;
    while (rows.next(row))
        if (const Named named(head, row); isAggregated(named))
            history.take(named, row);
    if (history.rows == 0)
        return noRows(text, at);
    return ImportedRuns{readHistoryEnd(history, Named(head, history.last))};
}

} // namespace

void addLocust(Formats& formats)
{
    formats.text.push_back({"locust", "CSV (_stats)", isStats, readStats});
    formats.text.push_back({"locust", "CSV (_stats_history)", isHistory, readHistory});
}

} // namespace lapbench
