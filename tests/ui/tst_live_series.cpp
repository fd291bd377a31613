#include "ui/models/live_series.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace lapbench;

class TestLiveSeries : public QObject {
    Q_OBJECT

private slots:
    void fewPointsAreDrawnAsTheyAre()
    {
        LiveSeries series;
        QVERIFY(series.drawn().empty());
        LiveInterval interval;
        interval.t = 0.25;
        interval.rps = 100;
        interval.p50Us = 10;
        series.add(interval);
        const auto points = series.drawn();
        QCOMPARE(points.size(), std::size_t(1));
        QCOMPARE(*points[0].rps, 100.0);
        QVERIFY(!points[0].p99Us);
    }

    void whatIsNoNumberIsLeftOut()
    {
        LiveSeries series;
        LiveInterval interval;
        interval.t = 1;
        interval.rps = std::numeric_limits<double>::quiet_NaN();
        interval.p50Us = std::numeric_limits<double>::infinity();
        interval.p99Us = -1;
        series.add(interval);
        interval.t = std::numeric_limits<double>::quiet_NaN();
        series.add(interval);
        const auto points = series.drawn();
        QCOMPARE(points.size(), std::size_t(1));
        QVERIFY(!points[0].rps && !points[0].p50Us && !points[0].p99Us);
    }

    void anIntervalOfNoLengthIsNoPoint()
    {
        LiveSeries series;
        LiveInterval interval;
        interval.t = 0.5003;
        interval.length = 0.0003;
        interval.rps = 0;
        series.add(interval);
        QVERIFY(series.empty());
        interval.length = 0.25;
        series.add(interval);
        QVERIFY(!series.empty());
    }

    void manyPointsAreTakenTogetherAndNoSpikeIsLost()
    {
        LiveSeries series;
        for (int i = 0; i < 1000; ++i)
            series.add(LivePoint{i * 0.25, 100.0 + i % 2, 1.0, 2.0, 3.0, i == 501 ? 900.0 : 4.0});
        const auto points = series.drawn(100);
        QCOMPARE(points.size(), std::size_t(100));
        QCOMPARE(points.back().t, 999 * 0.25);
        double highest = 0;
        for (const LivePoint& point : points) {
            QCOMPARE(*point.rps, 100.5); // ten neighbours, five of each
            highest = std::max(highest, *point.p99Us);
        }
        QCOMPARE(highest, 900.0);
    }

    void theMostDrawnIsTheBound()
    {
        LiveSeries series;
        for (int i = 0; i < 14'400; ++i)
            series.add(LivePoint{i * 0.25, 1.0, {}, {}, {}, {}});
        QVERIFY(series.drawn().size() <= LiveSeries::kMostPoints);
    }

    void aSavedTrialIsDrawnByItsSeconds()
    {
        Trial trial;
        trial.load.durationSeconds = 2.5;
        for (unsigned t = 0; t < 3; ++t) {
            TrialSecond second;
            second.load.t = t;
            second.load.ok = 100;
            Histogram histogram;
            histogram.record(2'000'000, 100);
            second.load.latency = histogram.sparse();
            trial.seconds.push_back(second);
        }
        const auto points = LiveSeries::fromTrial(trial).drawn();
        QCOMPARE(points.size(), std::size_t(3));
        QCOMPARE(points[0].t, 1.0);
        QCOMPARE(*points[0].rps, 100.0);
        QVERIFY(std::abs(*points[0].p50Us - 2000) < 2.1); // one bucket of a thousandth
        QVERIFY(!points[2].rps);                          // half a second is no rate
    }
};

QTEST_GUILESS_MAIN(TestLiveSeries)
#include "tst_live_series.moc"
