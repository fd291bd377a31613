#include "core/server/subprocess.h"
#include "core/server/supervisor.h"
#include "tests/core/server/fixture_commands.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/wait.h>

#include <array>

using namespace lapbench;
using namespace std::chrono_literals;

class TestGuard : public QObject {
    Q_OBJECT
private slots:
    void everyDescendantIsEnded_data()
    {
        QTest::addColumn<QString>("script");
        const QString serve = QString::fromStdString(shellQuoted(kFixture) + " serve");
        QTest::newRow("below a shell") << serve + " & wait";
        QTest::newRow("below two shells") << "sh -c \"" + serve + " & wait\" & wait";
        QTest::newRow("that ignores TERM") << serve + " --ignore-term & wait";
        QTest::newRow("in a session of its own") << "setsid " + serve + " & wait";
        QTest::newRow("with a daemon that ignores TERM") << serve + " --daemon & wait";
        QTest::newRow("left behind by its launcher") << serve + " &";
        QTest::newRow("stopped") << serve + " & kill -STOP $! ; kill -CONT $! ; " + serve +
                                        " --port 0 & kill -STOP $! ; wait";
    }
    void everyDescendantIsEnded()
    {
        QFETCH(QString, script);
        const ProcessMark mark;
        auto started = Supervisor::start(shell(mark, script.toStdString()), LAPBENCH_CLI);
        QVERIFY2(started.ok(), started ? "" : format(started.problem()).c_str());
        QVERIFY(answers(*started.value()));
        QVERIFY(!started.value()->exited());
        QVERIFY(mark.living().size() >= 2);
        started.value()->stop();
        QVERIFY(mark.living().empty());
    }

    void nothingOutlivesAKilledLapbench_data() { everyDescendantIsEnded_data(); }
    void nothingOutlivesAKilledLapbench()
    {
        QFETCH(QString, script);
        const ProcessMark mark;
        QTemporaryDir parent;
        const std::string temporary = parent.path().toStdString() + "/session";
        std::filesystem::create_directories(temporary + "/deep");
        std::array<int, 2> pipe{};
        QCOMPARE(::pipe2(pipe.data(), O_CLOEXEC), 0);
        ProgramStart start;
        start.argv = {kFixture, "hold", LAPBENCH_CLI, "--temporary", temporary, "--", "sh", "-c", script.toStdString()};
        start.env = {mark.variable()};
        start.outputFd = pipe[1];
        const auto lapbench = startProgram(start);
        QVERIFY(lapbench.ok());
        ::close(pipe[1]);
        std::array<char, 256> said{};
        const ssize_t got = ::read(pipe[0], said.data(), said.size() - 1);
        ::close(pipe[0]);
        ::kill(lapbench.value(), SIGKILL);
        ::waitpid(lapbench.value(), nullptr, 0);
        QVERIFY2(got > 0 && std::string(said.data()).starts_with("ready "), said.data());
        QVERIFY(mark.goneWithin(kSoon));
        QVERIFY(!std::filesystem::exists(temporary));
        QVERIFY(std::filesystem::exists(parent.path().toStdString()));
    }

    void theGuardEndsTheServerWhenItIsTold_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("TERM") << SIGTERM;
        QTest::newRow("INT") << SIGINT;
        QTest::newRow("HUP") << SIGHUP;
        QTest::newRow("KILL") << SIGKILL;
    }
    void theGuardEndsTheServerWhenItIsTold()
    {
        QFETCH(int, signal);
        const ProcessMark mark;
        auto started = Supervisor::start(fixture(mark), LAPBENCH_CLI);
        QVERIFY(started.ok());
        ::kill(started.value()->treeRoot(), signal);
        QVERIFY(eventually([&] { return started.value()->exited().has_value(); }));
        started.value()->stop();
        QVERIFY(mark.goneWithin(kSoon));
    }

    void aKilledGuardLeavesNothingOfItsSession()
    {
        const ProcessMark mark;
        auto started = Supervisor::start(shell(mark, shellQuoted(kFixture) + " serve & wait"), LAPBENCH_CLI);
        QVERIFY(started.ok());
        ::kill(started.value()->treeRoot(), SIGKILL);
        QVERIFY(eventually([&] { return started.value()->exited().has_value(); }));
        started.value()->stop();
        QVERIFY(mark.goneWithin(kSoon));
    }

    void theGuardIsInASessionOfItsOwn()
    {
        const ProcessMark mark;
        const auto started = Supervisor::start(fixture(mark), LAPBENCH_CLI);
        QVERIFY(started.ok());
        const pid_t guard = started.value()->treeRoot();
        QCOMPARE(::getsid(guard), guard);
        QVERIFY(::getpgid(started.value()->pid()) != guard);
    }

    void theServerInheritsNoDescriptors()
    {
        const int leaky = ::open("/dev/null", O_RDONLY);
        const ProcessMark mark;
        auto other = Supervisor::start(fixture(mark), LAPBENCH_CLI);
        QVERIFY(other.ok());
        std::vector<std::string> lines;
        auto started = Supervisor::start(shell(mark, "ls /proc/$$/fd; exit 3"), LAPBENCH_CLI, {}, nullptr, &lines);
        ::close(leaky);
        QVERIFY(!started.ok());
        QVERIFY2(lines == (std::vector<std::string>{"0", "1", "2"}), lines.empty() ? "none" : lines.back().c_str());
    }
};

QTEST_APPLESS_MAIN(TestGuard)
#include "tst_guard.moc"
