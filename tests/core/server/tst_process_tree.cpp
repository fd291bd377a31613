#include "core/server/process_tree.h"
#include "core/server/subprocess.h"
#include "tests/core/server/fake_proc.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string>
#include <vector>

using namespace lapbench;

class TestProcessTree : public QObject {
    Q_OBJECT
private slots:
    void aStatLineIsReadWhateverTheNameHolds_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("plain") << "node";
        QTest::newRow("spaces") << "my web server";
        QTest::newRow("parentheses") << "a) R 1 (b";
    }
    void aStatLineIsReadWhateverTheNameHolds()
    {
        QFETCH(QString, name);
        FakeProc proc;
        FakeProc::Entry entry;
        entry.name = name.toStdString();
        entry.parent = 7;
        entry.user = 30;
        entry.system = 12;
        entry.childUser = 5;
        entry.childSystem = 6;
        entry.start = 4711;
        entry.rssPages = 1000;
        entry.session = 77;
        proc.put(42, entry);
        const auto stat = readProcessStat(proc.root(), 42);
        QVERIFY(stat.has_value());
        QCOMPARE(stat->parent, 7);
        QCOMPARE(stat->session, 77);
        QCOMPARE(stat->ownTicks, std::uint64_t(42));
        QCOMPARE(stat->childTicks, std::uint64_t(11));
        QCOMPARE(stat->startTicks, std::uint64_t(4711));
        QCOMPARE(stat->rssPages, std::uint64_t(1000));
        QCOMPARE(processName(proc.root(), 42), name.toStdString());
    }

    void whatIsGoneOrCutShortIsNothing()
    {
        FakeProc proc;
        QVERIFY(!readProcessStat(proc.root(), 42));
        std::filesystem::create_directories(proc.root() / "42");
        std::ofstream(proc.root() / "42" / "stat") << "42 (node) S 1 2";
        QVERIFY(!readProcessStat(proc.root(), 42));
        QCOMPARE(processName(proc.root(), 43), std::string());
        QVERIFY(!socketsOf(proc.root(), 42));
    }

    void descendantsComeAfterTheirParents()
    {
        FakeProc proc;
        proc.put(10, {1});
        proc.put(9, {12});
        proc.put(12, {10});
        proc.put(11, {10});
        proc.put(20, {1});
        proc.put(5, {9});
        const auto tree = descendantsOf(proc.root(), 10);
        QCOMPARE(tree.size(), std::size_t(4));
        const auto placeOf = [&](pid_t pid) { return std::find(tree.begin(), tree.end(), pid) - tree.begin(); };
        QVERIFY(placeOf(11) < 4 && placeOf(12) < placeOf(9) && placeOf(9) < placeOf(5) && placeOf(5) < 4);
        QCOMPARE(descendantsOf(proc.root(), 20).size(), std::size_t(0));
    }

    void thisProcessIsReadAsGetrusageAndGetppidTell()
    {
        const auto stat = readProcessStat("/proc", ::getpid());
        QVERIFY(stat.has_value());
        QCOMPARE(stat->parent, ::getppid());
        QCOMPARE(stat->session, ::getsid(0));
        QVERIFY(stat->rssPages > 0);
        QVERIFY(stat->alive());
    }

    void aProgramIsRunToItsEndLineByLine()
    {
        std::vector<std::string> lines;
        const auto run =
            runProgram({{"sh", "-c", "echo one; echo two >&2; printf three; exit 4"}, {}, {}, -1, {}, false}, {},
                       [&](const std::string& line) { lines.push_back(line); });
        QVERIFY(run.ok());
        QVERIFY(!run.value().succeeded());
        QCOMPARE(WEXITSTATUS(run.value().status), 4);
        QCOMPARE(lines, (std::vector<std::string>{"one", "two", "three"}));
        QCOMPARE(run.value().lastLines, lines);
    }

    void aProgramThatTakesTooLongIsEndedWithItsChildren()
    {
        const auto run =
            runProgram({{"sh", "-c", "sleep 1000 & echo $!; trap '' TERM; wait; sleep 1000"}, {}, {}, -1, {}, false},
                       std::chrono::milliseconds(300));
        QVERIFY(run.ok());
        QVERIFY(run.value().timedOut);
        QCOMPARE(run.value().lastLines.size(), std::size_t(1));
        const pid_t child = std::stoi(run.value().lastLines[0]);
        const auto left = readProcessStat("/proc", child);
        QVERIFY(!left || !left->alive());
    }

    void aChildThatDoesNotHeedTermEndsAfterItsParentToo()
    {
        // The parent ends at TERM; the child has it ignored, says so, and is nobody's by the time of KILL.
        const std::string script = "(trap '' TERM; echo deaf; exec sleep 1000) & echo $!; exec sleep 1000";
        std::vector<std::string> lines;
        std::atomic<bool> stop{false};
        const auto run = runProgram(
            {{"sh", "-c", script}, {}, {}, -1, {}, false}, std::chrono::seconds(30),
            [&](const std::string& line) {
                lines.push_back(line);
                stop = lines.size() == 2;
            },
            &stop);
        QVERIFY(run.ok());
        QVERIFY(run.value().stopped);
        QCOMPARE(lines.size(), std::size_t(2));
        const auto left = readProcessStat("/proc", std::stoi(lines[0] == "deaf" ? lines[1] : lines[0]));
        QVERIFY(!left || !left->alive());
    }

    void aProgramWhoseChildKeepsTheOutputOpenStillEnds()
    {
        const auto run = runProgram({{"sh", "-c", "sleep 1000 & echo $!"}, {}, {}, -1, {}, false}, {});
        QVERIFY(run.ok());
        QVERIFY(run.value().succeeded());
        QCOMPARE(run.value().lastLines.size(), std::size_t(1));
        ::kill(std::stoi(run.value().lastLines[0]), SIGKILL);
    }

    void aProgramThatIsMissingIsAProblem()
    {
        const auto run = runProgram({{"no-such-program-at-all"}, {}, {}, -1, {}, false}, {});
        QVERIFY(!run.ok());
        QCOMPARE(run.problem().path, std::string("no-such-program-at-all"));
    }
};

QTEST_APPLESS_MAIN(TestProcessTree)
#include "tst_process_tree.moc"
