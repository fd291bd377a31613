#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

class TestImportOha : public QObject {
    Q_OBJECT

private slots:
    void jsonIsRead()
    {
        const ImportedRuns runs = runsIn(importData("oha/plain.json"));
        QCOMPARE(runs.size(), std::size_t{1});
        const ImportedRun& run = runs[0];
        QCOMPARE(run.semantics.tool, std::string("oha"));
        QCOMPARE(run.completed.value(), 1004U); // 1000 answers, 4 that failed
        QCOMPARE(run.failed.value(), 34U);      // 404, 503 and those 4
        QCOMPARE(run.unfinished.value(), 16U);
        QCOMPARE(run.latency.count.value(), 1000U);
        QCOMPARE(run.durationSeconds.value(), 2.0);
        QCOMPARE(run.rps.value(), 510.0);
        QCOMPARE(run.bodyReceived.value(), 12000U);
        QVERIFY(!run.bytesReceived);
        QCOMPARE(run.latency.minUs.value(), 250.5);
        QCOMPARE(run.latency.meanUs.value(), 1950.0);
        QCOMPARE(run.latency.maxUs.value(), 42500.0);
        QCOMPARE(percentile(run, "p25"), 1000.0);
        QCOMPARE(percentile(run, "p50"), 1500.0); // of all, not of the successful ones
        QCOMPARE(percentile(run, "p99"), 10000.5);
        QCOMPARE(percentile(run, "p99_9"), 40000.0);
        QCOMPARE(percentile(run, "p99_99"), 42500.0);
        QCOMPARE(run.status.at(302), 20U);
        QCOMPARE(errorsOf(run, ErrorKind::unexpectedStatus), 30U);
        QCOMPARE(errorsOf(run, ErrorKind::connectRefused), 3U);
        QCOMPARE(errorsOf(run, ErrorKind::timeout), 1U);
        QCOMPARE(run.doubts.size(), std::size_t{1});
        QVERIFY(run.doubts[0].find("502.00") != std::string::npos); // 1004 in 2 s
    }

    void withoutARequestNothingIsMadeUp()
    {
        const ImportedRuns runs = runsIn(importData("oha/nothing.json"));
        QCOMPARE(runs.size(), std::size_t{1});
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed.value(), 0U);
        QCOMPARE(run.unfinished.value(), 2U);
        QCOMPARE(run.rps.value(), 0.0);
        QVERIFY(!run.latency.minUs && !run.latency.meanUs && !run.latency.maxUs);
        QVERIFY(run.latency.percentilesUs.empty());
    }

    void metricsOfNewerVersionsAreMilliseconds()
    {
        const ImportedRuns runs = runsIn(importData("oha/metrics.json"));
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs[0].latency.meanUs.value(), 1250.0);
        QCOMPARE(runs[0].latency.maxUs.value(), 4000.0);
        QCOMPARE(percentile(runs[0], "p50"), 1000.0);
        QCOMPARE(percentile(runs[0], "p99"), 3500.0);
        QCOMPARE(percentile(runs[0], "p90"), -1.0);
    }

    void aDocumentInOthersIsReadOnce()
    {
        const std::string wrapped = "{\"stdout\": {\"value\": " + importData("oha/plain.json") + "}, \"code\": 0}";
        QCOMPARE(runsIn(wrapped).size(), std::size_t{1});
    }

    void severalReportsInMarkdownAreRead_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("as it is") << ""
                                  << "";
        QTest::newRow("Windows line ends") << "\n"
                                           << "\r\n";
        QTest::newRow("decimal commas") << "."
                                        << ",";
    }
    void severalReportsInMarkdownAreRead()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        std::string text = importData("oha/several.md");
        if (!from.isEmpty())
            text = replaced(text, from.toStdString(), to.toStdString());
        const ImportedRuns runs = runsIn(text);
        QCOMPARE(runs.size(), std::size_t{2});
        const ImportedRun &first = runs[0], &second = runs[1];
        QCOMPARE(first.target, std::string("First"));
        QCOMPARE(first.completed.value(), 1000U);
        QCOMPARE(first.failed.value(), 0U);
        QCOMPARE(first.durationSeconds.value(), 2.0);
        QCOMPARE(first.rps.value(), 500.0);
        QCOMPARE(first.bodyReceived.value(), 1572864U); // 1.5 * 1024 * 1024
        QCOMPARE(first.latency.maxUs.value(), 14800.0);
        QCOMPARE(percentile(first, "p50"), 1200.0);
        QCOMPARE(percentile(first, "p99_9"), 7100.0);
        QCOMPARE(first.semantics.resolutionUs.value(), 100.0);
        QVERIFY(first.doubts.empty());
        QCOMPARE(second.target, std::string("Second"));
        QCOMPARE(second.durationSeconds.value(), 1.0005);
        QCOMPARE(second.completed.value(), 494U);
        QCOMPARE(second.failed.value(), 14U);
        QCOMPARE(second.unfinished.value(), 16U);
        QCOMPARE(second.bodyReceived.value(), 512U);
        QCOMPARE(second.latency.meanUs.value(), 1950.0);
        QCOMPARE(percentile(second, "p50"), 1500.0);
        QCOMPARE(percentile(second, "p90"), -1.0);
        QVERIFY(std::abs(second.semantics.resolutionUs.value() - 0.1) < 1e-9);
        QCOMPARE(errorsOf(second, ErrorKind::connectRefused), 4U);
    }

    void requestsOfCsvAreCounted()
    {
        const ImportedRuns runs = runsIn(importData("oha/requests.csv"));
        QCOMPARE(runs.size(), std::size_t{1});
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed.value(), 4U);
        QCOMPARE(run.failed.value(), 1U);
        QCOMPARE(run.bodyReceived.value(), 43U);
        QCOMPARE(run.latency.meanUs.value(), 2500.0);
        QCOMPARE(run.latency.maxUs.value(), 4000.0);
        QCOMPARE(percentile(run, "p50"), 2000.0);
        QVERIFY(std::abs(run.durationSeconds.value() - 1.2035) < 1e-9);
        QCOMPARE(run.seconds.size(), std::size_t{2});
        QCOMPARE(run.status.at(503), 1U);
    }

    void whatIsCutOffIsSaid()
    {
        const std::string whole = importData("oha/several.md");
        const std::string first = whole.substr(0, whole.find("  Slowest:"));
        QCOMPARE(refusalOf(first).substr(0, 14), std::string("name: line 6: "));
        const ImportedRuns doubted = runsIn(whole.substr(0, whole.find("Status code distribution:")));
        QCOMPARE(doubted.size(), std::size_t{1});
        QVERIFY(!doubted[0].completed && !doubted[0].failed);
        QVERIFY(!doubted[0].doubts.empty());
        const std::string csv = importData("oha/requests.csv");
        QVERIFY(!refusalOf(csv.substr(0, csv.find('\n') + 1)).empty());
        const ImportedRuns cut = runsIn(csv.substr(0, csv.size() - 8));
        QCOMPARE(cut.size(), std::size_t{1});
        QCOMPARE(cut[0].completed.value(), 3U);
        QVERIFY(!cut[0].doubts.empty());
    }
};

QTEST_GUILESS_MAIN(TestImportOha)
#include "tst_import_oha.moc"
