#include "core/session/noise.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace lapbench;

namespace {

MachineShares shares(double busy, double server, double generator, double steal = 0)
{
    return {{busy, 0.5, steal}, server, generator, false};
}

bool twice(const std::string& stat)
{
    const QTemporaryDir folder;
    std::ofstream(folder.filePath("stat").toStdString()) << stat;
    return interruptsCountTwice(folder.path().toStdString());
}

} // namespace

class TestNoise : public QObject {
    Q_OBJECT

private slots:
    void whatIsNeitherOfTheServerNorOfTheGeneratorIsOfOthers()
    {
        QVERIFY(qFuzzyCompare(*othersCores(shares(1.9, 0.9, 0.6)), 0.4));
        QVERIFY(qFuzzyCompare(*noiseOf(shares(1.9, 0.9, 0.6), 4), 0.1));
        QVERIFY(qFuzzyCompare(*noiseOf(shares(1.9, 0.9, 0.6, 0.4), 4), 0.2));
    }

    /// The ticks of server and generator may run a little ahead of the machine's.
    void othersAreNeverLessThanNothing()
    {
        QCOMPARE(*othersCores(shares(1.4, 0.9, 0.6)), 0.0);
        QVERIFY(qFuzzyCompare(*noiseOf(shares(1.4, 0.9, 0.6, 0.2), 2), 0.1));
    }

    void interruptsBelongToThoseTheyInterruptWhereTheKernelCountsTicks()
    {
        MachineShares counted = shares(1.3, 0.95, 0.85);
        QCOMPARE(*othersCores(counted), 0.0);
        counted.interruptsTwice = true;
        counted.machine.irqCores = 0.9;
        QVERIFY(qFuzzyCompare(*othersCores(counted), 0.4));
    }

    void theColumnOfHardInterruptsTellsHowTheKernelCounts()
    {
        QVERIFY(twice("cpu  2411722 247456 737508 1504148 5532 0 181171 1071 0 0\n"));
        QVERIFY(!twice("cpu  2411722 247456 737508 1504148 5532 21 181171 1071 0 0\n"));
        QVERIFY(!twice("cpu  24"));
    }

    void whatIsNotKnownIsAbsent()
    {
        MachineShares some = shares(1, 0.5, 0.5);
        some.server.reset(); // only a URL
        QVERIFY(!othersCores(some) && !noiseOf(some, 2));
        some = shares(1, 0.5, 0.5);
        some.generator.reset();
        QVERIFY(!noiseOf(some, 2));
        some = shares(1, 0.5, 0.5);
        some.machine.busyCores.reset();
        QVERIFY(!noiseOf(some, 2));
        QVERIFY(!noiseOf(shares(1, 0.5, 0.5), 0));
    }

    void aSecondIsNoisyAboveATenthOfTheMachine()
    {
        QCOMPARE(*noisyShare({0.10, 0.101, 0.0, 0.5}), 0.5);
        QCOMPARE(*noisyShare({std::nullopt, 0.2, 0.0}), 0.5);
        QVERIFY(!noisyShare({}));
        QVERIFY(!noisyShare({std::nullopt}));
    }

    void moreThanAFifthOfNoisySecondsIsWarnedOf()
    {
        MachineFigures host;
        QVERIFY(!noiseWarning(host, "make (7) 0.80"));
        host.noisySeconds = 0.20;
        QVERIFY(!noiseWarning(host, "make (7) 0.80"));
        host.noisySeconds = 0.25;
        host.othersCpuCoresMean = 0.81;
        host.steal = 0.0005;
        const Warning warning = noiseWarning(host, "make (7) 0.80").value();
        QCOMPARE(warning.code, std::string("noisy"));
        QCOMPARE(warning.severity, std::string("warning"));
        QCOMPARE(warning.evidence, std::string("others used 0.810 cores; make (7) 0.80"));
        QVERIFY(warning.text.find("25.0 %") != std::string::npos);
    }

    void aGapInOnesOwnTimeIsAStop()
    {
        const auto noted = [](std::vector<int> ms) {
            std::vector<OwnTime> times;
            for (const int at : ms)
                times.push_back({at * std::int64_t{1'000'000}, 0});
            return times;
        };
        const std::int64_t second = 1'000'000'000;
        QCOMPARE(stoodStill(noted({900, 1000, 1120, 1600, 1900}), second, 2 * second), 0.0);
        QCOMPARE(stoodStill(noted({900, 1100, 1800, 1900}), second, 2 * second), 0.7);
        // Only what lies in the window.
        QCOMPARE(stoodStill(noted({100, 1700, 1900}), second, 2 * second), 0.7);
        QCOMPARE(stoodStill(noted({900, 1000, 1200, 4000}), second, 2 * second), 0.8);
        QCOMPARE(stoodStill(noted({100, 4000}), second, 2 * second), 1.0);
        QCOMPARE(stoodStill(noted({2400, 4000}), second, 2 * second), 0.0);
        // The threads of the load went on, and only the one that notes did not.
        std::vector<OwnTime> working = noted({900, 1100, 1800, 1900});
        working[2].cpuSeconds = working[3].cpuSeconds = 0.3;
        QCOMPARE(stoodStill(working, second, 2 * second), 0.0);
    }

    void ownTimeRises()
    {
        const OwnTime before = ownTimeNow();
        volatile double sum = 0;
        while (ownTimeNow().cpuSeconds < before.cpuSeconds + 0.002)
            sum = sum + 1;
        QVERIFY(ownTimeNow().atNs > before.atNs);
    }
};

QTEST_APPLESS_MAIN(TestNoise)
#include "tst_noise.moc"
