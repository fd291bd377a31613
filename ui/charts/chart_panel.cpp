#include "ui/charts/chart_panel.h"

#include "ui/style/target_colours.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {
constexpr int kSide = 12;
constexpr int kGap = 4;
} // namespace

ChartPanel::ChartPanel(QWidget* parent)
    : QChartView(new QChart, parent), m_chart(chart()), m_time(new QCategoryAxis), m_values(new QCategoryAxis)
{
    setFrameShape(NoFrame);
    setMinimumSize(240, 120);
    m_chart->legend()->hide();
    m_chart->setBackgroundVisible(false);
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->addAxis(m_time, Qt::AlignBottom);
    m_chart->addAxis(m_values, Qt::AlignLeft);
    for (QCategoryAxis* axis : {m_time, m_values}) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setTruncateLabels(false);
    }
    setLive(false);
    for (QTextDocument* text : {&m_title, &m_figures})
        text->setDocumentMargin(0);
    setAxes(ChartAxis::linear(0), ChartAxis::linear(0));
    ChartPanel::applyPalette();
}

void ChartPanel::setLive(bool live)
{
    setRenderHint(QPainter::Antialiasing, !live);
}

void ChartPanel::setTitle(const QString& title, const QString& unit)
{
    if (title == m_titleText && unit == m_unit)
        return;
    m_titleText = title;
    m_unit = unit;
    writeTitle();
}

void ChartPanel::writeTitle()
{
    QString html = QStringLiteral("<b>%1</b>").arg(m_titleText.toHtmlEscaped());
    if (!m_unit.isEmpty())
        html += QStringLiteral(" <span style='color:%1'>%2</span>")
                    .arg(quietColour(palette()).name(), m_unit.toHtmlEscaped());
    m_title.setHtml(html);
    viewport()->update();
}

void ChartPanel::setFigures(const QString& html)
{
    m_figures.setHtml(html);
    viewport()->update();
}

void ChartPanel::setPlaceholder(const QString& text)
{
    m_placeholder = text;
    viewport()->update();
}

void ChartPanel::setSummary(const QString& summary)
{
    if (summary == m_summary)
        return;
    m_summary = summary;
    emit summaryChanged(summary);
}

void ChartPanel::setAxes(const ChartAxis& time, const ChartAxis& values)
{
    if (time != m_timeScale || m_time->count() == 0) {
        m_timeScale = time;
        fill(m_time, time);
        // Below the warm-up stands its name instead; the last tick carries the unit.
        const QStringList labels = m_time->categoriesLabels();
        for (const QString& label : labels) {
            if (m_time->endValue(label) < 0)
                m_time->remove(label);
        }
        if (!m_time->categoriesLabels().isEmpty() && time.ticks().size() > 1)
            m_time->replaceLabel(m_time->categoriesLabels().last(), tr("%1 s").arg(time.ticks().back().second));
    }
    if (values != m_valueScale || m_values->count() == 0) {
        m_valueScale = values;
        fill(m_values, values);
    }
}

void ChartPanel::fill(QCategoryAxis* axis, const ChartAxis& scale)
{
    const QStringList old = axis->categoriesLabels();
    for (const QString& label : old)
        axis->remove(label);
    axis->setStartValue(scale.low());
    axis->setRange(scale.low(), scale.high());
    for (const auto& [place, label] : scale.ticks())
        axis->append(label, place);
}

void ChartPanel::shadeBefore(double t)
{
    m_shadedBefore = t;
    viewport()->update();
}

QLineSeries* ChartPanel::addLine()
{
    auto* line = new QLineSeries;
    attach(line);
    return line;
}

void ChartPanel::attach(QAbstractSeries* series)
{
    m_chart->addSeries(series);
    series->attachAxis(m_time);
    series->attachAxis(m_values);
}

QList<QPointF> ChartPanel::drawable(QList<QPointF> points)
{
    points.removeIf([](const QPointF& point) { return !std::isfinite(point.x()) || !std::isfinite(point.y()); });
    if (points.size() == 1)
        points.append(points.first() + QPointF(0.05, 0));
    return points;
}

void ChartPanel::applyPalette()
{
    const QPalette colours = palette();
    const QPen hairline(hairlineColour(colours), 1);
    setBackgroundBrush(colours.color(QPalette::Base));
    for (QCategoryAxis* axis : {m_time, m_values}) {
        axis->setLabelsBrush(quietColour(colours));
        axis->setLabelsFont(smallFont());
        axis->setGridLinePen(hairline);
        axis->setLinePen(hairline);
    }
    m_time->setGridLineVisible(false);
    m_title.setDefaultFont(font());
    m_figures.setDefaultFont(font());
    placePlot();
    writeTitle();
}

void ChartPanel::placePlot()
{
    // Fixed, not left to the chart: charts above each other then share their time axis, whatever their labels.
    const int line = fontMetrics().height();
    const double left = fontMetrics().horizontalAdvance(QStringLiteral("00000")) + kSide;
    m_chart->setPlotArea(QRectF(left, 2 * line + kGap, std::max(1.0, width() - left - 2 * kSide),
                                std::max(1, height() - 4 * line - kGap)));
}

QFont ChartPanel::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    return small;
}

void ChartPanel::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyPalette();
}

void ChartPanel::resizeEvent(QResizeEvent* event)
{
    // First the plot: resizing the chart lays out the axes by the plot area it then has.
    placePlot();
    QChartView::resizeEvent(event);
}

void ChartPanel::drawBackground(QPainter* painter, const QRectF& rect)
{
    QChartView::drawBackground(painter, rect);
    const double span = m_timeScale.high() - m_timeScale.low();
    const double share = span > 0 ? (m_timeScale.place(m_shadedBefore) - m_timeScale.low()) / span : 0;
    if (share <= 0)
        return;
    QRectF area = m_chart->plotArea();
    area.setWidth(area.width() * share);
    QColor shade = palette().color(QPalette::Text);
    shade.setAlphaF(0.05F);
    painter->fillRect(area, shade);
    const QString text = tr("warm-up");
    painter->setFont(smallFont());
    if (painter->fontMetrics().horizontalAdvance(text) + 2 * kGap > area.width())
        return;
    painter->setPen(quietColour(palette()));
    painter->drawText(QRectF(area.left(), area.bottom() + 1.5 * kGap, area.width(), painter->fontMetrics().height()),
                      Qt::AlignHCenter | Qt::AlignTop, text);
}

void ChartPanel::drawText(QPainter* painter, QTextDocument& text, const QPointF& at, const QColor& colour)
{
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette = palette();
    context.palette.setColor(QPalette::Text, colour);
    painter->save();
    painter->translate(at);
    text.documentLayout()->draw(painter, context);
    painter->restore();
}

void ChartPanel::drawForeground(QPainter* painter, const QRectF& rect)
{
    QChartView::drawForeground(painter, rect);
    const QColor colour = palette().color(QPalette::Text);
    drawText(painter, m_title, QPointF(kSide, kSide), colour);
    if (!m_placeholder.isEmpty()) {
        painter->setFont(font());
        painter->setPen(quietColour(palette()));
        painter->drawText(m_chart->plotArea(), Qt::AlignCenter, m_placeholder);
    }
    // Where there is no room for both, the title is what matters.
    const double width = m_figures.idealWidth(), from = m_chart->size().width() - width - kSide;
    if (from > kSide + m_title.idealWidth() + kSide)
        drawText(painter, m_figures, QPointF(from, kSide), colour);
}

} // namespace lapbench
