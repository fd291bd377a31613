#include "ui/charts/article_drawing.h"

#include "ui/charts/article_frame.h"

namespace lapbench {

std::optional<QSize> parseArticleSize(const QString& name)
{
    if (name == QLatin1String("blog"))
        return QSize(1200, 675);
    if (name == QLatin1String("slide"))
        return QSize(1920, 1080);
    if (name == QLatin1String("square"))
        return QSize(1080, 1080);
    return std::nullopt;
}

void drawArticleChart(const ArticleChart& chart, const ArticleLook& look, QPainter& painter)
{
    painter.save();
    const ArticleCanvas canvas(painter, look);
    switch (chart.kind) {
    case ArticleChart::Kind::bars:
    case ArticleChart::Kind::boxes:
        drawArticleBars(canvas, chart);
        break;
    case ArticleChart::Kind::lines:
    case ArticleChart::Kind::points:
        drawArticleLines(canvas, chart);
        break;
    }
    painter.restore();
}

} // namespace lapbench
