#include "core/session/calibrate.h"

#include <QTest>

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <set>

using namespace lapbench;

namespace {

constexpr auto kKeepAlive = TransportKind::keepAlive;
constexpr auto kCurl = TransportKind::curl;

/// Fewer open files are allowed until it goes.
class FewDescriptors {
public:
    explicit FewDescriptors(rlim_t most)
    {
        getrlimit(RLIMIT_NOFILE, &m_before);
        const rlimit fewer{std::min(most, m_before.rlim_max), m_before.rlim_max};
        setrlimit(RLIMIT_NOFILE, &fewer);
    }
    ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &m_before); }
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;

private:
    rlimit m_before{};
};

} // namespace

class TestCalibrate : public QObject {
    Q_OBJECT

private slots:
    void theLevelsFollowTheMachine()
    {
        const CalibrationTask whole = calibrationTask(8, 4, 20'000, false);
        std::set<unsigned> threads, connections;
        for (const CalibrationLevel& level : whole.levels) {
            QVERIFY(level.threads <= level.connections);
            threads.insert(level.threads);
            connections.insert(level.connections);
        }
        QVERIFY((threads == std::set<unsigned>{1, 2, 4, 8}));
        QVERIFY((connections == std::set<unsigned>{1, 16, 64, 256, 1000}));
        // One thread at 1 connection and four at each of the other four, by both transports.
        QCOMPARE(whole.levels.size(), std::size_t(2 * (1 + 4 * 4)));
        for (const CalibrationLevel& level : calibrationTask(8, 4, 300, false).levels)
            QVERIFY(level.connections <= 64);
        const CalibrationTask quick = calibrationTask(8, 4, 20'000, true);
        QVERIFY(quick.levels.size() < whole.levels.size() && quick.window < whole.window && quick.rounds == 1);
        QVERIFY(!calibrationTask(0, 1, 20'000, false).levels.empty());
    }

    void theServerGetsTheOtherProcessorsAndNoFewerThreadsThanTheGenerator()
    {
        QCOMPARE(serverThreadsBeside(1, 1), 1U);
        QCOMPARE(serverThreadsBeside(1, 2), 1U);
        QCOMPARE(serverThreadsBeside(2, 2), 2U);
        QCOMPARE(serverThreadsBeside(1, 8), 7U);
        QCOMPARE(serverThreadsBeside(4, 8), 4U);
        QCOMPARE(serverThreadsBeside(8, 8), 8U);
        QCOMPARE(serverThreadsBeside(16, 8), 8U);
    }

    void everyLevelIsMeasuredInEveryRoundAndTheOrderTurns()
    {
        CalibrationTask task;
        task.levels = {{kKeepAlive, 1, 1}, {kCurl, 1, 4}, {kKeepAlive, 2, 4}};
        task.window = std::chrono::milliseconds(100);
        task.rounds = 2;
        std::vector<unsigned> order;
        CalibrationWatch watch;
        watch.onLevel = [&](std::size_t done, std::size_t total, const CalibrationLevel& next) {
            QCOMPARE(done, order.size());
            QCOMPARE(total, std::size_t(6));
            order.push_back(next.threads * 10 + next.connections);
        };
        const auto end = calibrate(task, LAPBENCH_CLI, watch);
        QVERIFY2(end.ok(), end.ok() ? "" : format(end.problem()).c_str());
        QVERIFY(!end.value().interrupted);
        QCOMPARE(order, (std::vector<unsigned>{11, 14, 24, 24, 14, 11}));
        const Calibration& made = end.value().calibration;
        QVERIFY(made.machine == thisMachine());
        QCOMPARE(made.entries.size(), std::size_t(3));
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(made.entries[i].transport == task.levels[i].transport);
            QCOMPARE(made.entries[i].threads, task.levels[i].threads);
            QCOMPARE(made.entries[i].connections, task.levels[i].connections);
            QVERIFY(made.entries[i].rps > 10);
            QVERIFY(*made.entries[i].cpuUsPerRequest > 0);
        }
    }

    void aLevelThatCannotBeMeasuredIsLeftOut()
    {
        const FewDescriptors few(1'000);
        CalibrationTask task;
        task.levels = {{kKeepAlive, 1, 5'000}, {kKeepAlive, 1, 2}};
        task.window = std::chrono::milliseconds(100);
        task.rounds = 2;
        std::vector<unsigned> leftOut;
        CalibrationWatch watch;
        watch.onLeftOut = [&](const CalibrationLevel& level, const std::string& why) {
            leftOut.push_back(level.connections);
            QVERIFY(!why.empty());
        };
        const auto end = calibrate(task, LAPBENCH_CLI, watch);
        QVERIFY(end.ok());
        QCOMPARE(leftOut, std::vector<unsigned>{5'000});
        QCOMPARE(end.value().calibration.entries.size(), std::size_t(1));
        QCOMPARE(end.value().calibration.entries[0].connections, 2U);

        task.levels.pop_back();
        QVERIFY(!calibrate(task, LAPBENCH_CLI, {}).ok());
    }

    void aStoppedCalibrationSaysSo()
    {
        CalibrationTask task;
        task.levels = {{kKeepAlive, 1, 1}, {kKeepAlive, 1, 4}};
        task.window = std::chrono::seconds(60);
        std::atomic<bool> stop{false};
        CalibrationWatch watch;
        watch.stop = &stop;
        watch.onLevel = [&](std::size_t, std::size_t, const CalibrationLevel&) { stop = true; };
        const std::int64_t begin = steadyNs();
        const auto end = calibrate(task, LAPBENCH_CLI, watch);
        QVERIFY(steadyNs() - begin < 30'000'000'000);
        QVERIFY(end.ok());
        QVERIFY(end.value().interrupted);
    }
};

QTEST_APPLESS_MAIN(TestCalibrate)
#include "tst_calibrate.moc"
