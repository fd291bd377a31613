#include "core/session/trial_warnings.h"

#include <QTest>

using namespace lapbench;

namespace {

/// 10 connections, each answered a thousand times in 10 s: 10 ms each.
LoadFigures busy()
{
    LoadFigures load;
    load.connectionsAsked = 10;
    load.durationSeconds = 10;
    load.ok = 9000;
    load.failed = 1000; // they count too
    load.requestSeconds = 100;
    return load;
}

bool warns(const LoadFigures& load, bool closedLoop = true)
{
    return littlesLaw(load, closedLoop).has_value();
}

} // namespace

class TestTrialWarnings : public QObject {
    Q_OBJECT

private slots:
    void connectionsThatStoodIdleBreakLittlesLaw()
    {
        LoadFigures load = busy();
        QVERIFY(!warns(load));
        load.requestSeconds = 95.1; // 1000/s x 9.51 ms = 9.51
        QVERIFY(!warns(load));
        load.requestSeconds = 94.9;
        const Warning warning = littlesLaw(load, true).value();
        QCOMPARE(warning.code, std::string("littles_law"));
        QCOMPARE(warning.evidence, std::string("10 connections, 1.00k requests/s, mean latency 9.49 ms"));
        QVERIFY2(warning.text.starts_with("9.49 requests were under way at a time and not 10"), warning.text.c_str());
        load.requestSeconds = 105.1;
        QVERIFY(warns(load));
    }

    void streamsCountAsPlaces()
    {
        LoadFigures load = busy();
        load.streams = 4;
        load.ok = 99'000;
        QVERIFY(warns(load));
        load.requestSeconds = 400;
        QVERIFY(!warns(load));
    }

    void whereItCannotBeToldNobodyIsWarned()
    {
        LoadFigures idle = busy();
        idle.requestSeconds = 50;
        QVERIFY(warns(idle));
        QVERIFY(!warns(idle, false)); // an open loop
        LoadFigures load = idle;
        load.durationSeconds = 0.99;
        QVERIFY(!warns(load));
        load = idle;
        load.ok = 0;
        load.failed = 999; // below a hundred a connection
        QVERIFY(!warns(load));
        load = idle;
        load.reconnects = 11; // more than one in a thousand
        QVERIFY(!warns(load));
        load = idle;
        load.errors = {{ErrorKind::connectRefused, Phase::connect, 1, 0, {}, {}}};
        QVERIFY(!warns(load));
        load = idle;
        load.requestSeconds.reset(); // of a file
        QVERIFY(!warns(load));
    }

    void crowdsAreInformation()
    {
        LoadFigures load;
        load.ok = 1050;
        load.histogram.record(1'000'000, 1000);
        load.histogram.record(41'000'000, 50);
        const std::vector<Warning> warnings = stallWarnings(load, std::nullopt);
        QCOMPARE(warnings.size(), std::size_t(1));
        QCOMPARE(warnings.front().code, std::string("stall_40ms"));
        QCOMPARE(warnings.front().severity, std::string("info"));
        QCOMPARE(warnings.front().evidence, std::string("50 of 1050"));
        QVERIFY2(warnings.front().text.starts_with("4.76 % of the answers crowd at 40 ms"),
                 warnings.front().text.c_str());
    }

    void mostAnswersAtAStallAreTheServersOwnWhereItIsBusy()
    {
        LoadFigures load;
        load.ok = 100;
        load.histogram.record(1'000'000, 49);
        load.histogram.record(44'000'000, 51);
        QCOMPARE(stallWarnings(load, 0.49).size(), std::size_t(1));
        QVERIFY(stallWarnings(load, 0.51).empty());
        QVERIFY(stallWarnings(load, std::nullopt).empty());
        load.histogram.record(1'000'000, 2); // now half
        QCOMPARE(stallWarnings(load, 0.51).size(), std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(TestTrialWarnings)
#include "tst_trial_warnings.moc"
