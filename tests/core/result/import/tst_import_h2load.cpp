#include "core/base/clock.h"
#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

class TestImportH2load : public QObject {
    Q_OBJECT

private slots:
    void everyPrintedFigureIsTaken()
    {
        const ImportedRun run = runIn(importData("h2load/h1.txt"));
        QCOMPARE(run.semantics.tool, std::string("h2load"));
        QCOMPARE(run.connections.value(), 4u);
        QCOMPARE(run.threads.value(), 1u);
        QCOMPARE(run.completed.value(), std::uint64_t{500});
        QCOMPARE(run.failed.value(), std::uint64_t{0});
        QCOMPARE(run.durationSeconds.value(), 0.02163);
        QCOMPARE(run.rps.value(), 23117.11);
        QCOMPARE(run.latency.minUs.value(), 27.0);
        QCOMPARE(run.latency.maxUs.value(), 8250.0);
        QCOMPARE(run.latency.meanUs.value(), 165.0);
        QCOMPARE(run.latency.stdevUs.value(), 831.0);
        QVERIFY(run.latency.percentilesUs.empty()); // older versions print none
        QCOMPARE(run.bytesReceived.value(), std::uint64_t{66000});
        QCOMPARE(run.bodyReceived.value(), std::uint64_t{6000});
        QCOMPARE(run.semantics.resolutionUs.value(), 1.0);
        QVERIFY(run.doubts.empty() && run.errors.empty());
    }

    void theColumnsAreThoseOfTheHeaderLine()
    {
        const ImportedRun run = runIn(importData("h2load/columns.txt"));
        QCOMPARE(run.latency.minUs.value(), 900.0);
        QCOMPARE(run.latency.maxUs.value(), 80500.0);
        QCOMPARE(percentile(run, "p50"), 2100.0);
        QCOMPARE(percentile(run, "p95"), 30000.0);
        QCOMPARE(percentile(run, "p99"), 75000.0);
        QCOMPARE(run.latency.meanUs.value(), 5250.0);
        QCOMPARE(run.latency.stdevUs.value(), 9750.0);
        QCOMPARE(run.rps.value(), 792.0); // not the row of the same name, which is a client's
        QCOMPARE(run.connections.value(), 20u);
        QCOMPARE(run.threads.value(), 2u);
        QCOMPARE(run.workload, std::string("GET /items"));
        QCOMPARE(run.target, std::string("192.0.2.7"));
    }

    void failedRequestsAreCountedOnce()
    {
        const ImportedRun run = runIn(importData("h2load/columns.txt"));
        QCOMPARE(run.completed.value(), std::uint64_t{1000}); // 990 done; ten more failed without an answer
        QCOMPARE(run.failed.value(), std::uint64_t{15});
        QCOMPARE(run.unfinished.value(), std::uint64_t{0});
        QCOMPARE(errorsOf(run, ErrorKind::timeout), std::uint64_t{4});
        QCOMPARE(errorsOf(run, ErrorKind::reset), std::uint64_t{6});
        QCOMPARE(errorsOf(run, ErrorKind::unexpectedStatus), std::uint64_t{5});
    }

    void otherStatusesAreFailed()
    {
        const ImportedRun run = runIn(importData("h2load/not_found.txt"));
        QCOMPARE(run.completed.value(), std::uint64_t{100});
        QCOMPARE(run.failed.value(), std::uint64_t{100});
        QCOMPARE(errorsOf(run, ErrorKind::unexpectedStatus), std::uint64_t{100});
        QCOMPARE(run.latency.meanUs.value(), 126.0);
    }

    void whatTheEndCutOffIsUnfinished()
    {
        const ImportedRun run = runIn(importData("h2load/duration.txt"));
        QCOMPARE(run.completed.value(), std::uint64_t{18911});
        QCOMPARE(run.unfinished.value(), std::uint64_t{2}); // 18913 started
        QCOMPARE(run.durationSeconds.value(), 1.0);
    }

    void zerosOfARunWithoutAnswersAreAbsent()
    {
        const ImportedRun run = runIn(importData("h2load/refused.txt"));
        QCOMPARE(run.completed.value(), std::uint64_t{20});
        QCOMPARE(run.failed.value(), std::uint64_t{20});
        QCOMPARE(errorsOf(run, ErrorKind::connectRefused), std::uint64_t{20});
        QVERIFY(!run.latency.meanUs && !run.latency.minUs && !run.latency.maxUs && !run.semantics.resolutionUs);
        QVERIFY(run.doubts.empty());
    }

    void formsOfOldVersionsAreRead()
    {
        std::string text = importData("h2load/h1.txt");
        text = text.substr(text.find("finished in"));
        text = replaced(text, ", 0 timeout", "");
        text = replaced(text, "64.45KB (66000) total", "66000 bytes total");
        text = replaced(text, "5.86KB (6000) data", "6000 bytes data");
        text = "    " + replaced(text, "\n", "\n    ");
        const ImportedRun run = runIn(text);
        QCOMPARE(run.completed.value_or(0), std::uint64_t{500});
        QCOMPARE(run.bytesReceived.value_or(0), std::uint64_t{66000});
        QCOMPARE(run.bodyReceived.value_or(0), std::uint64_t{6000});
        QCOMPARE(run.latency.meanUs.value_or(0), 165.0);
        QVERIFY(!run.connections);
    }

    void severalReportsGiveSeveralRuns()
    {
        const ImportedRuns runs = runsIn("# Node\n" + importData("h2load/h1.txt") + "\n# Bun\n" +
                                         importData("h2load/columns.txt") + importData("h2load/duration.txt"));
        QCOMPARE(runs.size(), std::size_t{3});
        QCOMPARE(runs[0].target, std::string("Node"));
        QCOMPARE(runs[1].target, std::string("Bun"));
        QCOMPARE(runs[2].completed.value(), std::uint64_t{18911});
    }

    void aReportThatIsCutOffIsRefused()
    {
        const std::string text = importData("h2load/h1.txt");
        for (const char* const end : {"progress: 50", "requests: "}) {
            const std::string refusal = refusalOf(text.substr(0, text.find(end)));
            QVERIFY2(refusal.find("line 1: the report of h2load that begins here has no line \"requests:") !=
                         std::string::npos,
                     refusal.c_str());
        }
        QVERIFY(refusalOf("The work was finished in 3s, at 12 req/s.\n").find("tool that is known") !=
                std::string::npos);
    }

    void theJsonHasEveryPercentile()
    {
        const ImportedRun run = runIn(importData("h2load/result.json"));
        QCOMPARE(run.semantics.form, std::string("JSON"));
        QCOMPARE(run.completed.value(), std::uint64_t{10});
        QCOMPARE(run.failed.value(), std::uint64_t{1});
        QCOMPARE(run.durationSeconds.value(), 0.5);
        QCOMPARE(run.rps.value(), 20.0);
        QCOMPARE(run.latency.meanUs.value(), 14500.0);
        QCOMPARE(run.latency.maxUs.value(), 100000.0);
        QCOMPARE(percentile(run, "p50"), 5500.0); // as printed
        QCOMPARE(percentile(run, "p25"), 3000.0); // third of ten
        QCOMPARE(percentile(run, "p90"), 9000.0); // ninth
        QCOMPARE(percentile(run, "p99_9"), 100000.0);
        QCOMPARE(run.latency.count.value(), std::uint64_t{10});
        QVERIFY(run.histogram.has_value());
        QCOMPARE(run.bytesReceived.value(), std::uint64_t{1200});
        QCOMPARE(errorsOf(run, ErrorKind::unexpectedStatus), std::uint64_t{1});
        QVERIFY(refusalOf(replaced(importData("h2load/result.json"), "\"done\": 10", "\"done\": null"))
                    .find("measurements.requests.done") != std::string::npos);
    }

    void theLogIsCountedExactly()
    {
        const ImportedRun run = runIn(importData("h2load/log.tsv"));
        QCOMPARE(run.semantics.form, std::string("log"));
        QCOMPARE(run.completed.value(), std::uint64_t{100});
        QCOMPARE(run.failed.value(), std::uint64_t{0});
        QCOMPARE(run.latency.minUs.value(), 27.0); // these by sort and awk
        QCOMPARE(percentile(run, "p25"), 43.0);
        QCOMPARE(percentile(run, "p50"), 50.0);
        QCOMPARE(percentile(run, "p75"), 55.0);
        QCOMPARE(percentile(run, "p90"), 113.0);
        QCOMPARE(percentile(run, "p95"), 2876.0);
        QCOMPARE(percentile(run, "p99"), 3784.0);
        QCOMPARE(run.latency.maxUs.value(), 3791.0);
        QCOMPARE(run.latency.meanUs.value(), 312.14);
        QCOMPARE(run.durationSeconds.value(), 0.007882);
        QCOMPARE(run.started.value(), UtcTime(std::chrono::microseconds(1796093136707066)));
        QCOMPARE(run.status.at(200), std::uint64_t{100});
        QVERIFY(run.doubts.empty());
    }

    void aLogOfSeveralRunsHasNoRate()
    {
        const std::string log = importData("h2load/log.tsv");
        const ImportedRun run = runIn(log + "1796093166707066\t-1\t50\n1796093166707090\t503\t50\ncut o");
        QCOMPARE(run.completed.value(), std::uint64_t{102});
        QCOMPARE(run.failed.value(), std::uint64_t{2});
        QVERIFY(!run.rps);
        QCOMPARE(run.doubts.size(), std::size_t{2}); // the pause of 30 s and the broken line
        QCOMPARE(errorsOf(run, ErrorKind::reset), std::uint64_t{1});
    }

    void otherRowsAreNoLog_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("small numbers") << QByteArray("1\t200\t3\n2\t200\t4\n");
        QTest::newRow("a header") << QByteArray("start\tstatus\ttime\n1796093166707066\t200\t50\n");
        QTest::newRow("four columns") << QByteArray("1796093166707066\t200\t50\t1\n1796093166707066\t200\t50\t1\n");
        QTest::newRow("no status") << QByteArray("1796093166707066\t2000\t50\n1796093166707066\t2000\t50\n");
    }
    void otherRowsAreNoLog()
    {
        QFETCH(QByteArray, text);
        QVERIFY(refusalOf(text.toStdString()).find("nor the output of a tool that is known") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestImportH2load)
#include "tst_import_h2load.moc"
