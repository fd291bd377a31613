#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"
#include "core/result/compare_results.h"
#include "tests/support/made_results.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace lapbench;
using namespace lapbench::test;

namespace {

const Rounds kNodeRounds = {2941, 2964, 3103}, kBunRounds = {4072, 4045, 4304};

bool near(double value, double expected)
{
    return std::abs(value - expected) < 1e-9;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/// Compared with one trial changed in the second result.
ResultComparison withLastTrial(const std::function<void(Trial&)>& change)
{
    std::vector<NamedResult> results = {resultOf("before", {{"node", kNodeRounds}}),
                                        resultOf("after", {{"node", kBunRounds}})};
    change(results[1].result.trials.back());
    return compareResults(results);
}

} // namespace

class TestCompareResults : public QObject {
    Q_OBJECT

private slots:
    void theSameTargetsMatchByName()
    {
        const auto made = compareResults({resultOf("before", {{"node", kNodeRounds}, {"bun", kBunRounds}}),
                                          resultOf("after", {{"bun", kBunRounds}, {"node", kBunRounds}})});
        QCOMPARE(made.rows.size(), std::size_t(2));
        QCOMPARE(made.rows[0].label(), std::string("Node.js 22"));
        QCOMPARE(made.rows[1].label(), std::string("Bun 1.1"));
        QCOMPARE(made.rows[0].pairs.size(), std::size_t(3));
        // Two comparisons share the error: exp() of R's t.test(log(bun), log(node), conf.level = 0.975).
        const auto& rps = made.rows[0].pairs[0].figures;
        QVERIFY(rps && near(rps->ratio, 1.378736224237));
        QCOMPARE(made.rows[0].pairs[0].confidence, 0.975);
        QVERIFY(contains(made.rows[0].pairs[0].sentence, "(97.5 % interval 1.26-1.51, "));
        QVERIFY(near(*rps->low, 1.258220415661));
        QVERIFY(near(*rps->high, 1.510795368095));
        QCOMPARE(made.rows[1].pairs[0].figures->ratio, 1.0);
        QVERIFY(made.unmatched.empty());
    }

    void differentTargetsStandSideBySide()
    {
        const auto made =
            compareResults({resultOf("one", {{"node", kNodeRounds}}), resultOf("two", {{"bun", kBunRounds}})});
        QCOMPARE(made.rows.size(), std::size_t(1));
        QCOMPARE(made.rows[0].label(), std::string("Node.js 22, Bun 1.1"));
        const auto& rps = made.rows[0].pairs[0].figures;
        // exp() of R's t.test(log(bun), log(node)).
        QVERIFY(near(rps->ratio, 1.378736224237));
        QVERIFY(near(*rps->low, 1.282401989126));
        QVERIFY(near(*rps->high, 1.482307101941));
        QCOMPARE(rps->verdict, Verdict::faster);
        QVERIFY(rps->thin);
        QCOMPARE(made.rows[0].pairs[0].sentence,
                 std::string("Bun 1.1 in two serves 1.38 times as many requests a second as Node.js 22 in one (95 % "
                             "interval 1.28-1.48, 3 and 3 rounds; rests on normal rounds, run 6 or more)"));
    }

    void ofLatencyARatioBelowOneIsFaster()
    {
        const auto made =
            compareResults({resultOf("one", {{"node", kNodeRounds}}), resultOf("two", {{"bun", kBunRounds}})});
        const SidePair& p99 = made.rows[0].pairs[2];
        QCOMPARE(kComparedMetrics[p99.metric], std::string_view("p99"));
        QVERIFY(near(p99.figures->ratio, 1 / 1.378736224237));
        QCOMPARE(p99.figures->verdict, Verdict::faster);
    }

    void anotherLevelHasNoCounterpart()
    {
        std::vector<NamedResult> results = {resultOf("before", {{"node", kNodeRounds}}),
                                            resultOf("after", {{"node", kBunRounds}})};
        for (Trial& trial : results[1].result.trials)
            trial.level.connections = 128;
        const auto made = compareResults(results);
        QVERIFY(made.rows.empty());
        QCOMPARE(made.unmatched.size(), std::size_t(2));
        QCOMPARE(made.unmatched[0].reason, std::string("no such level in after"));
        QVERIFY(contains(made.notes.back(), "No cell"));
    }

    void anotherRateIsAnotherLevel()
    {
        std::vector<NamedResult> results = {resultOf("before", {{"node", kNodeRounds}}),
                                            resultOf("after", {{"node", kBunRounds}})};
        for (NamedResult& one : results)
            for (Trial& trial : one.result.trials)
                trial.level.rate = 1000;
        QCOMPARE(compareResults(results).rows.size(), std::size_t(1));
        for (Trial& trial : results[1].result.trials)
            trial.level.rate = 2000;
        QVERIFY(compareResults(results).rows.empty());
    }

    void otherWorkloadsAndTargetsAreListed()
    {
        std::vector<NamedResult> results = {resultOf("before", {{"node", kNodeRounds}, {"bun", kBunRounds}}),
                                            resultOf("after", {{"node", kBunRounds}})};
        Trial other = cleanTrial("node", 1, 10);
        other.workload = "write";
        results[0].result.trials.push_back(other);
        const auto made = compareResults(results);
        QCOMPARE(made.rows.size(), std::size_t(1));
        QCOMPARE(made.unmatched.size(), std::size_t(2));
        std::vector<std::string> reasons = {made.unmatched[0].reason, made.unmatched[1].reason};
        std::sort(reasons.begin(), reasons.end());
        QCOMPARE(reasons[0], std::string("no such target in after"));
        QCOMPARE(reasons[1], std::string("no such workload in after"));
    }

    void latencyIsNotComparedUnderOtherLoads_data()
    {
        QTest::addColumn<QByteArray>("one");
        QTest::addColumn<QByteArray>("other");
        QTest::addColumn<bool>("rpsToo");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* one, const char* other, bool rpsToo, const char* says) {
            QTest::newRow(name) << QByteArray(one) << QByteArray(other) << rpsToo << QByteArray(says);
        };
        row("the same load", "{}", R"({"connections": [64, 128]})", false, "");
        row("a ramp", "{}", R"({"ramp": "10..100/10s"})", true, "load.ramp is none and 10..100/10s");
        row("other steps", R"({"steps": "10,20/1s"})", R"({"steps": "10,30/1s"})", true, "load.steps");
        row("streams", "{}", R"({"http": "2", "streams": 8})", false, "1 request at a time");
        row("new connections", "{}", R"({"new_connections": true})", false, "new connection");
    }
    void latencyIsNotComparedUnderOtherLoads()
    {
        QFETCH(QByteArray, one);
        QFETCH(QByteArray, other);
        QFETCH(bool, rpsToo);
        QFETCH(QByteArray, says);
        std::vector<NamedResult> results = {resultOf("before", {{"node", kNodeRounds}}),
                                            resultOf("after", {{"node", kBunRounds}})};
        results[0].result.planJson = planOf(kNode, R"("load": )" + one.toStdString());
        results[1].result.planJson = planOf(kNode, R"("load": )" + other.toStdString());
        const auto made = compareResults(results);
        QCOMPARE(made.rows.size(), std::size_t(1));
        QCOMPARE(made.rows[0].pairs[0].figures.has_value(), !rpsToo);
        for (const std::size_t metric : {1, 2}) {
            const SidePair& pair = made.rows[0].pairs[metric];
            QCOMPARE(pair.figures.has_value(), says.isEmpty());
            QVERIFY2(contains(pair.refused, says.toStdString()), pair.refused.c_str());
        }
    }

    void aBoundIsNoValue()
    {
        const auto made = withLastTrial([](Trial& trial) { trial.load.latency.percentiles[5] = Quantile{2e6, true}; });
        const auto& pairs = made.rows[0].pairs;
        QVERIFY(pairs[0].figures && pairs[1].figures && !pairs[2].figures);
        QCOMPARE(pairs[2].refused, std::string("p99 in after is only known as \"at least\" in 1 of 3 rounds"));
        QVERIFY(!made.rows[0].sides[1].values[2].atLeast);
    }

    void searchesAreComparedByTheRatesTheyFound()
    {
        std::vector<NamedResult> results = {resultOf("before", {{"node", kNodeRounds}}),
                                            resultOf("after", {{"node", kNodeRounds}})};
        for (NamedResult& named : results) {
            named.result.planJson = planOf(kNode, R"("load": {"find": {"p99": "10ms"}})");
            for (Trial& trial : named.result.trials) {
                trial.search = GoalSearch{};
                trial.search->rate = named.name == "before" ? 3000 : 6000;
            }
        }
        const auto made = compareResults(results);
        QCOMPARE(made.rows[0].sides[1].values[0].median.value(), 6000.0);
        QVERIFY(near(made.rows[0].pairs[0].figures->ratio, 2));
        results[1].result.trials.back().search->atLeast = true;
        const auto bound = compareResults(results);
        QVERIFY(!bound.rows[0].pairs[0].figures);
        QCOMPARE(bound.rows[0].pairs[0].refused,
                 std::string("rps in after is only known as \"at least\" in 1 of 3 rounds"));
    }

    void aTrialThatSaysNothingAboutTheServerStrikesItsCell()
    {
        const auto made = withLastTrial([](Trial& trial) {
            trial.bottleneck = Bottleneck{Limit::generator, "a worker used 0.97 of a core", false};
        });
        for (const SidePair& pair : made.rows[0].pairs) {
            QVERIFY(!pair.figures);
            QCOMPARE(pair.refused,
                     std::string("after: 1 of 3 rounds limited by the generator, which says nothing about "
                                 "the server: a worker used 0.97 of a core"));
        }
        QVERIFY(made.rows[0].sides[1].values[0].median);
        const auto rankable = withLastTrial([](Trial& trial) {
            trial.bottleneck = Bottleneck{Limit::server, "", true};
        });
        QVERIFY(rankable.rows[0].pairs[0].figures);
    }

    void supersededAndBrokenOffTrialsAreNoRounds()
    {
        QCOMPARE(withLastTrial([](Trial& trial) { trial.superseded = true; }).rows[0].pairs[0].figures->roundsB,
                 std::size_t(2));
        QCOMPARE(
            withLastTrial([](Trial& trial) { trial.outcome = Outcome::interrupted; }).rows[0].pairs[0].figures->roundsB,
            std::size_t(2));
    }

    void oneRoundGivesNoVerdict()
    {
        const auto made = compareResults({resultOf("a", {{"node", {100}}}), resultOf("b", {{"node", {150, 151}}})});
        const SidePair& rps = made.rows[0].pairs[0];
        QVERIFY(rps.figures && !rps.figures->low);
        QCOMPARE(rps.figures->verdict, Verdict::cannotTell);
        QVERIFY(rps.figures->thin);
        QVERIFY(contains(rps.sentence, "a single round"));
    }

    void roundsWithoutRightAnswersAreNotCompared()
    {
        const auto made = withLastTrial([](Trial& trial) { trial.load.rps = 0; });
        QCOMPARE(made.rows[0].pairs[0].refused, std::string("rps in after is 0 in a round"));
    }

    void theSameResultDiffersInNothing()
    {
        auto one = resultOf("one", {{"node", kNodeRounds}});
        one.result.id = "42";
        auto two = one;
        two.name = "two";
        const auto made = compareResults({one, two});
        QVERIFY(made.differences.empty());
        QCOMPARE(made.rows[0].pairs[0].figures->ratio, 1.0);
        QCOMPARE(made.notes.front(), std::string("one and two are the same session"));
        QVERIFY(!contains(made.rows[0].pairs[0].sentence, "measured on"));
    }

    void machineKernelAndDayAreInTheSentence_data()
    {
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("machine") << QByteArray("host") << QByteArray("measured on different machines: the interval");
        QTest::newRow("kernel") << QByteArray("kernel") << QByteArray("measured under different kernels: the interval");
        QTest::newRow("day") << QByteArray("day") << QByteArray("measured on different days: the interval");
    }
    void machineKernelAndDayAreInTheSentence()
    {
        QFETCH(QByteArray, what);
        QFETCH(QByteArray, says);
        std::vector<NamedResult> results = {resultOf("a", {{"node", kNodeRounds}}),
                                            resultOf("b", {{"node", kBunRounds}})};
        for (NamedResult& one : results)
            one.result.host.hostname = one.result.host.kernel = "same";
        SessionResult& second = results[1].result;
        if (what == "host")
            second.host.hostname = "other";
        else if (what == "kernel")
            second.host.kernel = "other";
        else
            second.created += std::chrono::hours(24);
        const auto made = compareResults(results);
        for (const SidePair& pair : made.rows[0].pairs)
            QVERIFY2(contains(pair.sentence, says.toStdString() + " holds only what the rounds show"),
                     pair.sentence.c_str());
    }

    void verdictsAreSaid_data()
    {
        QTest::addColumn<Rounds>("other");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("equivalent") << Rounds{1002, 1001, 1000, 1003, 998, 1005}
                                    << QByteArray(
                                           "requests a second between Node.js 22 in a and Node.js 22 in b are "
                                           "the same within 2 %: 1.00 (95 % interval 1.00-1.00, 6 and 6 rounds)");
        QTest::newRow("cannot tell") << Rounds{900, 1050, 1000, 1100, 980, 1020}
                                     << QByteArray(
                                            "no difference can be shown between Node.js 22 in a and Node.js 22 in "
                                            "b in requests a second: 1.01 (");
        QTest::newRow("slower") << Rounds{500, 501, 502, 499, 500, 501} << QByteArray("b serves 0.50 times as many");
    }
    void verdictsAreSaid()
    {
        QFETCH(Rounds, other);
        QFETCH(QByteArray, says);
        const auto made = compareResults(
            {resultOf("a", {{"node", {1000, 1004, 998, 1001, 1003, 999}}}), resultOf("b", {{"node", other}})});
        const std::string& sentence = made.rows[0].pairs[0].sentence;
        QVERIFY2(contains(sentence, says.toStdString()), sentence.c_str());
    }

    void threeResultsAreComparedWithTheFirst()
    {
        const auto made = compareResults({resultOf("a", {{"node", kNodeRounds}}), resultOf("b", {{"node", kBunRounds}}),
                                          resultOf("c", {{"node", kNodeRounds}})});
        QCOMPARE(made.rows.size(), std::size_t(1));
        QCOMPARE(made.rows[0].pairs.size(), std::size_t(6));
        QCOMPARE(made.rows[0].pairs[3].a, std::size_t(0));
        QCOMPARE(made.rows[0].pairs[3].b, std::size_t(2));
        QCOMPARE(made.rows[0].pairs[3].figures->ratio, 1.0);
    }

    void aTargetThatTheFirstResultLacksIsComparedAmongTheOthers()
    {
        const auto made = compareResults({resultOf("a", {{"node", kNodeRounds}}),
                                          resultOf("b", {{"node", kBunRounds}, {"bun", kNodeRounds}}),
                                          resultOf("c", {{"node", kNodeRounds}, {"bun", kBunRounds}})});
        QCOMPARE(made.rows.size(), std::size_t(2));
        QCOMPARE(made.rows[1].sides.front().result, std::size_t(1));
        QVERIFY(near(made.rows[1].pairs[0].figures->ratio, 1.378736224237));
    }

    void theControlIsLeftOut()
    {
        std::vector<NamedResult> results = {resultOf("before", {{"node", kNodeRounds}}),
                                            resultOf("after", {{"node", kBunRounds}})};
        SessionResult& second = results[1].result;
        second.planJson = planOf(kNode, R"("aa_control": true)");
        const std::string control = controlName(parsePlan(second.planJson, {}).plan);
        for (unsigned round = 1; round <= 3; ++round)
            second.trials.push_back(cleanTrial(control, round, 3000));
        const auto made = compareResults(results);
        QCOMPARE(made.rows.size(), std::size_t(1));
        QVERIFY(made.unmatched.empty());
        QCOMPARE(made.rows[0].pairs[0].confidence, 0.95);
    }

    void failedRequestsAreTold()
    {
        const auto made = withLastTrial([](Trial& trial) { trial.load.failed = 7; });
        QCOMPARE(made.notes.front(), std::string("Node.js 22 in after, user, 64 connections: 7 requests failed"));
    }
};

QTEST_APPLESS_MAIN(TestCompareResults)
#include "tst_compare_results.moc"
