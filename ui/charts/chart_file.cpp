#include "ui/charts/chart_file.h"

#include "ui/charts/packed_result.h"
#include "ui/charts/picture_result.h"

#include <QBuffer>
#include <QImage>
#include <QImageWriter>
#include <QPageSize>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QXmlStreamWriter>

#include <cmath>

namespace lapbench {

namespace {

constexpr int kPixelsPerInch = 96; // as CSS has it
constexpr double kInchesPerMetre = 1 / 0.0254;
constexpr double kPointsPerInch = 72;

bool standsInXml(QChar c)
{
    return c.unicode() >= 0x20 ? c.unicode() < 0xfffe : c == u'\t' || c == u'\n' || c == u'\r';
}

/// Text without what XML 1.0 allows nowhere, not even as a reference.
QString forXml(QString text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate())
            ++i;
        else if (text[i].isSurrogate() || !standsInXml(text[i]))
            text[i] = QChar::ReplacementCharacter;
    }
    return text;
}

/// What Qt's generator draws, from its definitions to the end of the outermost group; the root and the texts about the
/// document are written here.
QString drawnAsSvg(const ArticleChart& chart, const ArticleLook& look)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(look.size);
    generator.setViewBox(QRect(QPoint(), look.size));
    generator.setResolution(kPixelsPerInch);
    QPainter painter(&generator);
    drawArticleChart(chart, look, painter);
    painter.end();
    const QString text = QString::fromUtf8(buffer.data());
    const qsizetype begin = text.indexOf(QLatin1String("<defs>"));
    const qsizetype end = text.lastIndexOf(QLatin1String("</svg>"));
    if (begin < 0 || end < begin)
        return {};
    // Where the font is not there, one as wide as DejaVu Sans keeps texts from running into each other.
    static const QRegularExpression family(QStringLiteral(R"~(font-family="([^"]*)")~"));
    return text.mid(begin, end - begin).replace(family, QStringLiteral(R"(font-family="\1, Verdana, sans-serif")"));
}

void writeMetadata(QXmlStreamWriter& xml, const ArticleChart& chart, const PictureSource& source)
{
    const QString space = QLatin1String(kPictureNamespace);
    xml.writeStartElement(QStringLiteral("metadata"));
    xml.writeNamespace(space, QStringLiteral("lapbench"));
    xml.writeStartElement(space, QStringLiteral("chart"));
    xml.writeAttribute(QStringLiteral("id"), forXml(chart.id));
    xml.writeAttribute(QStringLiteral("version"), forXml(source.version));
    xml.writeAttribute(QStringLiteral("result"), forXml(source.resultId));
    xml.writeAttribute(QStringLiteral("created"), source.created.toString(Qt::ISODateWithMs));
    // A long name may stand shortened in the drawing; here it is whole.
    for (const ArticleSeries& series : chart.series)
        xml.writeTextElement(space, QStringLiteral("series"), forXml(series.label));
    for (const QString& category : chart.categories)
        xml.writeTextElement(space, QStringLiteral("category"), forXml(category));
    xml.writeEndElement();
    if (!source.packed.isEmpty()) {
        xml.writeStartElement(space, QLatin1String(kPictureElement));
        xml.writeAttribute(QStringLiteral("encoding"), QStringLiteral("zlib+base64"));
        xml.writeCharacters(QString::fromLatin1(source.packed));
        xml.writeEndElement();
    }
    xml.writeEndElement();
}

/// Puts the result's date in the place of now, as long as what stood there.
void setCreationDate(QByteArray& pdf, const QDateTime& created)
{
    static const QRegularExpression date(QStringLiteral(R"(/CreationDate \(D:[^)]*\))"));
    // Latin-1 keeps each byte one character.
    const auto found = date.match(QString::fromLatin1(pdf));
    if (!found.hasMatch())
        return;
    const QByteArray stamp = created.toString(QStringLiteral("'/CreationDate (D:'yyyyMMddHHmmss'Z)'")).toLatin1();
    if (stamp.size() <= found.capturedLength())
        pdf.replace(found.capturedStart(), found.capturedLength(), stamp.leftJustified(found.capturedLength()));
}

} // namespace

PictureSource pictureSource(const SessionResult& result, const QString& version)
{
    const auto sinceEpoch = std::chrono::duration_cast<std::chrono::milliseconds>(result.created.time_since_epoch());
    return {version, QString::fromStdString(result.id), QDateTime::fromMSecsSinceEpoch(sinceEpoch.count(), Qt::UTC),
            packResult(result)};
}

QByteArray chartAsSvg(const ArticleChart& chart, const ArticleLook& look, const PictureSource& source)
{
    QByteArray head;
    QXmlStreamWriter xml(&head);
    xml.writeStartDocument();
    xml.writeStartElement(QStringLiteral("svg"));
    xml.writeDefaultNamespace(QStringLiteral("http://www.w3.org/2000/svg"));
    xml.writeNamespace(QStringLiteral("http://www.w3.org/1999/xlink"), QStringLiteral("xlink"));
    xml.writeAttribute(QStringLiteral("width"), QString::number(look.size.width()));
    xml.writeAttribute(QStringLiteral("height"), QString::number(look.size.height()));
    xml.writeAttribute(QStringLiteral("viewBox"),
                       QStringLiteral("0 0 %1 %2").arg(look.size.width()).arg(look.size.height()));
    xml.writeAttribute(QStringLiteral("role"), QStringLiteral("img"));
    xml.writeTextElement(QStringLiteral("title"), forXml(chart.title));
    xml.writeTextElement(QStringLiteral("desc"), forXml(chart.description));
    writeMetadata(xml, chart, source);
    xml.writeCharacters(QStringLiteral("\n"));
    return head + forXml(drawnAsSvg(chart, look)).toUtf8() + "</svg>\n";
}

QByteArray chartAsPng(const ArticleChart& chart, const ArticleLook& look, int scale, const PictureSource& source)
{
    QImage image(look.size * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    const int dotsPerMetre = static_cast<int>(std::lround(kPixelsPerInch * kInchesPerMetre * scale));
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    image.fill(Qt::white);
    QPainter painter(&image);
    drawArticleChart(chart, look, painter);
    painter.end();
    image.setText(QStringLiteral("Title"), chart.title);
    image.setText(QStringLiteral("Description"), chart.description);
    image.setText(QStringLiteral("Software"), QStringLiteral("Lapbench %1").arg(source.version));
    image.setText(QStringLiteral("Creation Time"), source.created.toString(Qt::ISODateWithMs));
    image.setText(QStringLiteral("lapbench-chart"), chart.id);
    image.setText(QStringLiteral("lapbench-result-id"), source.resultId);
    if (!source.packed.isEmpty())
        image.setText(QLatin1String(kPictureText), QString::fromLatin1(source.packed));
    QBuffer buffer;
    QImageWriter(&buffer, "png").write(image);
    return buffer.data();
}

QByteArray chartAsPdf(const ArticleChart& chart, const ArticleLook& look, const PictureSource& source)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kPixelsPerInch);
    writer.setPageSize(QPageSize(QSizeF(look.size) * (kPointsPerInch / kPixelsPerInch), QPageSize::Point, QString(),
                                 QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(chart.title);
    writer.setCreator(QStringLiteral("Lapbench %1").arg(source.version));
    QPainter painter(&writer);
    drawArticleChart(chart, look, painter);
    painter.end();
    buffer.close();
    QByteArray pdf = buffer.data();
    setCreationDate(pdf, source.created);
    return pdf;
}

} // namespace lapbench
