#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

class TestImportVegeta : public QObject {
    Q_OBJECT

private slots:
    void jsonIsRead()
    {
        const ImportedRuns runs = runsIn(importData("vegeta/report.json"));
        QCOMPARE(runs.size(), std::size_t{1});
        const ImportedRun& run = runs[0];
        QCOMPARE(run.semantics.tool, std::string("vegeta"));
        QCOMPARE(run.completed.value(), 1000U);
        QCOMPARE(run.failed.value(), 100U); // 30 without an answer, 40 + 30 of a bad status
        QCOMPARE(run.durationSeconds.value(), 10.5);
        QCOMPARE(run.rps.value(), 85.71428571428571); // 900 in 10.5 s
        QVERIFY(!run.semantics.rpsCountsErrors.value());
        QCOMPARE(run.rate.value(), 100.0);
        QCOMPARE(run.bodyReceived.value(), 12340U);
        QVERIFY(!run.bytesReceived);
        QCOMPARE(run.latency.minUs.value(), 250.0);
        QCOMPARE(run.latency.meanUs.value(), 1500.0);
        QCOMPARE(run.latency.maxUs.value(), 30001000.0);
        QCOMPARE(percentile(run, "p50"), 1250.5);
        QCOMPARE(percentile(run, "p99"), 9000.0);
        QCOMPARE(percentile(run, "p75"), -1.0);
        QCOMPARE(formatUtc(run.started.value()), std::string("2026-01-02T07:04:05.678Z"));
        QCOMPARE(errorsOf(run, ErrorKind::connectRefused), 30U);
        QCOMPARE(errorsOf(run, ErrorKind::unexpectedStatus), 70U);
    }

    void severalTextReportsAreRead()
    {
        const ImportedRuns runs = runsIn(importData("vegeta/report.txt"));
        QCOMPARE(runs.size(), std::size_t{2});
        const ImportedRun &first = runs[0], &second = runs[1];
        QCOMPARE(first.completed.value(), 1000U);
        QCOMPARE(first.failed.value(), 100U);
        QCOMPARE(first.durationSeconds.value(), 60.5);
        QCOMPARE(first.rps.value(), 100.1);
        QVERIFY(first.semantics.rpsCountsErrors.value());
        QCOMPARE(first.doubts.size(), std::size_t{1}); // 85.71 right answers a second
        QCOMPARE(first.latency.minUs.value(), 250.0);
        QCOMPARE(first.latency.meanUs.value(), 1500.0);
        QCOMPARE(percentile(first, "p50"), 1250.0);
        QCOMPARE(percentile(first, "p90"), 2000.0);
        QCOMPARE(percentile(first, "p99"), 9125.0);
        QCOMPARE(first.latency.maxUs.value(), 30001000.0);
        QCOMPARE(first.bodyReceived.value(), 12340U);
        QCOMPARE(errorsOf(first, ErrorKind::connectRefused), 30U);
        QVERIFY(!second.latency.minUs);
        QCOMPARE(percentile(second, "p50"), 900.0);
        QCOMPARE(percentile(second, "p90"), -1.0); // the older report has none
        QCOMPARE(second.failed.value(), 0U);
        QCOMPARE(second.rps.value(), 50.25);
    }

    void requestsOfEachAttackAreCounted()
    {
        const ImportedRuns runs = runsIn(importData("vegeta/requests.csv"));
        QCOMPARE(runs.size(), std::size_t{2});
        const ImportedRun &first = runs[0], &second = runs[1];
        QCOMPARE(first.target, std::string("first"));
        QCOMPARE(first.workload, std::string("GET /a"));
        QCOMPARE(first.completed.value(), 4U);
        QCOMPARE(first.failed.value(), 2U);
        QVERIFY(std::abs(first.durationSeconds.value() - 1.03) < 1e-9);
        QCOMPARE(first.latency.meanUs.value(), 9000.0);
        QCOMPARE(percentile(first, "p50"), 2000.0);
        QCOMPARE(first.latency.maxUs.value(), 30000.0);
        QCOMPARE(first.rate.value(), 4.0);
        QCOMPARE(first.bodyReceived.value(), 28U);
        QCOMPARE(first.seconds.size(), std::size_t{2});
        QCOMPARE(errorsOf(first, ErrorKind::timeout), 1U);
        QCOMPARE(errorsOf(first, ErrorKind::unexpectedStatus), 1U);
        QCOMPARE(formatUtc(first.started.value()), std::string("2026-01-02T03:04:05.000Z"));
        QCOMPARE(second.target, std::string("second"));
        QCOMPARE(second.workload, std::string("POST /b"));
        QVERIFY(!second.rate);
    }

    void thePlotTableIsMilliseconds()
    {
        const ImportedRuns runs = runsIn(importData("vegeta/hdrplot.txt"));
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs[0].completed.value(), 1000U);
        QVERIFY(!runs[0].failed && !runs[0].rps && !runs[0].latency.meanUs);
        QCOMPARE(percentile(runs[0], "p50"), 1000.0);
        QCOMPARE(percentile(runs[0], "p95"), 3000.0);
        QCOMPARE(percentile(runs[0], "p99_9"), 20500.0);
        QCOMPARE(percentile(runs[0], "p25"), -1.0);
        QCOMPARE(runs[0].latency.maxUs.value(), 30000.0);
    }

    void othersAreRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("a line a second of a filter") << QByteArray(
            "{\"bytes_in\":{\"sum\":468},\"code\":{\"hist\":{\"200\":39}},\"latency\":{\"p50\":1},\"rps\":39}\n");
        QTest::newRow("a summary of someone's own")
            << QByteArray("{\"vegeta_metrics\": {\"requests\": 10, \"rate\": 1, \"latency_mean_ms\": 8.2}}");
        QTest::newRow("numbers in twelve columns") << QByteArray("1,2,3,4,5,6,7,8,9,10,11,12\n");
    }
    void othersAreRefused()
    {
        QFETCH(QByteArray, bytes);
        QVERIFY(!refusalOf(bytes.toStdString()).empty());
    }

    void whatIsCutOffIsSaid()
    {
        const std::string whole = importData("vegeta/report.txt");
        QCOMPARE(refusalOf(whole.substr(0, whole.find("Latencies"))).substr(0, 14), std::string("name: line 2: "));
        const ImportedRuns runs = runsIn(whole.substr(0, whole.find("Status Codes")));
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs[0].failed.value(), 100U); // 10.00 % of 1000
        QVERIFY(runs[0].doubts.size() == 2);
        const ImportedRuns odd =
            runsIn("Requests [total, rate, throughput] 10, nan, -1\nDuration [total\n"
                   "Latencies [mean] 1ms\nBytes In ]total[ 7\nSuccess [ratio] -5%\nStatus Codes 0:x");
        QCOMPARE(odd.size(), std::size_t{1});
        QVERIFY(!odd[0].rps && !odd[0].durationSeconds && !odd[0].bodyReceived);
    }

    void plotsAreCalledByTheirHeadings()
    {
        const std::string head = "Value(ms)  Percentile  TotalCount  1/(1-Percentile)\n";
        const ImportedRuns runs =
            runsIn("## Node\n```\n" + head + "1.0 0.5 50 2.0\n3.0 1.0 100 inf\n```\n## Bun\n```\n" + head +
                   "5.0 0.5 100 2.0\n9.0 1.0 200 inf\n```\n");
        QCOMPARE(runs.size(), std::size_t{2});
        QCOMPARE(runs.at(0).target, std::string("Node"));
        QCOMPARE(runs.at(1).target, std::string("Bun"));
        QCOMPARE(runs.at(1).latency.maxUs.value_or(0), 9000.0);
    }

    void wordsAroundAReportDoNotChangeItsNumbers()
    {
        std::string words = "# Messung\n";
        for (int i = 0; i < 50; ++i)
            words += "Im Mittel 12,34 ms und 99,9 %.\n";
        const ImportedRuns alone = runsIn(importData("vegeta/report.txt")),
                           among = runsIn(words + "```\n" + importData("vegeta/report.txt") + "\n```\n" + words);
        QCOMPARE(among.size(), alone.size());
        QCOMPARE(among.front().latency.meanUs.value_or(0), alone.front().latency.meanUs.value_or(-1));
        QCOMPARE(among.front().durationSeconds.value_or(0), alone.front().durationSeconds.value_or(-1));
    }
};

QTEST_GUILESS_MAIN(TestImportVegeta)
#include "tst_import_vegeta.moc"
