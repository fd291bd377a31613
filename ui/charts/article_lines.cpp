#include "ui/charts/article_frame.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

/// Lines of so few points have marks on them.
constexpr std::size_t kMostMarked = 12;
/// So many names find room beside their points.
constexpr std::size_t kMostNamed = 6;
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

/// Puts names beside points where there is room: not over each other, not over a mark, and where it can be helped not
/// over a line.
class LabelPlacer {
public:
    LabelPlacer(const ArticleCanvas& canvas, const QRectF& within) : m_canvas(canvas), m_within(within) {}

    void keepClear(const QRectF& mark) { m_taken.push_back(mark); }
    void avoid(const QLineF& line)
    {
        constexpr double kStep = 5;
        const int steps = static_cast<int>(line.length() / kStep);
        for (int i = 1; i < steps; ++i)
            m_lines.push_back(QRectF(line.pointAt(i / static_cast<double>(steps)) - QPointF(2, 2), QSizeF(4, 4)));
    }
    void place(QPointF at, double radius, const QString& text)
    {
        const QFont& font = m_canvas.smallFont();
        const QSizeF size(std::min(textWidth(text, font) + 1, m_within.width() / 3), lineHeight(font));
        const double away = radius + 4, near = 0.7 * away;
        const QPointF corners[] = {{away, -size.height() / 2},
                                   {-away - size.width(), -size.height() / 2},
                                   {-size.width() / 2, -away - size.height()},
                                   {-size.width() / 2, away},
                                   {near, -near - size.height()},
                                   {-near - size.width(), -near - size.height()},
                                   {near, near},
                                   {-near - size.width(), near}};
        for (const bool overLines : {false, true}) {
            for (const QPointF& corner : corners) {
                const QRectF box(at + corner, size);
                if (!m_within.contains(box) || touches(m_taken, box) || (!overLines && touches(m_lines, box)))
                    continue;
                m_canvas.write(box, Qt::AlignLeft, text, font, m_canvas.ink());
                m_taken.push_back(box);
                return;
            }
        }
    }

private:
    static bool touches(const std::vector<QRectF>& taken, const QRectF& box)
    {
        return std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); });
    }

    const ArticleCanvas& m_canvas;
    QRectF m_within;
    std::vector<QRectF> m_taken, m_lines;
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

bool isHollow(const ArticleSeries& series, std::size_t point)
{
    if (series.notRanked.isEmpty() || series.hollow.empty())
        return !series.notRanked.isEmpty();
    return std::find(series.hollow.begin(), series.hollow.end(), point) != series.hollow.end();
}

void drawMarks(const ArticleCanvas& canvas, const ArticlePlot& plot, const ArticleSeries& series, double radius)
{
    // Of a long line of the ninth target on, now and then: they tell it from the first of its colour.
    const std::size_t step = std::max<std::size_t>(1, series.points.size() / kMostMarked);
    for (std::size_t i = step / 2; i < series.points.size(); i += step)
        drawArticleMark(canvas, pointOf(plot, series.points[i]), radius, series, isHollow(series, i));
}

/// The levels of one target, in their order.
void joinPoints(const ArticleCanvas& canvas, const ArticlePlot& plot, const ArticleSeries& series)
{
    canvas.painter().setPen(QPen(canvas.thinned(canvas.colour(series.colour), 0.5), 1));
    for (std::size_t i = 1; i < series.points.size(); ++i)
        canvas.painter().drawLine(pointOf(plot, series.points[i - 1]), pointOf(plot, series.points[i]));
}

bool isNamedDirectly(const ArticleChart& chart)
{
    return chart.kind == ArticleChart::Kind::points &&
           std::all_of(chart.series.begin(), chart.series.end(), [](const ArticleSeries& series) {
               return series.pointLabels.size() == 1 && series.pointLabels.front() == series.label;
           });
}

void namePoints(const ArticleCanvas& canvas, const ArticleChart& chart, const ArticlePlot& plot, double radius)
{
    LabelPlacer labels(canvas, plot.area.adjusted(0, -lineHeight(canvas.smallFont()), 0, 0));
    for (const ArticleSeries& series : chart.series) {
        if (series.pointLabels.empty())
            continue;
        for (std::size_t i = 0; i < series.points.size(); ++i) {
            const QPointF at = pointOf(plot, series.points[i]);
            labels.keepClear(QRectF(at - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)));
            if (i > 0)
                labels.avoid(QLineF(pointOf(plot, series.points[i - 1]), at));
        }
    }
    for (const ArticleSeries& series : chart.series) {
        for (std::size_t i = 0; i < series.pointLabels.size() && i < series.points.size(); ++i) {
            if (!series.pointLabels[i].isEmpty())
                labels.place(pointOf(plot, series.points[i]), radius, series.pointLabels[i]);
        }
    }
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
    const bool direct = isNamedDirectly(chart) && chart.series.size() <= kMostNamed;
    const QRectF box = drawArticleFrame(canvas, chart, !direct);
    const ArticlePlot plot = drawArticleAxes(canvas, chart, box, axisOf(chart.x, xs, 8), axisOf(chart.y, ys, 6), 0, 0);
    const bool lines = chart.kind == ArticleChart::Kind::lines;
    for (const ArticleSeries& series : chart.series) {
        if (lines)
            drawLine(canvas, plot, series);
        else
            joinPoints(canvas, plot, series);
    }
    const double radius = lines ? kLineMark : kPointMark;
    for (const ArticleSeries& series : chart.series) {
        if (!lines || series.points.size() <= kMostMarked || series.colour >= kColours)
            drawMarks(canvas, plot, series, radius);
    }
    if (direct || !isNamedDirectly(chart))
        namePoints(canvas, chart, plot, radius);
}

} // namespace lapbench
