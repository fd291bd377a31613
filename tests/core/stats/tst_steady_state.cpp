#include "core/stats/steady_state.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>

using namespace lapbench;

namespace {

/// So many values around a level: the noise is a fixed sequence with standard deviation 1, from a small generator.
void append(std::vector<double>& series, std::size_t count, double level, double noise)
{
    std::uint32_t state = 12345 + static_cast<std::uint32_t>(series.size());
    for (std::size_t i = 0; i < count; ++i) {
        double sum = 0;
        for (int draw = 0; draw < 12; ++draw) {
            state = state * 1664525 + 1013904223;
            sum += static_cast<double>(state) / 4294967296.0;
        }
        series.push_back(level + noise * (sum - 6)); // twelve uniform values have variance 1
    }
}

} // namespace

class TestSteadyState : public QObject {
    Q_OBJECT

private slots:
    void aLevelSeriesIsSteadyFromItsFirstValue()
    {
        std::vector<double> series;
        append(series, 30, 5000, 50);
        QCOMPARE(changePoints(series), std::vector<std::size_t>{0});
        QCOMPARE(findSteady(series), std::optional<std::size_t>(0));
    }

    void aSeriesThatIsTooShortIsNotSteadyYet()
    {
        std::vector<double> series;
        append(series, 29, 5000, 50);
        QVERIFY(!findSteady(series));
    }

    void aStepIsFoundWhereItIs()
    {
        std::vector<double> series;
        append(series, 17, 3000, 50);
        append(series, 40, 5000, 50);
        QCOMPARE(changePoints(series), (std::vector<std::size_t>{0, 17}));
        QCOMPARE(findSteady(series), std::optional<std::size_t>(17));
    }

    void whatComesShortlyAfterAStepIsNotSteadyYet()
    {
        std::vector<double> series;
        append(series, 60, 3000, 50);
        append(series, 20, 5000, 50);
        QVERIFY(!findSteady(series));
    }

    void aLevelWithinTheToleranceIsTheSameLevel()
    {
        std::vector<double> series;
        append(series, 40, 5100, 10);
        append(series, 40, 5000, 10);
        QCOMPARE(changePoints(series), (std::vector<std::size_t>{0, 40})); // a change, but of 2 %
        QCOMPARE(findSteady(series), std::optional<std::size_t>(0));
    }

    void aSeriesThatKeepsGrowingIsNeverSteady()
    {
        std::vector<double> series;
        for (int i = 0; i < 200; ++i)
            append(series, 1, 1000 + 100 * i, 20);
        QVERIFY(!findSteady(series));
    }

    void aSeriesThatSwingsIsNeverSteady()
    {
        std::vector<double> series;
        for (int i = 0; i < 8; ++i)
            append(series, 20, i % 2 == 0 ? 5000 : 3000, 30);
        QVERIFY(!findSteady(series));
    }

    void nothingAnsweredIsNotSteady() { QVERIFY(!findSteady(std::vector<double>(100, 0.0))); }

    /// 64 connections to a server that takes half a second: 64 answers in every fifth value.
    void answersInBurstsAreSteady()
    {
        std::vector<double> series;
        for (int i = 0; i < 60; ++i)
            series.push_back(i % 5 == 4 ? 64 : 0);
        QVERIFY(!findSteady(std::span(series).first(49))); // nine bursts
        QCOMPARE(findSteady(series), std::optional<std::size_t>(0));
    }

    /// 503 ms: now five, now six values from one answer to the next.
    void burstsThatDriftThroughTheIntervalsAreSteady()
    {
        std::vector<double> series(120, 0.0);
        for (int i = 1; i * 503 < 12'000; ++i)
            series[static_cast<std::size_t>(i * 503 / 100)] += 8;
        QVERIFY(findSteady(series).has_value());
    }

    void oneAnswerASecondIsSteadyAfterTenSeconds()
    {
        std::vector<double> series;
        for (int i = 0; i < 101; ++i)
            series.push_back(i % 10 == 0 ? 1 : 0);
        QVERIFY(!findSteady(std::span(series).first(95)));
        QCOMPARE(findSteady(series), std::optional<std::size_t>(1));
    }

    void aChangeOfPaceIsFoundAmongFewAnswers()
    {
        std::vector<double> series;
        for (int i = 0; i < 100; ++i)
            series.push_back(i % 5 == 4 ? 8 : 0);
        for (int i = 0; i < 30; ++i)
            series.push_back(i % 5 == 4 ? 24 : 0);
        QVERIFY(!findSteady(series)); // six bursts at the new level
        for (int i = 0; i < 40; ++i)
            series.push_back(i % 5 == 4 ? 24 : 0);
        const auto since = findSteady(series);
        QVERIFY2(since && *since >= 95 && *since <= 105, std::to_string(since.value_or(0)).c_str());
    }

    void aPauseIsNoPace()
    {
        std::vector<double> series;
        append(series, 40, 5000, 50);
        series[30] = series[31] = 0;
        QCOMPARE(findSteady(series), std::optional<std::size_t>(0));
        QVERIFY(!findSteady(std::span(series).first(29)));
    }

    void aServerThatFallsSilentIsNotSteady()
    {
        std::vector<double> series;
        for (int i = 0; i < 60; ++i)
            series.push_back(i % 2);
        series.resize(120, 0.0);
        QVERIFY(!findSteady(series));
    }

    /// An hour and a half that never gets steady, looked at once: the work must not grow with the square of its length.
    void aLongWarmUpCostsNoMoreThanAShortOne()
    {
        std::vector<double> series;
        for (int i = 0; i < 60'000; ++i)
            series.push_back(i / 20 % 2 == 0 ? 5000 : 3000);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!findSteady(series));
        QVERIFY2(timer.elapsed() < 2000, std::to_string(timer.elapsed()).c_str());
        append(series, 60, 7000, 50);
        QCOMPARE(findSteady(series), std::optional<std::size_t>(60'000));
    }

    void oneOutlierChangesNothing()
    {
        std::vector<double> series;
        append(series, 40, 5000, 50);
        series[20] = 3500;
        QCOMPARE(findSteady(series), std::optional<std::size_t>(0));
    }
};

QTEST_APPLESS_MAIN(TestSteadyState)
#include "tst_steady_state.moc"
