#include "core/result/goal_search_json.h"
#include "tests/support/made_trials.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::madeTrial;

namespace {

GoalSearch madeSearch()
{
    GoalSearch search;
    search.goal = "p99 <= 10 ms, at most 0.1 % errors";
    search.rate = 1250.5;
    search.atLeast = true;
    search.reason = "a thread of the generator used 0.95 of a core";
    GoalStep kept;
    kept.rate = 1250.5;
    kept.rps = 1250.25;
    kept.p50Us = 800;
    kept.p99Us = 9000;
    kept.goalUs = 9000;
    kept.failedShare = 0.0005;
    kept.held = true;
    GoalStep failed;
    failed.rate = 2500;
    failed.p50Us = 700'000;
    failed.p99Us = 2e6;
    failed.goalUs = 2e6;
    failed.p99AtLeast = failed.goalAtLeast = true;
    failed.why = "p99 was at least 2.00 s";
    search.steps = {failed, kept};
    return search;
}

} // namespace

class TestGoalSearchJson : public QObject {
    Q_OBJECT

private slots:
    void theKeysAreThoseOfTheFormat()
    {
        const Json json = goalSearchToJson(madeSearch());
        const Json expected = Json::parse(R"({
            "goal": "p99 <= 10 ms, at most 0.1 % errors", "rate": 1250.5, "at_least": true,
            "reason": "a thread of the generator used 0.95 of a core",
            "steps": [
                {"rate": 2500.0, "held": false, "p50_us": 700000.0, "p99_us": {"at_least": 2000000.0},
                 "goal_us": {"at_least": 2000000.0}, "why": "p99 was at least 2.00 s"},
                {"rate": 1250.5, "held": true, "rps": 1250.25, "p50_us": 800.0, "p99_us": 9000.0, "goal_us": 9000.0,
                 "failed_share": 0.0005}]})");
        QVERIFY2(json == expected, json.dump().c_str());
    }

    void aTrialKeepsItsSearch()
    {
        Trial trial = madeTrial("node", 1, 1250.25);
        trial.search = madeSearch();
        const auto read = trialFromJson(trialToJson(trial));
        QVERIFY(read.ok());
        QVERIFY(read.value().unknownJson.empty());
        QVERIFY(goalSearchToJson(*read.value().search) == goalSearchToJson(madeSearch()));
        QVERIFY(!trialFromJson(trialToJson(madeTrial("node", 1, 1))).value().search);
    }

    void aTrialWithoutFiguresKeepsItToo()
    {
        Trial trial;
        trial.outcome = Outcome::failed;
        trial.search = madeSearch();
        trial.search->rate.reset();
        const auto read = trialFromJson(trialToJson(trial));
        QVERIFY(read.ok());
        QVERIFY(!read.value().search->rate);
        QCOMPARE(read.value().search->steps.size(), std::size_t(2));
    }

    void theRateFoundIsAFigureOfTheCell()
    {
        std::vector<Trial> trials(3, madeTrial("node", 1, 1));
        for (unsigned i = 0; i < 3; ++i) {
            trials[i].round = i + 1;
            trials[i].search = madeSearch();
            trials[i].search->atLeast = false;
            trials[i].search->rate = 1000 + 100 * i;
        }
        const CellFigure rate = makeCells(trials)[0].figures.at("goal_rate");
        QCOMPARE(*rate.median, 1100.0);
        QVERIFY(!rate.atLeast);
        trials[1].search->atLeast = true;
        QVERIFY(makeCells(trials)[0].figures.at("goal_rate").atLeast);
        trials[2].search.reset();
        QVERIFY(!makeCells(trials)[0].figures.at("goal_rate").rounds[2]);
        QVERIFY(!makeCells({madeTrial("node", 1, 1)})[0].figures.contains("goal_rate"));
    }
};

QTEST_APPLESS_MAIN(TestGoalSearchJson)
#include "tst_goal_search_json.moc"
