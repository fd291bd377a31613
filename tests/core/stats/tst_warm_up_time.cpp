#include "core/stats/warm_up.h"

#include <QTest>

#include <vector>

using namespace lapbench;

namespace {

/// Progress every 100 ms, with these right answers in each interval.
std::vector<Progress> series(const std::vector<unsigned>& perInterval)
{
    std::vector<Progress> progress = {{5'000'000'000, 17}};
    for (const unsigned right : perInterval)
        progress.push_back({progress.back().atNs + 100'000'000, progress.back().right + right});
    return progress;
}

} // namespace

class TestWarmUpTime : public QObject {
    Q_OBJECT

private slots:
    void aLoadThatIsWarmAtOnceTakesNoTime()
    {
        QCOMPARE(warmAfter(series({100, 100, 100, 100, 100, 100}), 1000).value(), 0.0);
    }

    void fiveIntervalsTogetherMustReachNineteenTwentieths()
    {
        // 475 of 500 in half a second: 95 % of 1000/s. The second, third, .. of these intervals are the first such
        // five.
        QCOMPARE(warmAfter(series({10, 95, 95, 95, 95, 95, 95}), 1000).value(), 0.1);
        QVERIFY(!warmAfter(series({10, 95, 95, 95, 95, 94, 94}), 1000));
        // One fast interval is none.
        QVERIFY(!warmAfter(series({10, 10, 300, 10, 10, 10, 10}), 1000));
    }

    void aSlowRiseTakesItsTime()
    {
        std::vector<unsigned> rise;
        for (unsigned i = 0; i < 40; ++i)
            rise.push_back(std::min(100U, i * 5));
        // Intervals 17 to 21 have 85, 90, 95, 100 and 100: 470. From 18 on it is 485 of the 475 that are asked for.
        QCOMPARE(warmAfter(series(rise), 1000).value(), 1.8);
    }

    void unknownIsAbsent()
    {
        QVERIFY(!warmAfter({}, 1000));
        QVERIFY(!warmAfter(series({100, 100, 100, 100}), 1000));
        QVERIFY(!warmAfter(series({100, 100, 100, 100, 100}), 0));
    }
};

QTEST_APPLESS_MAIN(TestWarmUpTime)
#include "tst_warm_up_time.moc"
