#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

class TestImportFortio : public QObject {
    Q_OBJECT

private slots:
    void httpIsRead()
    {
        const ImportedRuns runs = runsIn(importData("fortio/http.json"));
        QCOMPARE(runs.size(), std::size_t{1}); // Sizes and HeaderSizes are histograms too
        const ImportedRun& run = runs[0];
        QCOMPARE(run.semantics.tool, std::string("fortio"));
        QCOMPARE(run.target, std::string("Alpha 1.2"));
        QCOMPARE(run.workload, std::string("GET /users/42"));
        QCOMPARE(run.connections.value(), 8U);
        QCOMPARE(run.rate.value(), 100.0);
        QCOMPARE(formatUtc(run.started.value()), std::string("2026-01-02T01:04:05.500Z"));
        QCOMPARE(run.completed.value(), 1000U);
        QCOMPARE(run.failed.value(), 15U);
        QCOMPARE(run.durationSeconds.value(), 10.050251256);
        QCOMPARE(run.rps.value(), 99.5);
        QCOMPARE(run.latency.minUs.value(), 250.0);
        QCOMPARE(run.latency.meanUs.value(), 2500.0);
        QCOMPARE(run.latency.stdevUs.value(), 500.0);
        QCOMPARE(run.latency.maxUs.value(), 40500.0);
        QCOMPARE(percentile(run, "p50"), 2000.0);
        QCOMPARE(percentile(run, "p99_9"), 40000.0);
        QCOMPARE(percentile(run, "p25"), -1.0);
        QCOMPARE(percentile(run, "p95"), -1.0);
        QCOMPARE(run.bytesReceived.value(), 118000U);
        QVERIFY(run.semantics.bytes == BytesKind::wire);
        QCOMPARE(errorsOf(run, ErrorKind::reset), 5U);
        QCOMPARE(errorsOf(run, ErrorKind::unexpectedStatus), 10U);
        QCOMPARE(run.doubts.size(), std::size_t{1});
        QVERIFY(run.doubts[0].find("70 %") != std::string::npos);
    }

    void servingIsGoodOverGrpc()
    {
        const ImportedRuns runs = runsIn(importData("fortio/grpc.json"));
        QCOMPARE(runs.size(), std::size_t{1});
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed.value(), 40U);
        QCOMPARE(run.failed.value(), 2U);
        QVERIFY(!run.rate); // "max"
        QVERIFY(!run.bytesReceived);
        QCOMPARE(run.durationSeconds.value(), 0.5);
        QCOMPARE(percentile(run, "p95"), 30000.0); // was asked for
        QVERIFY(run.status.empty());
        QVERIFY(run.doubts.empty()); // no bucket holds more than half
        QCOMPARE(run.workload, std::string());
    }

    void withoutARequestNothingIsMadeUp()
    {
        const ImportedRuns runs =
            runsIn("{\"ActualQPS\": 0, \"ActualDuration\": 1000000000, \"RetCodes\": {}, \"URL\": \"http://x/\","
                   "\"DurationHistogram\": {\"Count\": 0, \"Min\": 0, \"Max\": 0, \"Avg\": 0, \"Data\": null}}");
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs[0].completed.value(), 0U);
        QVERIFY(!runs[0].latency.meanUs && !runs[0].latency.maxUs);
    }

    void whatIsCutOffIsRefused()
    {
        const std::string whole = importData("fortio/http.json");
        const std::string refused = refusalOf(whole.substr(0, whole.find("\"Percentiles\"")) + "...\n");
        QVERIFY(refused.find("line 1") != std::string::npos);
        QVERIFY(
            !refusalOf("{\"ActualQPS\": 1, \"ActualDuration\": 1, \"DurationHistogram\": {\"Count\": -4}}").empty());
    }
};

QTEST_GUILESS_MAIN(TestImportFortio)
#include "tst_import_fortio.moc"
