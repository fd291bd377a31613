#include "tests/cli/cli_process.h"

#include <QDir>

#include <signal.h>
#include <sys/resource.h>

using namespace lapbench::test;

namespace {

/// In the child, before it becomes the program.
void lowerSoftLimit(__rlimit_resource resource, rlim_t to)
{
    rlimit limit{};
    ::getrlimit(resource, &limit);
    limit.rlim_cur = to;
    ::setrlimit(resource, &limit);
}

} // namespace

/// What may befall a run from outside: no space, no output, few descriptors, an impatient user.
class TestCliTrouble : public QObject {
    Q_OBJECT

private slots:
    void nobodyReadsFromAClosedStdout()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, kLong));
        const QString result = place.path("r.json");
        QProcess shell;
        place.prepare(shell);
        shell.setProgram("sh");
        shell.setArguments({"-c", "exec \"$0\" run \"$1\" -o \"$2\" --progress jsonl >&-", LAPBENCH_CLI, plan, result});
        shell.start();
        QCOMPARE(CliPlace::finish(shell).code, 130);
        QCOMPARE(place.run({"show", result}).code, 0);
    }

    void theSoftLimitOfOpenFilesIsRaised()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p",
            "targets": [{"name": "a", "builtin": true}], "load": {"connections": [200]},
            "measure": {"requests": 2000}, "rounds": 1})");
        QProcess process;
        place.prepare(process);
        process.setArguments({"run", plan, "-o", place.path("r.json")});
        process.setChildProcessModifier([] { lowerSoftLimit(RLIMIT_NOFILE, 128); });
        process.start();
        const CliEnd end = CliPlace::finish(process);
        QVERIFY2(end.code == 0, end.out + end.err);
    }

    void aProcessorThatIsNotThereIsToldBeforeAnythingStarts_data()
    {
        QTest::addColumn<QByteArray>("who");
        QTest::newRow("the server's") << QByteArray("server");
        QTest::newRow("the generator's") << QByteArray("generator");
    }
    void aProcessorThatIsNotThereIsToldBeforeAnythingStarts()
    {
        QFETCH(QByteArray, who);
        const CliPlace place;
        const QString plan = place.write(
            "p.plan.json", planOf(kTwo, R"("measure": {"requests": 50}, "affinity": {")" + who + R"(": [1023]})"));
        const CliEnd end = place.run({"run", plan, "-o", place.path("r.lapbench.json"), "--progress", "none"});
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.contains("affinity." + who + ": processor 1023 is not there"), end.err);
        QVERIFY(!QFile::exists(place.path("r.lapbench.json")));
        QVERIFY(!QFile::exists(place.path("r.lapbench.json.journal")));
    }

    void aFullDiskEndsTheSessionAndKeepsItsJournal()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, R"("measure": {"requests": 50}, "rounds": 40)"));
        const QString result = place.path("out/r.json");
        QVERIFY(QDir().mkpath(place.path("out")));
        QProcess process;
        place.prepare(process);
        process.setArguments({"run", plan, "-o", result});
        process.setChildProcessModifier([] { lowerSoftLimit(RLIMIT_FSIZE, 20'000); });
        process.start();
        const CliEnd end = CliPlace::finish(process);
        QCOMPARE(end.code, 4);
        QVERIFY2(end.err.contains("cannot be written") && end.err.contains(result.toUtf8() + ".journal"), end.err);
        QVERIFY2(end.out.contains("req/s") && !end.out.contains("Saved"), end.out);
        const QDir::Filters all = QDir::Files | QDir::Hidden;
        QCOMPARE(QDir(place.path("out")).entryList(all), QStringList("r.json.journal"));
        QVERIFY(place.mark().goneWithin(std::chrono::seconds(2)));
        const CliEnd shown = place.run({"show", result + ".journal"});
        QVERIFY2(shown.code == 0 && shown.out.contains("did not end"), shown.out + shown.err);
    }

    void aRemovedFolderIsToldAndTheTableIsShown()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, R"("measure": {"duration": "1s"}, "rounds": 1)"));
        QVERIFY(QDir().mkpath(place.path("out")));
        QProcess process;
        place.prepare(process);
        process.setArguments({"run", plan, "-o", place.path("out/r.json")});
        process.start();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(place.path("out/r.json.journal")), 20'000);
        QVERIFY(QDir(place.path("out")).removeRecursively());
        const CliEnd end = CliPlace::finish(process);
        QCOMPARE(end.code, 4);
        QVERIFY2(end.err.contains("its journal is gone too"), end.err);
        QVERIFY2(end.out.contains("req/s"), end.out);
    }

    void aStoppedInstallationLeavesNothing_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<bool>("bare");
        QTest::newRow("of a plan, by Ctrl-C") << SIGINT << false;
        QTest::newRow("of a plan, by TERM") << SIGTERM << false;
        QTest::newRow("of a runtime, by Ctrl-C") << SIGINT << true;
        QTest::newRow("of a runtime, by HUP") << SIGHUP << true;
    }
    void aStoppedInstallationLeavesNothing()
    {
        QFETCH(int, signal);
        QFETCH(bool, bare);
        const CliPlace place;
        QVERIFY(QDir().mkpath(place.path("bin")));
        QFile npm(place.write("bin/npm", "#!/bin/sh\n: > half\nsleep 300 & wait\n"));
        QVERIFY(npm.setPermissions(npm.permissions() | QFile::ExeOwner));
        const QString plan = place.write("p.plan.json", R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p",
            "runtimes": {"n": {"kind": "node", "version": "0.0.1"}},
            "targets": [{"name": "a", "runtime": "n", "app": "a.mjs"}]})");
        place.write("a.mjs", "");
        QProcess process;
        place.prepare(process);
        QProcessEnvironment environment = process.processEnvironment();
        environment.insert("PATH", place.path("bin") + ":" + environment.value("PATH"));
        process.setProcessEnvironment(environment);
        process.setArguments(bare ? QStringList({"runtimes", "install", "node@0.0.1"})
                                  : QStringList({"run", plan, "--yes", "-o", place.path("r.json")}));
        process.start();
        const QString half = place.home() + "/runtimes/.node@0.0.1.part/half";
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(half), 20'000);
        ::kill(pid_t(process.processId()), signal);
        ::kill(pid_t(process.processId()), signal);
        const CliEnd end = CliPlace::finish(process);
        QCOMPARE(end.code, 130);
        QVERIFY2(end.err.contains("the installation was stopped"), end.err);
        QVERIFY(place.mark().goneWithin(std::chrono::seconds(2)));
        QCOMPARE(QDir(place.home() + "/runtimes").entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList(".lock"));
        QVERIFY(!QFile::exists(place.path("r.json")) && !QFile::exists(place.path("r.json.journal")));
    }
};

QTEST_GUILESS_MAIN(TestCliTrouble)
#include "tst_cli_trouble.moc"
