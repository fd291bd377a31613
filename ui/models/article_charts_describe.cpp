#include "ui/models/article_charts.h"
#include "ui/models/number_format.h"

#include <QCoreApplication>

namespace lapbench {

namespace {

/// So many values can be read out.
constexpr std::size_t kMostRead = 8;

QString translated(const char* text)
{
    return QCoreApplication::translate("ArticleChart", text);
}

QString kindText(ArticleChart::Kind kind)
{
    switch (kind) {
    case ArticleChart::Kind::bars:
        return translated(QT_TRANSLATE_NOOP("ArticleChart", "Bars"));
    case ArticleChart::Kind::boxes:
        return translated(QT_TRANSLATE_NOOP("ArticleChart", "Boxes"));
    case ArticleChart::Kind::lines:
        return translated(QT_TRANSLATE_NOOP("ArticleChart", "Lines"));
    case ArticleChart::Kind::points:
        break;
    }
    return translated(QT_TRANSLATE_NOOP("ArticleChart", "Points"));
}

QString readValue(const ArticleValue& value, const QString& unit)
{
    if (!value.value)
        return missingFigure();
    const QString number = unit.isEmpty() ? rateText(value.value) : figureText(value.value) + QLatin1Char(' ') + unit;
    return value.atLeast ? translated(QT_TRANSLATE_NOOP("ArticleChart", "at least %1")).arg(number) : number;
}

} // namespace

void describe(ArticleChart& chart)
{
    std::size_t values = 0;
    for (const ArticleSeries& series : chart.series)
        values += series.values.size();
    QStringList read;
    for (const ArticleSeries& series : chart.series) {
        QStringList own;
        for (std::size_t i = 0; values <= kMostRead && i < series.values.size(); ++i) {
            const QString category = chart.categories.size() > 1
                                         ? chart.categories.at(static_cast<qsizetype>(i)) + QLatin1Char(' ')
                                         : QString();
            own << category + readValue(series.values[i], chart.y.unit);
        }
        read << (own.isEmpty() ? series.label : series.label + QLatin1Char(' ') + own.join(QStringLiteral(", ")));
    }
    chart.description =
        QStringLiteral("%1. %2: %3.").arg(chart.title, kindText(chart.kind), read.join(QStringLiteral("; ")));
    if (chart.categories.size() > 1 && values > kMostRead)
        chart.description +=
            QLatin1Char(' ') + translated(QT_TRANSLATE_NOOP("ArticleChart", "By level or workload: %1."))
                                   .arg(chart.categories.join(QStringLiteral(", ")));
}

} // namespace lapbench
