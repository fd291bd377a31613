#include "core/base/processors.h"
#include "core/net/http_get.h"
#include "core/server/builtin_server.h"
#include "core/server/process_tree.h"
#include "core/server/supervisor.h"
#include "tests/core/server/fixture_commands.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <thread>

using namespace lapbench;
using namespace std::chrono_literals;

class TestSupervisor : public QObject {
    Q_OBJECT

private slots:
    void aServerIsReadyOnThePortItWasGivenAndGoesWhenStopped()
    {
        const ProcessMark mark;
        auto started = Supervisor::start(fixture(mark), LAPBENCH_CLI);
        QVERIFY2(started.ok(), started ? "" : format(started.problem()).c_str());
        Supervisor& server = *started.value();
        QVERIFY(answers(server));
        QCOMPARE(server.url(), "http://127.0.0.1:" + std::to_string(server.port()));
        QVERIFY(server.startupTime() > 0ns);
        QVERIFY(!server.exited());
        QVERIFY(eventually([&] { return server.lastLines().size() == 1; }));
        QCOMPARE(server.lastLines()[0], "listening on " + std::to_string(server.port()));
        // The server and its guard.
        QCOMPARE(mark.living().size(), std::size_t(2));
        server.stop();
        QVERIFY(mark.living().empty());
        server.stop();
        QVERIFY(!server.exited());
        QVERIFY(!answers(server));
    }

    void startUpCountsFromTheServersExec()
    {
        const ProcessMark mark;
        const std::int64_t before = steadyNs();
        const auto started = Supervisor::start(fixture(mark, {"--wait-ms", "300"}), LAPBENCH_CLI);
        const Nanoseconds whole(steadyNs() - before);
        QVERIFY(started.ok());
        QVERIFY(started.value()->startupTime() >= 300ms);
        QVERIFY(started.value()->startupTime() < whole);
    }

    void theServerAndAllBelowItAreKeptToTheirProcessors()
    {
        const unsigned last = allowedProcessors().back();
        const ProcessMark mark;
        ServerCommand command = shell(mark, "sleep 60 & exec " + shellQuoted(kFixture) + " serve");
        command.cores = {last};
        const auto started = Supervisor::start(command, LAPBENCH_CLI);
        QVERIFY2(started.ok(), started ? "" : format(started.problem()).c_str());
        const auto allowedOf = [](pid_t pid) {
            std::ifstream status("/proc/" + std::to_string(pid) + "/status");
            for (std::string line; std::getline(status, line);)
                if (line.starts_with("Cpus_allowed_list:\t"))
                    return line.substr(19);
            return std::string();
        };
        const auto below = descendantsOf("/proc", started.value()->treeRoot());
        QCOMPARE(below.size(), std::size_t(2)); // the server and its sleep
        for (const pid_t pid : below)
            QCOMPARE(allowedOf(pid), std::to_string(last));
        QCOMPARE(allowedOf(::getpid()), formatProcessors(allowedProcessors()));
    }

    void aProcessorThatIsNotThereIsToldBeforeAnythingStarts()
    {
        const ProcessMark mark;
        ServerCommand command = fixture(mark);
        command.cores = {100'000};
        const auto started = Supervisor::start(command, LAPBENCH_CLI);
        QVERIFY(!started.ok());
        QCOMPARE(started.problem().path, std::string("affinity.server"));
        QCOMPARE(started.problem().message,
                 std::string("processor 100000 is not there on this machine, or this process may not use it"));
        QVERIFY(mark.living().empty());
    }

    void aTakenPortIsRefusedWithItsHolder()
    {
        auto holder = BuiltinServer::start(0);
        const ProcessMark mark;
        ServerCommand command = fixture(mark);
        command.port = holder.value()->port();
        const auto started = Supervisor::start(command, LAPBENCH_CLI);
        QVERIFY(!started.ok());
        QCOMPARE(started.problem().path, "port " + std::to_string(*command.port));
        QCOMPARE(started.problem().message, "is taken by process " + std::to_string(::getpid()) + " (tst_supervisor)");
        QVERIFY(mark.living().empty());
    }

    void aFixedPortThatIsFreeIsUsed()
    {
        std::uint16_t port = 0;
        {
            auto before = BuiltinServer::start(0);
            port = before.value()->port();
            // Leaves a closed connection behind on the server's side, which must not keep the port from being used.
            QVERIFY(httpGet({"http://127.0.0.1:" + std::to_string(port) + "/close"}).ok());
        }
        const ProcessMark mark;
        ServerCommand command = fixture(mark);
        command.port = port;
        auto started = Supervisor::start(command, LAPBENCH_CLI);
        QVERIFY2(started.ok(), started ? "" : format(started.problem()).c_str());
        QCOMPARE(started.value()->port(), port);
    }

    void anOldServerOnThePortIsNeverTakenForTheNewOne()
    {
        std::uint16_t port = 0;
        {
            auto before = BuiltinServer::start(0);
            port = before.value()->port();
        }
        const ProcessMark mark;
        ServerCommand command = fixture(mark, {"--silent"});
        command.port = port;
        Result<std::unique_ptr<BuiltinServer>> other = Problem{};
        std::thread intruder([&] {
            eventually([&] { return mark.living().size() >= 2; });
            other = BuiltinServer::start(port);
        });
        const auto started = Supervisor::start(command, LAPBENCH_CLI);
        intruder.join();
        QVERIFY(other.ok());
        QVERIFY(!started.ok());
        QVERIFY2(started.problem().message.find("is answered by process " + std::to_string(::getpid())) == 0,
                 started.problem().message.c_str());
        QVERIFY(mark.living().empty());
    }

    void aServerThatEndsTooEarlyIsAProblemWithItsLastLines()
    {
        const ProcessMark mark;
        const auto command = fixture(mark, {"--lines", "25", "--exit", "7"});
        const auto started = Supervisor::start(command, LAPBENCH_CLI);
        QVERIFY(!started.ok());
        const std::string message = started.problem().message;
        QVERIFY2(message.starts_with("ended with exit code 7 before it was ready"), message.c_str());
        QVERIFY(message.find("line 5\n") == std::string::npos);
        QVERIFY(message.find("line 6\n") != std::string::npos);
        QVERIFY(message.ends_with("line 25"));
        std::vector<std::string> lines;
        QVERIFY(!Supervisor::start(command, LAPBENCH_CLI, {}, nullptr, &lines).ok());
        QCOMPARE(lines.size(), std::size_t(20));
        QCOMPARE(lines.back(), std::string("line 25"));
        QVERIFY(mark.living().empty());
    }

    void aServerThatIsKilledBeforeItIsReadyIsAProblem()
    {
        const ProcessMark mark;
        const auto started = Supervisor::start(shell(mark, "kill -SEGV $$"), LAPBENCH_CLI);
        QVERIFY(!started.ok());
        QVERIFY(started.problem().message.starts_with("ended with signal 11 (Segmentation fault)"));
    }

    void aServerThatNeverGetsReadyIsAProblemThatTellsWhereItListens()
    {
        const ProcessMark mark;
        ServerCommand command = fixture(mark, {"--silent"});
        command.readyTimeout = 300ms;
        auto started = Supervisor::start(command, LAPBENCH_CLI);
        QVERIFY(!started.ok());
        QVERIFY2(started.problem().message.starts_with("was not ready within 300ms"),
                 started.problem().message.c_str());
        QVERIFY(started.problem().cure.find("PORT") != std::string::npos);

        std::uint16_t elsewhere = 0;
        {
            auto before = BuiltinServer::start(0);
            elsewhere = before.value()->port();
        }
        command = fixture(mark, {"--port", std::to_string(elsewhere)});
        command.readyTimeout = 1s;
        started = Supervisor::start(command, LAPBENCH_CLI);
        QVERIFY(!started.ok());
        QVERIFY2(started.problem().message.find("listens on 127.0.0.1:" + std::to_string(elsewhere)) !=
                     std::string::npos,
                 started.problem().message.c_str());
        QVERIFY(mark.living().empty());
    }

    void onlyAStatusBelow500IsReady()
    {
        const ProcessMark mark;
        ServerCommand command = fixture(mark);
        command.readyPath = "/status/499";
        QVERIFY(Supervisor::start(command, LAPBENCH_CLI).ok());
        command.readyPath = "/status/500";
        command.readyTimeout = 1s;
        const auto started = Supervisor::start(command, LAPBENCH_CLI);
        QVERIFY(!started.ok());
        QVERIFY(started.problem().message.find("the answer has status 500") != std::string::npos);
    }

    void programsAndFoldersThatAreMissingAreNamed()
    {
        const ProcessMark mark;
        ServerCommand command = fixture(mark);
        command.argv[0] = "no-such-program-at-all";
        command.env.emplace_back("PATH", "/usr/bin:/bin");
        auto started = Supervisor::start(command, LAPBENCH_CLI);
        QVERIFY(!started.ok());
        QCOMPARE(started.problem().path, std::string("no-such-program-at-all"));
        QCOMPARE(started.problem().message, std::string("cannot be started: No such file or directory"));
        command = fixture(mark);
        command.folder = "/no/such/folder";
        started = Supervisor::start(command, LAPBENCH_CLI);
        QVERIFY(!started.ok());
        QVERIFY(started.problem().message.starts_with("its working folder cannot be entered"));
        QVERIFY(!Supervisor::start(fixture(mark), "/no/such/guard").ok());
        QVERIFY(!Supervisor::start(fixture(mark), "/bin/true").ok());
        QVERIFY(!Supervisor::start({}, LAPBENCH_CLI).ok());
        QVERIFY(mark.living().empty());
    }

    void theWorkingFolderIsWhereTheServerRuns()
    {
        QTemporaryDir folder;
        const ProcessMark mark;
        ServerCommand command = shell(mark, "pwd -P; exit 3");
        command.folder = folder.path().toStdString();
        std::vector<std::string> lines;
        QVERIFY(!Supervisor::start(command, LAPBENCH_CLI, {}, nullptr, &lines).ok());
        QCOMPARE(lines, (std::vector<std::string>{std::filesystem::canonical(command.folder).string()}));
    }

    void theEndOfAServerIsSeen()
    {
        const ProcessMark mark;
        auto started = Supervisor::start(fixture(mark), LAPBENCH_CLI);
        QVERIFY(started.ok());
        QVERIFY(!started.value()->exited());
        ::kill(started.value()->pid(), SIGABRT);
        QVERIFY(eventually([&] { return started.value()->exited().has_value(); }));
        QCOMPARE(started.value()->exited()->text(), std::string("signal 6 (Aborted)"));
    }

    void theStopFlagBreaksTheWaitOff()
    {
        const ProcessMark mark;
        std::atomic<bool> stop = false;
        std::thread user([&] {
            eventually([&] { return mark.living().size() >= 2; });
            stop = true;
        });
        const std::int64_t before = steadyNs();
        const auto started = Supervisor::start(fixture(mark, {"--silent"}), LAPBENCH_CLI, {}, &stop);
        user.join();
        QVERIFY(!started.ok());
        QVERIFY(Nanoseconds(steadyNs() - before) < 25s);
        QVERIFY(mark.living().empty());
    }

    void aFloodOfOutputNeitherBlocksTheServerNorGrowsMemory()
    {
        const ProcessMark mark;
        std::mutex mutex;
        std::vector<std::string> got;
        std::atomic<bool> release = false;
        // The receiver of the lines is stuck until the server is ready: two million lines must not wait for it.
        auto started =
            Supervisor::start(fixture(mark, {"--lines", "2000000"}), LAPBENCH_CLI, [&](const std::string& line) {
                eventually([&] { return release.load(); });
                const std::lock_guard lock(mutex);
                got.push_back(line);
            });
        QVERIFY2(started.ok(), started ? "" : format(started.problem()).c_str());
        release = true;
        started.value()->stop();
        QVERIFY(got.size() >= 3 && got.size() < 2'000'000);
        QCOMPARE(got[0], std::string("line 1"));
        QVERIFY(std::any_of(got.begin(), got.end(),
                            [](const std::string& line) { return line.ends_with(" lines left out)"); }));
        QCOMPARE(started.value()->lastLines().size(), std::size_t(20));
        QVERIFY(started.value()->lastLines().back().starts_with("listening on "));
    }
};

QTEST_APPLESS_MAIN(TestSupervisor)
#include "tst_supervisor.moc"
