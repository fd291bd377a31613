#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

class TestImportHey : public QObject {
    Q_OBJECT

private slots:
    void everyPrintedFigureIsTaken()
    {
        const ImportedRun run = runIn(importData("hey/report.txt"));
        QCOMPARE(run.semantics.tool, std::string("hey"));
        QCOMPARE(run.completed.value(), std::uint64_t{400});
        QCOMPARE(run.failed.value(), std::uint64_t{0});
        QCOMPARE(run.durationSeconds.value(), 0.0127);
        QCOMPARE(run.rps.value(), 31494.0196);
        QCOMPARE(run.latency.meanUs.value(), 100.0);
        QCOMPARE(run.latency.maxUs.value(), 1800.0);
        QCOMPARE(percentile(run, "p25"), 100.0);
        QCOMPARE(percentile(run, "p50"), 100.0);
        QCOMPARE(percentile(run, "p90"), 200.0);
        QCOMPARE(percentile(run, "p99"), 1400.0);
        QCOMPARE(percentile(run, "p99_9"), -1.0);
        QCOMPARE(run.bodyReceived.value(), std::uint64_t{4800});
        QCOMPARE(run.status.at(200), std::uint64_t{400});
        QCOMPARE(run.semantics.resolutionUs.value(), 100.0);
        QCOMPARE(run.semantics.bytes, BytesKind::body);
        QVERIFY(!run.latency.stdevUs && !run.connections && run.workload.empty() && run.doubts.empty());
    }

    void slotsThatWereNotFilledAreAbsent()
    {
        const ImportedRun run = runIn(importData("hey/not_found.txt"));
        QCOMPARE(percentile(run, "p95"), 300.0);
        QCOMPARE(percentile(run, "p99"), -1.0); // "0% in 0.0000 secs"
        QCOMPARE(run.latency.percentilesUs.size(), std::size_t{5});
        QCOMPARE(run.failed.value(), std::uint64_t{60});
        QCOMPARE(errorsOf(run, ErrorKind::unexpectedStatus), std::uint64_t{60});
    }

    void aRunWithoutAnswersHasNoLatencies()
    {
        const ImportedRun run = runIn(importData("hey/refused.txt"));
        QCOMPARE(run.completed.value(), std::uint64_t{20});
        QCOMPARE(run.failed.value(), std::uint64_t{20});
        QCOMPARE(run.rps.value(), 19020.7183);
        QCOMPARE(errorsOf(run, ErrorKind::connectRefused), std::uint64_t{20});
        QVERIFY(!run.latency.meanUs && !run.latency.minUs && !run.latency.maxUs && !run.bodyReceived);
        QVERIFY(!run.semantics.resolutionUs);
    }

    void figuresOfMoreThanAMillionAreDoubted()
    {
        const ImportedRuns runs = runsIn(importData("hey/million.md"));
        QCOMPARE(runs.size(), std::size_t{2});
        const ImportedRun& run = runs[0]; // 30 s of 50000 a second are 1.5 million
        QVERIFY(!run.completed && !run.failed && !run.latency.meanUs);
        QCOMPARE(run.rps.value(), 50000.0);
        QCOMPARE(percentile(run, "p99"), 7000.0);
        QCOMPARE(run.doubts.size(), std::size_t{1});
        QVERIFY(run.doubts[0].find("first 1,000,000") != std::string::npos);
        QCOMPARE(run.target, std::string("Node"));
        QCOMPARE(run.workload, std::string("POST /items"));
        QCOMPARE(run.connections.value(), 200u);
    }

    void exactlyAMillionIsNoDoubt()
    {
        const std::string text = replaced(importData("hey/million.md"), "50000.0000", "33333.3333");
        const ImportedRuns runs = runsIn(text);
        QCOMPARE(runs.size(), std::size_t{2});
        QCOMPARE(runs[0].completed.value_or(0), std::uint64_t{1'000'000});
        QVERIFY(runs[0].doubts.empty() && runs[0].latency.meanUs);
    }

    void errorsAreToldByKind()
    {
        const ImportedRuns runs = runsIn(importData("hey/million.md"));
        QCOMPARE(runs.size(), std::size_t{2});
        const ImportedRun& run = runs[1];
        QCOMPARE(run.completed.value(), std::uint64_t{103}); // 98 answers and 5 errors
        QCOMPARE(run.failed.value(), std::uint64_t{8});      // 503 and the errors, not 302
        QCOMPARE(errorsOf(run, ErrorKind::timeout), std::uint64_t{4});
        QCOMPARE(errorsOf(run, ErrorKind::clientLimit), std::uint64_t{1});
        QCOMPARE(errorsOf(run, ErrorKind::unexpectedStatus), std::uint64_t{3});
        QCOMPARE(run.target, std::string("Bun"));
        QVERIFY(!run.bodyReceived);
    }

    void aReportThatIsCutOffIsRefusedOrDoubted()
    {
        const std::string text = importData("hey/report.txt");
        const std::string refusal = refusalOf(text.substr(0, text.find("  Requests/sec")));
        QVERIFY2(refusal.find("line 2: the report of hey that begins here has no line \"Requests/sec:\"") !=
                     std::string::npos,
                 refusal.c_str());
        const ImportedRun cut = runIn(text.substr(0, text.find("Status code")));
        QCOMPARE(cut.rps.value_or(0), 31494.0196);
        QVERIFY(!cut.completed && !cut.failed);
        QCOMPARE(cut.doubts.size(), std::size_t{1});
    }

    void summariesOfOtherToolsAreNotTaken()
    {
        QVERIFY(refusalOf("Summary:\n  Elapsed   10.1s\n  Count  200\n").find("tool that is known") !=
                std::string::npos);
    }

    void decimalCommasAreRead()
    {
        const std::string text = replaced(importData("hey/report.txt"), ".", ",");
        QCOMPARE(runIn(text).rps.value_or(0), 31494.0196);
        QCOMPARE(percentile(runIn(text), "p99"), 1400.0);
    }

    void theCsvIsCountedExactly()
    {
        const ImportedRun run = runIn(importData("hey/rows.csv"));
        QCOMPARE(run.semantics.form, std::string("CSV"));
        QCOMPARE(run.completed.value(), std::uint64_t{60});
        QCOMPARE(run.failed.value(), std::uint64_t{60});
        QCOMPARE(run.status.at(404), std::uint64_t{60});
        QCOMPARE(percentile(run, "p25"), 100.0); // these by sort and awk
        QCOMPARE(percentile(run, "p90"), 200.0);
        QCOMPARE(percentile(run, "p95"), 300.0);
        QCOMPARE(percentile(run, "p99"), 500.0);
        QVERIFY(std::abs(run.latency.meanUs.value() - 111.667) < 0.001);
        QVERIFY(std::abs(run.durationSeconds.value() - 0.0032) < 1e-9);
        QVERIFY(std::abs(run.rps.value() - 60 / 0.0032) < 1e-3);
        QVERIFY(!run.bytesReceived && !run.bodyReceived);
    }

    void theCsvOfASpreadsheetIsReadToo()
    {
        std::string text = replaced(replaced(importData("hey/rows.csv"), ",", ";"), "0.", "0,");
        text += "sum;;;\n";
        const ImportedRun run = runIn(text);
        QCOMPARE(run.completed.value_or(0), std::uint64_t{60});
        QCOMPARE(percentile(run, "p99"), 500.0);
        QCOMPARE(run.doubts.size(), std::size_t{1});
        const std::string csv = importData("hey/rows.csv");
        QVERIFY(refusalOf(csv.substr(0, csv.find('\n') + 1)).find("no rows") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestImportHey)
#include "tst_import_hey.moc"
