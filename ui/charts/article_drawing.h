#pragma once

#include "ui/models/article_chart.h"

#include <QPainter>
#include <QSize>

namespace lapbench {

/// How a chart of an article is to look.
struct ArticleLook {
    bool dark = false;
    /// In pixels at scale 1. From 1200x675 up texts and lines grow with the square root of its area: a slide is read
    /// from further away.
    QSize size{1200, 675};
};

/// "blog" 1200x675, "slide" 1920x1080, "square" 1080x1080; nothing for another word.
std::optional<QSize> parseArticleSize(const QString& name);

/// Draws a chart into 0,0 .. look.size of `painter`, background and all. The same chart and look always draw the same,
/// on every paint device. GUI thread, also with the offscreen platform.
void drawArticleChart(const ArticleChart& chart, const ArticleLook& look, QPainter& painter);

} // namespace lapbench
