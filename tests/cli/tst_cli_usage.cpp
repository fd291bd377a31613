#include "tests/cli/cli_process.h"

#include <QDir>

using namespace lapbench::test;

class TestCliUsage : public QObject {
    Q_OBJECT

private slots:
    void badInputEndsWithTwoAndOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const QStringList& arguments, const char* says) {
            QTest::newRow(name) << arguments << QByteArray(says);
        };
        row("no command", {}, "--help");
        row("unknown command", {"shwo"}, "did you mean show?");
        row("a command that there is not", {"simulate", "a", "b"}, "unknown command \"simulate\"");
        row("unknown option", {"load", "http://127.0.0.1:1/", "--conections", "3"}, "did you mean --connections?");
        row("unknown option of the program", {"--verison"}, "did you mean --version?");
        row("one word too many", {"check", "hello", "again"}, "unexpected argument \"again\"");
        row("load without URL", {"load"}, "url is required");
        row("a URL without host", {"load", "http:///users"}, "no host");
        row("a URL without scheme", {"load", "localhost:8080"}, "no scheme");
        row("another scheme", {"load", "ftp://localhost/"}, "ftp");
        row("contradicting options", {"load", "http://127.0.0.1:1/", "--streams", "4"}, "one request at a time");
        row("HTTP/2 without TLS", {"load", "http://127.0.0.1:1/", "--http", "2"}, "https");
        row("a local address of another machine", {"load", "http://127.0.0.1:1/", "--interface", "192.0.2.1"},
            "192.0.2.1");
        row("a negative duration", {"load", "http://127.0.0.1:1/", "-d", "-3s"}, "--duration: \"-3s\" is negative");
        row("a duration without unit", {"load", "http://127.0.0.1:1/", "-d", "3"}, "no unit");
        row("no connections", {"load", "http://127.0.0.1:1/", "-c", "0"}, "--connections: 0 is too small");
        row("no requests", {"load", "http://127.0.0.1:1/", "-n", "0"}, "--requests");
        row("both duration and count", {"load", "http://127.0.0.1:1/", "-n", "1", "-d", "1s"}, "--duration");
        row("an unknown transport", {"load", "http://127.0.0.1:1/", "--transport", "carrier"}, "--transport");
        row("a header that breaks the line", {"load", "http://127.0.0.1:1/", "-H", "A: b\r\nC: d"}, "line break");
        row("no such process", {"load", "http://127.0.0.1:1/", "--pid", "2147483647"}, "--pid");
        row("no such body", {"load", "http://127.0.0.1:1/", "--body-file", "/no/such/file"}, "/no/such/file");
        row("an unknown plan", {"run", "helo"}, "did you mean \"hello\"?");
        row("an unknown target", {"run", "hello", "--only", "bultin"}, "did you mean \"builtin\"?");
        row("a scale of nothing", {"run", "hello", "--scale", "0"}, "--scale");
        row("no rounds", {"run", "hello", "--rounds", "0"}, "--rounds: 0 is too small");
        row("an interval without its sign", {"run", "hello", "--until-ci", "2"}, "--until-ci: 2 is too large");
        row("a budget without unit", {"run", "hello", "--budget", "30"}, "--budget: \"30\" has no unit");
        row("nothing to compare", {"run", "hello", "--until-ci", "2%"}, "until_ci: has nothing to compare");
        row("too few rounds for an interval", {"run", "json-api", "--until-ci", "2%", "--rounds", "4"},
            "rounds: 4 is fewer than the 6");
        row("an unknown progress", {"run", "hello", "--progress", "loud"}, "--progress");
        row("nothing to resume", {"run", "hello", "--resume"}, "no journal of this plan");
        row("no such result", {"show", "/no/such/file"}, "/no/such/file");
        row("no such process", {"load", "http://127.0.0.1:1/", "--pid", "0"}, "--pid: 0 is no process");
        row("one result to compare", {"compare", "a"}, "two or more");
        row("no such result to compare", {"compare", "/no/such/a", "/no/such/b"}, "/no/such/a");
        row("a plan is nothing to compare",
            {"compare", LAPBENCH_SOURCE_DIR "/resources/plans/hello.plan.json", "/no/such/b"}, "hello.plan.json");
        row("a plan is no result", {"show", LAPBENCH_SOURCE_DIR "/resources/plans/hello.plan.json"}, "hello.plan.json");
        row("an unknown runtime", {"runtimes", "install", "nodee@22.9.0"}, "node");
    }
    void badInputEndsWithTwoAndOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const CliPlace place;
        const CliEnd end = place.run(arguments);
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.contains(says), end.err);
        QVERIFY2(end.err.count('\n') == 1 && end.err.startsWith("lapbench-cli: "), end.err);
        QVERIFY2(end.out.isEmpty(), end.out);
        QVERIFY(!QDir(place.home()).exists());
    }

    void badPlansAreToldWholeAndTouchNothing_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QByteArrayList>("says");
        const auto row = [](const char* name, const QByteArray& plan, const QByteArrayList& says) {
            QTest::newRow(name) << plan << says;
        };
        const QByteArray head = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p", )";
        row("no JSON", "hello", {"no JSON", "line 1, column 1"});
        row("an unknown key", head + R"("raunds": 3, "targets": [{"name": "a", "builtin": true}]})",
            {"raunds", "did you mean \"rounds\"?"});
        row("a negative duration",
            head + R"("measure": {"duration": "-1s"}, "targets": [{"name": "a", "builtin": true}]})",
            {"measure.duration", "negative"});
        row("an unknown runtime and a missing app",
            head +
                R"("runtimes": {"node22": {"kind": "node"}}, "targets": [{"name": "a", "runtime": "node2", "app": "no.mjs"}]})",
            {"targets[0].runtime", "did you mean \"node22\"?", "targets[0].app", "\"no.mjs\" is no file in "});
        row("a search with a rate and a crooked affinity",
            head + R"("load": {"rate": [100], "find": {"p99": "10ms"}}, "affinity": {"server": [0, 0]},
                      "targets": [{"name": "a", "builtin": true}]})",
            {"load.find: does not go together with rate, ramp or steps", "affinity.server[1]: 0 stands twice"});
        row("a URL without a host", head + R"("targets": [{"name": "a", "url": "http://"}]})",
            {"targets[0].url", "no host"});
    }
    void anUnknownKindOfRuntimeIsToldOnce()
    {
        const CliPlace place;
        const QString file = place.write("a.plan.json", R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p",
            "runtimes": {"r": {"kind": "nodee", "version": "22.9.0"}},
            "targets": [{"name": "a", "runtime": "r", "app": "a.mjs"}]})");
        place.write("a.mjs", "");
        const CliEnd end = place.run({"check", file});
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.count('\n') == 1 && end.err.contains("did you mean \"node\"?"), end.err);
    }

    void badPlansAreToldWholeAndTouchNothing()
    {
        QFETCH(QByteArray, plan);
        QFETCH(QByteArrayList, says);
        const CliPlace place;
        const QString file = place.write("a.plan.json", plan);
        for (const char* command : {"run", "check"}) {
            const CliEnd end = place.run({command, file});
            QCOMPARE(end.code, 2);
            for (const QByteArray& part : says)
                QVERIFY2(end.err.contains(part), end.err);
            QVERIFY2(end.out.isEmpty(), end.out);
        }
        QVERIFY(!QDir(place.home()).exists());
    }

    void aDestinationThatCannotBeWrittenIsFoundBeforeTheRun()
    {
        const CliPlace place;
        const QString file = place.write("file", "");
        for (const QString& result : {place.path("no/such/folder/r.json"), file + "/r.json", place.path("")}) {
            QCOMPARE(place.run({"run", "hello", "-o", result}).code, 4);
            QCOMPARE(place.run({"load", "http://127.0.0.1:1/", "--json", result}).code, 4);
        }
        QVERIFY(!QDir(place.home()).exists());
    }

    void missingRuntimesAreNamedWithTheWayToInstallThem()
    {
        const CliPlace place;
        const QString file = place.write("a.plan.json", R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p",
            "runtimes": {"n": {"kind": "node", "version": "0.0.1"}},
            "targets": [{"name": "a", "runtime": "n", "app": "a.mjs"}]})");
        place.write("a.mjs", "");
        const CliEnd end = place.run({"run", file});
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.contains("node@0.0.1") && end.err.contains("--yes") && end.err.contains("runtimes install"),
                 end.err);
    }

    void whatIsAskedIsAnswered()
    {
        const CliPlace place;
        QVERIFY(place.run({"--version"}).out.startsWith("lapbench-cli "));
        QVERIFY(place.run({"run", "--help"}).out.contains("--progress"));
        QVERIFY(place.run({"plans"}).out.contains("json-api"));
        QVERIFY(place.run({"fields"}).out.contains("load.connections"));
        QVERIFY(place.run({"fields", "--markdown"}).out.contains("| `load.connections` |"));
        const CliEnd check = place.run({"check", "hello"});
        QVERIFY2(check.code == 0 && check.out.contains("3 trials in 3 rounds"), check.out);
        const QString until =
            place.write("u.plan.json", planOf(kTwo, R"("until_ci": "5%", "aa_control": true, "budget": "30m")"));
        const CliEnd open = place.run({"check", until});
        QVERIFY2(open.code == 0 && open.out.contains("18 trials in 6 rounds or more"), open.out + open.err);
        const CliEnd doctor = place.run({"doctor"});
        QVERIFY2(doctor.code == 0 && doctor.out.contains("open files"), doctor.out);
        QCOMPARE(place.run({"runtimes"}).code, 0);
        QVERIFY(!QDir(place.home()).exists());
    }
};

QTEST_GUILESS_MAIN(TestCliUsage)
#include "tst_cli_usage.moc"
