#pragma once

#include "core/result/session_result.h"
#include "ui/charts/article_drawing.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

namespace lapbench {

/// What a picture carries of where it comes from; made once for all charts of a result.
struct PictureSource {
    QString version; ///< of Lapbench
    QString resultId;
    QDateTime created; ///< the result, UTC
    QByteArray packed; ///< packResult(): the result itself
};

PictureSource pictureSource(const SessionResult& result, const QString& version);

/// One chart as a file's content. The same chart, look and source always give the same bytes. GUI thread, also with the
/// offscreen platform.
///
/// SVG: text stays text; <title>, <desc>, and in <metadata> the source and the names of all series and categories.
QByteArray chartAsSvg(const ArticleChart& chart, const ArticleLook& look, const PictureSource& source);
/// PNG of `scale` times the look's size (1 to 3), as large on paper; title, description and source are text chunks.
QByteArray chartAsPng(const ArticleChart& chart, const ArticleLook& look, int scale, const PictureSource& source);
/// PDF: one page of the look's size at 96 pixels an inch, vectors and fonts in it; dated as the result.
QByteArray chartAsPdf(const ArticleChart& chart, const ArticleLook& look, const PictureSource& source);

} // namespace lapbench
