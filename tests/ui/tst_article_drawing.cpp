#include "tests/support/made_article.h"
#include "tests/ui/recording_device.h"
#include "ui/charts/article_drawing.h"
#include "ui/style/target_colours.h"

#include <QBuffer>
#include <QImage>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>

using namespace lapbench;
using test::MadeArticle;
using test::madeArticle;

namespace {

const std::vector<std::string> kLong = {"A server in C++ with io_uring and without any allocation at all",
                                        "Node.js 22.9.0 with its own http module in a cluster of eight workers",
                                        "Deno 2.0.2 Deno.serve, started with unstable flags and with no permissions",
                                        "Bun 1.1.30 Bun.serve", "Express 5"};

std::vector<std::string> namesOf(std::size_t count)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i)
        names.push_back("Target " + std::string(1, static_cast<char>('A' + i)));
    return names;
}

/// What a chart draws, by a device that only keeps it.
test::Drawn drawn(const ArticleChart& chart, const ArticleLook& look)
{
    test::RecordingDevice device(look.size);
    QPainter painter(&device);
    drawArticleChart(chart, look, painter);
    painter.end();
    return device.drawn();
}

QByteArray svgOf(const ArticleChart& chart, const ArticleLook& look)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(look.size);
    QPainter painter(&svg);
    drawArticleChart(chart, look, painter);
    painter.end();
    return bytes;
}

QImage imageOf(const ArticleChart& chart, const ArticleLook& look)
{
    QImage image(look.size, QImage::Format_RGB32);
    QPainter painter(&image);
    drawArticleChart(chart, look, painter);
    painter.end();
    return image;
}

/// The texts of an SVG that is well-formed; else none.
QStringList textsOf(const QByteArray& svg)
{
    QStringList texts;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text"))
            texts << xml.readElementText().trimmed();
    }
    return xml.hasError() ? QStringList() : texts;
}

ArticleChart chartOf(const SessionResult& result, const char* id)
{
    for (const ArticleChart& chart : articleCharts(result)) {
        if (chart.id == QLatin1String(id))
            return chart;
    }
    return {};
}

/// What is wrong with where the texts of a chart stand; empty where nothing is.
QString troubleOf(const ArticleChart& chart, const ArticleLook& look)
{
    const test::Drawn all = drawn(chart, look);
    const std::vector<test::DrawnText>& texts = all.texts;
    const QRectF page(QPointF(0, 0), look.size);
    if (texts.size() < 3)
        return QStringLiteral("%1: too few texts").arg(chart.id);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!page.contains(texts[i].box))
            return QStringLiteral("%1: \"%2\" is cut").arg(chart.id, texts[i].text);
        for (std::size_t j = i + 1; j < texts.size(); ++j) {
            // Line boxes of rows may touch by a hair; letters do not.
            if (texts[i].box.adjusted(0, 2, 0, -2).intersects(texts[j].box.adjusted(0, 2, 0, -2)))
                return QStringLiteral("%1: \"%2\" lies over \"%3\"").arg(chart.id, texts[i].text, texts[j].text);
        }
    }
    return {};
}

std::vector<QRectF> barsOf(const ArticleChart& chart, int target)
{
    const ArticleLook look;
    std::vector<QRectF> bars;
    const test::Drawn all = drawn(chart, look);
    QPalette palette;
    palette.setColor(QPalette::Base, Qt::white);
    for (const test::DrawnBar& bar : all.bars) {
        if (bar.colour == targetColour(target, palette))
            bars.push_back(bar.box);
    }
    return bars;
}

} // namespace

class tst_article_drawing : public QObject {
    Q_OBJECT

private slots:
    void sizesHaveNames()
    {
        QCOMPARE(parseArticleSize(QStringLiteral("blog")), QSize(1200, 675));
        QCOMPARE(parseArticleSize(QStringLiteral("slide")), QSize(1920, 1080));
        QCOMPARE(parseArticleSize(QStringLiteral("square")), QSize(1080, 1080));
        QVERIFY(!parseArticleSize(QStringLiteral("poster")));
        QVERIFY(!parseArticleSize({}));
    }

    void noTextLiesOverAnotherOrIsCut_data()
    {
        QTest::addColumn<std::vector<std::string>>("labels");
        QTest::addColumn<std::vector<Level>>("levels");
        const std::vector<Level> four = {{10, {}}, {50, {}}, {100, {}}, {300, {}}};
        QTest::newRow("one target") << namesOf(1) << std::vector<Level>{{64, {}}};
        QTest::newRow("three targets, one level") << namesOf(3) << std::vector<Level>{{64, {}}};
        QTest::newRow("long names, one level") << kLong << std::vector<Level>{{64, {}}};
        QTest::newRow("long names, four levels") << kLong << four;
        QTest::newRow("twelve targets, one level") << namesOf(12) << std::vector<Level>{{64, {}}};
        QTest::newRow("twelve targets, four levels") << namesOf(12) << four;
        QTest::newRow("rates") << namesOf(5) << std::vector<Level>{{64, 500U}, {64, 1000U}, {64, 100'000U}};
        std::vector<Level> many;
        for (unsigned i = 1; i <= 14; ++i)
            many.push_back({i * 16, 1'000'000U * i});
        QTest::newRow("fourteen levels with long names") << namesOf(3) << many;
    }
    void noTextLiesOverAnotherOrIsCut()
    {
        QFETCH(std::vector<std::string>, labels);
        QFETCH(std::vector<Level>, levels);
        SessionResult result = madeArticle({labels, {"user", "a workload whose name is longer than most"}, levels, 3});
        for (Trial& trial : result.trials) {
            if (trial.target == "t0" || trial.level.connections == 300)
                trial.bottleneck = Bottleneck{Limit::generator, "busy", false};
            if (trial.target == "t2")
                trial.server.rssBytesMean.reset();
        }
        test::makeCellsOf(result);
        for (const char* size : {"blog", "slide", "square"}) {
            const ArticleLook look{false, *parseArticleSize(QLatin1String(size))};
            for (const ArticleChart& chart : articleCharts(result))
                QVERIFY2(troubleOf(chart, look).isEmpty(),
                         qPrintable(troubleOf(chart, look) + QLatin1Char(' ') + QLatin1String(size)));
        }
    }

    void theSvgHoldsEverySeriesAndLabel()
    {
        for (const ArticleChart& chart : articleCharts(madeArticle())) {
            const QStringList texts = textsOf(svgOf(chart, {}));
            QVERIFY2(texts.contains(chart.title), qPrintable(chart.id));
            QVERIFY2(texts.contains(chart.subtitle), qPrintable(chart.id));
            QVERIFY2(texts.contains(chart.credit), qPrintable(chart.id));
            for (const ArticleSeries& series : chart.series)
                QVERIFY2(texts.contains(series.label), qPrintable(chart.id));
            for (const QString& category : chart.categories)
                QVERIFY2(category.isEmpty() || texts.contains(category), qPrintable(chart.id));
        }
    }

    /// Median rates of 1000 (i + 1) + n + 20.
    void valuesStandOnTheBars()
    {
        const QStringList texts = textsOf(svgOf(chartOf(madeArticle(), "rps"), {}));
        for (const char* value : {"1.03k", "2.03k", "3.03k", "1.32k", "2.32k", "3.32k"})
            QVERIFY2(texts.contains(QLatin1String(value)), value);
    }

    void barsAreAsLongAsTheirValues()
    {
        const ArticleChart standing = chartOf(madeArticle(), "rps");
        const auto lengthOf = [&](int target) { return barsOf(standing, target).back().height(); }; // of 300
        QVERIFY(std::abs(lengthOf(1) / lengthOf(0) - 2320.0 / 1320) < 1e-3);
        QVERIFY(std::abs(lengthOf(2) / lengthOf(0) - 3320.0 / 1320) < 1e-3);
        const ArticleChart lying = chartOf(madeArticle({{"Node", "Bun"}, {"user"}, {{300, {}}}, 3}), "rps");
        QVERIFY(std::abs(barsOf(lying, 1).back().width() / barsOf(lying, 0).back().width() - 2320.0 / 1320) < 1e-3);
    }

    void whatIsNotRankedIsHatched()
    {
        SessionResult result = madeArticle({{"Node", "Bun"}, {"user"}, {{64, {}}}, 3});
        const ArticleChart ranked = chartOf(result, "p50");
        result.trials.front().bottleneck = Bottleneck{Limit::errors, "many", false};
        const ArticleChart doubtful = chartOf(result, "p50");
        const auto linesOf = [](const ArticleChart& chart) {
            const test::Drawn all = drawn(chart, {});
            return all.lines.size() + all.points.size();
        };
        QVERIFY(linesOf(doubtful) > linesOf(ranked) + 10);
        QVERIFY(barsOf(doubtful, 0).empty()); // not filled with its colour
        QVERIFY(!barsOf(ranked, 0).empty());
        const QStringList texts = textsOf(svgOf(doubtful, {}));
        QVERIFY(texts.contains(QStringLiteral("Hatched: not ranked, limited by errors: Node.")));
    }

    void whatIsNotKnownIsADash()
    {
        SessionResult result = madeArticle();
        for (Trial& trial : result.trials) {
            if (trial.target == "t1")
                trial.server.rssBytesMean.reset();
        }
        test::makeCellsOf(result);
        const ArticleChart chart = chartOf(result, "memory");
        const QStringList texts = textsOf(svgOf(chart, {}));
        QCOMPARE(texts.count(QStringLiteral("–")), 4);
        QCOMPARE(barsOf(chart, 1).size(), std::size_t{1}); // in the legend
    }

    void aBoundIsMarked()
    {
        SessionResult result = madeArticle({{"Node"}, {"user"}, {{64, {}}}, 3});
        for (Trial& trial : result.trials)
            trial.load.latency.percentiles[5] = Quantile{2e6, true};
        test::makeCellsOf(result);
        QVERIFY(textsOf(svgOf(chartOf(result, "p99"), {})).contains(QStringLiteral("≥ 2.00")));
    }

    void longNamesAreShortenedInTheMiddle()
    {
        const QStringList texts =
            textsOf(svgOf(chartOf(madeArticle({kLong, {"user"}, {{10, {}}, {50, {}}}, 3}), "rps"), {}));
        const QStringList shortened = texts.filter(QRegularExpression(QStringLiteral("^Node\\.js 22.*….*workers$")));
        QCOMPARE(shortened.size(), 1);
    }

    void thePercentileAxisHasTheSameLengthForEachNine()
    {
        SessionResult result = madeArticle({{"Node"}, {"user"}, {{64, {}}}, 12}); // 12,000 samples: up to 99.99 %
        const test::Drawn curve = drawn(chartOf(result, "percentiles-user-64"), {});
        std::vector<double> ticks;
        for (const char* label : {"90", "99", "99.9"}) {
            for (const test::DrawnText& text : curve.texts) {
                if (text.text.trimmed() == QLatin1String(label))
                    ticks.push_back(text.box.center().x());
            }
        }
        QCOMPARE(ticks.size(), std::size_t{3});
        QVERIFY(std::abs((ticks[2] - ticks[1]) - (ticks[1] - ticks[0])) < 1);
    }

    void theSameChartIsTheSameBytes()
    {
        for (const ArticleChart& chart : articleCharts(madeArticle())) {
            QCOMPARE(svgOf(chart, {}), svgOf(chart, {}));
            QCOMPARE(imageOf(chart, {true}), imageOf(chart, {true}));
        }
    }

    void darkIsDark()
    {
        const ArticleChart chart = chartOf(madeArticle(), "rps");
        QCOMPARE(imageOf(chart, {}).pixelColor(2, 2), QColor(Qt::white));
        QVERIFY(imageOf(chart, {true}).pixelColor(2, 2).lightness() < 50);
    }

    void aLargerPictureHasLargerText()
    {
        const ArticleChart chart = chartOf(madeArticle(), "rps");
        const double blog = drawn(chart, {}).texts.front().box.height();
        const double slide = drawn(chart, {false, QSize(1920, 1080)}).texts.front().box.height();
        QVERIFY(std::abs(slide / blog - 1.6) < 0.01);
    }

    void nothingToDrawIsNoTrouble()
    {
        for (const auto kind : {ArticleChart::Kind::bars, ArticleChart::Kind::boxes, ArticleChart::Kind::lines,
                                ArticleChart::Kind::points}) {
            ArticleChart chart;
            chart.kind = kind;
            QVERIFY(!imageOf(chart, {}).isNull());
            chart.series.resize(2);
            chart.categories = {QString(), QString()};
            QVERIFY(!imageOf(chart, {false, QSize(40, 30)}).isNull());
        }
    }
};

QTEST_MAIN(tst_article_drawing)
#include "tst_article_drawing.moc"
