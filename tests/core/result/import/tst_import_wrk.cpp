#include "core/result/import/measure_text.h"
#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

namespace {

const std::string kTail = "Requests/sec:    100.00\nTransfer/sec:      1.00KB\n";

/// A report with these lines of counts.
std::string reportWith(const std::string& counts, const std::string& connections = "10")
{
    return "Running 10s test @ http://192.0.2.7/\n  2 threads and " + connections +
           " connections\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
           "    Latency     1.00ms    2.00ms   3.00ms   90.00%\n    Req/Sec     1.00k     1.00     1.00k    90.00%\n" +
           counts + kTail;
}

const ErrorCount* errorOf(const ImportedRun& run, ErrorKind kind, Phase phase)
{
    for (const ErrorCount& error : run.errors)
        if (error.kind == kind && error.phase == phase)
            return &error;
    return nullptr;
}

} // namespace

class TestImportWrk : public QObject {
    Q_OBJECT

private slots:
    void everyPrintedFigureIsTaken()
    {
        const ImportedRun run = runIn(importData("wrk/latency.txt"));
        QCOMPARE(run.semantics.tool, std::string("wrk"));
        QCOMPARE(run.target, std::string("127.0.0.1:18411"));
        QCOMPARE(run.workload, std::string("GET /"));
        QCOMPARE(run.connections.value(), 4u);
        QCOMPARE(run.threads.value(), 1u);
        QCOMPARE(run.completed.value(), std::uint64_t{59328});
        QCOMPARE(run.failed.value(), std::uint64_t{0});
        QCOMPARE(run.durationSeconds.value(), 1.01);
        QCOMPARE(run.rps.value(), 59023.44);
        QCOMPARE(run.latency.meanUs.value(), 127.37);
        QCOMPARE(run.latency.stdevUs.value(), 477.80);
        QCOMPARE(run.latency.maxUs.value(), 5600.0);
        QCOMPARE(percentile(run, "p50"), 43.0);
        QCOMPARE(percentile(run, "p75"), 52.0);
        QCOMPARE(percentile(run, "p90"), 56.0);
        QCOMPARE(percentile(run, "p99"), 3050.0);
        QCOMPARE(run.bytesReceived.value(), std::uint64_t{7832863}); // 7.47 * 1024 * 1024
        QVERIFY(run.doubts.empty());
    }

    void whatIsNotPrintedIsAbsent()
    {
        const ImportedRun run = runIn(importData("wrk/plain.txt"));
        QCOMPARE(run.completed.value(), std::uint64_t{76775});
        QVERIFY(run.latency.percentilesUs.empty());
        QVERIFY(!run.latency.minUs && !run.latency.count && !run.unfinished && !run.rate && !run.started);
        QCOMPARE(percentile(runIn(importData("wrk/latency.txt")), "p95"), -1.0);
    }

    void theFiguresSayThatTheyAreBackfilled()
    {
        const Semantics semantics = runIn(importData("wrk/latency.txt")).semantics;
        QCOMPARE(semantics.correction, Correction::backfilled);
        QCOMPARE(semantics.bytes, BytesKind::wire);
        QCOMPARE(semantics.latencyIncludesErrors, std::optional(true));
        QCOMPARE(semantics.rpsCountsErrors, std::optional(true));
        QCOMPARE(semantics.resolutionUs.value(), 1.0);
        QVERIFY(!semantics.notes.empty());
    }

    void otherStatusesAreFailed()
    {
        const ImportedRun run = runIn(importData("wrk/not_found.txt"));
        QCOMPARE(run.completed.value(), std::uint64_t{20409});
        QCOMPARE(run.failed.value(), std::uint64_t{20409});
        const ErrorCount* const error = errorOf(run, ErrorKind::unexpectedStatus, Phase::check);
        QVERIFY(error != nullptr);
        QCOMPARE(error->firstMessage, std::string("Non-2xx or 3xx responses: 20409"));
        QCOMPARE(run.workload, std::string("GET /nothere"));
    }

    void errorsOfSocketsAreNoFailedRequests()
    {
        const ImportedRun run = runIn(reportWith("  1000 requests in 10.00s, 1.00MB read\n"
                                                 "  Socket errors: connect 2, read 1000, write 3, timeout 4\n"
                                                 "  Non-2xx or 3xx responses: 1000\n"));
        QCOMPARE(run.completed.value(), std::uint64_t{1000});
        QCOMPARE(run.failed.value(), std::uint64_t{1000});
        QCOMPARE(errorOf(run, ErrorKind::connectRefused, Phase::connect)->count, std::uint64_t{2});
        QCOMPARE(errorOf(run, ErrorKind::reset, Phase::waitHead)->count, std::uint64_t{1000});
        QCOMPARE(errorOf(run, ErrorKind::reset, Phase::send)->count, std::uint64_t{3});
        QCOMPARE(errorOf(run, ErrorKind::timeout, Phase::waitHead)->count, std::uint64_t{4});
        QCOMPARE(errorOf(run, ErrorKind::timeout, Phase::waitHead)->firstMessage,
                 std::string("Socket errors: connect 2, read 1000, write 3, timeout 4"));
    }

    void connectionsThatTheLimitOfFilesForbadeAreToldSo()
    {
        // 1024 files, three of them and one a thread for wrk itself: 1019 connections of 5000.
        const ImportedRun limited = runIn(reportWith("  1000 requests in 10.00s, 1.00MB read\n"
                                                     "  Socket errors: connect 3981, read 0, write 0, timeout 0\n",
                                                     "5000"));
        QVERIFY(errorOf(limited, ErrorKind::clientLimit, Phase::connect) != nullptr);
        QCOMPARE(limited.doubts.size(), std::size_t{1});
        const ImportedRun refused = runIn(reportWith("  1000 requests in 10.00s, 1.00MB read\n"
                                                     "  Socket errors: connect 3000, read 0, write 0, timeout 0\n",
                                                     "5000"));
        QVERIFY(errorOf(refused, ErrorKind::connectRefused, Phase::connect) != nullptr);
        QVERIFY(refused.doubts.empty());
    }

    void aTextWithSeveralReportsGivesAsManyRuns()
    {
        const ImportedRuns runs = runsIn(importData("wrk/three.md"));
        QCOMPARE(runs.size(), std::size_t{3});
        QCOMPARE(runs[0].target, std::string("Node"));
        QCOMPARE(runs[1].target, std::string("Deno"));
        QCOMPARE(runs[2].target, std::string("Bun"));
        QCOMPARE(runs[0].workload, std::string("GET /a"));
        QCOMPARE(runs[1].completed.value(), std::uint64_t{59000});
        QCOMPARE(runs[2].rps.value(), 1000.0);
    }

    void eachFigureHasItsOwnUnit()
    {
        const ImportedRuns runs = runsIn(importData("wrk/three.md"));
        QCOMPARE(runs.size(), std::size_t{3});
        QCOMPARE(runs[0].latency.meanUs.value(), 890'000.0);
        QCOMPARE(runs[0].latency.stdevUs.value(), 900.0);
        QCOMPARE(runs[0].latency.maxUs.value(), 63'000'000.0); // minutes
        QCOMPARE(runs[0].durationSeconds.value(), 60.0);
        QCOMPARE(runs[0].bytesReceived.value(), std::uint64_t{1} << 30);
        QCOMPARE(runs[1].bytesReceived.value(), std::uint64_t{512});
        QVERIFY(runs[0].doubts.empty()); // 60000 in a minute are 1000 a second
    }

    void aTimeThatDoesNotFitTheRateIsADoubt()
    {
        const ImportedRuns runs = runsIn(importData("wrk/three.md"));
        QCOMPARE(runs.size(), std::size_t{3});
        QCOMPARE(runs[2].durationSeconds.value(), 60.0); // 120000 in 60 s, and 1000.00 a second are printed
        QCOMPARE(runs[2].rps.value(), 1000.0);
        QCOMPARE(runs[2].doubts.size(), std::size_t{1});
        QVERIFY(runs[2].doubts[0].find("2000") != std::string::npos);
    }

    void aScriptHidesTheRequest()
    {
        const std::string report = importData("wrk/plain.txt");
        const ImportedRun run = runIn("$ wrk -t2 -c8 -s post.lua http://127.0.0.1:18411/\n" + report);
        QCOMPARE(run.workload, std::string());
        QCOMPARE(run.url, std::string("http://127.0.0.1:18411/"));
    }

    void theReportIsFoundInAnySurroundings_data()
    {
        const QByteArray report = QByteArray::fromStdString(importData("wrk/latency.txt"));
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("Windows line ends") << QByteArray(report).replace("\n", "\r\n");
        QTest::newRow("byte order mark") << "\xef\xbb\xbf" + report;
        QTest::newRow("shell prompt and log lines")
            << "user@box:~$ wrk -t1 -c4 http://127.0.0.1:18411/\n[info] up\n" + report + "user@box:~$ exit\n";
        QTest::newRow("indented") << "    " + QByteArray(report).replace("\n", "\n    ");
        QTest::newRow("no final newline") << report.trimmed();
        QTest::newRow("rows behind") << report +
                                            "==CSV==\nvariable,value,unit\nrequests,1,n\nthroughput,2,requests/sec\n";
        QTest::newRow("output of done()") << report + "Total requests made: 0\n  7 requests in 1.00s, 1.00KB read\n";
        QTest::newRow("thousands separators")
            << QByteArray(report).replace("59328", "59,328").replace("59023.44", "59,023.44");
        QTest::newRow("decimal commas") << QByteArray(report).replace(".", ",").replace("127,0,0,1", "127.0.0.1");
    }
    void theReportIsFoundInAnySurroundings()
    {
        QFETCH(QByteArray, text);
        const ImportedRun run = runIn(text.toStdString());
        QCOMPARE(run.completed.value_or(0), std::uint64_t{59328});
        QCOMPARE(run.rps.value_or(0), 59023.44);
        QCOMPARE(run.latency.meanUs.value_or(0), 127.37);
        QCOMPARE(percentile(run, "p99"), 3050.0);
    }

    void whatWasNotRecordedIsAbsent()
    {
        std::string report = reportWith("  0 requests in 10.00s, 0.00B read\n");
        report = replaced(report, "1.00ms    2.00ms   3.00ms", "0.00us    0.00us   0.00us");
        const ImportedRun run = runIn(replaced(report, "sec:    100.00", "sec:      0.00"));
        QCOMPARE(run.completed.value(), std::uint64_t{0});
        QVERIFY(!run.latency.meanUs && !run.latency.stdevUs && !run.latency.maxUs);
        QVERIFY(!run.semantics.resolutionUs);
    }

    void aReportThatIsCutOffIsRefusedOrDoubted()
    {
        const std::string report = importData("wrk/latency.txt");
        std::string text;
        int refused = 0, doubted = 0;
        for (const std::string_view line : linesOf(report)) {
            const std::string refusal = text.empty() ? std::string() : refusalOf(text);
            refused += refusal.find("line 1: the report of wrk that begins here has no line \"N requests in T\"") !=
                               std::string::npos
                           ? 1
                           : 0;
            const ImportedRuns runs = runsIn(text);
            doubted += runs.size() == 1 && !runs[0].failed && !runs[0].doubts.empty() ? 1 : 0;
            text += std::string(line) + "\n";
        }
        QCOMPARE(refused, 9); // behind the second line, which makes it a report, up to the last percentile
        QCOMPARE(doubted, 1); // with the counts and without the rate
    }

    void oneCutOffReportOfSeveralIsADoubt()
    {
        const std::string report = importData("wrk/plain.txt");
        const ImportedRuns runs = runsIn(report + "\n" + report.substr(0, report.find("  76775")));
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs[0].doubts.size(), std::size_t{1});
        QVERIFY(runs[0].doubts[0].find("line 10") != std::string::npos);
    }

    void impossibleFiguresAreAbsent()
    {
        const ImportedRun run = runIn(reportWith("  99999999999999999999999 requests in -1.00s, nanMB read\n"
                                                 "  5 requests in 1e400s, 1e300GB read\n"));
        QCOMPARE(run.completed.value_or(0), std::uint64_t{5});
        QVERIFY(!run.durationSeconds && !run.bytesReceived);
    }

    void otherTextsAreNotTaken_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("autocannon's report")
            << QByteArray("Running 10s test @ http://localhost:3000\n10 connections\n\n"
                          "5k requests in 10.01s, 1 MB read\n");
        QTest::newRow("a sentence") << QByteArray("Running 10s test @ home\nThe Thread Stats were lost.\n");
        QTest::newRow("only the rate") << QByteArray("Requests/sec:    100.00\nTransfer/sec:      1.00KB\n");
    }
    void otherTextsAreNotTaken()
    {
        QFETCH(QByteArray, text);
        QVERIFY(refusalOf(text.toStdString()).find("nor the output of a tool that is known") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestImportWrk)
#include "tst_import_wrk.moc"
