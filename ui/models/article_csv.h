#pragma once

#include "ui/models/article_chart.h"

#include <QByteArray>

namespace lapbench {

/// A chart's figures as CSV (RFC 4180 in UTF-8, numbers in the C locale, what is not known empty). A row is a series in
/// a category, or a point of a series. The columns of numbers carry their units in the header.
QByteArray articleCsv(const ArticleChart& chart);

} // namespace lapbench
