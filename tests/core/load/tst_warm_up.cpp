#include "core/server/builtin_server.h"
#include "tests/core/load/load_task.h"
#include "tests/support/recording_server.h"

using namespace lapbench;
using namespace lapbench::test;
using namespace std::chrono_literals;

/// Warm-ups that last until the load is steady.
class TestWarmUp : public QObject {
    Q_OBJECT

    std::unique_ptr<BuiltinServer> m_server = BuiltinServer::start(0).value();

    LoadTask steadyTask(Nanoseconds window)
    {
        LoadTask task = timedTask("http://127.0.0.1:" + std::to_string(m_server->port()), 8, window);
        task.course = constantRate(500); // a rate is steady on any machine
        task.warmup.untilSteady = true;
        return task;
    }

private slots:
    void theWindowOpensWhenTheLoadIsSteady()
    {
        std::vector<LoadPhase> phases;
        LoadWatch watch;
        watch.onPhase = [&](LoadPhase phase) { phases.push_back(phase); };
        const LoadReport report = runOf(steadyTask(400ms), watch);
        QVERIFY(report.windowOpened);
        QCOMPARE(report.figures.durationSeconds, 0.4);
        QVERIFY(report.figures.steady.has_value());
        QVERIFY(report.figures.steady->afterSeconds.has_value());
        QVERIFY(report.figures.steady->warmupSeconds >= 3.0); // thirty intervals of 100 ms
        QVERIFY(std::abs(*report.figures.steady->lastRps - 500) < 25);
        QVERIFY(report.figures.sent() >= 200 && report.figures.sent() <= 208);
        QVERIFY((phases ==
                 std::vector<LoadPhase>{LoadPhase::connect, LoadPhase::warmup, LoadPhase::measure, LoadPhase::finish}));
    }

    void arrivalsStayEvenlySpacedWhereTheWindowOpens()
    {
        RecordingServer server;
        LoadTask task = timedTask(server.url(), 4, 1s);
        task.workload.path = "/{{now_ms}}";
        task.course = constantRate(5);
        task.warmup.untilSteady = true;
        QVERIFY(runOf(task).windowOpened);
        std::int64_t before = 0;
        const std::vector<Recorded> asked = server.stop();
        QVERIFY(asked.size() >= 15);
        for (const Recorded& request : asked) {
            const std::int64_t now = std::stoll(request.line.substr(std::string("GET /").size()));
            QVERIFY2(now - before > 100, std::to_string(now - before).c_str()); // 200, but for a busy machine
            before = now;
        }
    }

    void aServerWithFewAnswersIsSteadyToo()
    {
        LoadTask task = steadyTask(400ms);
        task.workload.path = "/delay/400";
        task.course.clear();
        const LoadReport report = runOf(task);
        QVERIFY(report.figures.steady && report.figures.steady->afterSeconds);
        QVERIFY(report.figures.steady->warmupSeconds < 30);
    }

    void aCountBeginsAfterASteadyWarmUp()
    {
        LoadTask task = steadyTask({});
        task.measure = {std::nullopt, 77};
        const std::uint64_t before = m_server->answered();
        const LoadReport report = runOf(task);
        QCOMPARE(report.figures.ok, std::uint64_t(77));
        QVERIFY(report.figures.steady->afterSeconds.has_value());
        QVERIFY(m_server->answered() - before >= 77 + 1500); // three seconds at 500
    }

    void theLongestTimeEndsAWarmUpThatIsNotSteady()
    {
        LoadTask task = steadyTask(300ms);
        task.warmup.duration = 500ms;
        const LoadReport report = runOf(task);
        QVERIFY(report.windowOpened);
        QVERIFY(report.figures.steady.has_value() && !report.figures.steady->afterSeconds);
        QVERIFY(report.figures.steady->warmupSeconds >= 0.5 && report.figures.steady->warmupSeconds < 0.8);
        QVERIFY(report.figures.ok > 0);
    }

    void stoppingWhileWaitingForASteadyLoadOpensNoWindow()
    {
        LoadWatch watch;
        int asked = 0;
        watch.stopAsked = [&] { return ++asked > 20; };
        const LoadReport report = runOf(steadyTask(1s), watch);
        QVERIFY(report.interrupted);
        QVERIFY(!report.windowOpened);
    }
};

QTEST_APPLESS_MAIN(TestWarmUp)
#include "tst_warm_up.moc"
