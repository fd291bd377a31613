#include "core/result/compare_results.h"
#include "core/result/import/imported_trial.h"
#include "tests/support/made_results.h"

#include <QTest>

#include <algorithm>

using namespace lapbench;
using namespace lapbench::test;

namespace {

/// One run of another tool of the same target as in resultOf(): nothing failed, and latencies are as they were
/// measured.
ImportedRun plainRun()
{
    ImportedRun run;
    run.target = "node";
    run.workload = "user";
    run.connections = 64;
    run.completed = 1000;
    run.failed = 0;
    run.rps = 2000;
    run.latency.percentilesUs = {{"p50", 500}, {"p99", 2000}};
    run.semantics = {"wrk", "text", true, true, Correction::none, 1.0, BytesKind::wire, {}};
    return run;
}

NamedResult importedOf(const std::string& name, const ImportedRun& run)
{
    NamedResult named;
    named.name = name;
    named.result.created = UtcTime{std::chrono::seconds(1'600'000'000)}; // of the file, as no run tells when it began
    named.result.trials = {trialOf(run)};
    named.result.cells = makeCells(named.result.trials);
    return named;
}

/// Against a result of Lapbench's own with 1,000 requests a second.
ResultComparison comparedWithOwn(const ImportedRun& run)
{
    return compareResults({resultOf("own", {{"node", {1000}}}), importedOf("wrk.txt", run)});
}

std::string refusal(const ResultComparison& made, std::size_t metric)
{
    return made.rows.at(0).pairs.at(metric).refused;
}

bool anyContains(const std::vector<std::string>& texts, const std::string& part)
{
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

} // namespace

class TestCompareImported : public QObject {
    Q_OBJECT

private slots:
    void whatMeansTheSameIsCompared()
    {
        const auto made = comparedWithOwn(plainRun());
        QCOMPARE(made.rows.size(), std::size_t(1));
        for (std::size_t metric = 0; metric < 3; ++metric)
            QCOMPARE(refusal(made, metric), std::string());
        QCOMPARE(made.rows[0].pairs[0].figures->ratio, 2.0);
        QCOMPARE(made.rows[0].pairs[1].figures->ratio, 0.5);
    }

    void whatMeansSomethingElseIsStruckWithTheReason_data()
    {
        QTest::addColumn<int>("change");
        QTest::addColumn<bool>("rpsStruck");
        QTest::addColumn<bool>("latencyStruck");
        QTest::addColumn<QString>("reason");
        QTest::newRow("failed requests among the rate and the latencies")
            << 0 << true << true << "wrk.txt counts failed requests";
        QTest::newRow("latencies made up for stalls") << 1 << false << true << "back-filled for stalls in wrk.txt";
        QTest::newRow("latencies from when requests were due") << 2 << false << true << "from when the request was due";
        QTest::newRow("steps of 1 ms for half a millisecond") << 3 << false << true << "steps of 1.00 ms";
        QTest::newRow("not told whether failures count") << 4 << true << true << "does not tell whether";
    }
    void whatMeansSomethingElseIsStruckWithTheReason()
    {
        QFETCH(int, change);
        QFETCH(bool, rpsStruck);
        QFETCH(bool, latencyStruck);
        QFETCH(QString, reason);
        ImportedRun run = plainRun();
        if (change == 0)
            run.failed = 5;
        if (change == 1)
            run.semantics.correction = Correction::backfilled;
        if (change == 2)
            run.semantics.correction = Correction::intended;
        if (change == 3)
            run.semantics.resolutionUs = 1000;
        if (change == 4) {
            run.failed.reset();
            run.semantics.rpsCountsErrors.reset();
            run.semantics.latencyIncludesErrors.reset();
        }
        const auto made = comparedWithOwn(run);
        QCOMPARE(!refusal(made, 0).empty(), rpsStruck);
        QCOMPARE(!refusal(made, 1).empty(), latencyStruck);
        QVERIFY2(refusal(made, 1).find(reason.toStdString()) != std::string::npos, refusal(made, 1).c_str());
        QVERIFY(!made.rows[0].pairs[1].figures);
    }

    void twoRunsOfOneToolAreComparedWhateverItDoes()
    {
        ImportedRun run = plainRun();
        run.failed = 5;
        run.semantics.correction = Correction::unknown;
        const auto made = compareResults({importedOf("a", run), importedOf("b", run)});
        for (std::size_t metric = 0; metric < 3; ++metric)
            QCOMPARE(refusal(made, metric), std::string());
    }

    void theOnlyWorkloadsStandBesideEachOtherWithANote()
    {
        ImportedRun run = plainRun();
        run.workload = "GET /users/42";
        const auto made = comparedWithOwn(run);
        QCOMPARE(made.rows.size(), std::size_t(1));
        QCOMPARE(made.rows[0].workload, std::string("user"));
        QVERIFY(
            anyContains(made.notes, "wrk.txt: what it asked for (GET /users/42) is compared with the only workload"));
    }

    void aRequestOfThePlanIsFoundAmongSeveralWorkloads()
    {
        NamedResult own = resultOf("own", {{"node", {1000}}});
        own.result.trials.push_back(own.result.trials.front());
        own.result.trials.back().workload = "list";
        own.result.planJson = planOf(
            kNode, R"("workloads": [{"name": "user", "path": "/users/42"}, {"name": "list", "path": "/users"}])");
        ImportedRun run = plainRun();
        run.workload = "GET /users";
        const auto made = compareResults({own, importedOf("wrk.txt", run)});
        QCOMPARE(made.rows.size(), std::size_t(1));
        QCOMPARE(made.rows[0].workload, std::string("list"));
    }

    void connectionsThatAreNotToldAreThoseOfTheOnlyLevelWithANote()
    {
        ImportedRun run = plainRun();
        run.connections.reset();
        const auto made = comparedWithOwn(run);
        QCOMPARE(made.rows.size(), std::size_t(1));
        QCOMPARE(made.rows[0].level.connections, 64u);
        QVERIFY(anyContains(made.notes, "wrk.txt: the number of connections is not told"));
    }

    void anotherNumberOfConnectionsHasNoCounterpart()
    {
        ImportedRun run = plainRun();
        run.connections = 10;
        const auto made = comparedWithOwn(run);
        QVERIFY(made.rows.empty());
        QCOMPARE(made.unmatched.size(), std::size_t(2));
        QCOMPARE(made.unmatched[1].reason, std::string("no such level in own"));
    }

    void theRateOfAnOpenLoopThatWasKeptIsTheOneAskedFor()
    {
        NamedResult own = resultOf("own", {{"node", {1000}}});
        own.result.trials.front().level.rate = 1000;
        ImportedRun run = plainRun();
        run.semantics.correction = Correction::intended;
        run.rps = 999;
        QCOMPARE(compareResults({own, importedOf("wrk2.txt", run)}).rows.size(), std::size_t(1));
        run.rps = 900;
        QVERIFY(compareResults({own, importedOf("wrk2.txt", run)}).rows.empty());
    }

    void whatIsKnownOfTheToolIsSaidOnceAndNothingOfThisMachineIsADifference()
    {
        ImportedRun run = plainRun();
        run.semantics.notes = {"wrk has a fault"};
        const auto made = comparedWithOwn(run);
        QCOMPARE(std::count(made.notes.begin(), made.notes.end(), "wrk.txt: wrk has a fault"), 1);
        QVERIFY(anyContains(made.notes, "by different tools"));
        QVERIFY(!anyContains(made.notes, "on different days"));
        for (const ResultDifference& difference : made.differences)
            QVERIFY2(difference.what == "measured_by", difference.what.c_str());
    }
};

QTEST_GUILESS_MAIN(TestCompareImported)
#include "tst_compare_imported.moc"
