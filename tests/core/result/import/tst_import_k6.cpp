#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

namespace {

using Percentiles = std::map<std::string, double>;

} // namespace

class TestImportK6 : public QObject {
    Q_OBJECT

private slots:
    void aSummaryExportIsRead()
    {
        const ImportedRuns runs = runsIn(importData("k6/summary_export.json"));
        QCOMPARE(runs.size(), std::size_t(1));
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed, std::optional<std::uint64_t>(1000));
        QCOMPARE(run.failed, std::optional<std::uint64_t>(20)); // what passes http_req_failed has failed
        QCOMPARE(run.rps, std::optional(200.0));
        QCOMPARE(run.durationSeconds, std::optional(5.0)); // 1000 / 200: the form tells no time
        QCOMPARE(run.latency.minUs, std::optional(750.0));
        QCOMPARE(run.latency.meanUs, std::optional(4500.0));
        QCOMPARE(run.latency.maxUs, std::optional(80500.0));
        QVERIFY(!run.latency.stdevUs);
        QCOMPARE(run.latency.percentilesUs,
                 (Percentiles{{"p50", 3250}, {"p90", 9000}, {"p95", 12125}, {"p99", 40000}, {"p99_9", 79500}}));
        QCOMPARE(run.bytesReceived, std::optional<std::uint64_t>(350000));
        QCOMPARE(run.bytesSent, std::optional<std::uint64_t>(90000));
        QCOMPARE(run.connections, std::optional(10U));
        QCOMPARE(run.errors.size(), std::size_t(1));
        QCOMPARE(run.errors[0].kind, ErrorKind::failedCheck);
        QCOMPARE(run.errors[0].count, std::uint64_t(20));
        QCOMPARE(run.errors[0].firstMessage, std::string("check: status is 200"));
        QCOMPARE(run.semantics.form, std::string("JSON (--summary-export)"));
        QCOMPARE(run.semantics.latencyIncludesErrors, std::optional(true));
        QCOMPARE(run.semantics.rpsCountsErrors, std::optional(true));
        QCOMPARE(run.semantics.bytes, BytesKind::wire);
        QCOMPARE(run.semantics.correction, Correction::none);
    }

    void whatHandleSummaryGetsIsRead()
    {
        const ImportedRuns runs = runsIn(importData("k6/handle_summary.json"));
        QCOMPARE(runs.size(), std::size_t(1));
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed, std::optional<std::uint64_t>(600));
        QCOMPARE(run.failed, std::optional<std::uint64_t>(3));
        QCOMPARE(run.rps, std::optional(149.98));
        QCOMPARE(run.durationSeconds, std::optional(4.0005));
        QCOMPARE(run.latency.meanUs, std::optional(6500.0)); // ms, whatever summaryTimeUnit says
        QCOMPARE(run.latency.percentilesUs, (Percentiles{{"p50", 5000}, {"p90", 11000}, {"p95", 15000}}));
        QVERIFY(!run.connections); // a rate was asked for, and virtual users were added
        QCOMPARE(run.doubts.size(), std::size_t(1));
        QVERIFY(run.doubts[0].find("dropped 7 iterations") != std::string::npos);
        QCOMPARE(run.errors[0].firstMessage, std::string("check: has a body"));
        QCOMPARE(run.semantics.form, std::string("JSON (handleSummary)"));
    }

    void theMachineReadableSummaryIsRead()
    {
        const ImportedRuns runs = runsIn(importData("k6/machine_readable.json"));
        QCOMPARE(runs.size(), std::size_t(1));
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed, std::optional<std::uint64_t>(6100));
        QCOMPARE(run.failed, std::optional<std::uint64_t>(61));
        QCOMPARE(run.durationSeconds, std::optional(30.5)); // seconds here, milliseconds in handleSummary
        QCOMPARE(run.rps, std::optional(200.0));            // not told: 6100 / 30.5
        QCOMPARE(run.latency.percentilesUs, (Percentiles{{"p50", 2000}, {"p90", 4000}, {"p95", 6000}}));
        QCOMPARE(run.errors[0].count, std::uint64_t(60));
        QCOMPARE(formatUtc(run.started.value()), std::string("2026-03-01T10:00:00.000Z"));
        QCOMPARE(run.semantics.form, std::string("JSON (machine-readable summary)"));
    }

    void aFailedRateThatCallsTheGoodOnesPassesIsReadByItsRate()
    {
        const std::string text = replaced(importData("k6/handle_summary.json"), "\"passes\": 3,\n    \"fails\": 597",
                                          "\"passes\": 597,\n    \"fails\": 3");
        QCOMPARE(runsIn(text).at(0).failed, std::optional<std::uint64_t>(3));
    }

    void whatAnOldVersionDoesNotTellIsAbsent()
    {
        std::string text = replaced(importData("k6/handle_summary.json"), "\"http_req_failed\"", "\"other\"");
        text = replaced(text, "\"testRunDurationMs\"", "\"other\"");
        const ImportedRun run = runsIn(text).at(0);
        QVERIFY(!run.failed);
        QVERIFY(std::abs(run.durationSeconds.value() - 600 / 149.98) < 1e-9);
        QVERIFY(!run.started);
    }

    void aSummaryWrappedInAnotherIsFound()
    {
        const std::string inner = importData("k6/summary_export.json");
        QCOMPARE(
            runsIn("$ run-it\n{\"stdout\": {\"value\": \"text\"}, \"summary\": {\"value\": " + inner + "}}").size(),
            std::size_t(1));
        QCOMPARE(runsIn(inner + "\n" + importData("k6/machine_readable.json")).size(), std::size_t(2));
    }

    void aSummaryWithoutHttpSaysSo()
    {
        const std::string text = replaced(importData("k6/summary_export.json"), "\"http_reqs\"", "\"other\"");
        QCOMPARE(refusalOf(text), std::string("name: the summary of k6 has no http_reqs: its script made no HTTP "
                                              "requests; import a run that asks an HTTP server"));
    }

    void figuresThatAreNoneAreAbsent_data()
    {
        QTest::addColumn<QByteArray>("figure");
        QTest::newRow("null") << QByteArray("null");
        QTest::newRow("text") << QByteArray("\"n/a\"");
        QTest::newRow("NaN") << QByteArray("NaN");
        QTest::newRow("an object") << QByteArray("{\"avg\": 1}");
    }
    void figuresThatAreNoneAreAbsent()
    {
        QFETCH(QByteArray, figure);
        const std::string text =
            replaced(importData("k6/summary_export.json"), "\"avg\": 4.5", "\"avg\": " + figure.toStdString());
        const ImportedRun run = runsIn(text).at(0);
        QVERIFY(!run.latency.meanUs);
        QCOMPARE(run.latency.maxUs, std::optional(80500.0));
    }

    void rowsAreRead()
    {
        const ImportedRuns runs = runsIn("$ k6 run --out csv=rows.csv\n" + importData("k6/rows.csv"));
        QCOMPARE(runs.size(), std::size_t(1));
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed, std::optional<std::uint64_t>(5));
        QCOMPARE(run.failed, std::optional<std::uint64_t>(2));
        QCOMPARE(run.latency.percentilesUs.at("p50"), 20000.0); // of 0 10 20 30 40 ms
        QCOMPARE(run.latency.percentilesUs.at("p95"), 40000.0);
        QCOMPARE(run.latency.meanUs, std::optional(20000.0));
        QCOMPARE(run.latency.maxUs, std::optional(40000.0));
        // the first began at 1772359200 - 0.020, the last ended at 1772359203
        QVERIFY(std::abs(run.durationSeconds.value() - 3.02) < 1e-5);
        QCOMPARE(run.bytesReceived, std::optional<std::uint64_t>(600));
        QCOMPARE(run.bytesSent, std::optional<std::uint64_t>(400));
        QCOMPARE(run.status, (std::map<int, std::uint64_t>{{200, 3}, {503, 1}}));
        QCOMPARE(run.connections, std::optional(2U));
        QCOMPARE(run.target, std::string("server:8080"));
        QCOMPARE(run.workload, std::string("GET /users/1"));
        QCOMPARE(formatUtc(run.started.value()), std::string("2026-03-01T09:59:59.980Z"));
        QCOMPARE(run.errors.size(), std::size_t(2));
        QCOMPARE(run.errors[0].kind, ErrorKind::unexpectedStatus);
        QCOMPARE(run.errors[1].kind, ErrorKind::connectRefused);
        QCOMPARE(run.errors[1].firstMessage, std::string("dial: connection refused,\nwhile dialing"));
        QCOMPARE(run.doubts.size(), std::size_t(1)); // times in whole seconds
        QCOMPARE(run.seconds.size(), std::size_t(4));
    }

    void rowsInNanosecondsAreTheSame()
    {
        std::string text = importData("k6/rows.csv");
        for (std::size_t at = text.find(",17723592"); at != std::string::npos; at = text.find(",17723592", at + 1))
            text.insert(at + 11, "500000000");
        const ImportedRun run = runsIn(text).at(0);
        QVERIFY(std::abs(run.durationSeconds.value() - 3.02) < 1e-5);
        QVERIFY(run.doubts.empty());
    }

    void rowsWithoutARequestAreRefused()
    {
        const std::string text = importData("k6/rows.csv");
        QCOMPARE(refusalOf("log\n" + text.substr(0, text.find('\n') + 1)),
                 std::string("name: line 2: begins rows of k6, and none of them is an http_req_duration; save all rows "
                             "that --out csv writes"));
    }
};

QTEST_GUILESS_MAIN(TestImportK6)
#include "tst_import_k6.moc"
