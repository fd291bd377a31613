#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

class TestImportAutocannon : public QObject {
    Q_OBJECT

private slots:
    /// The output of autocannon 8.0.0 against Lapbench's own server.
    void itsOutputIsRead()
    {
        const ImportedRuns runs = runsIn(importData("autocannon/plain.json"));
        QCOMPARE(runs.size(), std::size_t{1});
        const ImportedRun& run = runs[0];
        QCOMPARE(run.semantics.tool, std::string("autocannon"));
        QCOMPARE(run.target, std::string("Alpha"));
        QCOMPARE(run.url, std::string("http://127.0.0.1:8080/"));
        QCOMPARE(run.connections.value(), 4U);
        QVERIFY(!run.threads);
        QCOMPARE(run.completed.value(), 148107U);
        QCOMPARE(run.failed.value(), 0U);
        QCOMPARE(run.unfinished.value(), 4U); // 148111 sent
        QCOMPARE(run.durationSeconds.value(), 2.01);
        QCOMPARE(run.rps.value(), 74048.0);
        QCOMPARE(run.latency.meanUs.value(), 10.0);
        QCOMPARE(run.latency.maxUs.value(), 9000.0);
        QVERIFY(!run.latency.minUs); // 1 ms is told, but most took less
        QCOMPARE(percentile(run, "p50"), 0.0);
        QCOMPARE(percentile(run, "p95"), -1.0);
        QCOMPARE(percentile(run, "p99_99"), 3000.0);
        QCOMPARE(run.bytesReceived.value(), 19550124U);
        QCOMPARE(run.semantics.resolutionUs.value(), 1000.0);
        QVERIFY(run.semantics.correction == Correction::none);
        QCOMPARE(formatUtc(run.started.value()), std::string("2026-12-01T02:52:12.044Z"));
    }

    void latenciesThatWereMadeUpAreSaid()
    {
        const ImportedRuns runs = runsIn(importData("autocannon/rate.json"));
        QCOMPARE(runs.size(), std::size_t{1});
        QVERIFY(runs[0].semantics.correction == Correction::backfilled); // 309 latencies of 300 requests
        QCOMPARE(runs[0].doubts.size(), std::size_t{1});
        QVERIFY(!runs[0].unfinished); // 499 sent with 2 connections
    }

    void requestsWithoutAnAnswerFailed()
    {
        const ImportedRuns runs = runsIn(importData("autocannon/refused.json"));
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs[0].completed.value(), 14586U);
        QCOMPARE(runs[0].failed.value(), 14586U);
        QVERIFY(!runs[0].latency.meanUs && runs[0].latency.percentilesUs.empty());
    }

    void badStatusesFailed()
    {
        const ImportedRuns runs = runsIn(importData("autocannon/not-found.json"));
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs[0].completed.value(), 200U);
        QCOMPARE(runs[0].failed.value(), 200U);
        QCOMPARE(runs[0].status.at(404), 200U);
        QVERIFY(runs[0].semantics.latencyIncludesErrors.value());
    }

    void countsInTextAndWithoutStatusesAreRead()
    {
        std::string text = importData("autocannon/not-found.json");
        text = replaced(text, "{\"404\":{\"count\":200}}", "{\"404\": {\"count\": \"200\"}}");
        QCOMPARE(runsIn(text).at(0).failed.value(), 200U);
        text = replaced(text, "\"statusCodeStats\"", "\"other\"");
        QCOMPARE(runsIn(text).at(0).failed.value(), 200U); // 4xx
    }

    void oneLineARoundGivesARunEach()
    {
        const std::string line = importData("autocannon/not-found.json");
        QCOMPARE(runsIn(line + "\n" + importData("autocannon/plain.json") + line).size(), std::size_t{3});
    }

    void whatIsCutOffIsRefused()
    {
        const std::string whole = importData("autocannon/plain.json");
        QVERIFY(!refusalOf(whole.substr(0, whole.size() / 2)).empty());
        QVERIFY(!refusalOf(replaced(whole, "\"total\":148107", "\"total\":-1")).empty());
    }
};

QTEST_GUILESS_MAIN(TestImportAutocannon)
#include "tst_import_autocannon.moc"
