#include "core/session/goal_step.h"

#include <QTest>

using namespace lapbench;
using namespace std::chrono_literals;

namespace {

/// 10 s at 1000 requests a second, all answered rightly, the p99 as told.
LoadFigures tenSeconds(double p99Us, bool atLeast = false)
{
    LoadFigures load;
    load.ok = 10'000;
    load.durationSeconds = 10;
    load.rps = 1000;
    load.latency.percentiles[1] = Quantile{800, false};
    load.latency.percentiles[5] = Quantile{p99Us, atLeast};
    load.connectionsAsked = load.peakOpen = 64;
    return load;
}

Goal tenMilliseconds()
{
    Goal goal;
    goal.p99 = 10ms;
    return goal;
}

} // namespace

class TestGoalStep : public QObject {
    Q_OBJECT

private slots:
    void theGoalIsToldAsThePlanHasIt()
    {
        QCOMPARE(describeGoal(tenMilliseconds()), std::string("p99 <= 10 ms, at most 0.1 % errors"));
        Goal goal;
        goal.p50 = 500us;
        goal.p99_9 = 1500ms;
        goal.errors = 0;
        QCOMPARE(describeGoal(goal), std::string("p50 <= 0.5 ms, p99.9 <= 1.5 s, no errors"));
    }

    void aPercentileAtItsLimitIsKept()
    {
        const GoalStep step = judgeStep(tenMilliseconds(), 1000, tenSeconds(10'000));
        QVERIFY2(step.held, step.why.c_str());
        QCOMPARE(*step.goalUs, 10'000.0);
        QCOMPARE(*step.p50Us, 800.0);
        QCOMPARE(*step.rps, 1000.0);
        QCOMPARE(*step.failedShare, 0.0);
    }

    void aPercentileAboveItsLimitIsNot()
    {
        const GoalStep step = judgeStep(tenMilliseconds(), 1000, tenSeconds(10'100));
        QVERIFY(!step.held);
        QCOMPARE(step.why, std::string("p99 was 10.1 ms"));
    }

    void whatIsNotKnownIsNotKept()
    {
        QCOMPARE(judgeStep(tenMilliseconds(), 1000, tenSeconds(2e6, true)).why, std::string("p99 was at least 2.00 s"));
        QVERIFY(judgeStep(tenMilliseconds(), 1000, tenSeconds(2e6, true)).goalAtLeast);
        const GoalStep below = judgeStep(tenMilliseconds(), 1000, tenSeconds(9000, true));
        QVERIFY(!below.held);
        QVERIFY(below.why.starts_with("p99 is not known"));
        QVERIFY(!judgeStep(tenMilliseconds(), 1000, LoadFigures{}).held);
    }

    void everyPercentileOfTheGoalCountsAndTheNearestIsTold()
    {
        Goal goal = tenMilliseconds();
        goal.p50 = 500us;
        const GoalStep step = judgeStep(goal, 1000, tenSeconds(9000)); // p50 is 800 us
        QVERIFY(!step.held);
        QCOMPARE(step.why, std::string("p50 was 800 us"));
        QCOMPARE(*step.goalUs, 800.0); // 1.6 of its limit, p99 0.9
    }

    void theShareOfFailedRequestsCounts()
    {
        LoadFigures load = tenSeconds(5000);
        load.failed = 10;
        load.ok = 9990;
        QVERIFY(judgeStep(tenMilliseconds(), 1000, load).held); // 0.1 %
        load.failed = 20;
        load.ok = 9980;
        QCOMPARE(judgeStep(tenMilliseconds(), 1000, load).why, std::string("0.2 % of the requests failed"));
    }

    void aRateThatWasNotKeptUpWithIsNotKept()
    {
        // 10,000 were due: 9,900 must be completed, but for the 10 due in the last 10 ms and one more.
        LoadFigures load = tenSeconds(5000);
        load.ok = 9889;
        QVERIFY(judgeStep(tenMilliseconds(), 1000, load).held);
        load.ok = 9888;
        QCOMPARE(judgeStep(tenMilliseconds(), 1000, load).why, std::string("only 989 requests/s were completed"));
    }

    void aBusyThreadOrMissingConnectionsAreTheGeneratorsLimit()
    {
        LoadFigures load = tenSeconds(20'000);
        load.busiestWorkerCores = 0.90;
        load.scheduleLag.p99Us = 19'000; // requests wait for connections where the server is slow
        QVERIFY(generatorLimit(load).empty());
        load.busiestWorkerCores = 0.91;
        QCOMPARE(generatorLimit(load), std::string("a thread of the generator used 0.910 of a core"));
        load.busiestWorkerCores.reset();
        load.peakOpen = 60;
        QVERIFY(generatorLimit(load).empty()); // a server that refuses some
        load.errors = {{ErrorKind::clientLimit, Phase::connect, 4, 0, "", ""}};
        QCOMPARE(generatorLimit(load), std::string("no more than 60 of 64 connections could be opened"));
    }
};

QTEST_APPLESS_MAIN(TestGoalStep)
#include "tst_goal_step.moc"
