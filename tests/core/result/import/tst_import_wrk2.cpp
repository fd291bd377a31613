#include "tests/core/result/import/read_runs.h"

#include <QTest>

#include <algorithm>

using namespace lapbench;
using namespace lapbench::test;

class TestImportWrk2 : public QObject {
    Q_OBJECT

private slots:
    void ofTwoDistributionsTheRecordedOneIsTaken()
    {
        const ImportedRuns runs = runsIn(importData("wrk2/late.txt"));
        QCOMPARE(runs.size(), std::size_t{1});
        const ImportedRun& run = runs[0];
        QCOMPARE(run.semantics.tool, std::string("wrk2"));
        QCOMPARE(run.latency.meanUs.value(), 4200.0);
        QCOMPARE(run.latency.stdevUs.value(), 2100.0);
        QCOMPARE(percentile(run, "p50"), 950.0);
        QCOMPARE(percentile(run, "p75"), 1300.0);
        QCOMPARE(percentile(run, "p90"), 2750.0);
        QCOMPARE(percentile(run, "p99"), 40190.0);
        QCOMPARE(percentile(run, "p99_9"), 1.2e6);
        QCOMPARE(percentile(run, "p99_99"), 1.2e6);
        QCOMPARE(run.latency.maxUs.value(), 63e6); // 1.05m are minutes
    }

    void theSpectrumTellsWhatTheListDoesNot()
    {
        const ImportedRun run = runsIn(importData("wrk2/late.txt")).at(0);
        QCOMPARE(percentile(run, "p95"), 9005.0);
        QCOMPARE(percentile(run, "p25"), 700.0);
        QCOMPARE(run.latency.minUs.value(), 310.0);
        QCOMPARE(run.latency.count.value(), std::uint64_t{2000}); // of 4000: those of the first 10 s are not in it
    }

    void countsRateAndRequestAreTaken()
    {
        const ImportedRun run = runsIn(importData("wrk2/late.txt")).at(0);
        QCOMPARE(run.rate.value(), 200.0);
        QCOMPARE(run.connections.value(), 20u);
        QCOMPARE(run.completed.value(), std::uint64_t{4000});
        QCOMPARE(run.failed.value(), std::uint64_t{3});
        QCOMPARE(run.durationSeconds.value(), 20.0);
        QCOMPARE(run.rps.value(), 200.02);
        QCOMPARE(run.bytesReceived.value(), std::uint64_t{1572864});
        QCOMPARE(run.workload, std::string("GET /items?page=2"));
        QCOMPARE(run.semantics.correction, Correction::intended);
        QVERIFY(run.doubts.empty());
    }

    void aRunShorterThanTheCalibrationHasNoLatencies()
    {
        const ImportedRuns runs = runsIn(importData("wrk2/short.md"));
        QCOMPARE(runs.size(), std::size_t{2});
        QCOMPARE(runs[0].target, std::string("Node"));
        QCOMPARE(runs[0].completed.value(), std::uint64_t{4990});
        QCOMPARE(runs[0].rate.value(), 1000.0);
        QVERIFY(!runs[0].latency.meanUs && !runs[0].latency.maxUs && !runs[0].latency.stdevUs);
        QCOMPARE(runs[0].doubts.size(), std::size_t{1});
        QCOMPARE(runs[1].target, std::string("Bun"));
        QCOMPARE(runs[1].latency.meanUs.value(), 1060.0);
        QVERIFY(!runs[1].rate); // the report does not tell it
        QVERIFY(runs[1].doubts.empty());
    }

    void eachReportHasTheCommandLineAboveIt()
    {
        const std::string first = importData("wrk2/late.txt");
        const ImportedRuns runs = runsIn(first + replaced(first, "-R200", "--rate=300"));
        QCOMPARE(runs.size(), std::size_t{2});
        QCOMPARE(runs[0].rate.value(), 200.0);
        QCOMPARE(runs[1].rate.value(), 300.0);
    }

    void reportsOfBothToolsInOneTextAreKeptApart()
    {
        const ImportedRuns runs = runsIn(importData("wrk/latency.txt") + "\n" + importData("wrk2/late.txt"));
        QCOMPARE(runs.size(), std::size_t{2});
        QVERIFY(std::any_of(runs.begin(), runs.end(),
                            [](const ImportedRun& run) { return run.semantics.tool == "wrk" && run.rps == 59023.44; }));
        QVERIFY(std::any_of(runs.begin(), runs.end(),
                            [](const ImportedRun& run) { return run.semantics.tool == "wrk2" && run.rps == 200.02; }));
    }

    void aReportThatIsCutOffInTheSpectrumIsRefused()
    {
        const std::string report = importData("wrk2/late.txt");
        const std::string refusal = refusalOf(report.substr(0, report.find("       9.005")));
        QVERIFY2(refusal.find("line 2: the report of wrk2") != std::string::npos, refusal.c_str());
    }
};

QTEST_GUILESS_MAIN(TestImportWrk2)
#include "tst_import_wrk2.moc"
