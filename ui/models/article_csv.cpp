#include "ui/models/article_csv.h"

#include "core/result/export/text_table.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

std::string number(std::optional<double> value)
{
    return value && std::isfinite(*value) ? formatExact(value) : std::string();
}

std::string header(const char* word, const ArticleAxis& axis)
{
    return axis.unit.isEmpty() ? word : word + (" (" + axis.unit.toStdString() + ")");
}

TextTable categoryRows(const ArticleChart& chart)
{
    const bool boxes = chart.kind == ArticleChart::Kind::boxes;
    TextTable table;
    table.header = {"series", "category", header(boxes ? "median" : "value", chart.y), header("low", chart.y),
                    header("high", chart.y)};
    if (boxes)
        table.header.insert(table.header.end(), {header("quartile1", chart.y), header("quartile3", chart.y)});
    table.header.insert(table.header.end(), {"at_least", "not_ranked"});
    for (const ArticleSeries& series : chart.series) {
        for (std::size_t i = 0; i < series.values.size(); ++i) {
            const ArticleValue& value = series.values[i];
            std::vector<std::string> row{series.label.toStdString(),
                                         chart.categories.value(static_cast<qsizetype>(i)).toStdString(),
                                         number(value.value), number(value.low), number(value.high)};
            if (boxes)
                row.insert(row.end(), {number(value.quartile1), number(value.quartile3)});
            const QString& why = value.notRanked.isEmpty() ? series.notRanked : value.notRanked;
            row.insert(row.end(), {value.atLeast ? "true" : "false", why.toStdString()});
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

TextTable pointRows(const ArticleChart& chart)
{
    const bool labelled = std::any_of(chart.series.begin(), chart.series.end(),
                                      [](const ArticleSeries& series) { return !series.pointLabels.empty(); });
    TextTable table;
    table.header = {"series", header("x", chart.x), header("value", chart.y)};
    if (labelled)
        table.header.emplace_back("label");
    table.header.emplace_back("not_ranked");
    for (const ArticleSeries& series : chart.series) {
        for (std::size_t i = 0; i < series.points.size(); ++i) {
            std::vector<std::string> row{series.label.toStdString(), number(series.points[i].first),
                                         number(series.points[i].second)};
            if (labelled)
                row.push_back(i < series.pointLabels.size() ? series.pointLabels[i].toStdString() : std::string());
            row.push_back(series.notRanked.toStdString());
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

} // namespace

QByteArray articleCsv(const ArticleChart& chart)
{
    const bool categories = chart.kind == ArticleChart::Kind::bars || chart.kind == ArticleChart::Kind::boxes;
    return QByteArray::fromStdString(formatCsv(categories ? categoryRows(chart) : pointRows(chart), "\r\n"));
}

} // namespace lapbench
