#include "ui/charts/article_canvas.h"

#include "ui/models/number_format.h"
#include "ui/style/target_colours.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

/// One font, so that a chart is the same wherever it is drawn; an SVG names others for readers without it.
constexpr char kFontFamily[] = "DejaVu Sans";
constexpr double kBlogArea = 1200.0 * 675.0;

QFont fontOf(int pixels, bool bold = false)
{
    QFont font(QLatin1String{kFontFamily});
    font.setStyleHint(QFont::SansSerif);
    font.setPixelSize(pixels);
    font.setBold(bold);
    // Widths must not depend on the scale.
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QPalette paletteOf(bool dark)
{
    QPalette palette;
    palette.setColor(QPalette::Base, dark ? QColor(0x1c, 0x1e, 0x21) : QColor(Qt::white));
    palette.setColor(QPalette::Text, dark ? QColor(0xe4, 0xe6, 0xe9) : QColor(0x1e, 0x22, 0x27));
    return palette;
}

QString shortened(const QString& text, const QFont& font, double width)
{
    return QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, width);
}

} // namespace

ArticleCanvas::ArticleCanvas(QPainter& painter, const ArticleLook& look)
    : m_painter(painter), m_palette(paletteOf(look.dark)), m_title(fontOf(28, true)), m_text(fontOf(17)),
      m_small(fontOf(15))
{
    const double scale =
        std::max(1.0, std::sqrt(look.size.width() * static_cast<double>(look.size.height()) / kBlogArea));
    m_page = QRectF(0, 0, look.size.width() / scale, look.size.height() / scale);
    m_painter.scale(scale, scale);
    m_painter.setFont(m_text);
    m_painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
}

QColor ArticleCanvas::quiet() const
{
    return quietColour(m_palette);
}

QColor ArticleCanvas::hairline() const
{
    return hairlineColour(m_palette);
}

QColor ArticleCanvas::colour(int target) const
{
    return targetColour(target, m_palette);
}

QColor ArticleCanvas::thinned(const QColor& colour, double share) const
{
    const QColor base = m_palette.color(QPalette::Base);
    const auto mixed = [share](int own, int other) { return qRound(own * share + other * (1 - share)); };
    return QColor(mixed(colour.red(), base.red()), mixed(colour.green(), base.green()),
                  mixed(colour.blue(), base.blue()));
}

void ArticleCanvas::write(const QRectF& box, Qt::Alignment alignment, const QString& text, const QFont& font,
                          const QColor& colour) const
{
    if (text.isEmpty())
        return;
    const QString shown = shortened(text, font, box.width());
    const QFontMetricsF metrics(font);
    const double width = metrics.horizontalAdvance(shown);
    double x = box.left();
    if (alignment & Qt::AlignRight)
        x = box.right() - width;
    else if (alignment & Qt::AlignHCenter)
        x = box.center().x() - width / 2;
    const double y = box.center().y() + (metrics.ascent() - metrics.descent()) / 2;
    m_painter.setFont(font);
    m_painter.setPen(colour);
    m_painter.drawText(QPointF(x, y), shown);
}

double textWidth(const QString& text, const QFont& font)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

double lineHeight(const QFont& font)
{
    return std::ceil(QFontMetricsF(font).height() * 1.1);
}

QStringList wrapped(const QString& text, const QFont& font, double width, int most)
{
    const QString point = QStringLiteral(" · ");
    const QString gap = text.contains(point) ? point : QStringLiteral(" ");
    QStringList lines;
    const QStringList parts = text.split(gap, Qt::SkipEmptyParts);
    for (const QString& part : parts) {
        const QString longer = lines.isEmpty() ? part : lines.last() + gap + part;
        if (!lines.isEmpty() && (lines.size() >= most || textWidth(longer, font) <= width))
            lines.last() = longer;
        else
            lines << part;
    }
    for (QString& line : lines)
        line = shortened(line, font, width);
    return lines;
}

QString articleValueText(double value, const QString& unit, bool atLeast)
{
    const QString number = unit.isEmpty() ? rateText(value) : figureText(value);
    return atLeast ? QStringLiteral("≥ ") + number : number;
}

} // namespace lapbench
