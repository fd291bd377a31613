#include "core/load/snapshot.h"
#include "core/server/builtin_server.h"
#include "tests/core/load/load_task.h"

#include <sys/mman.h>

#include <cmath>
#include <cstring>
#include <numeric>

using namespace lapbench;
using namespace lapbench::test;
using namespace std::chrono_literals;

namespace {

double secondsBetween(std::int64_t fromNs, std::int64_t toNs)
{
    return static_cast<double>(toNs - fromNs) / 1e9;
}

double us(const LatencySummary& latency, const char* key)
{
    return latency.percentile(key).value().us;
}

} // namespace

class TestEngine : public QObject {
    Q_OBJECT

private slots:
    void exactlyTheRequestsAskedForReachTheServer_data()
    {
        QTest::addColumn<int>("transport");
        QTest::addColumn<unsigned>("requests");
        QTest::addColumn<unsigned>("connections");
        QTest::addColumn<unsigned>("threads");
        for (const auto& [name, kind] :
             {std::pair{"keep-alive", TransportKind::keepAlive}, {"curl", TransportKind::curl}}) {
            const auto row = [&](unsigned n, unsigned c, unsigned t) {
                QTest::addRow("%s, %u requests, %u connections, %u threads", name, n, c, t)
                    << static_cast<int>(kind) << n << c << t;
            };
            row(401, 400, 4);
            row(1, 200, 8);
            row(7, 3, 2);
            row(100, 100, 4);
            row(20'000, 64, 1);
            row(20'000, 64, 2);
        }
    }
    void exactlyTheRequestsAskedForReachTheServer()
    {
        QFETCH(int, transport);
        QFETCH(unsigned, requests);
        QFETCH(unsigned, connections);
        QFETCH(unsigned, threads);
        const OddServer server(Odd::ok);
        LoadTask task = countedTask(server.url(), connections, requests, static_cast<TransportKind>(transport));
        task.threads = threads;
        const LoadReport report = runOf(task);
        QCOMPARE(server.requests(), std::uint64_t(requests));
        QCOMPARE(report.figures.ok, std::uint64_t(requests));
        QCOMPARE(report.figures.failed + report.figures.unfinished, std::uint64_t(0));
        QCOMPARE(report.figures.status.at(200), std::uint64_t(requests));
        QCOMPARE(report.figures.histogram.total(), std::uint64_t(requests));
        QCOMPARE(sumOfSeconds(report.figures), std::uint64_t(requests));
        QCOMPARE(report.figures.bodyReceived, std::uint64_t(5) * requests);
        QCOMPARE(report.figures.bytesReceived, std::uint64_t(43) * requests); // the whole answer has 43 bytes
        QCOMPARE(report.figures.threads, std::min(threads, connections));
        QVERIFY(report.transport == static_cast<TransportKind>(transport));
        if (report.transport == TransportKind::keepAlive) {
            QCOMPARE(server.connections(), std::uint64_t(connections));
            QCOMPARE(report.figures.peakOpen, connections);
        }
    }

    void thePeakOfMemoryIsOfThisRunAndNotOfThoseBefore()
    {
        constexpr std::size_t kBytes = 300u << 20;
        const OddServer server(Odd::ok);
        QVERIFY(runOf(countedTask(server.url(), 1, 10)).figures.generatorPeakRssBytes.has_value());
        const std::uint64_t before = *residentBytes();
        void* pages = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        QVERIFY(pages != MAP_FAILED);
        std::memset(pages, 1, kBytes);
        QVERIFY(*peakResidentBytes() >= before + kBytes * 9 / 10);
        ::munmap(pages, kBytes);
        const std::uint64_t peak = *runOf(countedTask(server.url(), 1, 10)).figures.generatorPeakRssBytes;
        QVERIFY2(peak < before + kBytes / 2, qPrintable(QString::number(peak)));
    }

    void aTimedWindowIsAsLongAsAskedAndEverythingIsAccountedFor_data() { addTransports(); }
    void aTimedWindowIsAsLongAsAskedAndEverythingIsAccountedFor()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::ok);
        LoadTask task = timedTask(server.url(), 8, 1200ms, static_cast<TransportKind>(transport));
        task.threads = 2;
        const std::int64_t before = steadyNs();
        const LoadReport report = runOf(task);
        const double wall = secondsBetween(before, steadyNs());
        const LoadFigures& figures = report.figures;
        QVERIFY(report.windowOpened && !report.interrupted);
        QCOMPARE(figures.durationSeconds, 1.2);
        QCOMPARE(report.windowClosedNs - report.windowOpenedNs, std::int64_t(1'200'000'000));
        QVERIFY2(wall < 1.2 + 2.0, qPrintable(QString::number(wall)));
        QCOMPARE(figures.seconds.size(), std::size_t(2));
        QCOMPARE(sumOfSeconds(figures), figures.ok);
        QVERIFY(figures.ok > 100 && figures.failed == 0);
        QVERIFY(figures.unfinished <= 8);
        QTRY_COMPARE(server.requests(), figures.sent()); // the server may still read the last ones
        QCOMPARE(*figures.rps, static_cast<double>(figures.ok) / 1.2);
        QCOMPARE(figures.latency.count, figures.ok);
        QCOMPARE(figures.latency.censored, figures.unfinished);
        QVERIFY(*figures.latency.minUs > 0 && *figures.latency.minUs <= *figures.latency.meanUs);
        QVERIFY(*figures.latency.meanUs <= *figures.latency.maxUs);
        QVERIFY(*figures.generatorCpuCores > 0 && *figures.generatorCpuUsPerRequest > 0);
        QVERIFY(*figures.generatorPeakRssBytes > 1'000'000);
        // Little's law: in a closed loop every connection always waits for an answer.
        const double busy = *figures.rps * *figures.latency.meanUs / 1e6;
        QVERIFY2(busy > 8 * 0.95 && busy < 8 * 1.05, qPrintable(QString::number(busy)));
    }

    void theLastSecondOfAWindowHasItsProcessorTime()
    {
        const OddServer server(Odd::ok);
        LoadTask task = timedTask(server.url(), 8, 1s);
        task.course = constantRate(100); // so that no answer ends just when the window does
        const LoadFigures figures = runOf(task).figures;
        QCOMPARE(figures.seconds.size(), std::size_t(1));
        const double last = figures.seconds.back().generatorCpuCores.value_or(-1);
        QVERIFY2(last > *figures.generatorCpuCores / 2, qPrintable(QString::number(last)));
    }

    void aDelayOfTheServerIsTheLatency_data() { addTransports(); }
    void aDelayOfTheServerIsTheLatency()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::delayed, 20);
        const LoadReport report = runOf(timedTask(server.url(), 10, 1s, static_cast<TransportKind>(transport)));
        const double p50 = us(report.figures.latency, "p50");
        QVERIFY2(p50 >= 20'000 && p50 < 40'000, qPrintable(QString::number(p50)));
        QVERIFY(report.figures.ok <= 500);
    }

    void youngOpenRequestsAtTheEndMoveNothing()
    {
        const OddServer server(Odd::delayed, 100);
        const LoadReport report = runOf(timedTask(server.url(), 20, 1050ms));
        QVERIFY(report.figures.unfinished >= 10);
        const Quantile p99 = report.figures.latency.percentile("p99").value();
        QVERIFY(!p99.atLeast && p99.us >= 100'000);
    }

    void theBuiltInServerCountsTheSame()
    {
        const auto server = BuiltinServer::start(0).value();
        const std::string url = "http://127.0.0.1:" + std::to_string(server->port());
        LoadTask task = countedTask(url, 16, 5000);
        task.workload.path = "/bytes/178";
        task.workload.expectBytes = 178;
        const LoadReport report = runOf(task);
        QCOMPARE(report.figures.ok, std::uint64_t(5000));
        QCOMPARE(server->answered(), std::uint64_t(5000));
        task.workload.path = "/chunked/5000";
        task.workload.expectBytes = 5000;
        QCOMPARE(runOf(task).figures.ok, std::uint64_t(5000));
    }

    void requestsOfTheWarmUpAreNotCounted()
    {
        const OddServer server(Odd::ok);
        LoadTask task = countedTask(server.url(), 4, 300);
        task.threads = 2;
        task.warmup.requests = 150;
        std::vector<LoadPhase> phases;
        LoadWatch watch;
        watch.onPhase = [&phases](LoadPhase phase) { phases.push_back(phase); };
        const LoadReport report = runOf(task, watch);
        QCOMPARE(report.figures.ok, std::uint64_t(300));
        QCOMPARE(server.requests(), std::uint64_t(450));
        const std::vector<LoadPhase> expected = {LoadPhase::connect, LoadPhase::warmup, LoadPhase::measure,
                                                 LoadPhase::finish};
        QVERIFY(phases == expected);
    }

    void aTimedWarmUpBeforeACountIsDrained()
    {
        const OddServer server(Odd::delayed, 5);
        LoadTask task = countedTask(server.url(), 4, 20);
        task.warmup.duration = 100ms;
        const LoadReport report = runOf(task);
        QCOMPARE(report.figures.ok, std::uint64_t(20));
        QVERIFY(server.requests() > 24);
        QCOMPARE(report.figures.unfinished, std::uint64_t(0));
    }

    void aTimedWarmUpRunsStraightIntoTheWindow()
    {
        const OddServer server(Odd::delayed, 150);
        LoadTask task = timedTask(server.url(), 4, 1s);
        task.warmup.duration = 100ms;
        const LoadReport report = runOf(task);
        // The first answers, asked for in the warm-up, end in the window with their whole latency.
        QVERIFY(report.figures.ok >= 4);
        QVERIFY(us(report.figures.latency, "p25") >= 150'000);
        QCOMPARE(report.figures.durationSeconds, 1.0);
        QTRY_COMPARE(server.requests(), report.figures.sent());
    }

    void liveIntervalsSumUpToTheWhole_data() { addTransports(); }
    void liveIntervalsSumUpToTheWhole()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::ok);
        LoadTask task = timedTask(server.url(), 8, 1s, static_cast<TransportKind>(transport));
        task.threads = 2;
        std::vector<LoadInterval> intervals;
        LoadWatch watch;
        watch.period = 50ms;
        watch.onInterval = [&intervals](const LoadInterval& interval) { intervals.push_back(interval); };
        const LoadReport report = runOf(task, watch);
        QVERIFY(intervals.size() >= 5);
        Histogram whole;
        std::uint64_t ok = 0;
        double length = 0;
        for (const LoadInterval& interval : intervals) {
            whole.add(interval.latency);
            ok += interval.ok;
            length += interval.length;
            QCOMPARE(interval.latency.total(), interval.ok);
            QVERIFY(interval.generatorRssBytes.value_or(0) > 1'000'000);
        }
        QCOMPARE(ok, report.figures.ok);
        QVERIFY(whole.sparse().counts == report.figures.histogram.sparse().counts);
        QVERIFY(length > 0.95 && length < 1.5);
        QVERIFY(intervals.front().t > 0 && intervals.front().p50Us && intervals.front().generatorCpuCores);
    }

    void stoppingClosesTheWindowAndKeepsWhatWasMeasured_data() { addTransports(); }
    void stoppingClosesTheWindowAndKeepsWhatWasMeasured()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::ok);
        std::atomic<bool> stop{false};
        std::int64_t stoppedNs = 0;
        LoadWatch watch;
        watch.period = 20ms;
        watch.stop = &stop;
        watch.onInterval = [&](const LoadInterval& interval) {
            if (interval.t > 0.3 && !stop.exchange(true))
                stoppedNs = steadyNs();
        };
        const LoadReport report = runOf(timedTask(server.url(), 4, 600s, static_cast<TransportKind>(transport)), watch);
        QVERIFY(secondsBetween(stoppedNs, steadyNs()) < 2);
        QVERIFY(report.interrupted && report.windowOpened);
        QVERIFY(report.figures.durationSeconds > 0.3 && report.figures.durationSeconds < 3);
        QVERIFY(report.figures.ok > 10);
        QCOMPARE(sumOfSeconds(report.figures), report.figures.ok);
        QTRY_COMPARE(server.requests(), report.figures.sent());
    }

    void stoppingBeforeTheWindowMeansThatNothingWasMeasured()
    {
        const OddServer server(Odd::hang);
        const std::atomic<bool> stop{true};
        LoadWatch watch;
        watch.stop = &stop;
        LoadTask task = countedTask(server.url(), 4, 10);
        task.warmup.requests = 10;
        const LoadReport report = runOf(task, watch);
        QVERIFY(report.interrupted && !report.windowOpened);
        QVERIFY(!report.figures.rps && report.figures.seconds.empty());
    }

    void aNewConnectionForEachRequest_data() { addTransports(); }
    void aNewConnectionForEachRequest()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::ok);
        LoadTask task = countedTask(server.url(), 5, 200, static_cast<TransportKind>(transport));
        task.newConnections = true;
        const LoadReport report = runOf(task);
        QCOMPARE(report.figures.ok, std::uint64_t(200));
        QCOMPARE(server.requests(), std::uint64_t(200));
        QCOMPARE(server.connections(), std::uint64_t(201)); // one was opened ahead to see that there is a server
        QCOMPARE(report.figures.connectionsOpened, 200U);
        QCOMPARE(report.figures.reconnects, std::uint64_t(0));
        QCOMPARE(report.figures.connectTime.count, std::uint64_t(200));
        QVERIFY(*report.figures.connectTime.p50Us < us(report.figures.latency, "p50"));
    }

    void bothTransportsSendTheSameRequest_data() { addTransports(); }
    void bothTransportsSendTheSameRequest()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::echo);
        LoadTask task = countedTask(server.url(), 1, 3, static_cast<TransportKind>(transport));
        task.workload.method = "PATCH";
        task.workload.path = "/a/../b?x=%20";
        task.workload.headers = {{"hOsT", "other:81"}, {"X-MiXeD", "a:b:c"}, {"X-Long", std::string(60'000, 'l')}};
        task.workload.body = "some body";
        const std::string sent = "PATCH /a/../b?x=%20 HTTP/1.1\r\nUser-Agent: lapbench/0.0.0\r\nhOsT: other:81\r\n"
                                 "X-MiXeD: a:b:c\r\nX-Long: \r\nContent-Length: 9\r\n\r\nsome body";
        task.workload.expectBytes = sent.size() + 60'000;
        const LoadReport report = runOf(task);
        QCOMPARE(report.figures.ok, std::uint64_t(3));
        QCOMPARE(report.figures.bytesSent, std::uint64_t(3) * (sent.size() + 60'000));
    }

    void nobodyThereEndsTheRunAtOnceWithTheReason_data() { addTransports(); }
    void nobodyThereEndsTheRunAtOnceWithTheReason()
    {
        QFETCH(int, transport);
        const std::string url = "http://127.0.0.1:" + std::to_string(freePort());
        LoadTask task = timedTask(url, 5, 60s, static_cast<TransportKind>(transport));
        const std::int64_t before = steadyNs();
        const LoadReport report = runOf(task);
        QVERIFY(secondsBetween(before, steadyNs()) < 5);
        QVERIFY(!report.windowOpened);
        QCOMPARE(report.figures.completed(), std::uint64_t(0));
        QVERIFY(!report.figures.rps && !report.figures.latency.meanUs);
        QCOMPARE(report.figures.errors.size(), std::size_t(1));
        QVERIFY(report.figures.errors[0].kind == ErrorKind::connectRefused);
        QVERIFY(report.figures.errors[0].phase == Phase::connect);
        QVERIFY(report.figures.errors[0].firstAtSeconds < 0);
        QVERIFY(!report.figures.errors[0].firstMessage.empty());
        if (report.transport == TransportKind::keepAlive)
            QCOMPARE(report.figures.errors[0].count, std::uint64_t(5));
    }

    void ipv6AndNamesAreReached_data() { addTransports(); }
    void ipv6AndNamesAreReached()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::ok, 0, "::1");
        QCOMPARE(runOf(countedTask(server.url(), 2, 10, static_cast<TransportKind>(transport))).figures.ok,
                 std::uint64_t(10));
        const OddServer local(Odd::ok);
        const std::string byName = "http://localhost:" + std::to_string(local.port());
        QCOMPARE(runOf(countedTask(byName, 2, 10, static_cast<TransportKind>(transport))).figures.ok,
                 std::uint64_t(10));
    }

    void theEnvironmentsProxyIsIgnored_data() { addTransports(); }
    void theEnvironmentsProxyIsIgnored()
    {
        QFETCH(int, transport);
        qputenv("http_proxy", "http://127.0.0.1:1");
        qputenv("ALL_PROXY", "http://127.0.0.1:1");
        const OddServer server(Odd::ok);
        const LoadReport report = runOf(countedTask(server.url(), 2, 10, static_cast<TransportKind>(transport)));
        qunsetenv("http_proxy");
        qunsetenv("ALL_PROXY");
        QCOMPARE(report.figures.ok, std::uint64_t(10));
    }
};

QTEST_APPLESS_MAIN(TestEngine)
#include "tst_engine.moc"
