#include "core/result/import/error_words.h"
#include "core/result/import/json_figures.h"
#include "core/result/import/measure_text.h"
#include "core/result/import/report_lines.h"

#include <QElapsedTimer>
#include <QTest>

using namespace lapbench;

class TestReportLines : public QObject {
    Q_OBJECT

private slots:
    void wordsTellTheKindOfAnError_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("kind");
        QTest::newRow("Go, refused") << "dial tcp 127.0.0.1:80: connect: connection refused"
                                     << "connect_refused";
        QTest::newRow("Go, connecting") << "dial tcp 127.0.0.1:80: i/o timeout"
                                        << "connect_timeout";
        QTest::newRow("Go, waiting") << "context deadline exceeded (Client.Timeout exceeded)"
                                     << "timeout";
        QTest::newRow("fasthttp") << "the server closed connection before returning the first response byte"
                                  << "closed_early";
        QTest::newRow("Rust") << "connection error: Connection refused (os error 111)"
                              << "connect_refused";
        QTest::newRow("Node, reset") << "read ECONNRESET"
                                     << "reset";
        QTest::newRow("limit") << "socket: too many open files"
                               << "client_limit";
        QTest::newRow("name") << "dial tcp: lookup nowhere: no such host"
                              << "resolve";
        QTest::newRow("certificate") << "x509: certificate has expired"
                                     << "tls";
        QTest::newRow("end") << "unexpected EOF"
                             << "closed_early";
        QTest::newRow("status") << "503 Service Unavailable"
                                << "unexpected_status";
        QTest::newRow("anything else") << "odd"
                                       << "malformed";
    }
    void wordsTellTheKindOfAnError()
    {
        QFETCH(QString, words);
        QFETCH(QString, kind);
        QCOMPARE(std::string(errorKindName(errorKindOf(words.toStdString()))), kind.toStdString());
    }

    void timesAreReadWithTheirOffset()
    {
        QCOMPARE(formatUtc(parseTimestamp("2026-01-02T01:00:00.25+02:00").value()),
                 std::string("2026-01-01T23:00:00.250Z"));
        QCOMPARE(formatUtc(parseTimestamp("2026-01-02T01:00:00-00:30").value()),
                 std::string("2026-01-02T01:30:00.000Z"));
        QCOMPARE(formatUtc(parseTimestamp("2026-01-02T01:00:00Z").value()), std::string("2026-01-02T01:00:00.000Z"));
        for (const char* none :
             {"", "2026", "2026-01-02T01:00:00+2:00", "2026-01-02T01:00:00+99:00", "yesterday +02:00"})
            QVERIFY(!parseTimestamp(none));
    }

    void headingsAreFoundOutsideOfFences()
    {
        const auto lines = linesOf("a\n# One\n```\n# no\n```\n#no\n## Two ##\nb");
        Headings headings(lines);
        QCOMPARE(headings.above(0), std::string_view());
        QCOMPARE(headings.above(4), std::string_view("One"));
        QCOMPARE(headings.above(7), std::string_view("Two"));
        QVERIFY(headingsOf(lines)[1].empty());
        QCOMPARE(headingsOf(lines)[2], std::string_view("One"));
    }

    void stepsOfPrintedTimes()
    {
        QCOMPARE(printedStepUs("3.65ms").value(), 10.0);
        QCOMPARE(printedStepUs("0,0015 secs").value(), 100.0);
        QCOMPARE(printedStepUs("7us").value(), 1.0);
        QVERIFY(!printedStepUs("nan") && !printedStepUs("") && !printedStepUs("1m2s"));
    }

    void aLineIsLookedAtOnce()
    {
        std::string text;
        for (int i = 0; i < 2'000'000; ++i)
            text += "mark ";
        QElapsedTimer timer;
        timer.start();
        int seen = 0;
        QVERIFY(!anyLine(text, "mark", [&](std::string_view, std::size_t) { return ++seen > 1; }));
        QVERIFY(anyLine("x\nmark b\nmark a", "mark",
                        [](std::string_view line, std::size_t at) { return line == "mark a" && at == 9; }));
        QVERIFY(timer.elapsed() < 1000);
    }

    void aRequestIsNamedByMethodAndPath()
    {
        ImportedRun run;
        setRequest(run, "GET", "http://127.0.0.1:80/a?b=1#c");
        QCOMPARE(run.workload, std::string("GET /a?b=1"));
        QCOMPARE(run.target, std::string("127.0.0.1:80"));
        ImportedRun bare;
        setRequest(bare, "PUT", "http://host");
        QCOMPARE(bare.workload, std::string("PUT /"));
    }
};

QTEST_GUILESS_MAIN(TestReportLines)
#include "tst_report_lines.moc"
