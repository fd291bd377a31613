#include "ui/charts/rate_chart.h"

#include "ui/models/number_format.h"
#include "ui/style/target_colours.h"

#include <algorithm>

namespace lapbench {

namespace {

double largestRate(const std::vector<LivePoint>& points)
{
    double largest = 0;
    for (const LivePoint& point : points)
        largest = std::max(largest, point.rps.value_or(0));
    return largest;
}

} // namespace

RateChart::RateChart(QWidget* parent) : ChartPanel(parent)
{
    // Added first, drawn first: the finished ones stay behind.
    for (std::size_t i = 0; i < kMostFinished; ++i)
        m_finishedLines.push_back(addLine());
    m_line = addLine();
    setTitle(tr("Requests per second"), {});
    applyPalette();
    draw();
}

void RateChart::setCurrent(const RateCurve& current, double until)
{
    m_current = current;
    m_until = until;
    draw();
}

void RateChart::setFinished(std::vector<RateCurve> finished)
{
    if (finished.size() > kMostFinished)
        finished.erase(finished.begin(), finished.end() - static_cast<std::ptrdiff_t>(kMostFinished));
    m_finished = std::move(finished);
    applyPalette();
    draw();
}

void RateChart::clear()
{
    m_current = RateCurve();
    m_finished.clear();
    m_until = 0;
    draw();
}

void RateChart::setInvitation(const QString& text)
{
    m_invitation = text;
    draw();
}

void RateChart::applyPalette()
{
    ChartPanel::applyPalette();
    m_line->setPen(currentPen());
    for (std::size_t i = 0; i < m_finishedLines.size(); ++i) {
        QColor colour = targetColour(i < m_finished.size() ? m_finished[i].targetIndex : 0, palette());
        colour.setAlphaF(isDark(palette()) ? 0.6F : 0.45F);
        const bool ranked = i >= m_finished.size() || m_finished[i].doubt.isEmpty();
        m_finishedLines[i]->setPen(QPen(colour, 1, ranked ? Qt::SolidLine : Qt::DashLine));
    }
}

QPen RateChart::currentPen() const
{
    return QPen(targetColour(m_current.targetIndex, palette()), 2,
                m_current.doubt.isEmpty() ? Qt::SolidLine : Qt::DashLine);
}

/// The dashed ones among the finished, named while there is room for it.
QString RateChart::doubtsText() const
{
    constexpr std::size_t kNamed = 2;
    std::vector<const RateCurve*> doubtful;
    for (const RateCurve& curve : m_finished) {
        if (!curve.doubt.isEmpty())
            doubtful.push_back(&curve);
    }
    if (doubtful.size() > kNamed)
        return tr("┄ dashed: not ranked (%1)").arg(doubtful.size()) + QStringLiteral(" &nbsp; ");
    QString text;
    for (const RateCurve* curve : doubtful)
        text += QStringLiteral("<span style='color:%1'>┄</span> %2 %3 &nbsp; ")
                    .arg(targetColour(curve->targetIndex, palette()).name(), curve->label.toHtmlEscaped(),
                         curve->doubt.toHtmlEscaped());
    return text;
}

void RateChart::draw()
{
    double largest = largestRate(m_current.points);
    double first = 0, last = m_until;
    const auto widen = [&first, &last](const std::vector<LivePoint>& points) {
        if (!points.empty()) {
            first = std::min(first, points.front().t);
            last = std::max(last, points.back().t);
        }
    };
    widen(m_current.points);
    for (const RateCurve& curve : m_finished) {
        largest = std::max(largest, largestRate(curve.points));
        widen(curve.points);
    }
    setAxes(ChartAxis::between(first, last), ChartAxis::linear(largest));
    shadeBefore(0);
    const auto place = [this](QLineSeries* line, const std::vector<LivePoint>& points) {
        QList<QPointF> placed;
        for (const LivePoint& point : points) {
            if (point.rps)
                placed.append({point.t, values().place(*point.rps)});
        }
        line->replace(drawable(std::move(placed)));
    };
    for (std::size_t i = 0; i < m_finishedLines.size(); ++i)
        place(m_finishedLines[i], i < m_finished.size() ? m_finished[i].points : std::vector<LivePoint>());
    place(m_line, m_current.points);
    m_line->setPen(currentPen());

    const auto known = std::find_if(m_current.points.rbegin(), m_current.points.rend(),
                                    [](const LivePoint& point) { return point.rps.has_value(); });
    if (known == m_current.points.rend()) {
        setFigures(doubtsText());
        setPlaceholder(m_invitation);
        setSummary(tr("No requests yet"));
        return;
    }
    setPlaceholder({});
    QString current = QStringLiteral("<span style='color:%1'>●</span> %2 <b>%3</b>")
                          .arg(targetColour(m_current.targetIndex, palette()).name(), m_current.label.toHtmlEscaped(),
                               rateText(known->rps));
    QString summary = tr("%1: %2 requests per second").arg(m_current.label, rateText(known->rps));
    if (!m_current.doubt.isEmpty()) {
        current += QStringLiteral(" ") + m_current.doubt.toHtmlEscaped();
        summary += QStringLiteral(", ") + m_current.doubt;
    }
    setFigures(doubtsText() + current);
    setSummary(summary);
}

} // namespace lapbench
