#pragma once

#include "ui/models/article_chart.h"

/// Charts made by hand for tests of their files.
namespace lapbench::test {

inline ArticleSeries barsOf(const QString& label, int colour, std::vector<ArticleValue> values)
{
    ArticleSeries series;
    series.label = label;
    series.colour = colour;
    series.values = std::move(values);
    return series;
}

/// Two targets at two levels; one value is not known, one is not ranked.
inline ArticleChart madeBars()
{
    ArticleValue known, least;
    known.value = 18123.5;
    known.low = 17000;
    known.high = 19000;
    least.value = 24300;
    least.atLeast = true;
    least.notRanked = QStringLiteral("limited by the generator, not the server");
    ArticleChart chart;
    chart.id = QStringLiteral("rps");
    chart.title = QStringLiteral("Requests per second");
    chart.subtitle = QStringLiteral("3 rounds of 10 s");
    chart.description = QStringLiteral("Requests per second of two servers.");
    chart.y.title = QStringLiteral("Requests per second");
    chart.y.unit = QStringLiteral("req/s");
    chart.categories = {QStringLiteral("64 connections"), QStringLiteral("256 connections")};
    chart.series = {barsOf(QStringLiteral("Node.js 22"), 0, {known, ArticleValue()}),
                    barsOf(QStringLiteral("Bun, \"the\" 1.1"), 1, {known, least})};
    return chart;
}

inline ArticleChart madeLines()
{
    ArticleChart chart;
    chart.id = QStringLiteral("rps-over-time");
    chart.kind = ArticleChart::Kind::lines;
    chart.title = QStringLiteral("Requests per second over time");
    chart.description = QStringLiteral("Requests per second in each second.");
    chart.x.title = QStringLiteral("Time (s)");
    chart.x.unit = QStringLiteral("s");
    chart.y.title = QStringLiteral("Requests");
    ArticleSeries series;
    series.label = QStringLiteral("Node.js 22");
    series.points = {{0.5, 1e6}, {1.5, 0.00001}};
    chart.series = {series};
    return chart;
}

} // namespace lapbench::test
