#include "core/result/comparisons.h"
#include "tests/core/result/round_trials.h"

#include <QTest>

#include <cmath>

using namespace lapbench;
using namespace lapbench::test;

namespace {

const Comparison& find(const std::vector<Comparison>& comparisons, const std::string& metric, const std::string& b,
                       const std::string& workload = "read")
{
    const auto found = std::find_if(comparisons.begin(), comparisons.end(), [&](const Comparison& one) {
        return one.metric == metric && one.b == b && one.workload == workload;
    });
    Q_ASSERT(found != comparisons.end());
    return *found;
}

bool near(std::optional<double> value, double expected, double tolerance = 1e-8)
{
    return value && std::abs(*value - expected) <= tolerance;
}

} // namespace

class TestComparisons : public QObject {
    Q_OBJECT

private slots:
    void thePublishedRoundsGiveThePublishedJudgement_data()
    {
        QTest::addColumn<std::string>("workload");
        QTest::addColumn<std::string>("target");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<std::string>("verdict");
        // From R 4.2.2, with d <- log(b / a), n <- length(d), k <- 2:
        //   exp(mean(d) + c(0, -1, 1) * qt(1 - 0.05 / k / 2, n - 1) * sd(d) / sqrt(n))
        const auto row = [](const char* workload, const char* target, double ratio, double low, double high,
                            const char* verdict) {
            QTest::addRow("%s on %s", target, workload)
                << std::string(workload) << std::string(target) << ratio << low << high << std::string(verdict);
        };
        row("read", "bun", 1.3787362242, 1.3354646400, 1.4234098898, "faster");
        row("read", "deno", 0.9477236042, 0.8833891957, 1.0167432818, "cannot_tell");
        row("write", "bun", 1.3592679686, 1.2441724879, 1.4850106624, "faster");
        row("write", "deno", 0.9631318108, 0.8997617889, 1.0309649692, "cannot_tell");
        row("mixed", "bun", 1.3555959381, 1.1392826878, 1.6129801383, "faster");
        row("mixed", "deno", 0.9594176268, 0.8790933233, 1.0470813032, "cannot_tell");
        row("json", "bun", 1.6128952774, 1.4597745857, 1.7820773161, "faster");
        row("json", "deno", 0.8258510603, 0.7926817023, 0.8604083731, "slower");
    }
    void thePublishedRoundsGiveThePublishedJudgement()
    {
        QFETCH(std::string, workload);
        QFETCH(std::string, target);
        QFETCH(double, ratio);
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(std::string, verdict);
        // "One Express app on Postgres": requests per second of the three rounds.
        std::vector<Trial> trials;
        add(trials, "node", {2941, 2964, 3103}, "read");
        add(trials, "node", {3628, 3733, 3687}, "write");
        add(trials, "node", {2943, 3119, 3009}, "mixed");
        add(trials, "node", {7153, 7271, 7182}, "json");
        add(trials, "bun", {4072, 4045, 4304}, "read");
        add(trials, "bun", {4880, 4985, 5155}, "write");
        add(trials, "bun", {4081, 3999, 4216}, "mixed");
        add(trials, "bun", {11692, 11358, 11802}, "json");
        add(trials, "deno", {2816, 2844, 2875}, "read");
        add(trials, "deno", {3500, 3525, 3616}, "write");
        add(trials, "deno", {2854, 2910, 2937}, "mixed");
        add(trials, "deno", {5944, 5926, 5973}, "json");
        const auto all = makeComparisons(trials, rulesOf({"node", "deno", "bun"}));
        QCOMPARE(all.size(), std::size_t(4 * 2 * 3)); // workloads, targets, metrics
        const Comparison& found = find(all, "rps", target, workload);
        QVERIFY(near(found.figures.ratio, ratio));
        QVERIFY(near(found.figures.low, low));
        QVERIFY(near(found.figures.high, high));
        QCOMPARE(std::string(verdictName(found.figures.verdict)), verdict);
        QVERIFY(near(found.confidence, 0.975));
        QVERIFY(found.sentence.ends_with("(3 rounds; rests on normal rounds, run 6 or more)"));
    }

    void aloneDenoHasTheNarrowerIntervalOfTheArticle()
    {
        std::vector<Trial> trials;
        add(trials, "node", {2941, 2964, 3103});
        add(trials, "deno", {2816, 2844, 2875});
        const auto all = makeComparisons(trials, rulesOf({"node", "deno"}));
        const Comparison& found = find(all, "rps", "deno");
        QVERIFY(near(found.figures.low, 0.9026369880));
        QVERIFY(near(found.figures.high, 0.9950622918));
        QCOMPARE(found.figures.verdict, Verdict::cannotTell);
    }

    void theErrorIsSharedByTheTargetsAndNotByTheControl()
    {
        std::vector<Trial> trials;
        add(trials, "node", kNode);
        add(trials, "bun", kBun);
        add(trials, "same", kSame);
        add(trials, "deno", kDeno);
        add(trials, "node-again", kSame);
        ComparisonRules rules = rulesOf({"node", "deno", "bun", "same"});
        rules.control = "node-again";
        const auto all = makeComparisons(trials, rules);
        // k = 3
        QVERIFY(near(find(all, "rps", "bun").figures.low, 1.6180097602));
        QVERIFY(near(find(all, "rps", "deno").figures.high, 0.9050446907));
        QVERIFY(near(find(all, "rps", "same").figures.low, 0.9897531061));
        QCOMPARE(find(all, "rps", "same").figures.verdict, Verdict::equivalent);
        // k = 1
        const Comparison& control = find(all, "rps", "node-again");
        QVERIFY(control.control);
        QVERIFY(near(control.confidence, 0.95));
        QVERIFY(near(control.figures.low, 0.9929918359));
        QVERIFY(near(control.figures.high, 1.0104529251));
        QVERIFY(!find(all, "rps", "bun").control);
        // max(1.01045 - 1, 1 - 0.99299)
        for (const Comparison& one : all)
            QVERIFY(one.metric != "rps" || near(one.noiseFloor, 0.0104529251));
    }

    void withoutAControlOrWithOneRoundOfItTheNoiseFloorIsNotKnown()
    {
        std::vector<Trial> trials;
        add(trials, "node", kNode);
        add(trials, "bun", kBun);
        ComparisonRules rules = rulesOf({"node", "bun"});
        QVERIFY(!find(makeComparisons(trials, rules), "rps", "bun").noiseFloor);
        add(trials, "node-again", {1000});
        rules.control = "node-again";
        const auto all = makeComparisons(trials, rules);
        QVERIFY(!find(all, "rps", "bun").noiseFloor);
        QVERIFY(!find(all, "rps", "node-again").figures.low);
    }

    void latencyIsComparedTheOtherWayRound()
    {
        std::vector<Trial> trials;
        add(trials, "node", kNode);
        add(trials, "bun", kBun);
        const auto all = makeComparisons(trials, rulesOf({"node", "bun"}));
        // p50 is 1e6 / rps here, so the ratio is turned around: R, k = 1.
        const Comparison& p50 = find(all, "p50", "bun");
        QVERIFY(near(p50.figures.ratio, 1 / 1.6319080730));
        QVERIFY(near(p50.figures.low, 1 / 1.6420921326));
        QCOMPARE(p50.figures.verdict, Verdict::faster);
        QCOMPARE(find(all, "p99", "bun").sentence,
                 std::string("Bun's p99 is 0.61 times Node's (95 % interval 0.61-0.62, 6 rounds)"));
    }

    void onlyRoundsThatBothFinishedCount()
    {
        std::vector<Trial> trials;
        add(trials, "node", {100, 110, 120, 130});
        add(trials, "bun", {200, 999, 240, 260});
        trials[5].outcome = Outcome::failed;
        Trial noisy = trialOf("bun", 3, 5);
        noisy.superseded = true;
        trials.push_back(noisy);
        const auto all = makeComparisons(trials, rulesOf({"node", "bun"}));
        const Comparison& found = find(all, "rps", "bun");
        QCOMPARE(found.figures.rounds, std::size_t(3));
        QVERIFY(near(found.figures.ratio, 2));
        QCOMPARE(found.ratios.size(), std::size_t(4));
        QVERIFY(!found.ratios[1]);
        QCOMPARE(*found.ratios[2], 2.0);
    }

    void targetsThatNeverFinishedARoundWithTheFirstAreLeftOut()
    {
        std::vector<Trial> trials;
        add(trials, "node", kNode);
        add(trials, "bun", kBun);
        add(trials, "deno", {1});
        trials.back().outcome = Outcome::failed;
        const auto all = makeComparisons(trials, rulesOf({"node", "deno", "bun"}));
        QCOMPARE(all.size(), std::size_t(3));
        QVERIFY(near(all.front().confidence, 0.95)); // Bun alone
    }

    void aPercentileBeyondItsTailGivesNoRatio()
    {
        std::vector<Trial> trials;
        add(trials, "node", kNode);
        add(trials, "bun", kBun);
        trials[8].load.latency.percentiles[5] = Quantile{2e6, true};
        const auto all = makeComparisons(trials, rulesOf({"node", "bun"}));
        const Comparison& found = find(all, "p99", "bun");
        QCOMPARE(found.figures.rounds, std::size_t(0));
        QCOMPARE(found.figures.verdict, Verdict::cannotTell);
        QCOMPARE(found.sentence, std::string("Bun and Node cannot be compared by p99: of Bun it is only known to be at "
                                             "least 2.00 s in round 3"));
        QCOMPARE(find(all, "p50", "bun").figures.rounds, std::size_t(6));
    }

    void trialsThatSayNothingAboutTheServerGiveNoVerdict()
    {
        std::vector<Trial> trials;
        add(trials, "node", kNode);
        add(trials, "bun", kBun);
        add(trials, "deno", kDeno);
        trials[7].bottleneck = Bottleneck{Limit::generator, "a thread of the generator used 0.970 of a core", false};
        trials[13].bottleneck = Bottleneck{Limit::noise, "others were busy", true};
        const ComparisonRules rules = rulesOf({"node", "deno", "bun"});
        const auto all = makeComparisons(trials, rules);
        const Comparison& bun = find(all, "rps", "bun");
        QVERIFY(!bun.rankable);
        QCOMPARE(bun.figures.verdict, Verdict::cannotTell);
        QVERIFY(near(bun.figures.ratio, 1.6319080730));
        QCOMPARE(bun.sentence,
                 std::string("no verdict on Node and Bun: Bun was limited by the generator (a thread of the "
                             "generator used 0.970 of a core)"));
        QVERIFY(find(all, "rps", "deno").rankable);
        QCOMPARE(find(all, "rps", "deno").figures.verdict, Verdict::slower);
        const auto rankings = makeRankings(trials, rules);
        QCOMPARE(rankings.size(), std::size_t(1));
        QCOMPARE(rankings[0].places.size(), std::size_t(2));
        QCOMPARE(rankings[0].places[0].target, std::string("node"));
    }

    void thatBothReachedTheRateAskedForIsSaidOfIt()
    {
        std::vector<Trial> trials;
        add(trials, "node", std::vector<double>(6, 500));
        add(trials, "bun", std::vector<double>(6, 500));
        for (Trial& trial : trials)
            trial.bottleneck = Bottleneck{Limit::rate, "the rate asked for was reached", true};
        trials[2].bottleneck = Bottleneck{Limit::noise, "others were busy", true};
        const ComparisonRules rules = rulesOf({"node", "bun"});
        QCOMPARE(find(makeComparisons(trials, rules), "rps", "bun").sentence,
                 std::string("Bun and Node serve the same number of requests within 2 %: 1.00 (1.00-1.00, 6 rounds); "
                             "both reached the rate asked for, which need not be the most they can do"));
        QVERIFY(find(makeComparisons(trials, rules), "p50", "bun").sentence.ends_with("6 rounds)"));
        trials[7].bottleneck = Bottleneck{Limit::server, "its busiest process used 0.99 of a core", true};
        QVERIFY(find(makeComparisons(trials, rules), "rps", "bun").sentence.ends_with("6 rounds)"));
    }

    void targetsBetweenWhichNoDifferenceCanBeShownShareARank()
    {
        std::vector<Trial> trials;
        add(trials, "deno", kDeno);
        add(trials, "node", kNode);
        add(trials, "same", kSame);
        add(trials, "bun", kBun);
        add(trials, "deno-again", kDeno);
        ComparisonRules rules = rulesOf({"deno", "node", "same", "bun"});
        rules.control = "deno-again";
        const auto places = makeRankings(trials, rules).front().places;
        QCOMPARE(places.size(), std::size_t(4));
        // Medians: of 996, 1000, 1012, 1031.. 1006; of kSame 1006. Equal ones stay in the plan's order.
        const std::vector<std::string> order = {"bun", "node", "same", "deno"};
        const std::vector<unsigned> ranks = {1, 2, 2, 4};
        for (std::size_t i = 0; i < places.size(); ++i) {
            QCOMPARE(places[i].target, order[i]);
            QCOMPARE(places[i].rank, ranks[i]);
        }
        QCOMPARE(places[1].rps, 1006.0);
    }

    void oneRoundRanksNobodyAboveAnother()
    {
        std::vector<Trial> trials;
        add(trials, "node", {100});
        add(trials, "bun", {1000});
        const auto places = makeRankings(trials, rulesOf({"node", "bun"})).front().places;
        QCOMPARE(places[0].target, std::string("bun"));
        QCOMPARE(places[0].rank, 1u);
        QCOMPARE(places[1].rank, 1u);
    }

    void aSearchIsComparedByTheRateItFound()
    {
        std::vector<Trial> trials;
        add(trials, "node", {900, 900});
        add(trials, "bun", {900, 900});
        for (Trial& trial : trials) {
            trial.search = GoalSearch{};
            trial.search->rate = trial.target == "bun" ? 2000 : 1000;
        }
        const auto all = makeComparisons(trials, rulesOf({"node", "bun"}));
        QCOMPARE(all.size(), std::size_t(1)); // latency at another load is not compared
        QVERIFY(near(all[0].figures.ratio, 2));
        trials.back().search->rate.reset();
        QCOMPARE(makeComparisons(trials, rulesOf({"node", "bun"}))[0].sentence,
                 std::string("Bun and Node cannot be compared by rps: of Bun there is none in round 2"));
    }

    /// As where the upper bound of the plan ended both searches: neither rate is the server's highest.
    void aSearchThatFoundOnlyAtLeastSoMuchGivesNoRatio()
    {
        std::vector<Trial> trials;
        add(trials, "node", kNode);
        add(trials, "bun", kNode);
        for (Trial& trial : trials) {
            trial.search = GoalSearch{};
            trial.search->rate = 20'000;
            trial.search->atLeast = true;
            trial.bottleneck = Bottleneck{Limit::rate, "even 20000 requests/s kept the goal", true};
        }
        const Comparison found = makeComparisons(trials, rulesOf({"node", "bun"})).at(0);
        QCOMPARE(found.figures.rounds, std::size_t(0));
        QCOMPARE(found.figures.verdict, Verdict::cannotTell);
        QCOMPARE(found.sentence, std::string("Bun and Node cannot be compared by rps: of Node it is only known to be "
                                             "at least 20.0k requests/s in round 1"));
    }

    void inARankingABoundIsNeverSlowerButOthersMayBeSlowerThanIt()
    {
        std::vector<Trial> trials;
        add(trials, "node", kNode);
        add(trials, "bun", kNode);
        const auto found = [&trials](const std::string& target, double rate, bool atLeast) {
            for (Trial& trial : trials)
                if (trial.target == target) {
                    trial.search = GoalSearch{};
                    trial.search->rate = rate + trial.round;
                    trial.search->atLeast = atLeast;
                }
        };
        const auto rankOfSecond = [&trials] {
            return makeRankings(trials, rulesOf({"node", "bun"})).front().places.at(1).rank;
        };
        found("node", 20'000, false);
        found("bun", 10'000, true);
        QCOMPARE(rankOfSecond(), 1u);
        found("bun", 10'000, false);
        QCOMPARE(rankOfSecond(), 2u);
        found("node", 20'000, true);
        QCOMPARE(rankOfSecond(), 2u);
    }

    void theRulesAreThoseOfThePlanAndTheTargetsThoseThatRan()
    {
        std::vector<Trial> trials;
        add(trials, "bun", {2});
        add(trials, "node", {1});
        add(trials, "unknown", {1});
        const ComparisonRules rules = comparisonRulesOf(resultOf(trials, R"({"schema": "lapbench-plan",
            "schema_version": 1, "name": "p", "targets": [{"name": "left-out"}, {"name": "node", "label": "Node.js 22"},
            {"name": "bun"}]})"));
        const std::vector<std::string> targets = {"node", "bun", "unknown"};
        QCOMPARE(rules.targets, targets);
        QCOMPARE(rules.labels.at("node"), std::string("Node.js 22"));
        QCOMPARE(rules.labels.at("bun"), std::string("bun"));
        QVERIFY(rules.control.empty());
        QCOMPARE(rules.zone, 0.02);
    }

    void theControlIsTheDoubleOfTheFirstThatRan()
    {
        std::vector<Trial> trials;
        add(trials, "node", {1});
        add(trials, "node-again", {1});
        add(trials, "bun", {2});
        const std::string plan = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p", "aa_control": true,
            "equivalence": 0.05, "targets": [{"name": "left-out"}, {"name": "node", "label": "Node"}, {"name": "bun"}]})";
        const ComparisonRules rules = comparisonRulesOf(resultOf(trials, plan));
        const std::vector<std::string> targets = {"node", "bun"};
        QCOMPARE(rules.targets, targets);
        QCOMPARE(rules.control, std::string("node-again"));
        QCOMPARE(rules.labels.at("node-again"), std::string("Node again"));
        QCOMPARE(rules.zone, 0.05);
        QCOMPARE(makeComparisons(trials, rules).size(), std::size_t(6));
        trials.erase(trials.begin() + 1);
        QVERIFY(comparisonRulesOf(resultOf(trials, plan)).control.empty());
    }

    void nothingToCompareGivesNothing()
    {
        QVERIFY(makeComparisons({}, {}).empty());
        QVERIFY(makeRankings({}, {}).empty());
        std::vector<Trial> trials;
        add(trials, "node", kNode);
        QVERIFY(makeComparisons(trials, rulesOf({"node"})).empty());
    }
};

QTEST_APPLESS_MAIN(TestComparisons)
#include "tst_comparisons.moc"
