#include "ui/charts/chart_axis.h"
#include "ui/charts/latency_chart.h"
#include "ui/charts/rate_chart.h"
#include "ui/style/target_colours.h"
#include "ui/style/theme.h"

#include <QLineSeries>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <limits>

using namespace lapbench;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void addCases()
{
    QTest::addColumn<std::vector<LivePoint>>("points");
    const LivePoint usual{1, 18000.0, 2900.0, 3180.0, 3600.0, 13200.0};
    QTest::newRow("no data") << std::vector<LivePoint>{};
    QTest::newRow("one point") << std::vector<LivePoint>{usual};
    QTest::newRow("all equal") << std::vector<LivePoint>(20, LivePoint{2, 5.0, 5.0, 5.0, 5.0, 5.0});
    QTest::newRow("nothing known") << std::vector<LivePoint>{{0, {}, {}, {}, {}, {}}, {1, {}, {}, {}, {}, {}}};
    QTest::newRow("percentiles missing") << std::vector<LivePoint>{{1, 10.0, {}, {}, {}, {}}, usual};
    QTest::newRow("all zero") << std::vector<LivePoint>(3, LivePoint{1, 0.0, 0.0, 0.0, 0.0, 0.0});
    QTest::newRow("only warm-up") << std::vector<LivePoint>{{-3, 1.0, 1.0, 1.0, 1.0, 1.0},
                                                            {-2, 1.0, 1.0, 1.0, 1.0, 1.0}};
    QTest::newRow("no numbers") << std::vector<LivePoint>{{1, kNaN, kNaN, kNaN, kNaN, kNaN},
                                                          {2, kNaN, 1.0, kNaN, 2.0, kNaN}};
    QTest::newRow("a wide span") << std::vector<LivePoint>{{1, 1e-3, 0.5, 1.0, 2.0, 3.6e9},
                                                           {2, 1e9, 0.5, 1.0, 2.0, 3.6e9}};
    QTest::newRow("time goes back") << std::vector<LivePoint>{{5, 1.0, 1.0, 1.0, 1.0, 1.0},
                                                              {2, 1.0, 1.0, 1.0, 1.0, 1.0}};
}

/// Every point any series of the chart holds is a number within the axes.
bool isDrawable(const ChartPanel& chart)
{
    const auto all = chart.chart()->series();
    const auto* values = qobject_cast<QCategoryAxis*>(chart.chart()->axes(Qt::Vertical).first());
    if (!(values->max() > values->min()) || !std::isfinite(values->min()) || !std::isfinite(values->max()))
        return false;
    for (const QAbstractSeries* series : all) {
        const auto* line = qobject_cast<const QLineSeries*>(series);
        if (!line)
            continue;
        for (const QPointF& point : line->points()) {
            if (!std::isfinite(point.x()) || !std::isfinite(point.y()) || point.y() < values->min() - 1e-9 ||
                point.y() > values->max() + 1e-9)
                return false;
        }
    }
    return true;
}

QStringList labels(const ChartAxis& axis)
{
    QStringList texts;
    for (const auto& tick : axis.ticks())
        texts << tick.second;
    return texts;
}

} // namespace

Q_DECLARE_METATYPE(std::vector<lapbench::LivePoint>)

class TestCharts : public QObject {
    Q_OBJECT

private slots:
    void ticksAreRound_data()
    {
        QTest::addColumn<double>("largest");
        QTest::addColumn<QStringList>("wanted");
        QTest::newRow("thousands") << 18123.0 << QStringList{"0", "5k", "10k", "15k", "20k"};
        QTest::newRow("a fraction") << 0.93 << QStringList{"0", "0.5", "1"};
        QTest::newRow("exactly on a tick") << 40.0 << QStringList{"0", "10", "20", "30", "40"};
        QTest::newRow("thousands of millions") << 1.8e9 << QStringList{"0", "0.5G", "1G", "1.5G", "2G"};
        QTest::newRow("millions of millions") << 2.1e12 << QStringList{"0", "1T", "2T", "3T"};
        QTest::newRow("nothing") << 0.0 << QStringList{"0"};
        QTest::newRow("no number") << kNaN << QStringList{"0"};
    }
    void ticksAreRound()
    {
        QFETCH(double, largest);
        QFETCH(QStringList, wanted);
        const ChartAxis axis = ChartAxis::linear(largest);
        QCOMPARE(labels(axis), wanted);
        QVERIFY(axis.high() > axis.low());
    }

    void logarithmicTicksAreOneTwoFive()
    {
        const ChartAxis axis = ChartAxis::logarithmic(2.6, 47);
        QVERIFY(axis.isLogarithmic());
        QCOMPARE(labels(axis), QStringList({"2", "5", "10", "20", "50"}));
        QCOMPARE(axis.place(10), 1.0);
        QCOMPARE(axis.place(0), axis.low());
        QCOMPARE(axis.place(kNaN), axis.low());
        QCOMPARE(axis.place(1e9), axis.high());
        QVERIFY(!ChartAxis::logarithmic(0, 10).isLogarithmic());
        QCOMPARE(labels(ChartAxis::logarithmic(1, 1e6)), QStringList({"1", "10", "100", "1000", "10k", "100k", "1M"}));
    }

    void timeStartsWhereTheWarmUpDoes()
    {
        const ChartAxis axis = ChartAxis::between(-2, 6);
        QCOMPARE(axis.low(), -2.0);
        QCOMPARE(axis.high(), 6.0);
        QCOMPARE(labels(axis), QStringList({"-2", "0", "2", "4", "6"}));
        QVERIFY(ChartAxis::between(5, 5).high() > ChartAxis::between(5, 5).low());
    }

    void rateChartsTakeAnything_data() { addCases(); }
    void rateChartsTakeAnything()
    {
        QFETCH(std::vector<LivePoint>, points);
        RateChart chart;
        chart.resize(400, 200);
        chart.setFinished({{points, 3, "a"}, {points, 99, "b"}});
        chart.setCurrent({points, 1, "c"}, 10);
        QVERIFY(isDrawable(chart));
        QVERIFY(!chart.grab().isNull());
        chart.clear();
        QVERIFY(isDrawable(chart));
    }

    void latencyChartsTakeAnything_data() { addCases(); }
    void latencyChartsTakeAnything()
    {
        QFETCH(std::vector<LivePoint>, points);
        LatencyChart chart;
        chart.resize(400, 200);
        chart.setCurve(points, 1, 10);
        QVERIFY(isDrawable(chart));
        QVERIFY(!chart.grab().isNull());
        chart.clear();
        QVERIFY(isDrawable(chart));
    }

    void thePlotFollowsTheSizeOfTheChart()
    {
        RateChart chart;
        chart.resize(800, 300);
        chart.setCurrent({{{0, 0.0, {}, {}, {}, {}}, {10, 100.0, {}, {}, {}, {}}}, 0, "a"}, 10);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        for (const QSize& size : {QSize(800, 200), QSize(500, 200), QSize(900, 500)}) {
            chart.resize(size);
            QCoreApplication::processEvents();
            const QRectF area = chart.chart()->plotArea();
            QVERIFY(QRectF(QPointF(), QSizeF(size)).contains(area));
            QAbstractSeries* line = chart.chart()->series().last();
            const QPointF corner = chart.chart()->mapToPosition({10, 100}, line);
            QVERIFY2((corner - area.topRight()).manhattanLength() < 2, qPrintable(QString::number(size.height())));
            const QPointF origin = chart.chart()->mapToPosition({0, 0}, line);
            const QImage picture = chart.grab().toImage();
            const auto isDrawnOn = [&](double y) {
                for (int row = int(y) - 1; row <= int(y) + 1; ++row) {
                    if (picture.pixelColor(int(area.center().x()), row) != chart.palette().color(QPalette::Base))
                        return true;
                }
                return false;
            };
            QVERIFY2(isDrawnOn(area.bottom()), "the lowest grid line stands elsewhere");
            QVERIFY2(isDrawnOn(area.top()), "the highest grid line stands elsewhere");
            QVERIFY2((origin - area.bottomLeft()).manhattanLength() < 2, qPrintable(QString::number(size.height())));
        }
    }

    void theLatencyAxisTurnsLogarithmicPastTenTimes()
    {
        LatencyChart chart;
        chart.setCurve({{1, 1.0, 900.0, 1000.0, 1100.0, 10000.0}}, 0, 10);
        QVERIFY(!chart.isLogarithmic());
        chart.setCurve({{1, 1.0, 900.0, 1000.0, 1100.0, 10001.0}}, 0, 10);
        QVERIFY(chart.isLogarithmic());
    }

    void onlyTheLastFinishedCurvesAreKept()
    {
        RateChart chart;
        const std::vector<LivePoint> points = {{1, 10.0, {}, {}, {}, {}}, {2, 10.0, {}, {}, {}, {}}};
        chart.setFinished(std::vector<RateCurve>(50, RateCurve{points, 0, "a"}));
        std::size_t drawn = 0;
        for (QAbstractSeries* series : chart.chart()->series())
            drawn += qobject_cast<QLineSeries*>(series)->points().isEmpty() ? 0 : 1;
        QCOMPARE(drawn, RateChart::kMostFinished);
    }

    void theChartSaysInWordsWhatItShows()
    {
        LatencyChart chart;
        QSignalSpy said(&chart, &ChartPanel::summaryChanged);
        chart.setCurve({{1, 1.0, 2900.0, 3180.0, 3600.0, 13200.0}}, 0, 10);
        QCOMPARE(chart.summary(), QStringLiteral("Latency: p50 3.18 ms, p99 13.2 ms"));
        QCOMPARE(said.size(), 1);
    }

    void coloursFollowThePalette()
    {
        RateChart chart;
        QPalette dark;
        dark.setColor(QPalette::Base, Qt::black);
        dark.setColor(QPalette::Text, Qt::white);
        chart.setPalette(dark);
        QCOMPARE(chart.backgroundBrush().color(), QColor(Qt::black));
        QVERIFY(targetColour(0, dark) != targetColour(0, QPalette(Qt::white)));
        QCOMPARE(targetColour(8, dark), targetColour(0, dark));
        QCOMPARE(targetColour(-1, dark), targetColour(0, dark));
    }

    void targetColoursStandOutFromTheirBackground_data()
    {
        QTest::addColumn<Theme>("theme");
        QTest::newRow("light") << Theme::light;
        QTest::newRow("dark") << Theme::dark;
    }
    void targetColoursStandOutFromTheirBackground()
    {
        QFETCH(Theme, theme);
        applyTheme(*qApp, theme);
        const auto luminance = [](const QColor& colour) {
            const auto channel = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
            return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF()) +
                   0.0722 * channel(colour.blueF());
        };
        const double base = luminance(qApp->palette().color(QPalette::Base));
        for (int i = 0; i < 8; ++i) {
            const double own = luminance(targetColour(i, qApp->palette()));
            const double contrast = (std::max(own, base) + 0.05) / (std::min(own, base) + 0.05);
            QVERIFY2(contrast > 2, qPrintable(QStringLiteral("colour %1: %2").arg(i).arg(contrast)));
        }
    }
};

QTEST_MAIN(TestCharts)
#include "tst_charts.moc"
