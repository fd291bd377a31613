#include "core/net/http_get.h"
#include "core/server/builtin_server.h"
#include "tests/core/load/load_task.h"

#include <atomic>
#include <thread>

using namespace lapbench;
using namespace lapbench::test;
using namespace std::chrono_literals;

namespace {

double us(const LatencySummary& latency, const char* key)
{
    return latency.percentile(key).value().us;
}

LoadTask openLoop(const std::string& url, unsigned connections, double rate, Nanoseconds duration,
                  TransportKind transport = TransportKind::keepAlive)
{
    LoadTask task = timedTask(url, connections, duration, transport);
    task.course = constantRate(rate);
    return task;
}

std::string urlOf(const BuiltinServer& server)
{
    return "http://127.0.0.1:" + std::to_string(server.port());
}

} // namespace

class TestOpenLoop : public QObject {
    Q_OBJECT

private slots:
    void everyArrivalOfTheWindowIsAccountedFor_data() { addTransports(); }
    void everyArrivalOfTheWindowIsAccountedFor()
    {
        QFETCH(int, transport);
        for (const unsigned threads : {1U, 3U}) {
            const OddServer server(Odd::ok);
            LoadTask task = openLoop(server.url(), 9, 500, 1s, static_cast<TransportKind>(transport));
            task.threads = threads;
            const LoadFigures figures = runOf(task).figures;
            QCOMPARE(figures.sent(), std::uint64_t(500));
            QCOMPARE(figures.failed, std::uint64_t(0));
            QCOMPARE(figures.service.value().count, figures.ok);
            QVERIFY(figures.scheduleLag.count == figures.ok);
            QVERIFY(us(*figures.service, "p50") <= us(figures.latency, "p50"));
        }
    }

    /// Five connections answered after 50 ms take 100 requests a second, so that of 1000 most wait for one.
    void whatWaitsForABusyConnectionIsNotTheGeneratorsLag()
    {
        const OddServer server(Odd::delayed, 50);
        const LoadFigures figures = runOf(openLoop(server.url(), 5, 1000, 1s)).figures;
        QVERIFY(figures.scheduleLag.p50Us.value() > 200'000);
        QVERIFY2(figures.generatorLag.p50Us.value() < 50'000, qPrintable(QString::number(*figures.generatorLag.p50Us)));
        QVERIFY(figures.generatorLag.count >= figures.completed());
        const LoadFigures closed = runOf(timedTask(server.url(), 2, 200ms)).figures;
        QCOMPARE(closed.generatorLag.count, std::uint64_t(0));
    }

    void onlyARateThatStaysIsOne()
    {
        QCOMPARE(onlyRate(constantRate(50)).value(), 50.0);
        QVERIFY(!onlyRate({}));
        QVERIFY(!onlyRate(parseRamp("10..20/1s").value()));
        QVERIFY(!onlyRate(parseSteps("10,20/1s").value()));
        QVERIFY(!onlyRate(parseSteps("10,10/1s").value()));
    }

    void aCountAndARateGiveExactlySoManyRequests_data() { addTransports(); }
    void aCountAndARateGiveExactlySoManyRequests()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::ok);
        LoadTask task = countedTask(server.url(), 7, 301, static_cast<TransportKind>(transport));
        task.course = constantRate(1000);
        task.threads = 2;
        const LoadReport report = runOf(task);
        QCOMPARE(report.figures.ok, std::uint64_t(301));
        QCOMPARE(server.requests(), std::uint64_t(301));
        // 301 arrivals a millisecond apart take at least the 300 ms between the first and the last.
        QVERIFY(report.figures.durationSeconds >= 0.3);
    }

    void aStallIsSeenByEveryoneWhoWouldHaveAsked()
    {
        const auto server = BuiltinServer::start(0).value();
        const std::string url = urlOf(*server);
        std::atomic<bool> stalled{false};
        std::thread other;
        int stallDone = 0;
        LoadWatch watch;
        watch.onInterval = [&](const LoadInterval& interval) {
            if (interval.t > 0.3 && !stalled.exchange(true))
                other = std::thread([&] { stallDone = httpGet({url + "/stall/500"}) ? 1 : 0; });
        };
        const LoadFigures figures = runOf(openLoop(url, 50, 1000, 2s), watch).figures;
        if (other.joinable())
            other.join();
        QCOMPARE(stallDone, 1);
        QCOMPARE(figures.sent(), std::uint64_t(2000));
        // 500 of 2,000 arrivals wait, evenly between 0 and 500 ms: the slowest 5 % have waited for at least 400.
        QVERIFY2(us(figures.latency, "p95") >= 390'000, std::to_string(us(figures.latency, "p95")).c_str());
        QVERIFY(*figures.latency.maxUs >= 490'000);
        QVERIFY(*figures.scheduleLag.p99Us >= 400'000);
        // Only the 50 that were on their way saw it from when they were sent: 2.5 %.
        QVERIFY(us(*figures.service, "p95") < 390'000);
    }

    void arrivalsThatFindNoConnectionQueueAndStayInTheTail()
    {
        const auto server = BuiltinServer::start(0).value();
        LoadTask task = openLoop(urlOf(*server), 1, 100'000, 1s);
        task.workload.path = "/delay/20";
        const LoadFigures figures = runOf(task).figures;
        QCOMPARE(figures.sent(), std::uint64_t(100'000));
        // One connection and 20 ms a request: 50 at most.
        QVERIFY(figures.ok <= 50);
        QCOMPARE(figures.unfinished, 100'000 - figures.ok);
        QVERIFY(figures.latency.percentile("p99").value().atLeast);
        QVERIFY(*figures.scheduleLag.maxUs >= 400'000);
        QVERIFY(*figures.service->maxUs < *figures.latency.maxUs);
    }

    void aHangKeepsEveryArrival()
    {
        const OddServer server(Odd::hang);
        const LoadFigures figures = runOf(openLoop(server.url(), 5, 100, 500ms)).figures;
        QCOMPARE(figures.unfinished, std::uint64_t(50));
        QCOMPARE(figures.latency.censored, std::uint64_t(50));
        QCOMPARE(figures.service.value().censored, std::uint64_t(5)); // the others were never sent
        QVERIFY(figures.latency.percentile("p50").value().atLeast);
        QVERIFY(us(figures.latency, "p50") >= 490'000);
        QVERIFY(figures.durationSeconds >= 0.5 && figures.durationSeconds < 0.6);
    }

    void theRateGrowsAlongARamp()
    {
        const auto server = BuiltinServer::start(0).value();
        LoadTask task = timedTask(urlOf(*server), 20, 2s);
        task.course = parseRamp("100..300/2s").value();
        const LoadFigures figures = runOf(task).figures;
        QCOMPARE(figures.sent(), std::uint64_t(400));
        // 100 t + 50 t^2: 150 in the first second, 250 in the second; an answer may end behind its second's edge.
        QVERIFY(figures.seconds.size() >= 2);
        QVERIFY2(std::abs(static_cast<double>(figures.seconds[0].ok) - 150) <= 15,
                 std::to_string(figures.seconds[0].ok).c_str());
    }

    void aWarmUpKeepsTheFirstRate()
    {
        const auto server = BuiltinServer::start(0).value();
        LoadTask task = openLoop(urlOf(*server), 10, 200, 500ms);
        task.warmup.duration = 500ms;
        const LoadFigures figures = runOf(task).figures;
        // Those due before the window whose answer ends in it count in it: at most the ten under way.
        QVERIFY(figures.sent() >= 100 && figures.sent() <= 110);
        QVERIFY(server->answered() >= 195 && server->answered() <= 200);
    }

    void aRateAboveWhatOneConnectionCanIsNotSilentlyClosed()
    {
        const auto server = BuiltinServer::start(0).value();
        const LoadFigures figures = runOf(openLoop(urlOf(*server), 2, 3'000'000, 500ms)).figures;
        QCOMPARE(figures.sent(), std::uint64_t(1'500'000));
        QVERIFY(figures.unfinished > 0 && figures.ok > 0);
        QCOMPARE(figures.latency.censored, figures.unfinished);
    }
};

QTEST_APPLESS_MAIN(TestOpenLoop)
#include "tst_open_loop.moc"
