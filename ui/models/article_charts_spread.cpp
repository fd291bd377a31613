#include "core/stats/rounds.h"
#include "ui/models/article_charts.h"
#include "ui/models/number_format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

/// How far latencies of one chart may stand apart on a linear axis.
constexpr double kLinearSpan = 10;
/// Of a percentile curve, for each further nine.
constexpr int kStepsPerNine = 25;
constexpr double kHighestPercentile = 0.9999;

QString translated(const char* text)
{
    return QCoreApplication::translate("ArticleChart", text);
}

QString lowerIsBetter()
{
    return translated(QT_TRANSLATE_NOOP("ArticleChart", "lower is better"));
}

/// Where the lower whiskers end: at the 5th percentile where the histograms tell it, else at the smallest.
std::optional<double> lowerEnd(const std::vector<const Trial*>& trials, bool byHistogram)
{
    constexpr double kLower = 0.05;
    std::vector<double> known;
    for (const Trial* trial : trials) {
        const LoadFigures& load = trial->load;
        const auto percentile = byHistogram ? censoredPercentile(load.histogram, load.censored, kLower) : std::nullopt;
        if (percentile)
            known.push_back(percentile->us);
        else if (!byHistogram && load.latency.minUs)
            known.push_back(*load.latency.minUs);
    }
    return median(known);
}

bool haveHistograms(const ArticleSession& session, const ArticleSheet& sheet)
{
    for (const ArticlePlace& place : sheet.places) {
        for (const ArticleTarget& target : session.targets()) {
            for (const Trial* trial : session.trials(place, target)) {
                if (trial->load.histogram.empty())
                    return false;
            }
        }
    }
    return true;
}

/// Quartiles, with p99 as the upper end of the whiskers; in microseconds.
ArticleValue boxOf(const ArticleSession& session, const ArticlePlace& place, const ArticleTarget& target,
                   bool byHistogram)
{
    ArticleValue box;
    const CellFigure* const quartile1 = session.figure(place, target, "p25_us");
    const CellFigure* const middle = session.figure(place, target, "p50_us");
    const CellFigure* const quartile3 = session.figure(place, target, "p75_us");
    if (!quartile1 || !middle || !quartile3)
        return box;
    box.quartile1 = quartile1->median;
    box.value = middle->median;
    box.quartile3 = quartile3->median;
    box.atLeast = middle->atLeast || quartile3->atLeast;
    box.low = lowerEnd(session.trials(place, target), byHistogram);
    if (box.low && *box.low > *box.quartile1)
        box.low.reset();
    if (const CellFigure* const high = session.figure(place, target, "p99_us"))
        box.high = high->median;
    box.notRanked = session.notRanked(place, target);
    return box;
}

void scaleBoxes(ArticleChart& chart)
{
    double largest = 0, smallestMiddle = 0;
    for (const ArticleSeries& series : chart.series) {
        for (const ArticleValue& box : series.values) {
            if (!box.value)
                continue;
            largest = std::max({largest, *box.quartile3, box.high.value_or(0)});
            smallestMiddle = smallestMiddle > 0 ? std::min(smallestMiddle, *box.value) : *box.value;
        }
    }
    const ArticleUnit unit = latencyAxisUnit(largest);
    for (ArticleSeries& series : chart.series) {
        for (ArticleValue& box : series.values) {
            for (auto* figure : {&box.value, &box.low, &box.high, &box.quartile1, &box.quartile3}) {
                if (*figure)
                    **figure /= unit.size;
            }
        }
    }
    const bool logarithmic = smallestMiddle > 0 && largest > kLinearSpan * smallestMiddle;
    chart.y = {axisTitle(translated(QT_TRANSLATE_NOOP("ArticleChart", "Latency")), unit.symbol), unit.symbol,
               logarithmic ? AxisScale::logarithmic : AxisScale::linear};
}

/// The curve of one target, in microseconds; x is the percentile as a share.
ArticleSeries curveOf(const ArticleSession& session, const ArticlePlace& place, const ArticleTarget& target,
                      bool& endsOpen)
{
    ArticleSeries series = ArticleSession::seriesOf(target);
    series.notRanked = session.notRanked(place, target);
    Histogram events, censored;
    for (const Trial* trial : session.trials(place, target)) {
        events.add(trial->load.histogram);
        censored.add(trial->load.censored);
    }
    const auto samples = static_cast<double>(events.total() + censored.total());
    if (events.empty()) {
        for (const ReportedPercentile& reported : kReportedPercentiles) {
            const CellFigure* const figure = session.figure(place, target, std::string(reported.key) + "_us");
            if (figure && !figure->atLeast)
                series.points.emplace_back(reported.p, *figure->median);
        }
        return series;
    }
    std::vector<double> shares;
    for (const ReportedPercentile& reported : kReportedPercentiles)
        shares.push_back(reported.p);
    for (int step = 0; step <= 4 * kStepsPerNine; ++step)
        shares.push_back(1 - std::pow(10.0, -static_cast<double>(step) / kStepsPerNine));
    std::sort(shares.begin(), shares.end());
    shares.erase(std::unique(shares.begin(), shares.end(), [](double a, double b) { return b - a < 1e-9; }),
                 shares.end());
    for (const double share : shares) {
        // Above this no sample stands.
        if (share > kHighestPercentile + 1e-9 || (1 - share) * samples < 1 - 1e-6)
            break;
        const auto latency = censoredPercentile(events, censored, share);
        if (!latency || latency->atLeast) {
            endsOpen |= latency.has_value();
            break;
        }
        series.points.emplace_back(share, latency->us);
    }
    return series;
}

std::optional<ArticleChart> percentileChart(const ArticleSession& session, const ArticleSheet& sheet)
{
    ArticleChart chart = session.begin(ArticleChart::Kind::lines, QStringLiteral("percentiles"),
                                       translated(QT_TRANSLATE_NOOP("ArticleChart", "Latency by percentile")), sheet);
    const ArticlePlace& place = sheet.places.front();
    double largest = 0, middle = 0;
    QStringList open;
    for (const ArticleTarget& target : session.targets()) {
        bool endsOpen = false;
        ArticleSeries series = curveOf(session, place, target, endsOpen);
        if (endsOpen)
            open << target.label;
        for (const auto& [share, us] : series.points) {
            largest = std::max(largest, us);
            if (share >= 0.5 && us > 0)
                middle = middle > 0 ? std::min(middle, us) : us;
        }
        if (series.points.size() > 1)
            chart.series.push_back(std::move(series));
    }
    if (chart.series.empty() || largest <= 0)
        return std::nullopt;
    const ArticleUnit unit = latencyAxisUnit(largest);
    for (ArticleSeries& series : chart.series) {
        for (auto& point : series.points)
            point.second /= unit.size;
    }
    const bool logarithmic = middle > 0 && largest > kLinearSpan * middle;
    chart.x = {translated(QT_TRANSLATE_NOOP("ArticleChart", "Percentile")), QStringLiteral("%"), AxisScale::percentile};
    chart.y = {axisTitle(translated(QT_TRANSLATE_NOOP("ArticleChart", "Latency")), unit.symbol), unit.symbol,
               logarithmic ? AxisScale::logarithmic : AxisScale::linear};
    chart.better = lowerIsBetter();
    if (!open.isEmpty())
        chart.notes << translated(QT_TRANSLATE_NOOP("ArticleChart", "Ends where the requests beyond were left "
                                                                    "unanswered, so they took at least as long: %1."))
                           .arg(open.join(QStringLiteral(", ")));
    return chart;
}

} // namespace

std::vector<ArticleChart> boxCharts(const ArticleSession& session)
{
    std::vector<ArticleChart> charts;
    for (const ArticleSheet& sheet : session.sheets()) {
        ArticleChart chart = session.begin(ArticleChart::Kind::boxes, QStringLiteral("latency"),
                                           translated(QT_TRANSLATE_NOOP("ArticleChart", "Latency")), sheet);
        bool any = false;
        const bool byHistogram = haveHistograms(session, sheet);
        for (const ArticlePlace& place : sheet.places)
            chart.categories << place.label;
        for (const ArticleTarget& target : session.targets(sheet)) {
            ArticleSeries series = ArticleSession::seriesOf(target);
            for (const ArticlePlace& place : sheet.places) {
                series.values.push_back(boxOf(session, place, target, byHistogram));
                any |= series.values.back().value.has_value();
            }
            chart.series.push_back(std::move(series));
        }
        if (!any)
            continue;
        scaleBoxes(chart);
        chart.x.title = sheet.axis;
        chart.better = lowerIsBetter();
        const QString note =
            byHistogram
                ? translated(QT_TRANSLATE_NOOP("ArticleChart", "Box: 25th to 75th percentile, line and number: median, "
                                                               "whiskers: 5th to 99th percentile."))
                : translated(QT_TRANSLATE_NOOP("ArticleChart", "Box: 25th to 75th percentile, line and number: median, "
                                                               "whiskers: smallest to 99th percentile."));
        chart.notes.prepend(note);
        charts.push_back(std::move(chart));
    }
    return charts;
}

std::vector<ArticleChart> percentileCharts(const ArticleSession& session)
{
    std::vector<ArticleChart> charts;
    for (const ArticleSheet& sheet : session.singleSheets()) {
        if (auto chart = percentileChart(session, sheet))
            charts.push_back(std::move(*chart));
    }
    return charts;
}

} // namespace lapbench
