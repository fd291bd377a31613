#include "core/result/session_result.h"
#include "tests/support/made_trials.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::madeTrial;

class TestCells : public QObject {
    Q_OBJECT

private slots:
    void targetsStandAsInThePlanWhateverTheOrderTheyRanIn()
    {
        const auto names = targetsOf(R"({"targets": [{"name": "node"}, {"name": "deno"}, {"name": "bun"}]})");
        QCOMPARE(names, (std::vector<std::string>{"node", "deno", "bun"}));
        const auto cells =
            makeCells({madeTrial("bun", 1, 300), madeTrial("node", 1, 100), madeTrial("deno", 1, 200)}, names);
        QCOMPARE(cells.size(), std::size_t(3));
        QVERIFY(cells[0].target == "node" && cells[1].target == "deno" && cells[2].target == "bun");
        QCOMPARE(*cells[2].rpsRatio, 3.0);
    }

    void aTrialWhoseRoundWasRunAgainCountsInNoCell()
    {
        Trial noisy = madeTrial("node", 1, 50), again = madeTrial("node", 1, 100);
        noisy.superseded = true;
        again.attempt = 2;
        const CellFigure rps = makeCells({noisy, again})[0].figures.at("rps");
        QCOMPARE(*rps.median, 100.0);
        QCOMPARE(rps.rounds.size(), std::size_t(1));
    }

    void theMedianOfThreeRoundsIsTheMiddleOne()
    {
        const auto cells = makeCells({madeTrial("node", 1, 90), madeTrial("node", 2, 120), madeTrial("node", 3, 100)});
        QCOMPARE(cells.size(), std::size_t(1));
        const CellFigure& rps = cells[0].figures.at("rps");
        QCOMPARE(*rps.median, 100.0);
        QCOMPARE(*rps.spread, 0.3); // (120 - 90) / 100
        QCOMPARE(rps.rounds.size(), std::size_t(3));
        QCOMPARE(*rps.rounds[1], 120.0);
        QCOMPARE(cells[0].merged.total(), std::uint64_t(9));
    }

    void theMedianOfTwoRoundsIsTheirMean()
    {
        const auto cells = makeCells({madeTrial("node", 1, 90), madeTrial("node", 2, 120)});
        QCOMPARE(*cells[0].figures.at("rps").median, 105.0);
    }

    void ratiosAreToThePlansFirstTargetWhateverRanFirst()
    {
        // In round 2 the order is rotated; round 1 has the plan's order.
        const auto cells = makeCells(
            {madeTrial("node", 1, 100), madeTrial("bun", 1, 190), madeTrial("bun", 2, 210), madeTrial("node", 2, 100)});
        QCOMPARE(cells.size(), std::size_t(2));
        QCOMPARE(cells[0].target, std::string("node"));
        QCOMPARE(*cells[0].rpsRatio, 1.0);
        QCOMPARE(*cells[1].rpsRatio, 2.0);
    }

    void aTrialThatFailedIsNoRound()
    {
        Trial broken = madeTrial("node", 2, 5);
        broken.outcome = Outcome::failed;
        const auto cells = makeCells({madeTrial("node", 1, 100), broken});
        QCOMPARE(*cells[0].figures.at("rps").median, 100.0);
        QVERIFY(!cells[0].figures.at("rps").rounds[1]);
        QCOMPARE(cells[0].merged.total(), std::uint64_t(3));
    }

    void aMedianBeyondTheCensoredTailSaysSo()
    {
        const auto cells = makeCells({madeTrial("node", 1, 100)});
        QVERIFY(cells[0].figures.at("p99_us").atLeast);
        QVERIFY(!cells[0].figures.at("p50_us").atLeast);
    }

    void aHungRoundMakesTheMedianALowerBound()
    {
        // p99 of the rounds: at least 2 s, 3 s, 4 s. The first may be 5 s in truth, and the median then 4 s.
        std::vector<Trial> trials;
        for (unsigned round = 1; round <= 3; ++round) {
            trials.push_back(madeTrial("node", round, 100));
            trials.back().load.latency.percentiles[5] = Quantile{1e6 * (1 + round), round == 1};
        }
        const CellFigure p99 = makeCells(trials)[0].figures.at("p99_us");
        QCOMPARE(*p99.median, 3e6);
        QVERIFY(p99.atLeast);
        trials[0].load.latency.percentiles[5] = Quantile{9e6, true};
        QVERIFY(!makeCells(trials)[0].figures.at("p99_us").atLeast); // 9, 3, 4: the median is 4 s whatever the first is
    }

    void whatNoRoundKnowsHasNoFigure()
    {
        Trial trial = madeTrial("url", 1, 100);
        trial.server = {};
        const auto cells = makeCells({trial});
        QVERIFY(!cells[0].figures.contains("cpu_cores_mean"));
        QVERIFY(!cells[0].figures.contains("p25_us"));
    }
};

QTEST_APPLESS_MAIN(TestCells)
#include "tst_cells.moc"
