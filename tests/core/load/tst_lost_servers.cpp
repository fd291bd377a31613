#include "core/server/builtin_server.h"
#include "core/workload/request.h"
#include "tests/core/load/load_task.h"
#include "tests/support/full_listener.h"

#include <sys/resource.h>

#include <filesystem>
#include <iterator>

using namespace lapbench;
using namespace lapbench::test;
using namespace std::chrono_literals;

namespace {

/// Elapsed seconds of one call.
template <typename Call>
double secondsOf(const Call& call)
{
    const std::int64_t before = steadyNs();
    call();
    return static_cast<double>(steadyNs() - before) / 1e9;
}

} // namespace

/// Servers that die, come back, or cannot be reached any more, and limits of the client.
class TestLostServers : public QObject {
    Q_OBJECT

private slots:
    void aServerThatDiesIsAskedAgainWithoutASpin_data() { addTransports(); }
    void aServerThatDiesIsAskedAgainWithoutASpin()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::dies, 500);
        LoadReport report;
        const double took =
            secondsOf([&] { report = runOf(timedTask(server.url(), 4, 1s, static_cast<TransportKind>(transport))); });
        QVERIFY2(took < 3, qPrintable(QString::number(took)));
        QVERIFY(report.figures.ok <= server.requests() && report.figures.ok + 4 >= server.requests());
        // 10, 20, 40 .. 640 ms: seven attempts a connection in a second, and what was under way when it died.
        QVERIFY2(report.figures.failed >= 8 && report.figures.failed <= 40,
                 qPrintable(QString::number(report.figures.failed)));
        QVERIFY(report.figures.errors.at(0).kind == ErrorKind::connectRefused);
        QVERIFY(report.figures.errors[0].phase == Phase::connect);
    }

    void aServerThatClosesWithoutAnAnswerIsNotStormed_data() { addTransports(); }
    void aServerThatClosesWithoutAnAnswerIsNotStormed()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::empty);
        const LoadReport report = runOf(timedTask(server.url(), 4, 1s, static_cast<TransportKind>(transport)));
        // After the second loss in a row 10 ms are waited, then 20, 40 and so on: 8 tries of each connection in a
        // second.
        QVERIFY(report.figures.failed >= 4 * 3);
        QVERIFY2(report.figures.failed <= 4 * 8, std::to_string(report.figures.failed).c_str());
    }

    void aRequestThatGotNoConnectionCountsNoBytes_data() { addTransports(); }
    void aRequestThatGotNoConnectionCountsNoBytes()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::dies, 5);
        const LoadTask task = timedTask(server.url(), 1, 400ms, static_cast<TransportKind>(transport));
        const std::string authority = server.url().substr(std::string("http://").size());
        const std::size_t size = prepareRequest(task.workload, authority, "").value().bytes.size();
        const LoadFigures figures = runOf(task).figures;
        QVERIFY(figures.failed >= 3);
        // Those that were answered, and one that may have been under way when the server died.
        QVERIFY2(figures.bytesSent <= (figures.ok + 1) * size, qPrintable(QString::number(figures.bytesSent)));
        QVERIFY(figures.bytesSent >= figures.ok * size);
    }

    void connectionsThatNobodyAcceptsTimeOut_data()
    {
        QTest::addColumn<int>("transport");
        QTest::addColumn<int>("timeoutMs");
        QTest::addColumn<int>("connectTimeoutMs");
        for (const TransportKind kind : {TransportKind::keepAlive, TransportKind::curl}) {
            const char* name = kind == TransportKind::curl ? "curl" : "keep-alive";
            QTest::addRow("%s, by the connect timeout", name) << static_cast<int>(kind) << 10'000 << 200;
            QTest::addRow("%s, by the timeout", name) << static_cast<int>(kind) << 300 << 5000;
        }
    }
    void connectionsThatNobodyAcceptsTimeOut()
    {
        QFETCH(int, transport);
        QFETCH(int, timeoutMs);
        QFETCH(int, connectTimeoutMs);
        const FullListener listener;
        LoadTask task = timedTask(listener.url(), 10, 600ms, static_cast<TransportKind>(transport));
        task.timeout = std::chrono::milliseconds(timeoutMs);
        task.connectTimeout = std::chrono::milliseconds(connectTimeoutMs);
        LoadReport report;
        const double took = secondsOf([&] { report = runOf(task); });
        QVERIFY2(took < 4, qPrintable(QString::number(took)));
        QCOMPARE(report.figures.ok, std::uint64_t(0));
        QVERIFY(report.figures.peakOpen < 10);
        std::uint64_t timeouts = 0;
        for (const ErrorCount& error : report.figures.errors) {
            QVERIFY(error.kind == ErrorKind::connectTimeout || error.kind == ErrorKind::timeout);
            timeouts += error.kind == ErrorKind::connectTimeout ? error.count : 0;
        }
        QVERIFY(timeouts >= 8);
    }

    void aServerThatComesBackIsLoadedAgain_data() { addTransports(); }
    void aServerThatComesBackIsLoadedAgain()
    {
        QFETCH(int, transport);
        const OddServer first(Odd::dies, 200);
        std::unique_ptr<BuiltinServer> second;
        LoadWatch watch;
        watch.period = 20ms;
        watch.onInterval = [&](const LoadInterval& interval) {
            if (!second && first.requests() >= 200 && interval.t > 0.2) {
                auto started = BuiltinServer::start(first.port());
                if (started)
                    second = std::move(started).value();
            }
        };
        const LoadReport report = runOf(timedTask(first.url(), 4, 2s, static_cast<TransportKind>(transport)), watch);
        QVERIFY(second != nullptr);
        QVERIFY(second->answered() > 100);
        QVERIFY(report.figures.ok + 4 >= 200 + second->answered());
        QVERIFY(report.figures.reconnects >= 4);
    }

    void aCountThatCanNeverBeReachedIsGivenUp_data()
    {
        QTest::addColumn<int>("transport");
        QTest::addColumn<double>("rate");
        for (const TransportKind kind : {TransportKind::keepAlive, TransportKind::curl})
            for (const double rate : {0.0, 1000.0})
                QTest::addRow("%s, %s", kind == TransportKind::curl ? "curl" : "keep-alive",
                              rate == 0 ? "closed loop" : "open loop")
                    << static_cast<int>(kind) << rate;
    }
    void aCountThatCanNeverBeReachedIsGivenUp()
    {
        QFETCH(int, transport);
        QFETCH(double, rate);
        const OddServer server(Odd::dies, 100);
        LoadTask task = countedTask(server.url(), 2, 1'000'000, static_cast<TransportKind>(transport));
        if (rate != 0)
            task.course = constantRate(rate);
        task.connectTimeout = 100ms;
        LoadReport report;
        const double took = secondsOf([&] { report = runOf(task); });
        QVERIFY2(took > 5 && took < 12, qPrintable(QString::number(took)));
        QVERIFY(report.windowOpened && !report.interrupted);
        QVERIFY(report.gaveUp);
        QVERIFY(report.figures.ok >= 98 && report.figures.completed() < 1000);
    }

    void aWarmUpThatCanNeverEndOpensNoWindow()
    {
        const OddServer server(Odd::dies, 100);
        LoadTask task = timedTask(server.url(), 2, 300ms);
        task.warmup.requests = 1'000'000;
        task.connectTimeout = 100ms;
        LoadReport report;
        const double took = secondsOf([&] { report = runOf(task); });
        QVERIFY2(took < 12, qPrintable(QString::number(took)));
        QVERIFY(!report.windowOpened && !report.interrupted);
        QVERIFY(!report.figures.rps);
        QCOMPARE(report.figures.sent(), std::uint64_t(0));
    }

    void runningOutOfDescriptorsIsALimitOfTheClient_data() { addTransports(); }
    void runningOutOfDescriptorsIsALimitOfTheClient()
    {
        QFETCH(int, transport);
        // A process of its own for the server would have its own limit; here the open connections are made first.
        const OddServer server(Odd::delayed, 5);
        rlimit before{};
        getrlimit(RLIMIT_NOFILE, &before);
        LoadWatch watch;
        watch.onPhase = [&before](LoadPhase phase) {
            if (phase != LoadPhase::connect)
                return;
            const std::filesystem::directory_iterator open("/proc/self/fd");
            rlimit small = before;
            small.rlim_cur = static_cast<rlim_t>(std::distance(begin(open), end(open))) + 20;
            setrlimit(RLIMIT_NOFILE, &small);
        };
        const LoadReport report =
            runOf(timedTask(server.url(), 60, 300ms, static_cast<TransportKind>(transport)), watch);
        setrlimit(RLIMIT_NOFILE, &before);
        bool limited = false;
        for (const ErrorCount& error : report.figures.errors)
            limited = limited || (error.kind == ErrorKind::clientLimit && error.phase == Phase::connect);
        QVERIFY(limited);
        QVERIFY(report.figures.peakOpen < 60);
    }
};

QTEST_APPLESS_MAIN(TestLostServers)
#include "tst_lost_servers.moc"
