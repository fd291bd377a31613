#include "tests/cli/cli_process.h"

#include <QJsonArray>

using namespace lapbench::test;

class TestCliFind : public QObject {
    Q_OBJECT

private slots:
    void aPlanThatSearchesFindsTheRateThatFourConnectionsCan()
    {
        // Each of the 4 connections is held for 20 ms: at most 200 requests/s. In windows of 400 ms after a warm-up of
        // 100 a rate may be so far above that its queue stays below the 40 ms left: 200 (1 + 40/500) = 216.
        const CliPlace place;
        const QString plan = place.write("p.plan.json", R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p",
            "targets": [{"name": "a", "label": "Delayed", "builtin": true}], "workloads": [{"path": "/delay/20"}],
            "load": {"connections": [4], "threads": 1, "find": {"p99": "60ms"}},
            "measure": {"duration": "4s"}, "rounds": 1})");
        const QString result = place.path("r.lapbench.json");
        const CliEnd end = place.run({"run", plan, "-o", result, "--scale", "0.1", "--progress", "none"});
        QVERIFY2(end.code == 0, end.err);
        QVERIFY2(end.out.contains("highest rate with p99 <= 60 ms, at most 0.1 % errors"), end.out);
        QVERIFY2(end.out.contains("Delayed: p99 <= 60 ms, at most 0.1 % errors, holds up to "), end.out);
        QVERIFY2(end.out.contains("latency against rate"), end.out);

        const QJsonObject saved = QJsonDocument::fromJson(CliPlace::read(result)).object();
        const QJsonObject trial = saved["trials"].toArray().first().toObject();
        const QJsonObject search = trial["search"].toObject();
        const double rate = search["rate"].toDouble();
        QVERIFY2(rate >= 60 && rate <= 225, qPrintable(QString::number(rate)));
        QVERIFY(trial["rps"].toDouble() <= 225);
        bool failedAbove = false;
        for (const QJsonValue step : search["steps"].toArray()) {
            const bool held = step["held"].toBool();
            QVERIFY(held || !step["why"].toString().isEmpty());
            QVERIFY(!held || step["rate"].toDouble() <= rate);
            failedAbove = failedAbove || (!held && step["rate"].toDouble() <= rate * 1.021);
        }
        QVERIFY(failedAbove || search["steps"].toArray().size() == 14);
        QCOMPARE(saved["cells"].toArray().first()["goal_rate"]["median"].toDouble(), rate);

        const CliEnd shown = place.run({"show", result, "--format", "markdown"});
        QVERIFY2(shown.out.contains("| Delayed |"), shown.out);
        QVERIFY2(shown.out.contains(": latency against rate"), shown.out);
    }

    void aGoalThatNoRateKeepsIsAFailureWithItsReason()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p",
            "targets": [{"name": "a", "builtin": true}], "workloads": [{"path": "/delay/20"}],
            "load": {"connections": [4], "find": {"p50": "5ms", "from": 100}}, "measure": {"duration": "1s"}, "rounds": 1})");
        const QString result = place.path("r.lapbench.json");
        const CliEnd end = place.run({"run", plan, "-o", result, "--scale", "0.2", "--progress", "none"});
        QCOMPARE(end.code, 1);
        QVERIFY2(end.out.contains("even 100 requests/s did not keep the goal (p50 <= 5 ms, at most 0.1 % errors)"),
                 end.out + end.err);
    }
};

QTEST_GUILESS_MAIN(TestCliFind)
#include "tst_cli_find.moc"
