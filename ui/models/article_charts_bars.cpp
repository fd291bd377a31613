#include "core/stats/rounds.h"
#include "core/stats/student_t.h"
#include "ui/models/article_charts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <set>

namespace lapbench {

namespace {

enum class Unit { plain, latency, bytes, cores, milliseconds };

/// A measurement that has a bar chart of its own.
struct Measurement {
    const char* key; ///< of kCellFigures
    const char* id;
    const char* title;
    const char* axis;
    Unit unit;
    int better; ///< 1: higher, -1: lower, 0: neither
};

constexpr const char* kRate = QT_TRANSLATE_NOOP("ArticleChart", "Requests per second");
constexpr const char* kLatency = QT_TRANSLATE_NOOP("ArticleChart", "Latency");
constexpr const char* kMemory = QT_TRANSLATE_NOOP("ArticleChart", "Resident memory");
constexpr const char* kCores = QT_TRANSLATE_NOOP("ArticleChart", "CPU (cores)");

constexpr Measurement kMeasurements[] = {
    {"rps", "rps", kRate, kRate, Unit::plain, 1},
    {"goal_rate", "goal-rate", QT_TRANSLATE_NOOP("ArticleChart", "Highest rate that keeps the goal"), kRate,
     Unit::plain, 1},
    {"p25_us", "p25", QT_TRANSLATE_NOOP("ArticleChart", "25th percentile of latency"), kLatency, Unit::latency, -1},
    {"mean_us", "mean", QT_TRANSLATE_NOOP("ArticleChart", "Mean latency"), kLatency, Unit::latency, -1},
    {"p50_us", "p50", QT_TRANSLATE_NOOP("ArticleChart", "Median latency"), kLatency, Unit::latency, -1},
    {"p75_us", "p75", QT_TRANSLATE_NOOP("ArticleChart", "75th percentile of latency"), kLatency, Unit::latency, -1},
    {"p90_us", "p90", QT_TRANSLATE_NOOP("ArticleChart", "90th percentile of latency"), kLatency, Unit::latency, -1},
    {"p95_us", "p95", QT_TRANSLATE_NOOP("ArticleChart", "95th percentile of latency"), kLatency, Unit::latency, -1},
    {"p99_us", "p99", QT_TRANSLATE_NOOP("ArticleChart", "99th percentile of latency"), kLatency, Unit::latency, -1},
    {"p99_9_us", "p99_9", QT_TRANSLATE_NOOP("ArticleChart", "99.9th percentile of latency"), kLatency, Unit::latency,
     -1},
    {"max_us", "max", QT_TRANSLATE_NOOP("ArticleChart", "Maximum latency"), kLatency, Unit::latency, -1},
    {"cpu_cores_mean", "cpu", QT_TRANSLATE_NOOP("ArticleChart", "CPU use of the server, mean"), kCores, Unit::cores, 0},
    {"cpu_cores_peak", "cpu-peak", QT_TRANSLATE_NOOP("ArticleChart", "CPU use of the server, peak"), kCores,
     Unit::cores, 0},
    {"rss_bytes_mean", "memory", QT_TRANSLATE_NOOP("ArticleChart", "Memory of the server, mean"), kMemory, Unit::bytes,
     -1},
    {"rss_bytes_peak", "memory-peak", QT_TRANSLATE_NOOP("ArticleChart", "Memory of the server, peak"), kMemory,
     Unit::bytes, -1},
    {"requests_per_cpu_second", "requests-per-cpu-second",
     QT_TRANSLATE_NOOP("ArticleChart", "Requests per second of CPU time"),
     QT_TRANSLATE_NOOP("ArticleChart", "Requests"), Unit::plain, 1},
};

QString translated(const char* text)
{
    return QCoreApplication::translate("ArticleChart", text);
}

/// What the rounds of one bar tell of how far it may be trusted.
struct Whiskers {
    std::optional<double> low, high;
    bool byStudent = false;
};

/// Student's t at 95 % for the mean of three rounds or more; of two, the two.
Whiskers whiskersOf(const CellFigure& figure)
{
    std::vector<double> known;
    for (const auto& round : figure.rounds) {
        if (round)
            known.push_back(*round);
    }
    if (known.size() < 2)
        return {};
    if (known.size() == 2)
        return {std::min(known[0], known[1]), std::max(known[0], known[1]), false};
    const auto n = static_cast<double>(known.size());
    double sum = 0, squares = 0;
    for (const double value : known)
        sum += value;
    for (const double value : known)
        squares += (value - sum / n) * (value - sum / n);
    const double half = studentTQuantile(0.975, n - 1) * std::sqrt(squares / (n - 1) / n);
    return {sum / n - half, sum / n + half, true};
}

ArticleUnit unitOf(Unit unit, double largest)
{
    switch (unit) {
    case Unit::latency:
        return latencyAxisUnit(largest);
    case Unit::milliseconds: {
        const ArticleUnit us = latencyAxisUnit(largest * 1000);
        return {us.size / 1000, us.symbol};
    }
    case Unit::bytes:
        return bytesAxisUnit(largest);
    default:
        return {};
    }
}

QString betterText(int better)
{
    if (better == 0)
        return {};
    return better > 0 ? translated(QT_TRANSLATE_NOOP("ArticleChart", "higher is better"))
                      : translated(QT_TRANSLATE_NOOP("ArticleChart", "lower is better"));
}

/// Values in the unit of the result become those of the axis.
void setUnit(ArticleChart& chart, const QString& axis, Unit unit)
{
    double largest = 0;
    for (const ArticleSeries& series : chart.series) {
        for (const ArticleValue& value : series.values)
            largest = std::max({largest, value.value.value_or(0), value.high.value_or(0)});
    }
    const ArticleUnit shared = unitOf(unit, largest);
    for (ArticleSeries& series : chart.series) {
        for (ArticleValue& value : series.values) {
            for (auto* figure : {&value.value, &value.low, &value.high}) {
                if (*figure)
                    **figure /= shared.size;
            }
        }
    }
    chart.y = {axisTitle(axis, shared.symbol), shared.symbol, AxisScale::linear};
}

QStringList whiskerNotes(bool byStudent, bool byTwo)
{
    QStringList notes;
    if (byStudent)
        notes << translated(QT_TRANSLATE_NOOP(
            "ArticleChart", "Bars: median of the rounds. Whiskers: 95 % interval of their mean (Student's t)."));
    if (byTwo)
        notes << translated(
            QT_TRANSLATE_NOOP("ArticleChart", "Bars of two rounds: their middle. Whiskers: the lower and the higher."));
    return notes;
}

std::optional<ArticleChart> barChart(const ArticleSession& session, const Measurement& measurement,
                                     const ArticleSheet& sheet)
{
    ArticleChart chart =
        session.begin(ArticleChart::Kind::bars, QLatin1String(measurement.id), translated(measurement.title), sheet);
    bool byStudent = false, byTwo = false, any = false;
    for (const ArticlePlace& place : sheet.places)
        chart.categories << place.label;
    for (const ArticleTarget& target : session.targets(sheet)) {
        ArticleSeries series = ArticleSession::seriesOf(target);
        for (const ArticlePlace& place : sheet.places) {
            ArticleValue value;
            if (const CellFigure* figure = session.figure(place, target, measurement.key)) {
                any = true;
                value.value = figure->median;
                value.atLeast = figure->atLeast;
                value.notRanked = session.notRanked(place, target);
                const Whiskers whiskers = measurement.key == std::string_view("rps") ? whiskersOf(*figure) : Whiskers{};
                value.low = whiskers.low;
                value.high = whiskers.high;
                byStudent |= whiskers.low && whiskers.byStudent;
                byTwo |= whiskers.low && !whiskers.byStudent;
            }
            series.values.push_back(std::move(value));
        }
        chart.series.push_back(std::move(series));
    }
    if (!any)
        return std::nullopt;
    setUnit(chart, translated(measurement.axis), measurement.unit);
    chart.x.title = sheet.axis;
    chart.better = betterText(measurement.better);
    chart.notes = whiskerNotes(byStudent, byTwo) + chart.notes;
    return chart;
}

/// The starts of one target outside of the rounds, else those of its rounds: a server starts once for several trials.
std::optional<double> startupMs(const ArticleSession& session, const ArticleTarget& target)
{
    for (const ColdStarts& starts : session.coldStarts()) {
        if (starts.target == target.name && starts.medianMs)
            return starts.medianMs;
    }
    std::set<unsigned> rounds;
    std::vector<double> values;
    for (const ArticleSheet& sheet : session.sheets()) {
        for (const ArticlePlace& place : sheet.places) {
            for (const Trial* trial : session.trials(place, target)) {
                if (trial->server.startupMs && rounds.insert(trial->round).second)
                    values.push_back(*trial->server.startupMs);
            }
        }
    }
    return median(values);
}

} // namespace

std::vector<ArticleChart> barCharts(const ArticleSession& session)
{
    std::vector<ArticleChart> charts;
    for (const ArticleSheet& sheet : session.sheets()) {
        for (const Measurement& measurement : kMeasurements) {
            if (auto chart = barChart(session, measurement, sheet))
                charts.push_back(std::move(*chart));
        }
    }
    return charts;
}

std::vector<ArticleChart> startupCharts(const ArticleSession& session)
{
    ArticleSheet everything;
    for (const ArticleSheet& sheet : session.sheets())
        everything.places.insert(everything.places.end(), sheet.places.begin(), sheet.places.end());
    if (everything.places.empty())
        return {};
    ArticleChart chart = session.begin(ArticleChart::Kind::bars, QStringLiteral("startup"),
                                       translated(QT_TRANSLATE_NOOP("ArticleChart", "Start-up time")), everything);
    chart.notes = {
        translated(QT_TRANSLATE_NOOP("ArticleChart", "From the server's start until its first right answer, median."))};
    chart.categories << QString();
    for (const ArticleTarget& target : session.targets()) {
        ArticleSeries series = ArticleSession::seriesOf(target);
        series.values.emplace_back().value = startupMs(session, target);
        chart.series.push_back(std::move(series));
    }
    if (std::none_of(chart.series.begin(), chart.series.end(),
                     [](const ArticleSeries& series) { return series.values.front().value.has_value(); }))
        return {};
    setUnit(chart, translated(QT_TRANSLATE_NOOP("ArticleChart", "Start-up time")), Unit::milliseconds);
    chart.better = betterText(-1);
    return {std::move(chart)};
}

} // namespace lapbench
