#include "core/session/condition_warnings.h"

#include <QTest>

using namespace lapbench;

class TestConditionWarnings : public QObject {
    Q_OBJECT

    /// A machine in order, with counters that stand anywhere.
    static Conditions quiet()
    {
        Conditions conditions;
        conditions.governor = "performance";
        conditions.turbo = false;
        conditions.onBattery = false;
        conditions.loadAverage = 0.1;
        conditions.cpuPressure = conditions.memoryPressure = conditions.ioPressure = 0;
        conditions.swapUsedBytes = 5'000'000;
        conditions.swappedPages = 1000;
        conditions.throttledPeriods = 40;
        conditions.thermalThrottles = 50;
        conditions.tcpRetransmits = 600;
        conditions.listenOverflows = 70;
        conditions.listenDrops = 80;
        conditions.stealSeconds = 10;
        conditions.processorSeconds = 1000;
        return conditions;
    }
    static std::vector<std::string> codes(const std::vector<Warning>& warnings)
    {
        std::vector<std::string> all;
        for (const Warning& warning : warnings)
            all.push_back(warning.code);
        return all;
    }

private slots:
    void aQuietMachineGivesNoWarning()
    {
        Conditions after = quiet();
        after.processorSeconds = 1200;
        QVERIFY(conditionWarnings(quiet(), after).empty());
    }

    void whatIsNotKnownIsPassedOver()
    {
        QVERIFY(conditionWarnings({}, {}).empty());
        Conditions after = quiet();
        after.swappedPages = 900'000;
        QVERIFY(conditionWarnings({}, after).empty());
    }

    void eachBoundHasTwoSides_data()
    {
        QTest::addColumn<QString>("figure");
        QTest::addColumn<double>("below"); // before and after where it is no counter, else how far it rose
        QTest::addColumn<double>("at");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("evidence");
        QTest::newRow("throttled") << "throttled" << 0.0 << 1.0 << "throttled"
                                   << "1 period throttled";
        QTest::newRow("too hot") << "thermal" << 0.0 << 2.0 << "thermal_throttled"
                                 << "2 throttling events";
        QTest::newRow("steal") << "steal" << 1.99 << 2.0 << "steal"
                               << "1.00 % of the time, 2.00 s";
        QTest::newRow("CPU pressure") << "cpu" << 0.099 << 0.1 << "cpu_pressure"
                                      << "10.0 % of the 10 s before (PSI)";
        QTest::newRow("memory pressure") << "memory" << 0.0099 << 0.01 << "memory_pressure"
                                         << "1.00 % of 10 s (PSI)";
        QTest::newRow("swapping") << "swapping" << 255.0 << 256.0 << "swapping"
                                  << "256 pages in and out";
        QTest::newRow("overflows") << "overflows" << 0.0 << 1.0 << "listen_overflows"
                                   << "1 connection attempt dropped";
        QTest::newRow("drops") << "drops" << 0.0 << 3.0 << "listen_overflows"
                               << "3 connection attempts dropped";
        QTest::newRow("retransmits") << "retransmits" << 9.0 << 10.0 << "tcp_retransmits"
                                     << "10 segments on the whole machine";
    }
    void eachBoundHasTwoSides()
    {
        QFETCH(QString, figure);
        QFETCH(double, below);
        QFETCH(double, at);
        QFETCH(QString, code);
        QFETCH(QString, evidence);
        const auto warningsWith = [&](double value) {
            Conditions before = quiet(), after = quiet();
            *after.processorSeconds += 200;
            const auto count = static_cast<std::uint64_t>(value);
            if (figure == "throttled")
                *after.throttledPeriods += count;
            else if (figure == "thermal")
                *after.thermalThrottles += count;
            else if (figure == "steal")
                *after.stealSeconds += value;
            else if (figure == "cpu")
                before.cpuPressure = value;
            else if (figure == "memory")
                after.memoryPressure = value;
            else if (figure == "swapping")
                *after.swappedPages += count;
            else if (figure == "overflows")
                *after.listenOverflows += count;
            else if (figure == "drops")
                *after.listenDrops += count;
            else
                *after.tcpRetransmits += count;
            return conditionWarnings(before, after);
        };
        QVERIFY(warningsWith(below).empty());
        const auto warnings = warningsWith(at);
        QCOMPARE(codes(warnings), std::vector{code.toStdString()});
        QCOMPARE(warnings[0].severity, std::string("warning"));
        QCOMPARE(warnings[0].evidence, evidence.toStdString());
        QVERIFY(!warnings[0].text.empty() && !warnings[0].text.ends_with('.'));
    }

    void theLoadsOwnPressureOnTheProcessorsIsNoDoubt()
    {
        Conditions after = quiet();
        after.cpuPressure = 0.9;
        QVERIFY(conditionWarnings(quiet(), after).empty());
    }

    void aCounterThatStartedAnewSaysNothing()
    {
        Conditions after = quiet();
        after.tcpRetransmits = 3;
        after.listenDrops = 0;
        QVERIFY(conditionWarnings(quiet(), after).empty());
    }

    void governorAndBatteryCountAtEitherEnd()
    {
        Conditions saving = quiet();
        saving.governor = "powersave";
        saving.onBattery = true;
        const auto both = conditionWarnings(saving, saving), later = conditionWarnings(quiet(), saving);
        QCOMPARE(codes(both), (std::vector<std::string>{"governor", "battery"}));
        QCOMPARE(both[0].evidence, std::string("governor powersave"));
        QCOMPARE(both[1].evidence, std::string("before and afterwards"));
        QCOMPARE(codes(later), (std::vector<std::string>{"governor", "battery"}));
        QCOMPARE(later[0].evidence, std::string("governor performance, afterwards powersave"));
        QCOMPARE(later[1].evidence, std::string("after the session"));
        QCOMPARE(conditionWarnings(saving, quiet()).size(), std::size_t(2));
    }

    void turboIsInformationUnlessItIsSwitched()
    {
        Conditions boosted = quiet();
        boosted.turbo = true;
        const auto steady = conditionWarnings(boosted, boosted), switched = conditionWarnings(quiet(), boosted);
        QCOMPARE(codes(steady), std::vector<std::string>{"turbo"});
        QCOMPARE(steady[0].severity, std::string("info"));
        QCOMPARE(switched[0].severity, std::string("warning"));
        QCOMPARE(switched[0].evidence, std::string("off before, on afterwards"));
    }
};

QTEST_APPLESS_MAIN(TestConditionWarnings)
#include "tst_condition_warnings.moc"
