#include "core/result/hlog.h"
#include "core/result/journal.h"
#include "tests/cli/export_place.h"

using namespace lapbench;
using namespace lapbench::test;

class TestCliExport : public QObject {
    Q_OBJECT

private slots:
    void eachFormatIsAFile()
    {
        const ExportPlace place;
        const CliEnd end = place.exported("markdown,csv,json");
        QVERIFY2(end.code == 0, end.err);
        QCOMPARE(place.files(), QStringList({"x-seconds.csv", "x-trials.csv", "x.lapbench.json", "x.md"}));
        QCOMPARE(end.out.count('\n'), 4);
        QVERIFY(end.out.contains("Wrote " + place.out("x.md").toUtf8() + "\n"));
        QCOMPARE(CliPlace::read(place.out("x.lapbench.json")), CliPlace::read(place.result()));
        QVERIFY(CliPlace::read(place.out("x-trials.csv")).count('\n') == 1 + 6);
    }

    void aLogHasTheLatenciesOfEveryTrial()
    {
        const ExportPlace place;
        QCOMPARE(place.exported("hlog").code, 0);
        const auto log = parseHlog(CliPlace::read(place.out("x.hlog")).toStdString());
        QVERIFY(log.ok());
        QCOMPARE(log.value().size(), std::size_t(6)); // a second each
        for (const HlogInterval& interval : log.value())
            QCOMPARE(interval.latency.total(), std::uint64_t(3));
    }

    void markdownIsWhatShowPrints()
    {
        const ExportPlace place;
        QCOMPARE(place.exported("markdown").code, 0);
        const CliEnd shown = place.run({"show", place.result(), "--format", "markdown"});
        QCOMPARE(CliPlace::read(place.out("x.md")), shown.out);
        QVERIFY(shown.out.contains("| Bun 1.1 | 2.00k |"));
    }

    void jsonIsReadAgainToTheSameCells()
    {
        const ExportPlace place;
        QCOMPARE(place.exported("json").code, 0);
        const auto before = readResultOrJournal(place.result().toStdString()),
                   after = readResultOrJournal(place.out("x.lapbench.json").toStdString());
        QVERIFY(before.ok() && after.ok());
        QCOMPARE(after.value().cells.size(), std::size_t(2));
        for (std::size_t i = 0; i < 2; ++i)
            QCOMPARE(cellToJson(after.value().cells[i]).dump(), cellToJson(before.value().cells[i]).dump());
    }

    void aJournalIsExportedAsTheResultItWouldHaveBecome()
    {
        const ExportPlace place;
        SessionResult result = madeResult();
        auto journal = Journal::create(place.path("j.lapbench.json").toStdString(), result);
        QVERIFY(journal.ok());
        for (const Trial& trial : result.trials)
            QVERIFY(journal.value().append(trial).ok());
        const CliEnd end = place.run(
            {"export", place.path("j.lapbench.json.journal"), "--format", "json,markdown", "-o", place.folder()});
        QVERIFY2(end.code == 0, end.err);
        QCOMPARE(place.files(), QStringList({"j.lapbench.json", "j.md"}));
        QVERIFY(CliPlace::read(place.out("j.md")).contains("did not end"));
        const auto read = readResultOrJournal(place.out("j.lapbench.json").toStdString());
        QVERIFY(read.ok());
        QCOMPARE(read.value().trials.size(), std::size_t(6));
    }

    void whatIsThereIsNotOverwrittenSilently()
    {
        const ExportPlace place;
        QVERIFY(QDir().mkpath(place.folder()));
        const QByteArray mine = "a letter to a friend\n";
        place.write("out/x.md", mine);
        const CliEnd refused = place.exported("csv,markdown");
        QCOMPARE(refused.code, 2);
        QCOMPARE(refused.err, "lapbench-cli: " + place.out("x.md").toUtf8() +
                                  ": is there already; give --yes to replace what is there, or another -o\n");
        QCOMPARE(place.files(), QStringList({"x.md"}));
        QCOMPARE(CliPlace::read(place.out("x.md")), mine);
        QCOMPARE(place.exported("csv,markdown", {"--yes"}).code, 0);
        QVERIFY(CliPlace::read(place.out("x.md")).startsWith("# p\n"));
    }

    void theResultIsNotReplacedByItsExport()
    {
        const ExportPlace place;
        const QByteArray before = CliPlace::read(place.result());
        const CliEnd end =
            place.run({"export", place.result(), "--format", "json", "-o", QFileInfo(place.result()).path(), "--yes"});
        QCOMPARE(end.code, 2);
        QVERIFY(end.err.contains("is the result itself"));
        QCOMPARE(CliPlace::read(place.result()), before);
    }

    void thePageHasTheChartsOfTheDesktopAppInBothColours()
    {
        const ExportPlace place;
        place.putApp(kDrawingApp);
        const CliEnd end = place.exported("html");
        QVERIFY2(end.code == 0 && end.err.isEmpty(), end.err);
        const QByteArray page = CliPlace::read(place.out("x.html"));
        for (const char* part : {"<desc>The p99 in light</desc>", "<desc>The p99 in dark</desc>",
                                 "<desc>The p99_9 in dark</desc>", "<g id='c1d-a'/>"})
            QVERIFY2(page.contains(part), part);
        const QByteArray asked = CliPlace::read(place.home() + ".asked");
        QVERIFY2(asked.startsWith("--export-charts " + place.result().toUtf8() +
                                  " --format svg --theme light --size blog --scale 1 -o /"),
                 asked);
        QCOMPARE(asked.count('\n'), 2);
    }

    void anArticleIsWholeAndItsChecksumsHold()
    {
        const ExportPlace place;
        place.putApp(kDrawingApp);
        const CliEnd end = place.exported("article,csv");
        QVERIFY2(end.code == 0 && end.err.isEmpty(), end.err);
        QCOMPARE(place.files(), QStringList({"SHA256SUMS", "index.md", "x-seconds.csv", "x-trials.csv",
                                             "x.lapbench.json", "x.plan.json"}));
        QCOMPARE(QDir(place.out("charts")).entryList(QDir::Files, QDir::Name),
                 QStringList({"p99.csv", "p99.png", "p99.svg", "p99_9.csv", "p99_9.png", "p99_9.svg"}));
        QCOMPARE(CliPlace::read(place.out("charts/p99_9.csv")), QByteArray("figures of p99_9\n"));
        QCOMPARE(CliPlace::read(place.out("charts/p99.png")), QByteArray("PNG of p99\n"));
        QCOMPARE(CliPlace::read(place.out("x.lapbench.json")), CliPlace::read(place.result()));
        QProcess sums;
        sums.setWorkingDirectory(place.folder());
        sums.start("sha256sum", {"-c", "--strict", "SHA256SUMS"});
        QVERIFY(sums.waitForFinished(30'000));
        QVERIFY2(sums.exitCode() == 0, sums.readAllStandardError());
        QCOMPARE(sums.readAllStandardOutput().count(": OK\n"), 11);
        QVERIFY(CliPlace::read(place.out("index.md")).contains("![p99. The p99 in light](charts/p99.svg)"));
        const CliEnd checked = place.runHere({"check", place.out("x.plan.json")});
        QVERIFY2(checked.code == 0, checked.err);
    }

    void withoutTheDesktopAppThePageSaysSo_data()
    {
        QTest::addColumn<QByteArray>("app");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("none") << QByteArray() << QByteArray("neither beside lapbench-cli nor on PATH");
        QTest::newRow("one that fails") << QByteArray("echo no display; exit 1")
                                        << QByteArray("could not do it: no display");
        QTest::newRow("one that crashes") << QByteArray("kill -SEGV $$") << QByteArray("could not do it: it failed");
        QTest::newRow("one that draws nothing") << QByteArray("exit 0") << QByteArray("it drew none");
        QTest::newRow("one that names files elsewhere") << QByteArray("echo /etc/x.svg") << QByteArray("it drew none");
    }
    void withoutTheDesktopAppThePageSaysSo()
    {
        QFETCH(QByteArray, app);
        QFETCH(QByteArray, said);
        const ExportPlace place;
        if (!app.isEmpty())
            place.putApp(app);
        const CliEnd end = place.exported("html,article");
        QVERIFY2(end.code == 0, end.err);
        QVERIFY2(end.err.contains(said), end.err);
        QCOMPARE(end.err.count('\n'), 1);
        QVERIFY(CliPlace::read(place.out("x.html")).contains(said));
        QVERIFY(CliPlace::read(place.out("index.md")).contains(said));
    }

    void anAppThatTalksWithoutEndCostsNoMemory()
    {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("the address sanitizer takes far more address space than the limit that is set here");
#endif
        const ExportPlace place;
        // Some 200 MB as a list of lines, none of which names a file; the export may have 160 MB.
        place.putApp("yes a line that names no file | head -n 3000000");
        QProcess process;
        place.prepareHere(process, {"export", place.result(), "--format", "html", "-o", place.folder()});
        process.setArguments(QStringList{"-c", "ulimit -v 160000; exec \"$0\" \"$@\"", process.program()} +
                             process.arguments());
        process.setProgram("/bin/sh");
        process.start();
        const CliEnd end = CliPlace::finish(process);
        QVERIFY2(end.code == 0, end.err);
        QVERIFY2(end.err.contains("it drew none"), end.err);
    }

    void anInterruptedDrawingLeavesNothing()
    {
        const ExportPlace place;
        place.putApp("echo > \"$LAPBENCH_HOME.drawing\"; exec sleep 100");
        QProcess process;
        place.prepareHere(process, {"export", place.result(), "--format", "html", "-o", place.folder()});
        QProcessEnvironment environment = process.processEnvironment();
        environment.insert("TMPDIR", place.path("tmp"));
        QVERIFY(QDir().mkpath(place.path("tmp")));
        process.setProcessEnvironment(environment);
        process.start();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(place.home() + ".drawing"), kLongestRunMs);
        process.terminate();
        const CliEnd end = CliPlace::finish(process);
        QCOMPARE(end.code, 130);
        QVERIFY2(end.err.count('\n') == 1 && end.err.contains("was interrupted"), end.err);
        QVERIFY(!QFile::exists(place.folder()));
        QVERIFY(QDir(place.path("tmp")).isEmpty());
    }

    void showPrintsThePage()
    {
        const ExportPlace place;
        place.putApp(kDrawingApp);
        const CliEnd end = place.runHere({"show", place.result(), "--format", "html"});
        QCOMPARE(end.code, 0);
        QCOMPARE(place.exported("html").code, 0);
        QCOMPARE(end.out, CliPlace::read(place.out("x.html")));
    }

    void aChartInTheWayIsKeptToo()
    {
        const ExportPlace place;
        place.putApp(kDrawingApp);
        QVERIFY(QDir().mkpath(place.out("charts")));
        place.write("out/charts/p99.svg", "mine");
        const CliEnd end = place.exported("article");
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.contains("charts/p99.svg: is there already"), end.err);
        QVERIFY(place.files().isEmpty());
    }

    void anotherToolsOutputIsExportedToo()
    {
        const ExportPlace place;
        const QByteArray output =
            QByteArray(
                R"({"spec": {"numberOfConnections": 125, "testType": "timed", "testDurationSeconds": 10, "method": "GET",
                "url": "HOST", "timeoutSeconds": 2, "client": "fasthttp"},
                "result": {"bytesRead": 100, "bytesWritten": 50, "timeTakenSeconds": 10.0, "req1xx": 0, "req2xx": 620000,
                "req3xx": 0, "req4xx": 0, "req5xx": 0, "others": 0,
                "latency": {"mean": 2015.5, "stddev": 1.0, "max": 20000},
                "rps": {"mean": 62000.0, "stddev": 1.0, "max": 70000.0}}})")
                .replace("HOST", "http:/"
                                 "/localhost/");
        place.write("my.bombardier.json", output);
        const CliEnd end = place.runHere(
            {"export", "my.bombardier.json", "--format", "markdown,csv,openmetrics,article", "-o", "out"});
        QVERIFY2(end.code == 0, end.err);
        QCOMPARE(place.files(),
                 QStringList({"SHA256SUMS", "index.md", "my.bombardier-seconds.csv", "my.bombardier-trials.csv",
                              "my.bombardier.json", "my.bombardier.lapbench.json", "my.bombardier.md",
                              "my.bombardier.openmetrics.txt"}));
        QVERIFY(CliPlace::read(place.out("my.bombardier.md")).contains("| 62.0k |"));
        QVERIFY(CliPlace::read(place.out("my.bombardier-trials.csv")).contains(",semantics_tool,"));
        QCOMPARE(CliPlace::read(place.out("my.bombardier.json")), output);
        const QByteArray text = CliPlace::read(place.out("index.md"));
        QVERIFY2(text.startsWith("# Result of bombardier\n"), text);
        QVERIFY(!text.contains("To repeat it"));
    }

    void anotherToolsOutputIsKeptBesideWhatIsMadeOfIt_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("kept");
        QTest::newRow("named as the tables are") << "notes.md"
                                                 << "output-notes.md";
        QTest::newRow("named as the page is") << "run.html"
                                              << "output-run.html";
        QTest::newRow("named as the article is") << "index.md"
                                                 << "output-index.md";
        QTest::newRow("named as the folder of the charts is") << "charts"
                                                              << "output-charts";
        QTest::newRow("named like no other") << "run.log"
                                             << "run.log";
    }
    void anotherToolsOutputIsKeptBesideWhatIsMadeOfIt()
    {
        QFETCH(QString, name);
        QFETCH(QString, kept);
        const ExportPlace place;
        place.putApp(kDrawingApp);
        const QByteArray output = "Running 10s test @ x\n  2 threads and 4 connections\n"
                                  "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
                                  "    Latency     1.00ms    0.50ms   9.00ms   90.00%\n"
                                  "    Req/Sec     1.00k    10.00     1.10k    90.00%\n"
                                  "  20000 requests in 10.00s, 3.00MB read\n"
                                  "Requests/sec:   2000.00\nTransfer/sec:    300.00KB\n";
        place.write(name, output);
        const CliEnd end = place.runHere({"export", name, "--format", "markdown,html,article", "-o", "out"});
        QVERIFY2(end.code == 0, end.err);
        QCOMPARE(CliPlace::read(place.out(kept)), output);
        QVERIFY(
            CliPlace::read(place.out("index.md")).contains("](" + kept.toLatin1() + "): what the tool has printed"));
        QProcess sums;
        sums.setWorkingDirectory(place.folder());
        sums.start("sha256sum", {"-c", "--quiet", "SHA256SUMS"});
        QVERIFY(sums.waitForFinished(kLongestRunMs));
        QVERIFY2(sums.exitCode() == 0, sums.readAllStandardOutput());
    }

    void whatIsWrongIsOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no folder") << QStringList{"x.lapbench.json", "--format", "csv"} << 2
                                   << QByteArray("--output is required");
        QTest::newRow("an unknown format")
            << QStringList{"x.lapbench.json", "--format", "xml", "-o", "out"} << 2 << QByteArray("xml not in");
        QTest::newRow("no result") << QStringList{"none.json", "--format", "csv", "-o", "out"} << 2
                                   << QByteArray("none.json: does not exist");
        QTest::newRow("no name for the folder")
            << QStringList{"x.lapbench.json", "--format", "csv", "-o", ""} << 4 << QByteArray("it has no name");
        QTest::newRow("a file in place of the folder")
            << QStringList{"x.lapbench.json", "--format", "csv", "-o", "x.lapbench.json"} << 4
            << QByteArray("x.lapbench.json: is no folder");
        QTest::newRow("a folder that nobody can make")
            << QStringList{"x.lapbench.json", "--format", "csv", "-o", "/proc/none/out"} << 4
            << QByteArray("/proc/none: cannot be written");
    }
    void whatIsWrongIsOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QByteArray, said);
        const ExportPlace place;
        const CliEnd end = place.runHere(QStringList{"export"} + arguments);
        QCOMPARE(end.code, code);
        QVERIFY2(end.err.contains(said), end.err);
        QCOMPARE(end.err.count('\n'), 1);
        QVERIFY(end.out.isEmpty());
        QVERIFY(!QDir(place.folder()).exists());
    }
};

QTEST_GUILESS_MAIN(TestCliExport)
#include "tst_cli_export.moc"
