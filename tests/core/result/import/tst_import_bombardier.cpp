#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

class TestImportBombardier : public QObject {
    Q_OBJECT

private slots:
    void jsonAfterABannerIsRead()
    {
        const ImportedRuns runs = runsIn(importData("bombardier/timed.json"));
        QCOMPARE(runs.size(), std::size_t{1});
        const ImportedRun& run = runs[0];
        QCOMPARE(run.semantics.tool, std::string("bombardier"));
        QCOMPARE(run.workload, std::string("GET /users/42"));
        QCOMPARE(run.target, std::string("127.0.0.1:8080"));
        QCOMPARE(run.connections.value(), 16U);
        QCOMPARE(run.rate.value(), 5000.0);
        QCOMPARE(run.completed.value(), 10000U); // 9000 + 100 + 200 + 50 + 650
        QCOMPARE(run.failed.value(), 900U);      // 200 + 50 + 650
        QCOMPARE(run.durationSeconds.value(), 2.000250125);
        QCOMPARE(run.rps.value(), 4987.654321);
        QCOMPARE(run.bytesReceived.value(), 1620000U);
        QCOMPARE(run.bytesSent.value(), 810000U);
        QCOMPARE(run.latency.meanUs.value(), 3125.4);
        QCOMPARE(run.latency.maxUs.value(), 2000125.0);
        QVERIFY(!run.latency.stdevUs); // known to be wrong
        QCOMPARE(percentile(run, "p50"), 2800.0);
        QCOMPARE(percentile(run, "p95"), 5600.0);
        QCOMPARE(percentile(run, "p99"), 9100.0);
        QCOMPARE(percentile(run, "p25"), -1.0);
        QCOMPARE(errorsOf(run, ErrorKind::timeout), 400U);
        QCOMPARE(errorsOf(run, ErrorKind::connectRefused), 200U);
        QCOMPARE(errorsOf(run, ErrorKind::connectTimeout), 50U);
        QCOMPARE(errorsOf(run, ErrorKind::unexpectedStatus), 250U);
        QVERIFY(run.semantics.latencyIncludesErrors.value());
        QVERIFY(run.semantics.rpsCountsErrors.value());
        QVERIFY(!run.semantics.notes.empty());
    }

    void whatJsonDoesNotHoldIsAbsent()
    {
        const ImportedRuns runs = runsIn(importData("bombardier/plain.json"));
        QCOMPARE(runs.size(), std::size_t{1});
        QVERIFY(runs[0].latency.percentilesUs.empty());
        QVERIFY(!runs[0].rate);
        QVERIFY(runs[0].errors.empty());
        QCOMPARE(runs[0].rps.value(), 2000.0); // 1000 in 0.5 s, none printed
        QCOMPARE(runs[0].workload, std::string("POST /"));
    }

    void otherJsonIsRefused()
    {
        QVERIFY(
            !refusalOf("{\"spec\": {\"method\": \"GET\"}, \"results\": [{\"name\": \"a\", \"timeTakenSeconds\": 1}]}")
                 .empty());
        QVERIFY(!refusalOf("{\"result\": {\"req2xx\": 1, \"timeTakenSeconds\": 1}}").empty());
    }

    void severalReportsInMarkdownAreRead()
    {
        const ImportedRuns runs = runsIn(importData("bombardier/several.md"));
        QCOMPARE(runs.size(), std::size_t{2});
        const ImportedRun &alpha = runs[0], &beta = runs[1];
        QCOMPARE(alpha.target, std::string("Alpha and Hono"));
        QCOMPARE(alpha.connections.value(), 50U);
        QCOMPARE(alpha.completed.value(), 20000U);
        QCOMPARE(alpha.failed.value(), 0U);
        QCOMPARE(alpha.durationSeconds.value(), 2.0);
        QCOMPARE(alpha.rps.value(), 10010.25);
        QCOMPARE(alpha.latency.meanUs.value(), 4990.0);
        QCOMPARE(alpha.latency.maxUs.value(), 960000.0);
        QVERIFY(alpha.latency.percentilesUs.empty());
        QCOMPARE(alpha.semantics.resolutionUs.value(), 10.0);
        QVERIFY(!alpha.bytesReceived);
        QCOMPARE(beta.target, std::string("Beta"));
        QCOMPARE(beta.durationSeconds.value(), 10.0);
        QCOMPARE(beta.completed.value(), 12360U); // 12000 + 10 + 300 + 35 + 15
        QCOMPARE(beta.failed.value(), 350U);
        QCOMPARE(beta.latency.maxUs.value(), 72e6);
        QCOMPARE(percentile(beta, "p50"), 640.1); // of all answers, not of those with 2xx
        QCOMPARE(percentile(beta, "p95"), 3300.0);
        QCOMPARE(percentile(beta, "p99"), 900000.0);
        QCOMPARE(errorsOf(beta, ErrorKind::closedEarly), 10U);
        QCOMPARE(errorsOf(beta, ErrorKind::timeout), 5U);
    }

    void aReportThatIsCutOffSaysWhere()
    {
        const std::string whole = importData("bombardier/several.md");
        const std::string first = whole.substr(0, whole.find("  Latency  "));
        QCOMPARE(refusalOf(first).substr(0, 14), std::string("name: line 9: "));
        const ImportedRuns doubted = runsIn(whole.substr(0, whole.find("  HTTP codes:")));
        QCOMPARE(doubted.size(), std::size_t{1});
        QVERIFY(!doubted[0].completed);
        QVERIFY(!doubted[0].doubts.empty());
        const ImportedRuns other = runsIn(whole.substr(0, whole.rfind("  Latency    ")));
        QCOMPARE(other.size(), std::size_t{1});
        QVERIFY(!other[0].doubts.empty());
        QVERIFY(
            !refusalOf("{\"spec\": {\"method\": \"GET\", \"url\": \"http://x\"}, \"result\": {\"req2xx\": 1, \"timeTak")
                 .empty());
    }

    void figuresThatAreNoneAreAbsent()
    {
        const ImportedRuns runs =
            runsIn("{\"spec\": {\"numberOfConnections\": -5, \"url\": 7}, \"result\": {\"req1xx\": 0,"
                   "\"req2xx\": 1e300, \"req3xx\": 0, \"req4xx\": \"x\", \"req5xx\": [], \"others\": null, "
                   "\"timeTakenSeconds\": NaN,"
                   "\"errors\": {\"count\": 1}, \"latency\": [1], \"rps\": {\"mean\": Infinity}}}");
        QCOMPARE(runs.size(), std::size_t{1});
        QVERIFY(!runs[0].completed && !runs[0].failed && !runs[0].rps && !runs[0].durationSeconds);
        QVERIFY(!runs[0].connections && !runs[0].latency.meanUs);
        std::string many;
        for (int i = 0; i < 1001; ++i)
            many += "Statistics Avg Stdev Max\n";
        QVERIFY(refusalOf(many).find("line 1001") != std::string::npos);
        const std::string junk = "Statistics Avg Stdev Max\n  Reqs/sec nan nan nan\n  Latency   -  nan  1e999s\n";
        QVERIFY(!refusalOf(junk).empty());
    }
};

QTEST_GUILESS_MAIN(TestImportBombardier)
#include "tst_import_bombardier.moc"
