#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

class TestImportApacheBench : public QObject {
    Q_OBJECT

private slots:
    void everyPrintedFigureIsTaken()
    {
        const ImportedRun run = runIn(importData("ab/keepalive.txt"));
        QCOMPARE(run.semantics.tool, std::string("ab"));
        QCOMPARE(run.url, std::string("http://127.0.0.1:18411/"));
        QCOMPARE(run.workload, std::string("GET /"));
        QCOMPARE(run.connections.value(), 4u);
        QCOMPARE(run.completed.value(), std::uint64_t{2000});
        QCOMPARE(run.failed.value(), std::uint64_t{0});
        QCOMPARE(run.durationSeconds.value(), 0.030);
        QCOMPARE(run.rps.value(), 66330.59);
        QCOMPARE(run.latency.meanUs.value(), 60.0); // the first "Time per request"
        QCOMPARE(run.latency.minUs.value(), 0.0);
        QCOMPARE(run.latency.stdevUs.value(), 500.0);
        QCOMPARE(run.latency.maxUs.value(), 8000.0);
        for (const char* const key : {"p50", "p75", "p90", "p95", "p99"})
            QCOMPARE(percentile(run, key), 0.0); // less than a millisecond, which is the step
        QCOMPARE(percentile(run, "p25"), -1.0);
        QCOMPARE(run.semantics.resolutionUs.value(), 1000.0);
        QCOMPARE(run.bytesReceived.value(), std::uint64_t{312000});
        QCOMPARE(run.bodyReceived.value(), std::uint64_t{24000});
        QVERIFY(!run.bytesSent && !run.threads && !run.started);
        QVERIFY(run.doubts.empty());
    }

    void answersOutsideOf2xxAreFailedThoughAbDoesNotSaySo()
    {
        const ImportedRun run = runIn(importData("ab/not_found.txt"));
        QCOMPARE(run.completed.value(), std::uint64_t{300});
        QCOMPARE(run.failed.value(), std::uint64_t{300});
        QCOMPARE(errorsOf(run, ErrorKind::unexpectedStatus), std::uint64_t{300});
        QCOMPARE(percentile(run, "p95"), 3000.0);
        QCOMPARE(percentile(run, "p99"), 5000.0);
    }

    void whatWasSentIsTaken()
    {
        const ImportedRun run = runIn(importData("ab/post.txt"));
        QCOMPARE(run.bytesSent.value(), std::uint64_t{28600});
        QCOMPARE(run.rps.value(), 10520.78);
        QCOMPARE(run.workload, std::string()); // POST or PUT, the report does not tell
        QCOMPARE(runIn("$ ab -n 200 -c 2 -p body.json http://127.0.0.1:18411/\n" + importData("ab/post.txt")).workload,
                 std::string("POST /"));
    }

    void causesOfFailuresAreTold()
    {
        const std::string text = replaced(importData("ab/keepalive.txt"), "Failed requests:        0\n",
                                          "Failed requests:        9\n"
                                          "   (Connect: 1, Receive: 2, Length: 5, Exceptions: 1)\n"
                                          "Write errors:           4\n");
        const ImportedRun run = runIn(text);
        QCOMPARE(run.failed.value(), std::uint64_t{9});
        QCOMPARE(errorsOf(run, ErrorKind::connectRefused), std::uint64_t{1});
        QCOMPARE(errorsOf(run, ErrorKind::failedCheck), std::uint64_t{5});
        QCOMPARE(errorsOf(run, ErrorKind::reset), std::uint64_t{7});
        QVERIFY(run.doubts.empty());
    }

    void failuresThatMayBeTheSameAreNoMoreThanAll()
    {
        const std::string text =
            replaced(importData("ab/not_found.txt"), "Failed requests:        0\n", "Failed requests:        299\n");
        const ImportedRun run = runIn(text);
        QCOMPARE(run.failed.value(), std::uint64_t{300});
        QCOMPARE(run.doubts.size(), std::size_t{1});
    }

    void theTableWithoutDeviationsIsReadToo()
    {
        const ImportedRun run = runIn(importData("ab/no_deviation.txt"));
        QVERIFY(!run.latency.stdevUs);
        QCOMPARE(run.latency.maxUs.value(), 3000.0);
        QCOMPARE(run.latency.meanUs.value(), 228.0);
    }

    void columnsNeedNotStandUnderOneAnother()
    {
        std::string text = importData("ab/keepalive.txt");
        while (text.find("  ") != std::string::npos)
            text = replaced(text, "  ", " ");
        text = replaced(text, "\n ", "\n");
        const ImportedRun run = runIn(text);
        QCOMPARE(run.rps.value(), 66330.59);
        QCOMPARE(run.latency.stdevUs.value(), 500.0);
        QCOMPARE(run.latency.maxUs.value(), 8000.0);
        QCOMPARE(percentile(run, "p99"), 0.0);
    }

    void serversOverTlsHaveTheirScheme()
    {
        const std::string text = replaced(importData("ab/keepalive.txt"), "Server Port:            18411\n",
                                          "Server Port:            443\nSSL/TLS Protocol:       TLSv1.3,X,256,256\n");
        QCOMPARE(runIn(text).url, std::string("https://127.0.0.1/"));
    }

    void severalReportsGiveSeveralRuns()
    {
        const ImportedRuns runs = runsIn("# Node\n```\n" + importData("ab/keepalive.txt") + "```\n# Bun\n" +
                                         importData("ab/not_found.txt") + "\n" + importData("ab/post.txt"));
        QCOMPARE(runs.size(), std::size_t{3});
        QCOMPARE(runs[0].target, std::string("Node"));
        QCOMPARE(runs[1].target, std::string("Bun"));
        QCOMPARE(runs[2].completed.value(), std::uint64_t{200});
    }

    void aReportWithoutItsFirstLinesIsRead()
    {
        const std::string text = importData("ab/keepalive.txt");
        QCOMPARE(runIn(text.substr(text.find("Concurrency Level:"))).rps.value_or(0), 66330.59);
        QCOMPARE(runIn(text.substr(text.find("Server Software:"))).workload, std::string("GET /"));
    }

    void aRunThatDidNotTakePlaceIsRefused()
    {
        const std::string refusal = refusalOf(importData("ab/refused.txt"));
        QVERIFY2(refusal.find("line 1") != std::string::npos, refusal.c_str());
        QVERIFY(refusal.find("apr_socket_recv: Connection refused (111)") != std::string::npos);
        QVERIFY(refusalOf(importData("ab/table.html")).find("is HTML (-w)") != std::string::npos);
    }

    void aReportThatIsCutOffIsRefusedOrHasNoMoreThanWhatIsThere()
    {
        const std::string report = importData("ab/keepalive.txt");
        const std::string refusal = refusalOf(report.substr(0, report.find("Complete requests:")));
        QVERIFY2(refusal.find("has no line \"Complete requests:\": it is cut off") != std::string::npos,
                 refusal.c_str());
        const ImportedRun cut = runIn(report.substr(0, report.find("Requests per second:")));
        QCOMPARE(cut.doubts.size(), std::size_t{1});
        QVERIFY(!cut.latency.maxUs && cut.latency.percentilesUs.empty());
    }

    void theCsvHasAllPercentiles()
    {
        const ImportedRun run = runIn(importData("ab/shares.csv"));
        QCOMPARE(run.semantics.form, std::string("CSV (-e)"));
        QCOMPARE(run.latency.minUs.value(), 12.0);
        QCOMPARE(percentile(run, "p25"), 24.0);
        QCOMPARE(percentile(run, "p90"), 25.0);
        QCOMPARE(percentile(run, "p95"), 27.0);
        QCOMPARE(percentile(run, "p99"), 58.0);
        QCOMPARE(run.latency.maxUs.value(), 8186.0);
        QVERIFY(!run.completed && !run.failed && !run.rps && !run.durationSeconds && !run.latency.meanUs);
    }

    void theCsvThatIsCutOffIsDoubted()
    {
        const std::string text = importData("ab/shares.csv");
        const ImportedRun run = runIn(text.substr(0, text.find("\n80,")));
        QCOMPARE(run.doubts.size(), std::size_t{1});
        QCOMPARE(percentile(run, "p99"), -1.0);
        QVERIFY(!run.latency.maxUs);
        QVERIFY(!refusalOf("Percentage served,Time in ms\n").empty());
    }

    void theCsvWithDecimalCommasIsRead()
    {
        const std::string text = replaced(replaced(importData("ab/shares.csv"), ",", ";"), ".", ",");
        QCOMPARE(percentile(runIn(text), "p99"), 58.0);
    }

    void theRowsAreCountedExactly()
    {
        const ImportedRun run = runIn(importData("ab/rows.tsv"));
        QCOMPARE(run.semantics.form, std::string("TSV (-g)"));
        QCOMPARE(run.completed.value(), std::uint64_t{71}); // 59 of 0 ms, 4 each of 4, 5 and 8 ms
        QVERIFY(!run.failed && !run.rps && !run.durationSeconds && run.seconds.empty());
        QCOMPARE(percentile(run, "p75"), 0.0);    // rank 54
        QCOMPARE(percentile(run, "p90"), 5000.0); // rank 64
        QCOMPARE(percentile(run, "p95"), 8000.0); // rank 68
        QCOMPARE(run.latency.maxUs.value(), 8000.0);
        QVERIFY(run.histogram.has_value());
        QCOMPARE(run.started.value(), UtcTime(std::chrono::seconds(1796093135)));
    }

    void whatIsNoRowIsLeftOut()
    {
        const ImportedRun run = runIn(importData("ab/rows.tsv") + "Tue Dec 01 02:45:35 2026\t17960\nx\n");
        QCOMPARE(run.completed.value(), std::uint64_t{71});
        QCOMPARE(run.doubts.size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestImportApacheBench)
#include "tst_import_apachebench.moc"
