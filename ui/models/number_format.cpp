#include "ui/models/number_format.h"

#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/stats/verdict_sentence.h"

#include <QLocale>

#include <cmath>

namespace lapbench {

namespace {

QString localised(const std::string& text)
{
    QString out = QString::fromStdString(text);
    if (const QString point = QLocale().decimalPoint(); point != QLatin1String("."))
        out.replace(QLatin1Char('.'), point);
    return out;
}

bool isKnown(const std::optional<double>& value)
{
    return value && std::isfinite(*value);
}

} // namespace

QString missingFigure()
{
    return QStringLiteral("–");
}

QString figureText(std::optional<double> value)
{
    return isKnown(value) ? localised(formatSignificant(*value)) : missingFigure();
}

QString rateText(std::optional<double> perSecond)
{
    return isKnown(perSecond) ? localised(formatRate(*perSecond)) : missingFigure();
}

QString countText(std::optional<double> count)
{
    return isKnown(count) ? QLocale().toString(static_cast<qlonglong>(std::llround(*count))) : missingFigure();
}

QString ratioText(std::optional<double> ratio)
{
    return isKnown(ratio) ? localised(formatRatio(*ratio)) : missingFigure();
}

QString intervalText(const PairedRatio& figures)
{
    if (figures.rounds == 0)
        return missingFigure();
    if (!isKnown(figures.low) || !isKnown(figures.high))
        return ratioText(figures.ratio);
    return QStringLiteral("%1 (%2–%3)").arg(ratioText(figures.ratio), ratioText(figures.low), ratioText(figures.high));
}

QString percentText(double share)
{
    return localised(formatSignificant(share * 100, 2)) + QStringLiteral(" %");
}

QString bytesText(std::optional<double> bytes)
{
    return isKnown(bytes) ? localised(formatBytes(*bytes)) : missingFigure();
}

QString latencyText(std::optional<double> latencyUs)
{
    if (!isKnown(latencyUs))
        return missingFigure();
    return localised(formatLatencyUs(*latencyUs)).replace(QLatin1String(" us"), QStringLiteral(" µs"));
}

QString levelText(const Level& level)
{
    return QString::fromStdString(formatLevel(level));
}

QString shortLevelText(const Level& level)
{
    const QString text = level.connections > 0 ? countText(level.connections) : missingFigure();
    return level.rate ? text + QStringLiteral(" · ") + rateText(*level.rate) + QStringLiteral("/s") : text;
}

LatencyUnit latencyUnitFor(double largestUs)
{
    if (largestUs >= 1e6)
        return {1e6, QStringLiteral("s")};
    if (largestUs >= 1e3)
        return {1e3, QStringLiteral("ms")};
    return {1, QStringLiteral("µs")};
}

} // namespace lapbench
