#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

namespace {

using Whole = std::optional<std::uint64_t>;
using Percentiles = std::map<std::string, double>;

} // namespace

class TestImportLocust : public QObject {
    Q_OBJECT

private slots:
    void eachRequestIsARunAndAllTogether()
    {
        const ImportedRuns runs = runsIn("$ cat run_stats.csv\n" + importData("locust/run_stats.csv"));
        QCOMPARE(runs.size(), std::size_t(3));
        QCOMPARE(runs[0].workload, std::string("GET /users"));
        QCOMPARE(runs[1].workload, std::string("POST /users, new"));
        QCOMPARE(runs[2].workload, std::string("Aggregated"));
        QCOMPARE(runs[0].failed, Whole(0)); // told, so not absent
        const ImportedRun& run = runs[2];
        QCOMPARE(run.completed, Whole(1000));
        QCOMPARE(run.failed, Whole(7));
        QCOMPARE(run.rps, std::optional(33.333));
        QVERIFY(!run.durationSeconds);
        QCOMPARE(run.latency.minUs, std::optional(3500.0));
        QCOMPARE(run.latency.meanUs, std::optional(18075.0));
        QCOMPARE(run.latency.maxUs, std::optional(640750.0)); // not the rounded 100%
        QVERIFY(!run.latency.stdevUs);
        QCOMPARE(run.latency.percentilesUs, (Percentiles{{"p50", 13e3},
                                                         {"p75", 17e3},
                                                         {"p90", 31e3},
                                                         {"p95", 48e3},
                                                         {"p99", 180e3},
                                                         {"p99_9", 560e3},
                                                         {"p99_99", 640e3}}));
        QCOMPARE(run.bodyReceived, Whole(467250));
        QVERIFY(!run.bytesReceived);
        QVERIFY(!run.connections);
        QCOMPARE(run.semantics.form, std::string("CSV (_stats)"));
        QCOMPARE(run.semantics.bytes, BytesKind::body);
    }

    void theOnlyRequestIsNotReadTwice()
    {
        std::string text = importData("locust/run_stats.csv");
        const std::size_t post = text.find("POST");
        text.erase(post, text.find('\n', post) + 1 - post);
        const ImportedRuns runs = runsIn(text);
        QCOMPARE(runs.size(), std::size_t(1));
        QCOMPARE(runs[0].workload, std::string("GET /users"));
    }

    void olderHeadsAreRead()
    {
        const ImportedRuns runs =
            runsIn("\"Method\",\"Name\",\"# requests\",\"# failures\",\"Median response time\","
                   "\"Average response time\",\"Min response time\",\"Max response time\","
                   "\"Average Content Size\",\"Requests/s\"\n"
                   "\"GET\",\"/\",10,1,5,6,2,9,100,1.50\n\"None\",\"Total\",10,1,5,6,2,9,100,1.50\n");
        QCOMPARE(runs.size(), std::size_t(1));
        QCOMPARE(runs[0].completed, Whole(10));
        QCOMPARE(runs[0].latency.percentilesUs, (Percentiles{{"p50", 5000}}));
        QCOMPARE(runs[0].latency.maxUs, std::optional(9000.0));
    }

    void withoutRequestsThereAreNoLatencies()
    {
        const std::string text = importData("locust/run_stats.csv");
        const ImportedRuns runs =
            runsIn(text.substr(0, text.find('\n') + 1) +
                   ",Aggregated,0,0,0,0.0,0,0,0,0.0,0.0,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A\n");
        QCOMPARE(runs.size(), std::size_t(1));
        QCOMPARE(runs[0].completed, Whole(0));
        QVERIFY(!runs[0].latency.meanUs && !runs[0].latency.maxUs && runs[0].latency.percentilesUs.empty());
    }

    void theLastRowOfAHistoryIsTheRun()
    {
        const ImportedRuns runs = runsIn(importData("locust/run_stats_history.csv"));
        QCOMPARE(runs.size(), std::size_t(1));
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed, Whole(120));
        QCOMPARE(run.failed, Whole(2));
        QCOMPARE(run.durationSeconds, std::optional(4.0));
        QCOMPARE(run.rps, std::optional(30.0)); // 120 / 4, not the 40 of the last seconds
        QCOMPARE(run.connections, std::optional(20U));
        QCOMPARE(run.latency.meanUs, std::optional(12250.0));
        QCOMPARE(run.latency.percentilesUs, (Percentiles{{"p50", 11e3}})); // the others are of the last seconds only
        QCOMPARE(run.bodyReceived, Whole(57600));
        QCOMPARE(formatUtc(run.started.value()), std::string("2026-03-01T10:00:00.000Z"));
        QCOMPARE(run.doubts.size(), std::size_t(1));
        QCOMPARE(run.semantics.form, std::string("CSV (_stats_history)"));
    }

    void aHeadWithoutRowsIsRefused()
    {
        for (const char* name : {"locust/run_stats.csv", "locust/run_stats_history.csv"}) {
            const std::string text = importData(name);
            QCOMPARE(
                refusalOf(text.substr(0, text.find('\n'))),
                std::string("name: line 1: begins figures of Locust, and no row of requests follows; save the file "
                            "after the run has ended"));
        }
    }
};

QTEST_GUILESS_MAIN(TestImportLocust)
#include "tst_import_locust.moc"
