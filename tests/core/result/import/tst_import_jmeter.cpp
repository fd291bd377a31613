#include "tests/core/result/import/read_runs.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

using namespace lapbench;
using namespace lapbench::test;

namespace {

using Whole = std::optional<std::uint64_t>;

const ErrorCount* errorOf(const ImportedRun& run, ErrorKind kind)
{
    const auto found =
        std::find_if(run.errors.begin(), run.errors.end(), [&](const ErrorCount& error) { return error.kind == kind; });
    return found == run.errors.end() ? nullptr : &*found;
}

std::string joined(const std::vector<std::string>& sentences)
{
    std::string all;
    for (const std::string& sentence : sentences)
        all += sentence + "\n";
    return all;
}

/// The default rows with the separator and the order of columns of another setting.
std::string reordered(char separator)
{
    const char* const rows[][5] = {{"success", "label", "elapsed", "timeStamp", "responseCode"},
                                   {"true", "\"a; b, c\td|e\"", "100", "1772359200000", "200"},
                                   {"false", "x", "300", "1772359201000", "500"}};
    std::string text;
    for (const auto& row : rows) {
        for (const char* value : row)
            (text += value) += separator;
        text.back() = '\n';
    }
    return text;
}

} // namespace

class TestImportJmeter : public QObject {
    Q_OBJECT

private slots:
    void rowsAreRead()
    {
        const ImportedRuns runs = runsIn(importData("jmeter/default.jtl"));
        QCOMPARE(runs.size(), std::size_t(1));
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed, Whole(6));
        QCOMPARE(run.failed, Whole(3));
        QCOMPARE(run.latency.minUs, std::optional(7000.0));
        QCOMPARE(run.latency.maxUs, std::optional(600'000.0));
        QVERIFY(std::abs(run.latency.meanUs.value() - 1607e3 / 6) < 1);
        // 7 100 200 300 400 600: nearest rank
        QCOMPARE(run.latency.percentilesUs.at("p25"), 100e3);
        QCOMPARE(run.latency.percentilesUs.at("p50"), 200e3);
        QCOMPARE(run.latency.percentilesUs.at("p90"), 600e3);
        QCOMPARE(run.durationSeconds, std::optional(3.0)); // from ..200.000 to ..202.400 + 600 ms
        QCOMPARE(run.rps, std::optional(2.0));
        QCOMPARE(run.bytesReceived, Whole(3700));
        QCOMPARE(run.bytesSent, Whole(780));
        QCOMPARE(run.connections, std::optional(4U)); // five of six samples at four threads
        QCOMPARE(run.status, (std::map<int, std::uint64_t>{{200, 4}, {404, 1}}));
        QCOMPARE(errorOf(run, ErrorKind::unexpectedStatus)->firstMessage, std::string("404 Not Found"));
        QCOMPARE(errorOf(run, ErrorKind::connectRefused)->count, std::uint64_t(1));
        QCOMPARE(errorOf(run, ErrorKind::failedCheck)->firstMessage,
                 std::string("Test failed: text expected to contain\n\"name\""));
        QCOMPARE(formatUtc(run.started.value()), std::string("2026-03-01T10:00:00.000Z"));
        QVERIFY(joined(run.semantics.notes).find("2 labels") != std::string::npos);
        QCOMPARE(run.semantics.form, std::string("JTL (CSV)"));
        QCOMPARE(run.semantics.resolutionUs, std::optional(1000.0));
        QVERIFY(run.doubts.empty());
        QCOMPARE(run.seconds.size(), std::size_t(4));
    }

    void columnsAreFoundByNameWhateverStandsBetweenThem_data()
    {
        QTest::addColumn<char>("separator");
        QTest::newRow("comma") << ',';
        QTest::newRow("semicolon") << ';';
        QTest::newRow("tab") << '\t';
        QTest::newRow("bar") << '|';
        QTest::newRow("caret") << '^';
    }
    void columnsAreFoundByNameWhateverStandsBetweenThem()
    {
        QFETCH(char, separator);
        const ImportedRuns runs = runsIn("$ cat results\n\n" + reordered(separator));
        QCOMPARE(runs.size(), std::size_t(1));
        QCOMPARE(runs[0].completed, Whole(2));
        QCOMPARE(runs[0].failed, Whole(1));
        QCOMPARE(runs[0].latency.meanUs, std::optional(200e3));
        QCOMPARE(runs[0].durationSeconds, std::optional(1.3));
        QVERIFY(!runs[0].bytesReceived);
        QVERIFY(!runs[0].connections);
    }

    void rowsWithoutAHeadAreRead_data()
    {
        QTest::addColumn<QByteArray>("behind");
        QTest::addColumn<bool>("hasThreads");
        QTest::addColumn<bool>("hasSent");
        QTest::newRow("2.9: bytes, latency") << QByteArray("1000,90") << false << false;
        QTest::newRow("2.13: with threads") << QByteArray("1000,2,2,90") << true << false;
        QTest::newRow("3: with failure") << QByteArray(",1000,2,2,90,0,1") << true << false;
        QTest::newRow("4: with sent bytes") << QByteArray(",1000,50,2,2,90,0,1") << true << true;
        QTest::newRow("5: with URL") << QByteArray(",1000,50,2,2,http://server/,90,0,1") << true << true;
    }
    void rowsWithoutAHeadAreRead()
    {
        QFETCH(QByteArray, behind);
        QFETCH(bool, hasThreads);
        QFETCH(bool, hasSent);
        const std::string end = behind.toStdString();
        const ImportedRuns runs = runsIn("1772359200000,100,\"a \"\"b\"\"\",200,OK,Users 1-1,text,true," + end +
                                         "\n1772359201000,50,c,500,no,Users 1-2,text,false," + end);
        QCOMPARE(runs.size(), std::size_t(1));
        QCOMPARE(runs[0].completed, Whole(2));
        QCOMPARE(runs[0].failed, Whole(1));
        QCOMPARE(runs[0].durationSeconds, std::optional(1.05));
        QCOMPARE(runs[0].bytesReceived, Whole(2000));
        QCOMPARE(runs[0].bytesSent, hasSent ? Whole(100) : Whole());
        QCOMPARE(runs[0].connections, hasThreads ? std::optional(2U) : std::optional<unsigned>());
    }

    void timesAreReadAsTheyWereSet_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::addColumn<double>("seconds"); // 0: not known
        QTest::addColumn<bool>("started");
        QTest::newRow("milliseconds") << QByteArray("1772359200000") << QByteArray("1772359201500") << 1.6 << true;
        QTest::newRow("a format") << QByteArray("2026-02-28 23:59:59.500") << QByteArray("2026-03-01 00:00:01.000")
                                  << 1.6 << false;
        QTest::newRow("slashes") << QByteArray("2026/03/01 10:00:00.123") << QByteArray("2026/03/01 10:00:01.623")
                                 << 1.6 << false;
        QTest::newRow("a zone") << QByteArray("2026-03-01T10:00:00.000+01:00") << QByteArray("2026-03-01T10:00:01.500Z")
                                << 3601.6 << true;
        QTest::newRow("a day that there is not")
            << QByteArray("2026/20/20 10:00:00.000") << QByteArray("2026/20/20 10:00:01.000") << 0.0 << false;
        QTest::newRow("one cannot be read") << QByteArray("1772359200000") << QByteArray("later") << 0.0 << true;
        QTest::newRow("empty") << QByteArray("") << QByteArray("") << 0.0 << false;
    }
    void timesAreReadAsTheyWereSet()
    {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        QFETCH(double, seconds);
        QFETCH(bool, started);
        const ImportedRuns runs = runsIn("timeStamp,elapsed,label,success\n" + first.toStdString() + ",200,a,true\n" +
                                         second.toStdString() + ",100,a,true\n");
        QCOMPARE(runs.size(), std::size_t(1));
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed, Whole(2)); // rows count whatever their time
        QCOMPARE(run.latency.meanUs, std::optional(150e3));
        QCOMPARE(run.durationSeconds.has_value(), seconds > 0);
        QCOMPARE(run.rps.has_value(), seconds > 0);
        QVERIFY(seconds <= 0 || std::abs(*run.durationSeconds - seconds) < 1e-6);
        QCOMPARE(run.doubts.empty(), seconds > 0);
        QCOMPARE(run.started.has_value(), started);
        QCOMPARE(run.workload, std::string("a"));
    }

    void transactionsAreNotCountedBesideTheirSamples()
    {
        const ImportedRuns runs = runsIn(importData("jmeter/transactions.csv"));
        QCOMPARE(runs.size(), std::size_t(1));
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed, Whole(4));
        QCOMPARE(run.failed, Whole(1));
        QCOMPARE(run.latency.meanUs, std::optional(62'500.0));
        QCOMPARE(run.bytesReceived, Whole(2600));
        QVERIFY(joined(run.semantics.notes).find("2 rows of transactions") != std::string::npos);
        QVERIFY(run.doubts.empty());
    }

    void transactionsAreCountedWhereTheyAreAllThereIs()
    {
        const ImportedRun run =
            runsIn("timeStamp,elapsed,label,responseMessage,success\n1772359200000,150,visit,\"Number of samples in "
                   "transaction : 2, number of failing samples : 0\",true\n")
                .at(0);
        QCOMPARE(run.completed, Whole(1));
        QVERIFY(joined(run.doubts).find("All rows are of transactions") != std::string::npos);
    }

    void partsOfSamplesAreTold()
    {
        const ImportedRun run = runsIn("timeStamp,elapsed,label,success\n1772359200000,150,page,true\n"
                                       "1772359200000,50,page-0,true\n1772359200050,100,page-1,true\n")
                                    .at(0);
        QCOMPARE(run.completed, Whole(3));
        QVERIFY(joined(run.doubts).find("2 samples are named as parts of others") != std::string::npos);
    }

    void anotherHeadBeginsAnotherRun()
    {
        const std::string text = importData("jmeter/default.jtl");
        const ImportedRuns runs = runsIn(text + reordered(','));
        QCOMPARE(runs.size(), std::size_t(2));
        QCOMPARE(runs[0].completed, Whole(6));
        QCOMPARE(runs[1].completed, Whole(2));
    }

    void whatIsNoSampleIsLeftOutAndTold()
    {
        const ImportedRun run =
            runsIn(importData("jmeter/default.jtl") + "1772359203000,-5,x,200,OK,U,text,true,\n" + "1772359203000,12")
                .at(0);
        QCOMPARE(run.completed, Whole(6));
        QVERIFY2(joined(run.doubts).find("2 rows, the first of them in line 9,") != std::string::npos,
                 joined(run.doubts).c_str());
    }

    void windowsLineEndsAreNoPartOfTheLastColumn()
    {
        std::string text = "label,success,timeStamp,elapsed\r\na,true,1772359200000,100\r\n";
        QCOMPARE(runsIn(text).at(0).latency.meanUs, std::optional(100e3));
    }

    void aHeadWithoutSamplesIsRefused()
    {
        const std::string text = importData("jmeter/default.jtl");
        QCOMPARE(
            refusalOf(text.substr(0, text.find('\n'))),
            std::string("name: line 1: begins rows of JMeter, and none of them is a sample; save the JTL file after "
                        "the run has ended"));
    }

    void rowsOfOthersAreNot()
    {
        QVERIFY(runsIn("response-time,DNS+dialup,DNS\n0.1,0.2,0.3\n").empty());
        QVERIFY(runsIn("name,elapsed\na,100\n").empty());
        QVERIFY(runsIn("1,2,3,4,5,6,7,true,9\n").empty());
    }

    void xmlIsRead()
    {
        const ImportedRuns runs = runsIn("INFO o.a.j.JMeter: Created\n" + importData("jmeter/results.xml"));
        QCOMPARE(runs.size(), std::size_t(1));
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed, Whole(3)); // the page without its parts, the two samples within the transaction
        QCOMPARE(run.failed, Whole(1));
        QCOMPARE(run.latency.meanUs, std::optional(70e3));
        QCOMPARE(run.durationSeconds, std::optional(1.09));
        QCOMPARE(run.bytesReceived, Whole(5700));
        QCOMPARE(run.bytesSent, Whole(700));
        QCOMPARE(run.connections, std::optional(2U));
        QCOMPARE(errorOf(run, ErrorKind::failedCheck)->firstMessage,
                 std::string("Test failed: text expected to contain /paid/"));
        QCOMPARE(run.semantics.form, std::string("JTL (XML)"));
        QVERIFY(run.doubts.empty());
    }

    void xmlThatIsCutOffGivesWhatIsThere()
    {
        const std::string text = importData("jmeter/results.xml");
        const ImportedRun run = runsIn(text.substr(0, text.find("</testResults>"))).at(0);
        QCOMPARE(run.completed, Whole(3));
        QVERIFY(joined(run.doubts).find("</testResults>") != std::string::npos);
        QCOMPARE(refusalOf(text.substr(0, text.find("it="))),
                 std::string("name: line 3: results of JMeter are cut off or broken before the first sample; save the "
                             "JTL file after the run has ended"));
        QCOMPARE(refusalOf("<testResults version=\"1.2\">\n</testResults>"),
                 std::string("name: line 1: begins results of JMeter without a sample; run the test first"));
    }

    void whatStandsBehindXmlIsNoTrouble()
    {
        QCOMPARE(runsIn(importData("jmeter/results.xml") +
                        "```\n$ exit <now     void samplesInSamplesWithoutEndAreNoTrouble() then\n")
                     .at(0)
                     .completed,
                 Whole(3));
        QVERIFY(!refusalOf("<testResults").empty());
    }

    void samplesInSamplesWithoutEndAreNoTrouble()
    {
        std::string text = "<testResults version=\"1.2\">";
        for (int i = 0; i < 100'000; ++i)
            text += "<sample t=\"1\" ts=\"1772359200000\" s=\"true\" rm=\"Number of samples in transaction : 1\">";
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(runsIn(text).size(), std::size_t(1));
        QVERIFY(timer.elapsed() < 5000);
    }
};

QTEST_GUILESS_MAIN(TestImportJmeter)
#include "tst_import_jmeter.moc"
