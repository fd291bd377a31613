#include "core/plan/schedule.h"

#include <QTest>

#include <map>

using namespace lapbench;

namespace {

Plan planOf(std::size_t targets)
{
    Plan plan;
    for (std::size_t i = 0; i < targets; ++i) {
        plan.targets.emplace_back();
        plan.targets.back().name = std::string(1, static_cast<char>('a' + i));
    }
    return plan;
}

/// "ab ba": the targets of each round in their order.
std::string orders(const Plan& plan)
{
    std::string text;
    unsigned round = 1;
    for (const TrialPlan& trial : makeSchedule(plan)) {
        if (trial.round != round)
            text += ' ';
        round = trial.round;
        text += plan.targets[trial.target].name;
    }
    return text;
}

} // namespace

class TestSchedule : public QObject {
    Q_OBJECT

private slots:
    void targetsRotate()
    {
        Plan plan = planOf(3);
        plan.rounds = 4;
        plan.order = OrderKind::rotate;
        QCOMPARE(orders(plan), std::string("abc bca cab abc"));
        plan.order = OrderKind::fixed;
        QCOMPARE(orders(plan), std::string("abc abc abc abc"));
    }

    /// Four orders in which each target follows each other once: written out by hand from Williams (1949).
    void targetsAreBalancedByDefault()
    {
        Plan plan = planOf(4);
        plan.rounds = 5;
        const std::string found = orders(plan);
        QCOMPARE(found.substr(0, 4), found.substr(20, 4));
        std::map<std::string, int> follows;
        for (std::size_t round = 0; round < 4; ++round)
            for (std::size_t place = 1; place < 4; ++place)
                ++follows[found.substr(round * 5 + place - 1, 2)];
        QCOMPARE(follows.size(), std::size_t(12));
    }

    void onlySelectedTargetsRun()
    {
        Plan plan = planOf(4);
        plan.rounds = 3;
        plan.order = OrderKind::rotate;
        plan.targets[1].selected = false;
        QCOMPARE(orders(plan), std::string("acd cda dac"));
        QVERIFY(selectTargets(plan, {"d", "b"}).ok());
        QCOMPARE(orders(plan), std::string("bd db bd"));
        QVERIFY(selectTargets(plan, {"all"}).ok());
        QCOMPARE(orders(plan), std::string("abcd bcda cdab"));
    }

    void anUnknownTargetIsRefused()
    {
        Plan plan = planOf(2);
        plan.targets[0].name = "node";
        const auto selected = selectTargets(plan, {"nod"});
        QVERIFY(!selected.ok());
        QCOMPARE(selected.problem().cure, std::string("did you mean \"node\"?"));
        QVERIFY(plan.targets[1].selected);
    }

    void levelsAndWorkloadsOfATargetFollowEachOther()
    {
        Plan plan = planOf(2);
        plan.rounds = 2;
        plan.load.connections = {10, 50};
        plan.workloads.resize(2);
        struct Row {
            std::size_t target, workload;
            unsigned connections, round, order;
        };
        const std::vector<Row> expected = {{0, 0, 10, 1, 1}, {0, 1, 10, 1, 1}, {0, 0, 50, 1, 1}, {0, 1, 50, 1, 1},
                                           {1, 0, 10, 1, 2}, {1, 1, 10, 1, 2}, {1, 0, 50, 1, 2}, {1, 1, 50, 1, 2},
                                           {1, 0, 10, 2, 1}, {1, 1, 10, 2, 1}, {1, 0, 50, 2, 1}, {1, 1, 50, 2, 1},
                                           {0, 0, 10, 2, 2}, {0, 1, 10, 2, 2}, {0, 0, 50, 2, 2}, {0, 1, 50, 2, 2}};
        const auto trials = makeSchedule(plan);
        QCOMPARE(trials.size(), expected.size());
        for (std::size_t i = 0; i < trials.size(); ++i) {
            QCOMPARE(trials[i].index, i);
            QCOMPARE(trials[i].target, expected[i].target);
            QCOMPARE(trials[i].workload, expected[i].workload);
            QCOMPARE(trials[i].level.connections, expected[i].connections);
            QCOMPARE(trials[i].round, expected[i].round);
            QCOMPARE(trials[i].order, expected[i].order);
        }
    }

    void everyRateIsALevelOfItsOwn()
    {
        Plan plan = planOf(1);
        plan.rounds = 1;
        plan.load.connections = {8, 16};
        plan.load.rates = {100, 200};
        std::string levels;
        for (const TrialPlan& trial : makeSchedule(plan))
            levels +=
                std::to_string(trial.level.connections) + "@" + std::to_string(trial.level.rate.value_or(0)) + " ";
        QCOMPARE(levels, std::string("8@100 8@200 16@100 16@200 "));
    }

    void defaultRoundsBalanceTheOrder_data()
    {
        QTest::addColumn<int>("targets");
        QTest::addColumn<int>("rounds");
        const int expected[] = {6, 6, 6, 8, 10, 6, 14, 8, 18, 10};
        for (int targets = 1; targets <= 10; ++targets)
            QTest::addRow("%d targets", targets) << targets << expected[targets - 1];
    }
    void defaultRoundsBalanceTheOrder()
    {
        QFETCH(int, targets);
        QFETCH(int, rounds);
        QCOMPARE(int(roundsOf(planOf(std::size_t(targets)))), rounds);
    }

    void untilCiBeginsWithBalancedRoundsAndGoesOn()
    {
        Plan plan = planOf(4);
        QCOMPARE(mostRoundsOf(plan), 8u);
        plan.untilCi = 0.02;
        QCOMPARE(roundsOf(plan), 8u);
        QCOMPARE(mostRoundsOf(plan), 1000u);
        plan.rounds = 20;
        QCOMPARE(roundsOf(plan), 8u);
        QCOMPARE(mostRoundsOf(plan), 20u);
        plan.rounds = 7;
        QCOMPARE(roundsOf(plan), 7u);
        QCOMPARE(makeSchedule(plan).size(), std::size_t(28));
    }

    void aFurtherRoundFollowsTheSameDesign()
    {
        Plan plan = planOf(3);
        plan.rounds = 9;
        plan.workloads.resize(2);
        const auto whole = makeSchedule(plan);
        const auto seventh = makeRound(plan, 7, 1, 36);
        QCOMPARE(seventh.size(), std::size_t(6));
        for (std::size_t i = 0; i < seventh.size(); ++i) {
            QCOMPARE(seventh[i].index, 36 + i);
            QCOMPARE(seventh[i].round, 7u);
            QCOMPARE(seventh[i].attempt, 1u);
            QCOMPARE(seventh[i].target, whole[36 + i].target);
            QCOMPARE(seventh[i].order, whole[36 + i].order);
            // Six orders of three targets: the seventh round is as the first.
            QCOMPARE(seventh[i].target, whole[i].target);
        }
    }

    void aRepeatedRoundHasTheSameTrials()
    {
        const Plan plan = planOf(4);
        const auto first = makeRound(plan, 3, 1, 8);
        const auto second = makeRound(plan, 3, 2, 12);
        QCOMPARE(second.size(), first.size());
        for (std::size_t i = 0; i < second.size(); ++i) {
            QCOMPARE(second[i].index, 12 + i);
            QCOMPARE(second[i].attempt, 2u);
            QCOMPARE(second[i].round, 3u);
            QVERIFY(second[i].target == first[i].target && second[i].order == first[i].order);
        }
    }

    void theControlIsTheFirstSelectedTargetOnceMore()
    {
        Plan plan = planOf(3);
        plan.targets[0].selected = false;
        plan.targets[1].label = "Bee";
        plan.targets[1].port = 8080;
        QCOMPARE(controlName(plan), std::string());
        applyControl(plan);
        QCOMPARE(plan.targets.size(), std::size_t(3));
        plan.aaControl = true;
        QCOMPARE(controlName(plan), std::string("b-again"));
        applyControl(plan);
        applyControl(plan);
        QCOMPARE(plan.targets.size(), std::size_t(4));
        const Target& control = plan.targets.back();
        QVERIFY(control.control && control.selected && control.port == 8080);
        QCOMPARE(control.name, controlName(plan));
        QCOMPARE(control.shownName(), std::string("Bee again"));
        plan.rounds = 1;
        plan.order = OrderKind::fixed;
        QCOMPARE(orders(plan), std::string("bcb-again"));
        plan.rounds.reset();
        QCOMPARE(roundsOf(plan), 6u); // of three targets now
    }

    void optionsOfTheCommandLineStandInTheSource()
    {
        Plan plan = planOf(2);
        plan.sourceJson = R"({"name":"p","rounds":3})";
        dropOption(plan, "rounds");
        QVERIFY(!plan.rounds);
        QVERIFY(applyOption(plan, "until_ci", "0.015").ok());
        QVERIFY(applyOption(plan, "budget", "90s").ok());
        QVERIFY(plan.untilCi == 0.015 && plan.budget == std::chrono::seconds(90));
        QCOMPARE(plan.sourceJson, std::string(R"({"name":"p","until_ci":"1.5%","budget":"90s"})"));
        QVERIFY(!applyOption(plan, "rounds", "0").ok());
        QCOMPARE(plan.sourceJson, std::string(R"({"name":"p","until_ci":"1.5%","budget":"90s"})"));
    }

    void scaleShrinksTimesAndCountsOnly()
    {
        using namespace std::chrono_literals;
        Plan plan = planOf(1);
        plan.measure = {30s, std::nullopt};
        plan.warmup = {std::nullopt, 1000};
        plan.cooldown = 5s;
        plan.rounds = 3;
        plan.load.connections = {256};
        QVERIFY(applyScale(plan, 0.1).ok());
        QVERIFY(plan.measure == (Extent{3s, std::nullopt}));
        QVERIFY(plan.warmup == (Extent{std::nullopt, 100}));
        QVERIFY(plan.cooldown == 500ms);
        QVERIFY(plan.rounds == 3u && plan.load.connections.front() == 256 && plan.load.timeout == 30s);
        QCOMPARE(plan.scale, 0.1);
        QVERIFY(applyScale(plan, 0.0001).ok());
        QVERIFY(plan.measure.duration == 1ms && plan.warmup.requests == 1u);
    }

    void aScaledWarmUpMayStillGetSteady()
    {
        using namespace std::chrono_literals;
        Plan plan = planOf(1);
        plan.warmup = {60s, std::nullopt, true};
        QVERIFY(applyScale(plan, 0.5).ok());
        QVERIFY(plan.warmup.duration == 30s);
        QVERIFY(applyScale(plan, 0.1).ok());
        QVERIFY(plan.warmup.duration == 5s);
        plan.warmup.duration = 2s; // the plan's own choice
        QVERIFY(applyScale(plan, 0.1).ok());
        QVERIFY(plan.warmup.duration == 2s);
    }

    void scaleKeepsNothingAtNothing()
    {
        Plan plan = planOf(1);
        QVERIFY(applyScale(plan, 0.5).ok());
        QVERIFY(plan.warmup.duration == Nanoseconds::zero() && plan.cooldown == Nanoseconds::zero());
    }

    void badScalesAreRefused()
    {
        Plan plan = planOf(1);
        for (const double factor : {0.0, -1.0, 1.5, std::numeric_limits<double>::quiet_NaN()})
            QVERIFY(!applyScale(plan, factor).ok());
        QCOMPARE(plan.scale, 1.0);
    }

    void theEstimateAddsUp()
    {
        using namespace std::chrono_literals;
        Plan plan = planOf(2);
        plan.rounds = 3;
        plan.load.connections = {1, 2};
        plan.measure = {30s, std::nullopt};
        plan.warmup = {10s, std::nullopt};
        plan.cooldown = 1s;
        const Nanoseconds loads = 2 * 3 * 2 * 41s;
        QVERIFY(estimateSession(plan) > loads && estimateSession(plan) < loads + 12 * 2s);
    }

    void theEstimateKnowsColdStartsSearchesAndTheBudget()
    {
        using namespace std::chrono_literals;
        Plan plan = planOf(2);
        plan.measure = {10s, std::nullopt};
        const Nanoseconds plain = estimateSession(plan);
        QVERIFY(estimateRound(plan) * 6 == plain);
        plan.untilCi = 0.02;
        plan.rounds = 100;
        QVERIFY(estimateSession(plan) == plain); // the least
        plan.coldStarts = 10;
        QVERIFY(estimateSession(plan) > plain);
        plan.targets[0].url = "http://h";
        const Nanoseconds oneStarted = estimateSession(plan);
        QVERIFY(oneStarted > plain && oneStarted - plain < 10s);
        plan.budget = 45s;
        QVERIFY(estimateSession(plan) == 45s);
        plan.budget.reset();
        plan.load.find.emplace();
        QVERIFY(estimateSession(plan) > 5 * plain);
    }

    void aCountTakesAsLongAsItsRatesSay()
    {
        using namespace std::chrono_literals;
        Plan plan = planOf(1);
        plan.rounds = 1;
        plan.load.rates = {100, 50};
        plan.measure = {std::nullopt, 1000};
        // 10 s at 100 a second and 20 s at 50.
        QVERIFY(estimateSession(plan) >= 30s && estimateSession(plan) < 33s);
    }
};

QTEST_APPLESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
