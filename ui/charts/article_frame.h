#pragma once

#include "ui/charts/article_canvas.h"
#include "ui/charts/chart_axis.h"

namespace lapbench {

/// Draws what stands around the plot: background, title, subtitle, legend where `legend` says so, notes and credit.
/// Gives the rectangle that is left.
QRectF drawArticleFrame(const ArticleCanvas& canvas, const ArticleChart& chart, bool legend);

/// A plot with its two axes: where values stand. Bars and boxes may lie: their values then go to the right.
struct ArticlePlot {
    QRectF area;
    ChartAxis x, y; ///< x of bars that stand, and y of those that lie, has no ticks

    double xOf(double value) const;
    double yOf(double value) const;
};

/// Draws hairlines and labels of the ticks of both axes, those that do not fit left out, and their titles: that of y
/// above the plot, that of x below. `box` is all the room there is; `left` and `right` of it beside the plot are left
/// to names and values.
ArticlePlot drawArticleAxes(const ArticleCanvas& canvas, const ArticleChart& chart, const QRectF& box,
                            const ChartAxis& x, const ChartAxis& y, double left, double right);

/// The mark of a target beside its name, or on its line.
void drawArticleMark(const ArticleCanvas& canvas, QPointF centre, double radius, const ArticleSeries& series,
                     bool hollow);
/// A bar or box: filled; of the ninth target on thinner with an edge; hatched where it is not ranked.
void fillArticleBar(const ArticleCanvas& canvas, const QRectF& bar, int target, bool hatched);
QPen articleLinePen(const ArticleCanvas& canvas, const ArticleSeries& series);

/// The kinds of charts, each in a file of its own.
void drawArticleBars(const ArticleCanvas& canvas, const ArticleChart& chart);
void drawArticleLines(const ArticleCanvas& canvas, const ArticleChart& chart);

} // namespace lapbench
