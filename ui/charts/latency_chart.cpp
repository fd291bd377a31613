#include "ui/charts/latency_chart.h"

#include "ui/models/number_format.h"
#include "ui/style/target_colours.h"

#include <algorithm>

namespace lapbench {

namespace {

/// How far p99 may stand above p50 on a linear axis.
constexpr double kLinearSpan = 10;

struct Extremes {
    double smallest = 0, largest = 0; ///< of all figures, above 0
    double p50 = 0, p99 = 0;          ///< middle ones
};

double middle(std::vector<double>& values)
{
    if (values.empty())
        return 0;
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    return *half;
}

/// The first answers of a warm-up would stretch the axis for good: once a second is measured, it follows what is
/// measured.
bool isWarmUpOnly(const std::vector<LivePoint>& points)
{
    return points.empty() || points.back().t < 1;
}

Extremes extremesOf(const std::vector<LivePoint>& points)
{
    Extremes extremes;
    const bool all = isWarmUpOnly(points);
    std::vector<double> p50, p99;
    for (const LivePoint& point : points) {
        if (point.t <= 0 && !all)
            continue;
        for (const auto& figure : {point.p25Us, point.p50Us, point.p75Us, point.p99Us}) {
            if (!figure || *figure <= 0)
                continue;
            extremes.largest = std::max(extremes.largest, *figure);
            extremes.smallest = extremes.smallest > 0 ? std::min(extremes.smallest, *figure) : *figure;
        }
        if (point.p50Us)
            p50.push_back(*point.p50Us);
        if (point.p99Us)
            p99.push_back(*point.p99Us);
    }
    extremes.p50 = middle(p50);
    extremes.p99 = middle(p99);
    return extremes;
}

} // namespace

LatencyChart::LatencyChart(QWidget* parent)
    : ChartPanel(parent), m_p25(new QLineSeries(this)), m_p50(nullptr), m_p75(new QLineSeries(this)), m_p99(nullptr),
      m_band(new QAreaSeries(m_p75, m_p25))
{
    attach(m_band);
    m_p99 = addLine();
    m_p50 = addLine();
    LatencyChart::applyPalette();
    clear();
}

void LatencyChart::applyPalette()
{
    ChartPanel::applyPalette();
    const QColor colour = targetColour(m_targetIndex, palette());
    QColor band = colour;
    band.setAlphaF(isDark(palette()) ? 0.35F : 0.25F);
    const bool ranked = m_doubt.isEmpty();
    const Qt::PenStyle line = ranked ? Qt::SolidLine : Qt::DashLine;
    m_band->setBrush(QBrush(band, ranked ? Qt::SolidPattern : Qt::BDiagPattern));
    m_band->setPen(QPen(band, 1));
    m_p50->setPen(QPen(colour, 2, line));
    m_p99->setPen(QPen(quietColour(palette()), 1, line));
}

void LatencyChart::place(QLineSeries* line, std::optional<double> LivePoint::*figure, double unit)
{
    QList<QPointF> placed;
    for (const LivePoint& point : m_points) {
        if (const auto value = point.*figure)
            placed.append({point.t, values().place(*value / unit)});
    }
    line->replace(drawable(std::move(placed)));
}

void LatencyChart::setCurve(const std::vector<LivePoint>& points, int targetIndex, double until, const QString& doubt)
{
    m_points = points;
    const bool otherPens = targetIndex != m_targetIndex || doubt != m_doubt;
    m_targetIndex = targetIndex;
    m_doubt = doubt;
    const Extremes extremes = extremesOf(points);
    const LatencyUnit unit = latencyUnitFor(extremes.largest);
    const bool logarithmic = extremes.p50 > 0 && extremes.p99 > kLinearSpan * extremes.p50;
    QStringList notes;
    if (extremes.largest > 0)
        notes << (logarithmic ? tr("%1, logarithmic").arg(unit.symbol) : unit.symbol);
    if (!doubt.isEmpty())
        notes << doubt;
    setTitle(tr("Latency"), notes.join(QStringLiteral(", ")));
    if (otherPens)
        applyPalette();

    const double first = points.empty() ? 0 : std::min(0.0, points.front().t);
    const double last = points.empty() ? until : std::max(until, points.back().t);
    setAxes(ChartAxis::between(first, last),
            logarithmic ? ChartAxis::logarithmic(extremes.smallest / unit.us, extremes.largest / unit.us)
                        : ChartAxis::linear(extremes.largest / unit.us));
    shadeBefore(0);
    place(m_p25, &LivePoint::p25Us, unit.us);
    place(m_p75, &LivePoint::p75Us, unit.us);
    place(m_p50, &LivePoint::p50Us, unit.us);
    place(m_p99, &LivePoint::p99Us, unit.us);
    setFigures(figuresText());
    const auto known = std::find_if(points.rbegin(), points.rend(), [](const LivePoint& p) { return p.p50Us; });
    setPlaceholder(known == points.rend() ? tr("p25, p50, p75 and p99 over time") : QString());
    setSummary(known == points.rend()
                   ? tr("No latencies yet")
                   : tr("Latency: p50 %1, p99 %2").arg(latencyText(known->p50Us), latencyText(known->p99Us)));
}

QString LatencyChart::figuresText() const
{
    const auto known = std::find_if(m_points.rbegin(), m_points.rend(), [](const LivePoint& p) { return p.p50Us; });
    if (known == m_points.rend())
        return {};
    const QString colour = targetColour(m_targetIndex, palette()).name();
    return QStringLiteral("<span style='color:%1'>▒</span> p25–p75 %2 – %3 &nbsp; <span style='color:%1'>━</span> p50 "
                          "<b>%4</b> &nbsp; <span style='color:%5'>─</span> p99 <b>%6</b>")
        .arg(colour, latencyText(known->p25Us), latencyText(known->p75Us), latencyText(known->p50Us),
             quietColour(palette()).name(), latencyText(known->p99Us));
}

} // namespace lapbench
