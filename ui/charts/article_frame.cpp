#include "ui/charts/article_frame.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

constexpr double kMargin = 32;
constexpr double kGap = 8;
constexpr double kSwatch = 16;
constexpr double kLongestName = 320;
constexpr int kMostNoteLines = 6;
constexpr int kColours = 8;

struct LegendEntry {
    QRectF box; ///< swatch and name
    const ArticleSeries* series = nullptr;
};

/// The names one after another, in as many rows as they need.
std::vector<LegendEntry> legendOf(const ArticleCanvas& canvas, const ArticleChart& chart, QPointF from, double width)
{
    const double height = lineHeight(canvas.textFont());
    // Few names may be longer than many.
    const double share = width / static_cast<double>(std::max<std::size_t>(1, chart.series.size()));
    const double longest = std::max(kLongestName, share - 1.5 * kSwatch - 4 * kGap);
    std::vector<LegendEntry> entries;
    QPointF at = from;
    for (const ArticleSeries& series : chart.series) {
        const double name =
            std::min({textWidth(series.label, canvas.textFont()) + 1, longest, width - 1.5 * kSwatch - kGap});
        const double own = 1.5 * kSwatch + kGap + name;
        if (at.x() > from.x() && at.x() + own > from.x() + width)
            at = QPointF(from.x(), at.y() + height);
        entries.push_back({QRectF(at, QSizeF(own, height)), &series});
        at.rx() += own + 3 * kGap;
    }
    return entries;
}

void drawSwatch(const ArticleCanvas& canvas, const ArticleChart& chart, const QRectF& box, const ArticleSeries& series)
{
    QPainter& painter = canvas.painter();
    const double middle = box.center().y();
    if (chart.kind == ArticleChart::Kind::lines) {
        painter.setPen(articleLinePen(canvas, series));
        painter.drawLine(QPointF(box.left(), middle), QPointF(box.left() + 1.5 * kSwatch, middle));
        if (series.colour >= kColours)
            drawArticleMark(canvas, QPointF(box.left() + 0.75 * kSwatch, middle), 4, series, false);
        return;
    }
    if (chart.kind == ArticleChart::Kind::points) {
        drawArticleMark(canvas, QPointF(box.left() + 0.75 * kSwatch, middle), 6, series,
                        series.hollow.size() == series.points.size());
        return;
    }
    fillArticleBar(canvas, QRectF(box.left() + kSwatch / 4, middle - kSwatch / 2, kSwatch, kSwatch), series.colour,
                   false);
}

/// Gives how far down it goes.
double drawLines(const ArticleCanvas& canvas, const QStringList& lines, QRectF box, const QFont& font,
                 const QColor& colour)
{
    for (const QString& line : lines) {
        box.setHeight(lineHeight(font));
        canvas.write(box, Qt::AlignLeft, line, font, colour);
        box.moveTop(box.bottom());
    }
    return box.top();
}

/// Notes and credit stand at the foot; gives where they begin.
double drawFoot(const ArticleCanvas& canvas, const ArticleChart& chart, const QRectF& page)
{
    const QFont& font = canvas.smallFont();
    const double height = lineHeight(font);
    const double credit = chart.credit.isEmpty() ? 0 : textWidth(chart.credit, font) + 1;
    const double width = credit > 0 ? std::max(page.width() / 2, page.width() - credit - 4 * kGap) : page.width();
    const QStringList lines = wrapped(chart.notes.join(QLatin1Char(' ')), font, width, kMostNoteLines);
    const auto rows = static_cast<double>(std::max<qsizetype>(lines.size(), credit > 0 ? 1 : 0));
    const double top = page.bottom() - rows * height;
    drawLines(canvas, lines, QRectF(page.left(), top, width, height), font, canvas.quiet());
    if (credit > 0)
        canvas.write(QRectF(page.right() - credit, page.bottom() - height, credit, height), Qt::AlignRight,
                     chart.credit, font, canvas.quiet());
    return rows > 0 ? top - kGap : top;
}

} // namespace

QRectF drawArticleFrame(const ArticleCanvas& canvas, const ArticleChart& chart, bool legend)
{
    canvas.painter().fillRect(canvas.page(), canvas.palette().color(QPalette::Base));
    const QRectF page = canvas.page().adjusted(kMargin, kMargin * 0.75, -kMargin, -kMargin * 0.75);
    double top = drawLines(canvas, wrapped(chart.title, canvas.titleFont(), page.width(), 2), page, canvas.titleFont(),
                           canvas.ink());
    top = drawLines(canvas, wrapped(chart.subtitle, canvas.smallFont(), page.width(), 3),
                    QRectF(page.left(), top, page.width(), 0), canvas.smallFont(), canvas.quiet());
    top += kGap;
    if (legend) {
        for (const LegendEntry& entry : legendOf(canvas, chart, QPointF(page.left(), top), page.width())) {
            drawSwatch(canvas, chart, entry.box, *entry.series);
            canvas.write(entry.box.adjusted(1.5 * kSwatch + kGap, 0, 0, 0), Qt::AlignLeft, entry.series->label,
                         canvas.textFont(), canvas.ink());
            top = std::max(top, entry.box.bottom());
        }
        top += kGap;
    }
    const double bottom = drawFoot(canvas, chart, page);
    return QRectF(page.left(), top, page.width(), std::max(1.0, bottom - top));
}

void drawArticleMark(const ArticleCanvas& canvas, QPointF centre, double radius, const ArticleSeries& series,
                     bool hollow)
{
    QPainter& painter = canvas.painter();
    const QColor colour = canvas.colour(series.colour);
    painter.setPen(QPen(colour, 2));
    painter.setBrush(hollow ? canvas.palette().color(QPalette::Base) : colour);
    const QRectF box(centre - QPointF(radius, radius), centre + QPointF(radius, radius));
    if (series.colour >= kColours)
        painter.drawRect(box);
    else
        painter.drawEllipse(box);
    painter.setBrush(Qt::NoBrush);
}

QPen articleLinePen(const ArticleCanvas& canvas, const ArticleSeries& series)
{
    QPen pen(canvas.colour(series.colour), 2.5);
    pen.setJoinStyle(Qt::RoundJoin);
    pen.setCapStyle(Qt::FlatCap);
    if (!series.notRanked.isEmpty() && series.hollow.empty())
        pen.setDashPattern({4, 2});
    else if (series.dash > 0)
        pen.setDashPattern(series.dash == 1 ? QList<qreal>{1, 1} : QList<qreal>{4, 1, 1, 1});
    return pen;
}

void fillArticleBar(const ArticleCanvas& canvas, const QRectF& bar, int target, bool hatched)
{
    QPainter& painter = canvas.painter();
    const QColor colour = canvas.colour(target);
    const bool thin = hatched || target >= kColours;
    painter.setPen(Qt::NoPen);
    painter.setBrush(thin ? canvas.thinned(colour, hatched ? 0.15 : 0.35) : colour);
    painter.drawRect(bar);
    painter.setBrush(Qt::NoBrush);
    if (!thin)
        return;
    if (hatched) {
        // As lines of its own: not every paint device knows patterns.
        constexpr double kStep = 7;
        painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::FlatCap));
        for (double offset = kStep / 2; offset < bar.width() + bar.height(); offset += kStep) {
            const QPointF lower(bar.left() + std::min(offset, bar.width()),
                                bar.top() + std::max(0.0, offset - bar.width()));
            const QPointF upper(bar.left() + std::max(0.0, offset - bar.height()),
                                bar.top() + std::min(offset, bar.height()));
            painter.drawLine(lower, upper);
        }
    }
    const double half = std::min({0.75, bar.width() / 2, bar.height() / 2});
    painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawRect(bar.adjusted(half, half, -half, -half));
}

} // namespace lapbench
