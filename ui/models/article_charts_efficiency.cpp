#include "ui/models/article_charts.h"

#include <QCoreApplication>

#include <algorithm>

namespace lapbench {

namespace {

/// How far latencies of one chart may stand apart on a linear axis.
constexpr double kLinearSpan = 10;

QString translated(const char* text)
{
    return QCoreApplication::translate("ArticleChart", text);
}

/// What stands at the points.
QString markNote(const ArticleSheet& sheet)
{
    const bool rates = std::any_of(sheet.places.begin(), sheet.places.end(),
                                   [](const ArticlePlace& place) { return place.level.rate.has_value(); });
    return rates ? translated(QT_TRANSLATE_NOOP("ArticleChart", "At each point: its level."))
                 : translated(QT_TRANSLATE_NOOP("ArticleChart", "At each point: the number of connections."));
}

/// Of the last point.
void addDoubt(ArticleSeries& series, const QString& why)
{
    if (why.isEmpty())
        return;
    if (series.notRanked.isEmpty())
        series.notRanked = why;
    series.hollow.push_back(series.points.size() - 1);
}

/// Latency at each level; x is the rate that was asked for, or of closed loops the one that was reached.
ArticleSeries againstRate(const ArticleSession& session, const ArticleSheet& sheet, const ArticleTarget& target,
                          const char* key, bool asked)
{
    ArticleSeries series = ArticleSession::seriesOf(target);
    for (const ArticlePlace& place : sheet.places) {
        const CellFigure* const latency = session.figure(place, target, key);
        const CellFigure* const rps = session.figure(place, target, "rps");
        if (!latency || !rps || latency->atLeast)
            continue;
        series.points.emplace_back(asked ? *place.level.rate : *rps->median, *latency->median);
        series.pointLabels.push_back(asked ? QString() : place.mark);
        addDoubt(series, session.notRanked(place, target));
    }
    return series;
}

void scaleLatency(ArticleChart& chart)
{
    double largest = 0, smallest = 0;
    for (const ArticleSeries& series : chart.series) {
        for (const auto& point : series.points) {
            largest = std::max(largest, point.second);
            smallest = smallest > 0 ? std::min(smallest, point.second) : point.second;
        }
    }
    const ArticleUnit unit = latencyAxisUnit(largest);
    for (ArticleSeries& series : chart.series) {
        for (auto& point : series.points)
            point.second /= unit.size;
    }
    chart.y = {axisTitle(translated(QT_TRANSLATE_NOOP("ArticleChart", "Latency")), unit.symbol), unit.symbol,
               smallest > 0 && largest > kLinearSpan * smallest ? AxisScale::logarithmic : AxisScale::linear};
}

/// Places with a rate and one number of connections stand by the rate asked for.
std::optional<ArticleChart> rateChart(const ArticleSession& session, const ArticleSheet& sheet, const QString& id,
                                      const QString& title, const char* key)
{
    const bool asked = std::all_of(sheet.places.begin(), sheet.places.end(),
                                   [](const ArticlePlace& place) { return place.level.rate.has_value(); });
    // Its points are ranked or not, each for itself.
    ArticleChart chart = session.begin(ArticleChart::Kind::points, id, title, sheet);
    chart.kind = ArticleChart::Kind::lines;
    for (const ArticleTarget& target : session.targets()) {
        ArticleSeries series = againstRate(session, sheet, target, key, asked);
        if (series.points.size() > 1)
            chart.series.push_back(std::move(series));
    }
    if (chart.series.empty())
        return std::nullopt;
    scaleLatency(chart);
    chart.x.title = asked ? translated(QT_TRANSLATE_NOOP("ArticleChart", "Requests per second asked for"))
                          : translated(QT_TRANSLATE_NOOP("ArticleChart", "Requests per second"));
    chart.better = translated(QT_TRANSLATE_NOOP("ArticleChart", "lower is better"));
    if (!asked)
        chart.notes.prepend(markNote(sheet));
    return chart;
}

/// The places of a sheet with the same number of connections, where rates tell the others apart.
std::vector<ArticleSheet> byConnections(const ArticleSheet& sheet)
{
    std::vector<ArticleSheet> sheets;
    for (const ArticlePlace& place : sheet.places) {
        const auto same = std::find_if(sheets.begin(), sheets.end(), [&](const ArticleSheet& other) {
            const Level& level = other.places.front().level;
            return level.rate.has_value() == place.level.rate.has_value() &&
                   (!level.rate || level.connections == place.level.connections);
        });
        if (same != sheets.end())
            same->places.push_back(place);
        else
            sheets.push_back({sheet.id, sheet.name, {place}, {}});
    }
    if (sheets.size() > 1) {
        for (ArticleSheet& own : sheets) {
            if (own.places.front().level.rate)
                own.id += QLatin1Char('-') + QString::number(own.places.front().level.connections);
        }
    }
    return sheets;
}

std::optional<ArticleChart> memoryChart(const ArticleSession& session, const ArticleSheet& sheet)
{
    ArticleChart chart =
        session.begin(ArticleChart::Kind::points, QStringLiteral("rps-memory"),
                      translated(QT_TRANSLATE_NOOP("ArticleChart", "Requests per second by memory")), sheet);
    double largest = 0;
    for (const ArticleTarget& target : session.targets()) {
        ArticleSeries series = ArticleSession::seriesOf(target);
        for (const ArticlePlace& place : sheet.places) {
            const CellFigure* const memory = session.figure(place, target, "rss_bytes_mean");
            const CellFigure* const rps = session.figure(place, target, "rps");
            if (!memory || !rps)
                continue;
            largest = std::max(largest, *memory->median);
            series.points.emplace_back(*memory->median, *rps->median);
            series.pointLabels.push_back(sheet.places.size() == 1 ? target.label : place.mark);
            addDoubt(series, session.notRanked(place, target));
        }
        if (!series.points.empty())
            chart.series.push_back(std::move(series));
    }
    if (chart.series.empty())
        return std::nullopt;
    const ArticleUnit unit = bytesAxisUnit(largest);
    for (ArticleSeries& series : chart.series) {
        for (auto& point : series.points)
            point.first /= unit.size;
    }
    chart.x = {axisTitle(translated(QT_TRANSLATE_NOOP("ArticleChart", "Resident memory, mean")), unit.symbol),
               unit.symbol, AxisScale::linear};
    chart.y.title = translated(QT_TRANSLATE_NOOP("ArticleChart", "Requests per second"));
    chart.better = translated(QT_TRANSLATE_NOOP("ArticleChart", "higher and further left is better"));
    if (sheet.places.size() > 1 && sheet.places.front().level != sheet.places.back().level)
        chart.notes.prepend(markNote(sheet));
    return chart;
}

} // namespace

std::vector<ArticleChart> efficiencyCharts(const ArticleSession& session)
{
    std::vector<ArticleChart> charts;
    const auto add = [&charts](std::optional<ArticleChart> chart) {
        if (chart)
            charts.push_back(std::move(*chart));
    };
    for (const ArticleSheet& sheet : session.sheets()) {
        for (const ArticleSheet& own : byConnections(sheet)) {
            if (own.places.front().level == own.places.back().level)
                continue;
            add(rateChart(session, own, QStringLiteral("p50-rate"),
                          translated(QT_TRANSLATE_NOOP("ArticleChart", "Median latency by rate")), "p50_us"));
            add(rateChart(session, own, QStringLiteral("p99-rate"),
                          translated(QT_TRANSLATE_NOOP("ArticleChart", "99th percentile of latency by rate")),
                          "p99_us"));
        }
        add(memoryChart(session, sheet));
    }
    return charts;
}

} // namespace lapbench
