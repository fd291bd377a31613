#include "core/result/import/request_samples.h"

#include <QTest>

using namespace lapbench;

class TestRequestSamples : public QObject {
    Q_OBJECT

private slots:
    void figuresAreThoseOfTheValuesThemselves()
    {
        RequestSamples samples;
        for (int i = 100; i >= 1; --i) // in any order
            samples.add(i * 10.5, i % 10 != 0);
        ImportedRun run;
        samples.fill(run);
        QCOMPARE(run.completed, std::optional<std::uint64_t>(100));
        QCOMPARE(run.failed, std::optional<std::uint64_t>(10));
        QCOMPARE(run.latency.minUs, std::optional(10.5));
        QCOMPARE(run.latency.maxUs, std::optional(1050.0));
        QCOMPARE(run.latency.meanUs, std::optional(530.25));                               // 10.5 x 101 / 2
        QVERIFY(std::abs(run.latency.stdevUs.value() - 10.5 * 29.011491975882016) < 1e-6); // sqrt(100 x 101 / 12)
        const auto& percentiles = run.latency.percentilesUs;
        QCOMPARE(percentiles.at("p25"), 262.5); // nearest rank: the 25th, no value between two
        QCOMPARE(percentiles.at("p50"), 525.0);
        QCOMPARE(percentiles.at("p99"), 1039.5);
        QCOMPARE(percentiles.at("p99_9"), 1050.0);
        QCOMPARE(run.histogram->total(), std::uint64_t(100));
        QVERIFY(!run.durationSeconds && !run.rps && run.seconds.empty()); // no starts
    }

    void withStartsThereAreTimeRateAndSeconds()
    {
        RequestSamples samples;
        samples.add(250'000, true, 10'500'000.0);
        samples.add(500'000, true, 10'000'000.0); // the first to start
        samples.add(1'000'000, false, 11'000'000.0);
        ImportedRun run;
        samples.fill(run);
        QCOMPARE(run.durationSeconds, std::optional(2.0));
        QCOMPARE(run.rps, std::optional(1.5));
        QCOMPARE(run.seconds.size(), std::size_t(2)); // by when they ended: 0.5 and 0.75, and 2
        QCOMPARE(run.seconds[0].t, 0U);
        QCOMPARE(run.seconds[0].ok, std::uint64_t(2));
        QCOMPARE(run.seconds[1].t, 2U);
        QCOMPARE(run.seconds[1].failed, std::uint64_t(1));
    }

    void oneWithoutAStartLeavesTheTimeOpen()
    {
        RequestSamples samples;
        samples.add(1000, true, 0.0);
        samples.add(1000, true);
        ImportedRun run;
        samples.fill(run);
        QCOMPARE(run.completed, std::optional<std::uint64_t>(2));
        QVERIFY(!run.durationSeconds && !run.rps);
    }
};

QTEST_GUILESS_MAIN(TestRequestSamples)
#include "tst_request_samples.moc"
