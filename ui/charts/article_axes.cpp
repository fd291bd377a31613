#include "ui/charts/article_frame.h"

#include <algorithm>

namespace lapbench {

namespace {

constexpr double kGap = 8;

double placeIn(const ChartAxis& axis, double value)
{
    const double span = axis.high() - axis.low();
    return span > 0 ? (axis.place(value) - axis.low()) / span : 0;
}

double shareOf(const ChartAxis& axis, double place)
{
    const double span = axis.high() - axis.low();
    return span > 0 ? (place - axis.low()) / span : 0;
}

double widestTick(const ArticleCanvas& canvas, const ChartAxis& axis)
{
    double widest = 0;
    for (const auto& tick : axis.ticks())
        widest = std::max(widest, textWidth(tick.second, canvas.smallFont()));
    return widest;
}

void drawTicksOfY(const ArticleCanvas& canvas, const ArticlePlot& plot, double left)
{
    const double height = lineHeight(canvas.smallFont());
    double lowest = plot.area.bottom() + 2 * height;
    for (const auto& [place, text] : plot.y.ticks()) {
        const double y = plot.area.bottom() - shareOf(plot.y, place) * plot.area.height();
        canvas.painter().setPen(QPen(canvas.hairline(), 1));
        canvas.painter().drawLine(QPointF(plot.area.left(), y), QPointF(plot.area.right(), y));
        if (y + height / 2 > lowest)
            continue;
        canvas.write(QRectF(left, y - height / 2, plot.area.left() - kGap - left, height), Qt::AlignRight, text,
                     canvas.smallFont(), canvas.quiet());
        lowest = y - height / 2;
    }
}

void drawTicksOfX(const ArticleCanvas& canvas, const ArticlePlot& plot, double right)
{
    const double height = lineHeight(canvas.smallFont());
    double taken = -1e9;
    for (const auto& [place, text] : plot.x.ticks()) {
        const double x = plot.area.left() + shareOf(plot.x, place) * plot.area.width();
        canvas.painter().setPen(QPen(canvas.hairline(), 1));
        canvas.painter().drawLine(QPointF(x, plot.area.top()), QPointF(x, plot.area.bottom()));
        const double width = textWidth(text, canvas.smallFont()) + 1;
        const double from = std::min(x - width / 2, right - width);
        if (from < taken + kGap)
            continue;
        canvas.write(QRectF(from, plot.area.bottom() + kGap / 2, width, height), Qt::AlignHCenter, text,
                     canvas.smallFont(), canvas.quiet());
        taken = from + width;
    }
}

} // namespace

double ArticlePlot::xOf(double value) const
{
    return area.left() + placeIn(x, value) * area.width();
}

double ArticlePlot::yOf(double value) const
{
    return area.bottom() - placeIn(y, value) * area.height();
}

ArticlePlot drawArticleAxes(const ArticleCanvas& canvas, const ArticleChart& chart, const QRectF& box,
                            const ChartAxis& x, const ChartAxis& y, double left, double right)
{
    const double height = lineHeight(canvas.smallFont());
    const auto title = [](const ArticleAxis& axis) {
        return axis.scale == AxisScale::logarithmic ? axis.title + QStringLiteral(", logarithmic") : axis.title;
    };
    QStringList above;
    if (!chart.y.title.isEmpty())
        above << title(chart.y);
    if (!chart.better.isEmpty())
        above << chart.better;
    ArticlePlot plot{box, x, y};
    // The last label of x stands in the middle of its tick.
    if (!x.ticks().empty())
        right = std::max(right, textWidth(x.ticks().back().second, canvas.smallFont()) / 2 + 1);
    left += y.ticks().empty() ? 0 : widestTick(canvas, y) + 1 + kGap;
    // Above the plot a line for the title and room for a value over the highest bar.
    const double top = height + (y.ticks().empty() ? kGap / 2 : height + kGap);
    const double bottom = (x.ticks().empty() ? 0 : height + kGap / 2) + (chart.x.title.isEmpty() ? 0 : height);
    plot.area = QRectF(box.left() + left, box.top() + top, std::max(1.0, box.width() - left - right),
                       std::max(1.0, box.height() - top - bottom));
    canvas.write(QRectF(box.left(), box.top(), box.width(), height), Qt::AlignLeft, above.join(QStringLiteral(" · ")),
                 canvas.smallFont(), canvas.quiet());
    drawTicksOfY(canvas, plot, box.left());
    drawTicksOfX(canvas, plot, box.right());
    if (!chart.x.title.isEmpty())
        canvas.write(QRectF(plot.area.left(), box.bottom() - height, plot.area.width(), height), Qt::AlignHCenter,
                     title(chart.x), canvas.smallFont(), canvas.quiet());
    return plot;
}

} // namespace lapbench
