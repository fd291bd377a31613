#include "tests/support/made_results.h"
#include "tests/ui/made_charts.h"
#include "ui/charts/chart_file.h"
#include "ui/models/article_csv.h"

#include <QImage>
#include <QTest>
#include <QXmlStreamReader>

using namespace lapbench;
using lapbench::test::madeBars;
using lapbench::test::madeLines;

namespace {

/// All text of an XML document, its elements one a line; fails where it is none.
QString textOf(const QByteArray& xml)
{
    QXmlStreamReader reader(xml);
    QString text;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::Characters)
            text += reader.text().toString() + u'\n';
    }
    return reader.hasError() ? QStringLiteral("no XML: ") + reader.errorString() : text;
}

QString elementOf(const QByteArray& xml, const QString& name)
{
    QXmlStreamReader reader(xml);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == name)
            return reader.readElementText();
    }
    return QStringLiteral("no such element");
}

PictureSource madeSource()
{
    auto made = test::resultOf("n", {{"node", {100, 110}}, {"bun", {200, 210}}}).result;
    made.id = "5b2d";
    made.cells = makeCells(made.trials);
    return pictureSource(made, QStringLiteral("0.1.0"));
}

} // namespace

/// Charts as the bytes of files.
class TestChartFile : public QObject {
    Q_OBJECT

    const PictureSource m_source = madeSource();
    const ArticleLook m_look;

private slots:
    void anSvgIsValidAndHoldsEverySeriesAndCategory()
    {
        const ArticleChart chart = madeBars();
        const QByteArray svg = chartAsSvg(chart, m_look, m_source);
        const QString text = textOf(svg);
        for (const ArticleSeries& series : chart.series)
            QVERIFY2(text.contains(series.label), qPrintable(text));
        for (const QString& category : chart.categories)
            QVERIFY2(text.contains(category), qPrintable(text));
        QCOMPARE(elementOf(svg, QStringLiteral("title")), chart.title);
        QCOMPARE(elementOf(svg, QStringLiteral("desc")), chart.description);
        QXmlStreamReader reader(svg);
        QVERIFY(reader.readNextStartElement());
        QCOMPARE(reader.name(), QStringLiteral("svg"));
        QCOMPARE(reader.attributes().value(QStringLiteral("width")), QStringLiteral("1200"));
        QCOMPARE(reader.attributes().value(QStringLiteral("viewBox")), QStringLiteral("0 0 1200 675"));
        QVERIFY(text.count(QStringLiteral("Node.js 22")) > 1); // in the drawing too, not only in the metadata
    }

    void anSvgIsValidWhateverTheNamesHold()
    {
        ArticleChart chart = madeBars();
        chart.title = QStringLiteral("a < b & \"c\" ]]> d\u0001e");
        chart.series[0].label =
            QStringLiteral("bell \u0007 <script>") + QChar(0xd800) + QStringLiteral(" \uffff é \U0001f680");
        chart.categories[0] = chart.series[0].label;
        const QString text = textOf(chartAsSvg(chart, m_look, m_source));
        QVERIFY2(!text.startsWith(QStringLiteral("no XML")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("a < b & \"c\" ]]> d\ufffde")));
        QVERIFY(text.contains(QStringLiteral("bell \ufffd <script>\ufffd \ufffd é \U0001f680")));
    }

    void aPngIsAsManyTimesAsLargeAndAsLargeOnPaper_data()
    {
        QTest::addColumn<int>("scale");
        QTest::addColumn<int>("dotsPerMetre"); // 96, 192 and 288 an inch of 0.0254 m
        QTest::newRow("1x") << 1 << 3780;
        QTest::newRow("2x") << 2 << 7559;
        QTest::newRow("3x") << 3 << 11339;
    }
    void aPngIsAsManyTimesAsLargeAndAsLargeOnPaper()
    {
        QFETCH(int, scale);
        QFETCH(int, dotsPerMetre);
        const QImage image = QImage::fromData(chartAsPng(madeBars(), m_look, scale, m_source), "png");
        QCOMPARE(image.size(), QSize(1200 * scale, 675 * scale));
        QCOMPARE(image.dotsPerMeterX(), dotsPerMetre);
        QCOMPARE(image.text(QStringLiteral("Title")), QStringLiteral("Requests per second"));
        QCOMPARE(image.text(QStringLiteral("Software")), QStringLiteral("Lapbench 0.1.0"));
        QCOMPARE(image.text(QStringLiteral("lapbench-chart")), QStringLiteral("rps"));
        QCOMPARE(image.text(QStringLiteral("lapbench-result-id")), QStringLiteral("5b2d"));
    }

    void aScaledPngIsTheSamePictureInMorePixels()
    {
        const QImage once = QImage::fromData(chartAsPng(madeBars(), m_look, 1, m_source), "png");
        const QImage twice = QImage::fromData(chartAsPng(madeBars(), m_look, 2, m_source), "png");
        const QImage shrunk = twice.scaled(once.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        qint64 difference = 0;
        for (int y = 0; y < once.height(); ++y)
            for (int x = 0; x < once.width(); ++x)
                difference += std::abs(qGray(once.pixel(x, y)) - qGray(shrunk.pixel(x, y)));
        // Texts are a little different; a chart in a corner would differ everywhere.
        QVERIFY2(difference < 5LL * once.width() * once.height(), qPrintable(QString::number(difference)));
    }

    void theSameChartGivesTheSameBytes()
    {
        for (const ArticleChart& chart : {madeBars(), madeLines()}) {
            QCOMPARE(chartAsSvg(chart, m_look, m_source), chartAsSvg(chart, m_look, m_source));
            QCOMPARE(chartAsPng(chart, m_look, 2, m_source), chartAsPng(chart, m_look, 2, m_source));
            QCOMPARE(chartAsPdf(chart, m_look, m_source), chartAsPdf(chart, m_look, m_source));
        }
    }

    void aPdfIsOnePageOfTheChartAndOfTheDayOfItsResult()
    {
        const QByteArray pdf = chartAsPdf(madeBars(), m_look, m_source);
        QVERIFY(pdf.startsWith("%PDF-"));
        // 1200 and 675 pixels of 1/96 inch in points of 1/72, of which Qt takes whole ones.
        QVERIFY(pdf.contains("/MediaBox [0 0 900.000000 506.000000]"));
        QVERIFY(pdf.contains("/Count 1"));
        // 1,700,000,000 s since 1970 by date(1).
        QVERIFY(pdf.contains("/CreationDate (D:20231114221320Z)"));
        // The table of its objects still points at it.
        const qsizetype at = pdf.indexOf("startxref\n") + 10;
        QVERIFY(pdf.mid(pdf.mid(at, pdf.indexOf('\n', at) - at).trimmed().toLongLong()).startsWith("xref"));
    }

    void barsAreRowsOfTheCsv()
    {
        QCOMPARE(articleCsv(madeBars()),
                 QByteArray("series,category,value (req/s),low (req/s),high (req/s),at_least,not_ranked\r\n"
                            "Node.js 22,64 connections,18123.5,17000,19000,false,\r\n"
                            "Node.js 22,256 connections,,,,false,\r\n"
                            "\"Bun, \"\"the\"\" 1.1\",64 connections,18123.5,17000,19000,false,\r\n"
                            "\"Bun, \"\"the\"\" 1.1\",256 connections,24300,,,true,"
                            "\"limited by the generator, not the server\"\r\n"));
    }

    void boxesHaveTheirQuartiles()
    {
        ArticleChart chart = madeBars();
        chart.kind = ArticleChart::Kind::boxes;
        chart.y.unit = QStringLiteral("ms");
        ArticleValue box;
        box.value = 2;
        box.low = 0.5;
        box.high = 8;
        box.quartile1 = 1;
        box.quartile3 = 4;
        chart.categories = {QString()};
        chart.series = {test::barsOf(QStringLiteral("Deno"), 0, {box})};
        QCOMPARE(articleCsv(chart),
                 QByteArray("series,category,median (ms),low (ms),high (ms),quartile1 (ms),quartile3 "
                            "(ms),at_least,not_ranked\r\nDeno,,2,0.5,8,1,4,false,\r\n"));
    }

    void whatASpreadsheetWouldRunIsText()
    {
        ArticleChart chart = madeLines();
        chart.series[0].label = QStringLiteral("=1+1");
        chart.series[0].points = {{-1, 2}};
        QCOMPARE(articleCsv(chart), QByteArray("series,x (s),value,not_ranked\r\n'=1+1,-1,2,\r\n"));
    }

    void pointsAreRowsOfTheCsvInTheCLocale()
    {
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        QCOMPARE(articleCsv(madeLines()), QByteArray("series,x (s),value,not_ranked\r\n"
                                                     "Node.js 22,0.5,1000000,\r\n"
                                                     "Node.js 22,1.5,0.00001,\r\n"));
        QLocale::setDefault(QLocale::c());
    }
};

QTEST_MAIN(TestChartFile)
#include "tst_chart_file.moc"
