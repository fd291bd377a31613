#pragma once

#include "core/result/session_result.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace lapbench {

/// How values stand on an axis.
enum class AxisScale {
    linear,
    logarithmic,
    percentile ///< by log10(1 / (1 - p)), p from 0 to below 1: 90 %, 99 %, 99.9 % stand equally far apart
};

struct ArticleAxis {
    QString title; ///< with its unit: "Latency (ms)"
    QString unit;  ///< "ms"; empty where there is none, as with counts, which are drawn as "48.2k"
    AxisScale scale = AxisScale::linear;
};

/// One value of one series in one category, in the unit of the value axis. What is not known is absent.
struct ArticleValue {
    std::optional<double> value;                ///< of a bar; the median of a box
    std::optional<double> low, high;            ///< whiskers: the interval of a bar, the ends of a box's whiskers
    std::optional<double> quartile1, quartile3; ///< of a box
    bool atLeast = false;                       ///< "at least this"
    QString notRanked;                          ///< why it is not ranked; it is hatched then. Empty: it may be
};

/// One target (or one figure of it) in a chart. Bars and boxes have one value a category; lines and points have points.
struct ArticleSeries {
    QString label;
    int colour = 0;                   ///< index for targetColour()
    int dash = 0;                     ///< 0 solid, then further patterns: for a second figure of the same target
    QString notRanked;                ///< of lines and points: why; dashed or hollow then
    std::vector<ArticleValue> values; ///< as many as categories
    /// In the units of the axes. Of lines x ascends, but of latency against rate, where the levels do.
    std::vector<std::pair<double, double>> points;
    std::vector<QString> pointLabels; ///< one each, or none
    /// Which points notRanked is about, as indexes; empty: all.
    std::vector<std::size_t> hollow;
    std::vector<std::size_t> gaps; ///< of lines: indexes of points before which something is not known
};

/// One chart of an article as data: what is drawn, not how. A value.
struct ArticleChart {
    enum class Kind { bars, boxes, lines, points };

    QString id; ///< stable, safe in a file name: "rps", "p99", "percentiles-user-64"
    Kind kind = Kind::bars;
    QString title;       ///< "Requests per second"
    QString subtitle;    ///< versions and machine, window and rounds
    QString description; ///< what it shows in one or two sentences, for those who do not see it
    ArticleAxis x, y;
    QStringList categories; ///< of bars and boxes: the levels, "64 connections"; a single one may be empty
    std::vector<ArticleSeries> series;
    QString better;    ///< "higher is better", "lower is better"; empty where neither can be said
    QStringList notes; ///< below the chart: what is hatched and why, what whiskers are
    QString credit;    ///< "Lapbench 0.1.0 · 2026-12-01"; empty: none is drawn
};

/// The charts that a result has figures for, in reading order: one bar chart a measurement with all levels in it,
/// requests per second with their intervals as whiskers, latency quartile boxes, percentile curves, requests per second
/// and latency over time, CPU and memory over time, latency against rate, requests per second against memory. Names of
/// workloads stand in titles where there are several. Text in the language of the application; numbers are plain.
std::vector<ArticleChart> articleCharts(const SessionResult& result);

} // namespace lapbench
