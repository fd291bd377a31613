#include "core/result/session_result.h"
#include "tests/support/made_trials.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::madeTrial;

class TestCells : public QObject {
    Q_OBJECT

private slots:
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
