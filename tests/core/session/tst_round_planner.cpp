#include "core/session/round_planner.h"

#include <QTest>

#include <cmath>

using namespace lapbench;
using namespace std::chrono_literals;

class TestRoundPlanner : public QObject {
    Q_OBJECT

    static Comparison interval(double ratio, std::optional<double> low, std::optional<double> high)
    {
        Comparison comparison;
        comparison.metric = "rps";
        comparison.figures.ratio = ratio;
        comparison.figures.low = low;
        comparison.figures.high = high;
        comparison.figures.rounds = 6;
        return comparison;
    }

    static Plan planOf(std::size_t targets)
    {
        Plan plan;
        plan.targets.resize(targets);
        return plan;
    }

private slots:
    void aPlanWithoutUntilCiRunsItsRounds()
    {
        Plan plan = planOf(2);
        plan.rounds = 3;
        const RoundRules rules = roundRulesOf(plan);
        QCOMPARE(rules.fewest, 3U);
        QCOMPARE(rules.most, 3U);
        const std::vector<Comparison> narrow = {interval(1, 1, 1)};
        QVERIFY(nextRound(rules, {2, 0s, 1s}, narrow) == NextRound::begins);
        QVERIFY(nextRound(rules, {3, 0s, 1s}, {interval(1, 0.5, 2)}) == NextRound::allDone);
    }

    void withUntilCiThePlansRoundsAreTheMost()
    {
        Plan plan = planOf(5); // a balanced order of five takes ten rounds
        plan.untilCi = 0.02;
        QCOMPARE(roundRulesOf(plan).fewest, 10U);
        QVERIFY(roundRulesOf(plan).most >= 100U);
        plan.rounds = 20;
        QCOMPARE(roundRulesOf(plan).fewest, 10U);
        QCOMPARE(roundRulesOf(plan).most, 20U);
        plan.rounds = 4;
        QCOMPARE(roundRulesOf(plan).fewest, 4U);
        QCOMPARE(roundRulesOf(plan).most, 4U);
    }

    void neverEndsBeforeTheFewestRoundsHoweverNarrow()
    {
        const RoundRules rules{6, 100, 0.02, std::nullopt};
        for (unsigned done = 0; done < 6; ++done)
            QVERIFY(nextRound(rules, {done, 0s, 1s}, {interval(1, 1, 1)}) == NextRound::begins);
        QVERIFY(nextRound(rules, {6, 0s, 1s}, {interval(1, 1, 1)}) == NextRound::narrowEnough);
    }

    void endsWhenEveryIntervalIsNarrowEnough_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("ends");
        // Within 1.5 * (1 - 0.02) = 1.47 and 1.5 * (1 + 0.02) = 1.53.
        QTest::newRow("within on both sides") << 1.471 << 1.529 << true;
        QTest::newRow("too low") << 1.469 << 1.529 << false;
        QTest::newRow("too high") << 1.471 << 1.531 << false;
    }
    void endsWhenEveryIntervalIsNarrowEnough()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(bool, ends);
        const RoundRules rules{6, 100, 0.02, std::nullopt};
        const std::vector<Comparison> comparisons = {interval(1, 0.99, 1.01), interval(1.5, low, high)};
        QVERIFY(nextRound(rules, {7, 0s, 1s}, comparisons) == (ends ? NextRound::narrowEnough : NextRound::begins));
    }

    void onlyRequestsPerSecondOfOtherTargetsCount()
    {
        Comparison latency = interval(1, 0.5, 2), control = latency, without = interval(1, {}, {});
        latency.metric = "p99";
        control.control = true;
        without.figures.rounds = 0;
        QVERIFY(!widestInterval({latency, control, without}));
        QVERIFY(std::abs(*widestInterval({latency, control, without, interval(2, 1.8, 2.1)}) - 0.1) < 1e-12);
        const RoundRules rules{6, 100, 0.02, std::nullopt};
        QVERIFY(nextRound(rules, {6, 0s, 1s}, {latency, control, without}) == NextRound::nothingToNarrow);
        QVERIFY(nextRound(rules, {5, 0s, 1s}, {latency, control, without}) == NextRound::begins);
    }

    void whereNothingElseIsComparedTheControlIs()
    {
        Comparison control = interval(1, 0.9, 1.1);
        control.control = true;
        const RoundRules rules{6, 100, 0.02, std::nullopt};
        QVERIFY(std::abs(*widestInterval({control}) - 0.1) < 1e-12);
        QVERIFY(nextRound(rules, {6, 0s, 1s}, {control}) == NextRound::begins);
        control.figures.low = control.figures.high = 1;
        QVERIFY(nextRound(rules, {6, 0s, 1s}, {control}) == NextRound::narrowEnough);
    }

    void withoutAnyComparisonThereIsNothingToNarrow()
    {
        const RoundRules rules{6, 100, 0.02, std::nullopt};
        QVERIFY(!widestInterval({}));
        QVERIFY(nextRound(rules, {6, 0s, 1s}, {}) == NextRound::nothingToNarrow);
    }

    void aComparisonWithoutAnIntervalIsNotNarrow()
    {
        const RoundRules rules{1, 100, 0.5, std::nullopt};
        QVERIFY(std::isinf(*widestInterval({interval(1, {}, {})})));
        QVERIFY(nextRound(rules, {1, 0s, 1s}, {interval(1, {}, {})}) == NextRound::begins);
    }

    void noRoundBeginsThatWouldEndBeyondTheBudget()
    {
        const RoundRules rules{6, 6, std::nullopt, 60s};
        QVERIFY(nextRound(rules, {2, 40s, 20s}, {}) == NextRound::begins);
        QVERIFY(nextRound(rules, {2, 40s, 21s}, {}) == NextRound::overBudget);
        const RoundRules untilCi{6, 100, 0.02, 60s};
        QVERIFY(nextRound(untilCi, {3, 50s, 20s}, {}) == NextRound::overBudget);
    }

    void theFirstRoundAlwaysRuns()
    {
        const RoundRules rules{6, 6, std::nullopt, 1s};
        QVERIFY(nextRound(rules, {0, 5s, 100s}, {}) == NextRound::begins);
    }

    void atTheMostRoundsItEndsHoweverWide()
    {
        const RoundRules rules{6, 8, 0.02, std::nullopt};
        QVERIFY(nextRound(rules, {7, 0s, 1s}, {interval(1, 0.5, 2)}) == NextRound::begins);
        QVERIFY(nextRound(rules, {8, 0s, 1s}, {interval(1, 0.5, 2)}) == NextRound::allDone);
    }
};

QTEST_APPLESS_MAIN(TestRoundPlanner)
#include "tst_round_planner.moc"
