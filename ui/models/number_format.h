#pragma once

#include "core/plan/plan.h"
#include "core/stats/compare.h"

#include <QString>

#include <optional>

namespace lapbench {

/// Numbers as the window shows them: three significant figures, "–" for what is not known, decimal point of the
/// locale. The unit stands once in a header, so a column shares one.

/// "–".
QString missingFigure();

/// 0.9934 -> "0.993".
QString figureText(std::optional<double> value);
/// 18123 -> "18.1k".
QString rateText(std::optional<double> perSecond);
/// A whole number, grouped by the locale.
QString countText(std::optional<double> count);
/// A ratio as in the sentences: "1.34".
QString ratioText(std::optional<double> ratio);
/// "1.34 (1.31–1.37)"; without an interval the ratio, without rounds a dash.
QString intervalText(const PairedRatio& figures);
/// A share in percent: 0.123 -> "12 %".
QString percentText(double share);
/// With its unit: "61.4 MB".
QString bytesText(std::optional<double> bytes);
/// With its unit: 3180 -> "3.18 ms".
QString latencyText(std::optional<double> latencyUs);

/// "64 connections", with a rate "64 connections, 5.00k/s"; short: "64", "64 · 5.00k/s".
QString levelText(const Level& level);
QString shortLevelText(const Level& level);

/// The unit that a column of latencies in microseconds, or an axis, shares.
struct LatencyUnit {
    double us = 1; ///< microseconds in one of it
    QString symbol;
};
/// The unit for values up to `largestUs`: µs below 1 ms, ms below 1 s, else s.
LatencyUnit latencyUnitFor(double largestUs);

} // namespace lapbench
