#include "core/result/export/cells_csv.h"
#include "core/result/export/goal_text.h"
#include "core/result/export/session_text.h"
#include "tests/support/made_trials.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::madeTrial;

namespace {

const char* const kPlan = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p", "title": "Title",
    "targets": [{"name": "node", "label": "Node.js 22"}, {"name": "bun"}]})";

GoalStep stepOf(double rate, double p50Us, double p99Us, bool held)
{
    GoalStep step;
    step.rate = rate;
    step.rps = rate;
    step.p50Us = p50Us;
    step.p99Us = step.goalUs = p99Us;
    step.held = held;
    return step;
}

Trial searched(const std::string& target, unsigned round, double rate)
{
    Trial trial = madeTrial(target, round, rate);
    trial.warnings.clear();
    trial.search.emplace();
    trial.search->goal = "p99 <= 10 ms, at most 0.1 % errors";
    trial.search->rate = rate;
    trial.search->steps = {stepOf(rate * 2, 500'000, 1e6, false), stepOf(rate, 900, 9000, true)};
    return trial;
}

SessionResult sessionOf(std::vector<Trial> trials)
{
    SessionResult result;
    result.planJson = kPlan;
    result.trials = std::move(trials);
    result.cells = makeCells(result.trials);
    return result;
}

/// The lines below the rates.
std::string lineOf(const SessionResult& result)
{
    return goalTables(result).at(0).lines.at(0);
}

} // namespace

class TestGoalText : public QObject {
    Q_OBJECT

private slots:
    void theRateHasItsIntervalOverRounds()
    {
        // By hand: the logarithms of the six have the mean 6.907672 and the standard deviation 0.014144; with t(0.975,
        // 5) = 2.570582 the interval is 985.18 to 1014.87 about 999.92.
        std::vector<Trial> trials;
        unsigned round = 0;
        for (const double rate : {1000, 1010, 990, 1020, 980, 1000})
            trials.push_back(searched("node", ++round, rate));
        const SessionResult result = sessionOf(trials);
        const auto tables = goalTables(result);
        QCOMPARE(tables.size(), std::size_t(2));
        QCOMPARE(tables[0].title,
                 std::string("Workload user, 64 connections: highest rate with p99 <= 10 ms, at most 0.1 % errors"));
        const std::vector<std::string> row = {"Node.js 22", "1.00k", "985",
                                              "1.01k",      "4.0",   "1.00k 1.01k 990 1.02k 980 1.00k"};
        QCOMPARE(tables[0].table.rows.at(0), row);
        QCOMPARE(
            lineOf(result),
            std::string("Node.js 22: p99 <= 10 ms, at most 0.1 % errors, holds up to 1.00k requests/s (95 % interval "
                        "985-1.01k, 6 rounds)"));
    }

    void fewRoundsAreThin()
    {
        const std::string two = lineOf(sessionOf({searched("bun", 1, 1000), searched("bun", 2, 1000)}));
        QVERIFY2(two.ends_with("1.00k-1.00k, 2 rounds; rests on normal rounds, run 6 or more)"), two.c_str());
        const std::string one = lineOf(sessionOf({searched("bun", 1, 1000)}));
        QVERIFY2(one.ends_with("1.00k requests/s (1 round; rests on normal rounds, run 6 or more)"), one.c_str());
    }

    void whatIsOnlyALowerBoundSaysSo()
    {
        Trial trial = searched("bun", 1, 1000);
        trial.search->atLeast = true;
        const SessionResult result = sessionOf({trial, searched("bun", 2, 1000)});
        QCOMPARE(goalTables(result)[0].table.rows[0][1], std::string(">= 1.00k"));
        QCOMPARE(goalTables(result)[0].table.rows[0][2], std::string("-"));
        QVERIFY(lineOf(result).find("holds up to at least 1.00k requests/s (2 rounds") != std::string::npos);
    }

    void roundsWithoutARateAreTold()
    {
        Trial failed = searched("bun", 1, 1000);
        failed.outcome = Outcome::failed;
        failed.search->rate.reset();
        QVERIFY(lineOf(sessionOf({failed}))
                    .ends_with("no rate that was tried kept p99 <= 10 ms, at most 0.1 % "
                               "errors (1 round)"));
        QVERIFY(
            lineOf(sessionOf({failed, searched("bun", 2, 1000)})).ends_with("; in 1 further round no rate kept it"));
    }

    void theCurveMergesRoundsAtAboutTheSameRate()
    {
        Trial other = searched("node", 2, 1012);
        other.search->steps[1].held = false;
        other.search->steps[1].p99Us = 11'000;
        other.search->steps[0].p99AtLeast = true;
        const auto curve = goalTables(sessionOf({searched("node", 1, 1000), other}))[1];
        QCOMPARE(curve.title, std::string("Workload user, 64 connections: latency against rate"));
        QCOMPARE(curve.table.rows.size(), std::size_t(2));
        // 1000 and 1012: medians of two are their means.
        const std::vector<std::string> low = {"Node.js 22", "1.01k", "900 us", "10.0 ms", "1 of 2"};
        const std::vector<std::string> high = {"Node.js 22", "2.01k", "500 ms", ">= 1.00 s", "0 of 2"};
        QCOMPARE(curve.table.rows[0], low);
        QCOMPARE(curve.table.rows[1], high);
    }

    void otherSessionsHaveNone()
    {
        const SessionResult result = sessionOf({madeTrial("node", 1, 10)});
        QVERIFY(goalTables(result).empty());
    }

    void theyStandBesideTheOtherTablesAndInTheCsv()
    {
        const SessionResult result = sessionOf({searched("node", 1, 1234.5)});
        QCOMPARE(compareTargets(result).size(), std::size_t(3));
        QVERIFY(comparisonAsMarkdown(result).find("highest rate with p99 <= 10 ms") != std::string::npos);
        QVERIFY(cellsAsCsv(result).find(",goal_rate") != std::string::npos);
        QVERIFY(cellsAsCsv(result).find(",1234.5,") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestGoalText)
#include "tst_goal_text.moc"
