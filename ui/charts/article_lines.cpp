#include "ui/charts/article_frame.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

/// Lines of so few points have marks on them.
constexpr std::size_t kMostMarked = 12;
constexpr int kColours = 8;
constexpr double kLineMark = 4, kPointMark = 7;

struct Span {
    double smallest = 0, largest = 0; ///< above 0
};

void widen(Span& extent, double value)
{
    if (!std::isfinite(value))
        return;
    extent.largest = std::max(extent.largest, value);
    if (value > 0)
        extent.smallest = extent.smallest > 0 ? std::min(extent.smallest, value) : value;
}

ChartAxis axisOf(const ArticleAxis& axis, const Span& extent, int ticks)
{
    switch (axis.scale) {
    case AxisScale::logarithmic:
        return ChartAxis::logarithmic(extent.smallest, extent.largest);
    case AxisScale::percentile:
        return ChartAxis::percentile(extent.largest);
    case AxisScale::linear:
        break;
    }
    return ChartAxis::linear(extent.largest, ticks);
}

/// Puts names beside points where there is room: not over each other, not over a mark.
class LabelPlacer {
public:
    LabelPlacer(const ArticleCanvas& canvas, const QRectF& within) : m_canvas(canvas), m_within(within) {}

    void keepClear(const QRectF& box) { m_taken.push_back(box); }
    void place(QPointF at, double radius, const QString& text)
    {
        const QFont& font = m_canvas.smallFont();
        const double width = std::min(textWidth(text, font) + 1, m_within.width() / 3);
        const double height = lineHeight(font), away = radius + 4;
        const QPointF corners[] = {{at.x() + away, at.y() - height / 2},
                                   {at.x() - away - width, at.y() - height / 2},
                                   {at.x() - width / 2, at.y() - away - height},
                                   {at.x() - width / 2, at.y() + away},
                                   {at.x() + away * 0.7, at.y() - away * 0.7 - height},
                                   {at.x() - away * 0.7 - width, at.y() - away * 0.7 - height},
                                   {at.x() + away * 0.7, at.y() + away * 0.7},
                                   {at.x() - away * 0.7 - width, at.y() + away * 0.7}};
        for (const QPointF& corner : corners) {
            const QRectF box(corner, QSizeF(width, height));
            const bool free =
                m_within.contains(box) &&
                std::none_of(m_taken.begin(), m_taken.end(), [&](const QRectF& t) { return t.intersects(box); });
            if (!free)
                continue;
            m_canvas.write(box, Qt::AlignLeft, text, font, m_canvas.ink());
            m_taken.push_back(box);
            return;
        }
    }

private:
    const ArticleCanvas& m_canvas;
    QRectF m_within;
    std::vector<QRectF> m_taken;
};

QPointF pointOf(const ArticlePlot& plot, const std::pair<double, double>& point)
{
    return {plot.xOf(point.first), plot.yOf(point.second)};
}

void drawLine(const ArticleCanvas& canvas, const ArticlePlot& plot, const ArticleSeries& series)
{
    QPolygonF line;
    const auto flush = [&] {
        // One point between two gaps is a short dash, so that it is seen.
        if (line.size() == 1)
            line << line.first() + QPointF(2, 0);
        canvas.painter().setPen(articleLinePen(canvas, series));
        if (line.size() > 1)
            canvas.painter().drawPolyline(line);
        line.clear();
    };
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        if (std::find(series.gaps.begin(), series.gaps.end(), i) != series.gaps.end())
            flush();
        line << pointOf(plot, series.points[i]);
    }
    flush();
}

void drawMarks(const ArticleCanvas& canvas, const ArticlePlot& plot, const ArticleSeries& series, double radius)
{
    const bool hollow = !series.notRanked.isEmpty();
    // Of a long line of the ninth target on, now and then: they tell it from the first of its colour.
    const std::size_t step = std::max<std::size_t>(1, series.points.size() / kMostMarked);
    for (std::size_t i = step / 2; i < series.points.size(); i += step)
        drawArticleMark(canvas, pointOf(plot, series.points[i]), radius, series, hollow);
}

bool isNamedDirectly(const ArticleChart& chart)
{
    return chart.kind == ArticleChart::Kind::points &&
           std::all_of(chart.series.begin(), chart.series.end(), [](const ArticleSeries& series) {
               return series.pointLabels.size() == 1 && series.pointLabels.front() == series.label;
           });
}

} // namespace

void drawArticleLines(const ArticleCanvas& canvas, const ArticleChart& chart)
{
    Span xs, ys;
    for (const ArticleSeries& series : chart.series) {
        for (const auto& [x, y] : series.points) {
            widen(xs, x);
            widen(ys, y);
        }
    }
    // Many names would not all find room beside their points.
    const bool legend = !isNamedDirectly(chart) || chart.series.size() > kMostMarked / 2;
    const QRectF box = drawArticleFrame(canvas, chart, legend);
    const ArticlePlot plot = drawArticleAxes(canvas, chart, box, axisOf(chart.x, xs, 8), axisOf(chart.y, ys, 5), 0, 0);
    const bool lines = chart.kind == ArticleChart::Kind::lines;
    const double radius = lines ? kLineMark : kPointMark;
    for (const ArticleSeries& series : chart.series) {
        if (lines)
            drawLine(canvas, plot, series);
    }
    LabelPlacer labels(canvas, plot.area.adjusted(0, -lineHeight(canvas.smallFont()), 0, 0));
    for (const ArticleSeries& series : chart.series) {
        if (!lines || series.points.size() <= kMostMarked || series.colour >= kColours)
            drawMarks(canvas, plot, series, radius);
        for (const auto& point : series.points) {
            if (!series.pointLabels.empty())
                labels.keepClear(
                    QRectF(pointOf(plot, point) - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)));
        }
    }
    if (isNamedDirectly(chart) && legend)
        return;
    for (const ArticleSeries& series : chart.series) {
        for (std::size_t i = 0; i < series.pointLabels.size() && i < series.points.size(); ++i) {
            if (!series.pointLabels[i].isEmpty())
                labels.place(pointOf(plot, series.points[i]), radius, series.pointLabels[i]);
        }
    }
}

} // namespace lapbench
