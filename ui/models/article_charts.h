#pragma once

#include "ui/models/article_session.h"

#include <vector>

namespace lapbench {

// The families of charts that articleCharts() puts together, each in a file of its own; each leaves out what the result
// has no figures for.

/// One a measurement, with the interval as whiskers for requests per second.
std::vector<ArticleChart> barCharts(const ArticleSession& session);
/// How long the servers took to start, over their cold starts or else those of the rounds.
std::vector<ArticleChart> startupCharts(const ArticleSession& session);
/// Latency quartile boxes.
std::vector<ArticleChart> boxCharts(const ArticleSession& session);
/// Latency by percentile.
std::vector<ArticleChart> percentileCharts(const ArticleSession& session);
/// Requests per second, latency, CPU and memory over time.
std::vector<ArticleChart> timeCharts(const ArticleSession& session);
/// Latency against rate, and requests per second against memory.
std::vector<ArticleChart> efficiencyCharts(const ArticleSession& session);

/// "p50 as bars: Node.js 48.2, Bun 81.1": sets the description from the values where they are few, else from the names.
void describe(ArticleChart& chart);

} // namespace lapbench
