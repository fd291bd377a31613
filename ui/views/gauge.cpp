#include "ui/views/gauge.h"

#include "ui/models/number_format.h"
#include "ui/style/target_colours.h"
#include "ui/style/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {
constexpr int kPadding = 12;
constexpr int kBarHeight = 4;
constexpr int kGap = 4;
} // namespace

Gauge::Gauge(const QString& name, QWidget* parent) : QWidget(parent), m_name(name), m_value(missingFigure())
{
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void Gauge::setFigure(const QString& value, const QString& detail, std::optional<double> share)
{
    if (share && !std::isfinite(*share))
        share.reset();
    if (value == m_value && detail == m_detail && share == m_share)
        return;
    m_value = value;
    m_detail = detail;
    m_share = share;
    setAccessibleDescription(detail.isEmpty() ? value : tr("%1, %2").arg(value, detail));
    update();
}

void Gauge::setAlarming(bool alarming)
{
    if (alarming == m_alarming)
        return;
    m_alarming = alarming;
    update();
}

QFont Gauge::valueFont() const
{
    QFont large = tabularFont(font());
    large.setPointSizeF(large.pointSizeF() * 1.7);
    return large;
}

QFont Gauge::smallFont() const
{
    QFont small(font());
    small.setPointSizeF(small.pointSizeF() * 0.9);
    return small;
}

QSize Gauge::sizeHint() const
{
    const int height = 2 * kPadding + fontMetrics().height() + QFontMetrics(valueFont()).height() +
                       QFontMetrics(smallFont()).height() + kBarHeight + 2 * kGap;
    return {168, height};
}

void Gauge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    QRect area = rect().adjusted(kPadding, kPadding, -kPadding, -kPadding);
    const auto line = [&](const QFont& lineFont, const QColor& colour, const QString& text) {
        painter.setFont(lineFont);
        painter.setPen(colour);
        const QFontMetrics metrics(lineFont);
        painter.drawText(QRect(area.left(), area.top(), area.width(), metrics.height()), Qt::AlignLeft | Qt::AlignTop,
                         metrics.elidedText(text, Qt::ElideRight, area.width()));
        area.setTop(area.top() + metrics.height());
    };
    line(font(), quietColour(palette()), m_name);
    line(valueFont(), m_alarming ? errorColour(palette()) : palette().color(QPalette::Text), m_value);
    if (m_share) {
        area.setTop(area.top() + kGap);
        const QRect bar(area.left(), area.top(), area.width(), kBarHeight);
        painter.fillRect(bar, hairlineColour(palette()));
        const int filled = static_cast<int>(std::lround(std::clamp(*m_share, 0.0, 1.0) * bar.width()));
        painter.fillRect(QRect(bar.left(), bar.top(), filled, kBarHeight), quietColour(palette()));
        area.setTop(bar.bottom() + 1 + kGap);
    }
    line(smallFont(), quietColour(palette()), m_detail);
}

} // namespace lapbench
