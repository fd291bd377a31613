#include "core/server/sample_history.h"

#include <QTest>

#include <cmath>

using namespace lapbench;

namespace {

constexpr std::int64_t kMs = 1'000'000;

/// One sample each 100 ms, with the CPU used up to each of them.
SampleHistory historyOf(const std::vector<double>& cpuSeconds)
{
    SampleHistory history;
    for (std::size_t i = 0; i < cpuSeconds.size(); ++i)
        history.add({static_cast<std::int64_t>(i) * 100 * kMs, cpuSeconds[i], 1000 * (i + 1),
                     static_cast<unsigned>(i % 3 + 1)});
    return history;
}

} // namespace

#define COMPARE_CLOSE(actual, expected)                                                                                \
    do {                                                                                                               \
        const double value = (actual);                                                                                 \
        QVERIFY2(std::abs(value - (expected)) < 1e-9, std::to_string(value).c_str());                                  \
    } while (false)

class TestSampleHistory : public QObject {
    Q_OBJECT

private slots:
    void theMeanIsTheDifferenceOverTheStretch()
    {
        // Even at 0.5 cores for two seconds.
        std::vector<double> cpu;
        for (int i = 0; i <= 20; ++i)
            cpu.push_back(0.05 * i);
        const SampleHistory history = historyOf(cpu);
        COMPARE_CLOSE(*history.use(0, 2000 * kMs).cpuCoresMean, 0.5);
        // Both ends between two samples.
        COMPARE_CLOSE(*history.use(130 * kMs, 1777 * kMs).cpuCoresMean, 0.5);
        // Only where there are samples.
        COMPARE_CLOSE(*history.use(-5000 * kMs, 9000 * kMs).cpuCoresMean, 0.5);
        QVERIFY(!history.use(5000 * kMs, 9000 * kMs).cpuCoresMean);
        QVERIFY(!history.use(300 * kMs, 350 * kMs).cpuCoresMean);
        QVERIFY(!SampleHistory().use(0, 1000 * kMs).cpuCoresMean);
    }

    void thePeakIsTheHighestSecondNeverATick()
    {
        // Idle but for one tick of 10 ms at 1.5 s and a burst of 0.6 s of CPU spread over 2.0 to 2.6 s.
        std::vector<double> cpu;
        for (int i = 0; i <= 40; ++i)
            cpu.push_back((i >= 15 ? 0.01 : 0) + 0.1 * std::clamp(i - 20, 0, 6));
        const SampleHistory history = historyOf(cpu);
        const TreeUse use = history.use(0, 4000 * kMs);
        // The second from 1.6 to 2.6 s holds the whole burst and nothing of the tick; an earlier one holds less of the
        // burst, a later one no more.
        COMPARE_CLOSE(*use.cpuCoresPeak, 0.6);
        COMPARE_CLOSE(*use.cpuCoresMean, 0.61 / 4);
        QVERIFY(!history.use(2000 * kMs, 2600 * kMs).cpuCoresPeak);
    }

    void memoryAndProcessesAreOfTheSamplesInTheStretch()
    {
        const SampleHistory history = historyOf({0, 0, 0, 0, 0, 0});
        const TreeUse use = history.use(100 * kMs, 300 * kMs);
        QCOMPARE(*use.rssBytesMean, std::uint64_t(3000));
        QCOMPARE(*use.rssBytesPeak, std::uint64_t(4000));
        QCOMPARE(*use.processesPeak, 3u);
        QCOMPARE(*history.use(110 * kMs, 130 * kMs).rssBytesMean, std::uint64_t(2000));
        QVERIFY(!history.use(2000 * kMs, 3000 * kMs).rssBytesMean);
    }

    void secondsCoverTheStretchOneByOne()
    {
        std::vector<double> cpu;
        for (int i = 0; i <= 25; ++i)
            cpu.push_back(i <= 10 ? 0.1 * i : 1 + 0.02 * (i - 10));
        const auto seconds = historyOf(cpu).seconds(0, 2500 * kMs);
        QCOMPARE(seconds.size(), std::size_t(3));
        COMPARE_CLOSE(*seconds[0].cpuCores, 1.0);
        COMPARE_CLOSE(*seconds[1].cpuCores, 0.2);
        COMPARE_CLOSE(*seconds[2].cpuCores, 0.2);
        // The mean of 1000, 2000, .. 11000.
        QCOMPARE(*seconds[0].rssBytes, std::uint64_t(6000));
        const auto unknown = historyOf(cpu).seconds(10'000 * kMs, 12'000 * kMs);
        QCOMPARE(unknown.size(), std::size_t(2));
        QVERIFY(!unknown[0].cpuCores && !unknown[0].rssBytes);
    }

    void recentCpuNeedsHalfASecond()
    {
        QVERIFY(!historyOf({0, 0.1, 0.2, 0.3, 0.4}).recentCpuCores());
        COMPARE_CLOSE(*historyOf({0, 0.1, 0.2, 0.3, 0.4, 0.5}).recentCpuCores(), 1.0);
        COMPARE_CLOSE(*historyOf({0, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5.5}).recentCpuCores(), 0.5);
    }

    void historyIsBounded()
    {
        SampleHistory history;
        for (std::size_t i = 0; i < SampleHistory::kMostSamples + 10; ++i)
            history.add({static_cast<std::int64_t>(i) * 100 * kMs, 0, 1, 1});
        QVERIFY(history.samples().size() <= SampleHistory::kMostSamples);
        QCOMPARE(history.samples().back().atNs, static_cast<std::int64_t>(SampleHistory::kMostSamples + 9) * 100 * kMs);
    }
};

QTEST_APPLESS_MAIN(TestSampleHistory)
#include "tst_sample_history.moc"
