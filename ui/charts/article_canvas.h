#pragma once

#include "ui/charts/article_drawing.h"

#include <QFont>
#include <QPainter>
#include <QPalette>

namespace lapbench {

/// Where a chart of an article is drawn, with the fonts and colours of all its parts. For the time of one drawing.
class ArticleCanvas {
public:
    ArticleCanvas(QPainter& painter, const ArticleLook& look);

    QPainter& painter() const { return m_painter; }
    /// All of it, in the lengths that texts and lines have.
    QRectF page() const { return m_page; }
    const QPalette& palette() const { return m_palette; }
    QColor ink() const { return m_palette.color(QPalette::Text); }
    QColor quiet() const;
    QColor hairline() const;
    QColor colour(int target) const;
    /// A colour thinned out with the background; 0 is the background.
    QColor thinned(const QColor& colour, double share) const;

    const QFont& titleFont() const { return m_title; }
    const QFont& textFont() const { return m_text; }
    const QFont& smallFont() const { return m_small; }

    /// One line of text in a box, in the middle of its height; shortened in the middle where it is too long.
    void write(const QRectF& box, Qt::Alignment alignment, const QString& text, const QFont& font,
               const QColor& colour) const;

private:
    QPainter& m_painter;
    QRectF m_page;
    QPalette m_palette;
    QFont m_title, m_text, m_small;
};

double textWidth(const QString& text, const QFont& font);
double lineHeight(const QFont& font);
/// Lines no wider than `width`, broken at blanks or, where there are any, at " · "; at most `most`, the last of them
/// shortened in the middle.
QStringList wrapped(const QString& text, const QFont& font, double width, int most);
/// A value as it stands in a chart: "48.2k" where the axis has no unit, "≥ 5.28" where it is at least that.
QString articleValueText(double value, const QString& unit, bool atLeast);

} // namespace lapbench
