#include "ui/views/noise_strip.h"

#include "core/stats/bottleneck.h"
#include "ui/models/number_format.h"
#include "ui/style/target_colours.h"
#include "ui/style/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <map>

namespace lapbench {

namespace {

constexpr int kMark = 5;
constexpr int kBarHeight = 12;
constexpr int kSide = 12;
/// The scale reaches at least so far, so that a quiet machine looks quiet.
constexpr double kLeastScale = 3 * bottleneck_bounds::kOthersShare;

} // namespace

bool NoiseStrip::Bar::isNoisy() const
{
    return noise > bottleneck_bounds::kOthersShare;
}

NoiseStrip::NoiseStrip(const ChartPanel* above, QWidget* parent) : QWidget(parent), m_above(above)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setPoints({});
}

QSize NoiseStrip::sizeHint() const
{
    return {240, std::max(fontMetrics().height(), kBarHeight + kMark + 1) + 4};
}

void NoiseStrip::setPoints(const std::vector<LivePoint>& points)
{
    m_bars.clear();
    if (!points.empty()) {
        // Points of a long trial stand further apart than a second.
        const double apart = (points.back().t - points.front().t) / static_cast<double>(points.size());
        const double length = std::max(1.0, std::ceil(apart));
        std::map<double, double> noises;
        for (const LivePoint& point : points) {
            if (!point.noise)
                continue;
            double& noise = noises[std::ceil(point.t / length - 1e-6)];
            noise = std::max(noise, *point.noise);
        }
        for (const auto& [place, noise] : noises)
            m_bars.push_back({(place - 1) * length, std::min(place * length, points.back().t), noise});
    }
    setAccessibleDescription(summary());
    update();
}

QString NoiseStrip::summary() const
{
    if (m_bars.empty())
        return tr("Noise: not known");
    double seconds = 0, noisy = 0, largest = 0;
    for (const Bar& bar : m_bars) {
        seconds += bar.until - bar.from;
        noisy += bar.isNoisy() ? bar.until - bar.from : 0;
        largest = std::max(largest, bar.noise);
    }
    return tr("Noise: %1 of %2 seconds noisy, at most %3")
        .arg(countText(noisy), countText(seconds), percentText(largest));
}

double NoiseStrip::placeOf(double t) const
{
    const QRectF plot = m_above->plotArea();
    const ChartAxis& times = m_above->times();
    return plot.left() + plot.width() * (times.place(t) - times.low()) / (times.high() - times.low());
}

QString NoiseStrip::textAt(int x) const
{
    for (const Bar& bar : m_bars) {
        if (x < placeOf(bar.from) || x >= placeOf(bar.until))
            continue;
        const QString text = tr("Seconds %1 to %2: other programs and the hypervisor took %3 of the machine")
                                 .arg(countText(bar.from), countText(bar.until), percentText(bar.noise));
        return bar.isNoisy() ? tr("%1 (noisy, above %2)").arg(text, percentText(bottleneck_bounds::kOthersShare))
                             : text;
    }
    return {};
}

bool NoiseStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textAt(help->pos().x());
    QToolTip::showText(help->globalPos(), text.isEmpty() ? summary() : text, this);
    return true;
}

void NoiseStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    const QRectF plot = m_above->plotArea();
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    painter.setFont(small);
    painter.setPen(quietColour(palette()));
    painter.drawText(QRectF(kSide, 0, plot.left() - kSide - 4, height()), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Noise"));
    if (m_bars.empty()) {
        painter.drawText(QRectF(plot.left(), 0, plot.width(), height()), Qt::AlignLeft | Qt::AlignVCenter,
                         missingFigure());
        return;
    }
    double scale = kLeastScale;
    for (const Bar& bar : m_bars)
        scale = std::max(scale, bar.noise);
    const double floor = height() - 3;
    painter.fillRect(QRectF(plot.left(), floor, plot.width(), 1), hairlineColour(palette()));
    for (const Bar& bar : m_bars) {
        const double left = placeOf(bar.from), right = placeOf(bar.until);
        if (right - left < 1)
            continue;
        const double tall = std::max(1.0, kBarHeight * bar.noise / scale);
        const QColor colour = bar.isNoisy() ? warningColour(palette()) : quietColour(palette());
        QColor fill = colour;
        fill.setAlphaF(0.6F);
        painter.fillRect(QRectF(left, floor - tall, std::max(1.0, right - left - 1), tall), fill);
        if (!bar.isNoisy())
            continue;
        const double middle = (left + right) / 2, top = floor - tall - 1;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPolygon(
            QPolygonF{{middle - kMark / 2.0, top - kMark}, {middle + kMark / 2.0, top - kMark}, {middle, top}});
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

} // namespace lapbench
