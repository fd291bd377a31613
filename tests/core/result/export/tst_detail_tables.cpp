#include "core/result/export/detail_tables.h"
#include "tests/support/made_trials.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::madeTrial;

namespace {

using Row = std::vector<std::string>;

SessionResult sessionOf(std::vector<Trial> trials)
{
    SessionResult result;
    result.planJson = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p",
        "targets": [{"name": "node", "label": "Node.js 22"}, {"name": "bun", "label": "Bun 1.1"}]})";
    result.trials = std::move(trials);
    result.cells = makeCells(result.trials);
    return result;
}

Labels labelsOf(const SessionResult& result)
{
    return comparisonRulesOf(result).labels;
}

} // namespace

class TestDetailTables : public QObject {
    Q_OBJECT

private slots:
    void latencyHasOnlyWhatIsKnown()
    {
        const SessionResult result = sessionOf({madeTrial("node", 1, 10)});
        const CellTable latency = latencyTable(result, groupsOf(result)[0], labelsOf(result));
        QCOMPARE(latency.table.header, (Row{"target", "mean ms", "p50 ms", "p99 ms", "max ms"}));
        QCOMPARE(latency.table.rows[0], (Row{"Node.js 22", "2.33", "2.00", ">= 2.00 s", "4.00"}));
        // Of three answers fewer than 20 lie beyond every percentile.
        QCOMPARE(latency.lines, (Row{"Percentiles from p25 on are thin: in a round fewer than 20 answers lie beyond "
                                     "them"}));
    }

    void nothingKnownIsNoTable()
    {
        Trial bare;
        bare.target = "node";
        const SessionResult result = sessionOf({bare});
        const auto cells = groupsOf(result)[0];
        QVERIFY(latencyTable(result, cells, {}).table.header.empty());
        QVERIFY(resourceTable(cells, {}).table.header.empty());
        QVERIFY(errorTable(result, cells, {}).table.header.empty());
        QVERIFY(roundTable(cells, {}).table.header.empty());
        QVERIFY(startUpTable(result, {}).table.header.empty());
    }

    void errorsAreCountedOverRoundsWithTheFirst()
    {
        Trial later = madeTrial("node", 2, 10);
        later.load.errors[0].firstMessage = "another";
        Trial superseded = madeTrial("node", 2, 10);
        superseded.superseded = true;
        const SessionResult result = sessionOf({madeTrial("node", 1, 10), later, superseded});
        const CellTable errors = errorTable(result, groupsOf(result)[0], labelsOf(result));
        QCOMPARE(errors.table.rows.size(), std::size_t(1));
        QCOMPARE(errors.table.rows[0],
                 (Row{"Node.js 22", "unexpected status", "check", "4", "round 1, 0.250 s", "status 500"}));
        QCOMPARE(errors.lines, (Row{"Node.js 22 answered with 200 6 times, 500 4 times"}));
    }

    void everyRoundStandsInATable()
    {
        const SessionResult result =
            sessionOf({madeTrial("node", 1, 1000), madeTrial("node", 2, 1100), madeTrial("node", 3, 1200)});
        const CellTable rounds = roundTable(groupsOf(result)[0], labelsOf(result));
        QCOMPARE(rounds.table.header, (Row{"target", "figure", "round 1", "round 2", "round 3", "median", "spread %"}));
        // (1200 - 1000) / 1100 = 18.2 %
        QCOMPARE(rounds.table.rows[0], (Row{"Node.js 22", "req/s", "1.00k", "1.10k", "1.20k", "1.10k", "18.2"}));
    }

    void startUpIsToldOnceATarget()
    {
        std::vector<Trial> trials = {madeTrial("node", 1, 10), madeTrial("node", 1, 10), madeTrial("bun", 1, 10)};
        trials[1].level.connections = 1;
        const SessionResult result = sessionOf(trials);
        const CellTable startUp = startUpTable(result, labelsOf(result));
        QCOMPARE(startUp.table.rows.size(), std::size_t(2));
        QCOMPARE(startUp.table.rows[1], (Row{"Bun 1.1", "start-up ms", "45.5", "45.5", "-"}));
    }

    void eachMeasurementHasATableWithAllLevels()
    {
        std::vector<Trial> trials;
        for (const unsigned connections : {10u, 50u})
            for (const char* target : {"node", "bun"}) {
                trials.push_back(madeTrial(target, 1, 100.0 * connections));
                trials.back().level.connections = connections;
            }
        trials.pop_back(); // Bun has no 50
        const SessionResult result = sessionOf(trials);
        const auto tables = measurementTables(result, labelsOf(result));
        QCOMPARE(tables[0].title, std::string("Requests per second"));
        QCOMPARE(tables[0].table.header, (Row{"target", "10 connections", "50 connections"}));
        QCOMPARE(tables[0].table.rows[0], (Row{"Node.js 22", "1.00k", "5.00k"}));
        QCOMPARE(tables[0].table.rows[1], (Row{"Bun 1.1", "1.00k", "-"}));
        QCOMPARE(tables[1].title, std::string("Mean latency, ms"));
        QVERIFY(measurementTables(sessionOf({madeTrial("node", 1, 10)}), {}).empty());
    }
};

QTEST_APPLESS_MAIN(TestDetailTables)
#include "tst_detail_tables.moc"
