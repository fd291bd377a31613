#include "core/host/condition_findings.h"

#include <QTest>

using namespace lapbench;

class TestConditionFindings : public QObject {
    Q_OBJECT

private slots:
    void whatTheMachineDoesNotTellHasNoFinding() { QVERIFY(judgeConditions({}, std::nullopt).empty()); }

    void eachBoundHasTwoSides_data()
    {
        QTest::addColumn<QString>("figure");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("severity");
        QTest::addColumn<QString>("text");
        QTest::newRow("no boost") << "turbo" << 0.0 << "turbo"
                                  << "ok"
                                  << "does not boost";
        QTest::newRow("boost") << "turbo" << 1.0 << "turbo"
                               << "info"
                               << "may boost";
        QTest::newRow("plugged in") << "battery" << 0.0 << "battery"
                                    << "ok"
                                    << "does not run on its battery";
        QTest::newRow("on battery") << "battery" << 1.0 << "battery"
                                    << "warning"
                                    << "runs on its battery";
        QTest::newRow("a quota of all") << "quota" << 4.0 << "cpu_quota"
                                        << "ok"
                                        << "4.00 cores";
        QTest::newRow("a quota of less") << "quota" << 3.99 << "cpu_quota"
                                         << "warning"
                                         << "3.99 cores";
        QTest::newRow("enough memory") << "limit" << 1e9 << "memory_limit"
                                       << "ok"
                                       << "1.00 GB";
        QTest::newRow("little memory") << "limit" << 999e6 << "memory_limit"
                                       << "warning"
                                       << "999 MB";
        QTest::newRow("idle") << "cpu" << 0.099 << "pressure"
                              << "ok"
                              << "9.90 % for a processor";
        QTest::newRow("busy") << "cpu" << 0.1 << "pressure"
                              << "warning"
                              << "10.0 % for a processor";
        QTest::newRow("memory is there") << "memory" << 0.0099 << "pressure"
                                         << "ok"
                                         << "0.990 % for memory";
        QTest::newRow("memory is short") << "memory" << 0.01 << "pressure"
                                         << "warning"
                                         << "1.00 % for memory";
        QTest::newRow("a quiet disk") << "io" << 0.099 << "pressure"
                                      << "ok"
                                      << "9.90 % for the disk";
        QTest::newRow("a busy disk") << "io" << 0.1 << "pressure"
                                     << "warning"
                                     << "10.0 % for the disk";
        QTest::newRow("little swapped") << "swap" << 99e6 << "swap"
                                        << "ok"
                                        << "99.0 MB";
        QTest::newRow("much swapped") << "swap" << 100e6 << "swap"
                                      << "warning"
                                      << "100 MB";
    }
    void eachBoundHasTwoSides()
    {
        QFETCH(QString, figure);
        QFETCH(double, value);
        QFETCH(QString, code);
        QFETCH(QString, severity);
        QFETCH(QString, text);
        Conditions conditions;
        if (figure == "turbo")
            conditions.turbo = value > 0;
        else if (figure == "battery")
            conditions.onBattery = value > 0;
        else if (figure == "quota")
            conditions.cpuQuotaCores = value;
        else if (figure == "limit")
            conditions.memoryLimitBytes = static_cast<std::uint64_t>(value);
        else if (figure == "cpu")
            conditions.cpuPressure = value;
        else if (figure == "memory")
            conditions.memoryPressure = value;
        else if (figure == "io")
            conditions.ioPressure = value;
        else
            conditions.swapUsedBytes = static_cast<std::uint64_t>(value);
        const auto findings = judgeConditions(conditions, 4);
        QCOMPARE(findings.size(), std::size_t(1));
        QCOMPARE(findings[0].code, code.toStdString());
        QCOMPARE(findings[0].severity, severity.toStdString());
        QVERIFY2(findings[0].text.find(text.toStdString()) != std::string::npos, findings[0].text.c_str());
        QCOMPARE(findings[0].cure.empty(), severity == "ok");
    }

    void theKindsOfPressureStandInOneSentence()
    {
        Conditions conditions;
        conditions.cpuPressure = 0.05;
        conditions.memoryPressure = 0;
        conditions.ioPressure = 0.25;
        const auto findings = judgeConditions(conditions, 4);
        QCOMPARE(findings.size(), std::size_t(1));
        QCOMPARE(findings[0].severity, std::string("warning"));
        QVERIFY2(findings[0].text.starts_with("of the last 10 s processes waited 5.00 % for a processor, 0"),
                 findings[0].text.c_str());
    }
};

QTEST_APPLESS_MAIN(TestConditionFindings)
#include "tst_condition_findings.moc"
