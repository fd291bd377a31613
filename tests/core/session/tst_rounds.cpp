#include "core/result/journal.h"
#include "core/result/result_json.h"
#include "tests/core/session/session_rig.h"

#include <QTest>

using namespace lapbench;
using namespace std::chrono_literals;
using lapbench::test::countWarnings;
using lapbench::test::SessionRig;
using lapbench::test::UpServer;

class TestRounds : public QObject {
    Q_OBJECT

    const UpServer m_up;

private slots:
    void eachRoundIsComparedAndTold()
    {
        SessionRig rig;
        Plan plan = SessionRig::planOf({"a", "b"}, 2);
        plan.workloads.front().path = "/delay/2"; // at full speed the generator may be the limit, which has no rank
        const auto end = rig.run(plan);
        QVERIFY2(end.ok(), end.ok() ? "" : format(end.problem()).c_str());
        // rps, p50 and p99 of b against a; one round has no interval, two have.
        QCOMPARE(rig.recorder.comparisons.size(), std::size_t(2));
        QCOMPARE(rig.recorder.comparisons[0].size(), std::size_t(3));
        QCOMPARE(rig.recorder.comparisons[0][0].figures.rounds, std::size_t(1));
        QVERIFY(!rig.recorder.comparisons[0][0].figures.low);
        const Comparison& last = rig.recorder.comparisons[1][0];
        QCOMPARE(last.figures.rounds, std::size_t(2));
        QVERIFY(*last.figures.low <= last.figures.ratio && last.figures.ratio <= *last.figures.high);
        const SessionResult saved = readResultOrJournal(rig.options.result).value();
        QCOMPARE(saved.comparisons.size(), std::size_t(3));
        QCOMPARE(saved.comparisons[0].figures.ratio, last.figures.ratio);
        QCOMPARE(saved.rankings.size(), std::size_t(1));
        QVERIFY(!end.value().interrupted);
    }

    void alsoAWindowOfLessThanASecondHasItsNoise()
    {
        SessionRig rig;
        Plan plan = SessionRig::planOf({"a"}, 1);
        plan.measure.duration = std::chrono::milliseconds(700);
        plan.noisyRepeats = 0;
        const auto end = rig.run(plan);
        QVERIFY(end.ok());
        const Trial& trial = end.value().result.trials.at(0);
        QVERIFY(!trial.seconds.empty() && trial.seconds.front().noise && trial.host.noisySeconds);
        QVERIFY(trial.seconds.front().tcpRetransmits && trial.seconds.front().listenOverflows);
    }

    void theBudgetEndsASessionButNotItsFirstRound()
    {
        SessionRig rig;
        Plan plan = m_up.planOf({"a", "b"}, 6);
        plan.budget = 1ms;
        const auto end = rig.run(plan);
        QVERIFY(end.ok());
        QVERIFY(!end.value().interrupted);
        QCOMPARE(end.value().result.trials.size(), std::size_t(2));
        const auto& warnings = end.value().result.warnings;
        const auto told = std::find_if(warnings.begin(), warnings.end(),
                                       [](const Warning& warning) { return warning.code == "budget_ended"; });
        QVERIFY(told != warnings.end());
        QVERIFY2(told->text.find("after 1 round") != std::string::npos, told->text.c_str());
        QVERIFY(!told->evidence.empty());
    }

    void aBudgetThatIsLongEnoughChangesNothing()
    {
        SessionRig rig;
        Plan plan = m_up.planOf({"a"}, 2);
        plan.budget = 1h;
        const auto end = rig.run(plan);
        QCOMPARE(end.value().result.trials.size(), std::size_t(2));
        QCOMPARE(countWarnings(end.value().result.warnings, "budget_ended"), std::size_t(0));
    }

    void untilCiEndsAtSixRoundsWhereNothingIsToBeNarrowed()
    {
        SessionRig rig;
        Plan plan = m_up.planOf({"a"}, 8);
        plan.untilCi = 0.02;
        const auto end = rig.run(plan);
        QVERIFY(end.ok());
        QVERIFY(!end.value().interrupted);
        QCOMPARE(end.value().result.trials.size(), std::size_t(6));
        QCOMPARE(end.value().result.trials.back().round, 6U);
        QCOMPARE(countWarnings(end.value().result.warnings, "intervals_wide"), std::size_t(0));
        QCOMPARE(countWarnings(end.value().result.warnings, "nothing_compared"), std::size_t(1));
    }

    void untilCiSaysThatTheFirstTargetNeverFinishedARound()
    {
        SessionRig rig;
        Plan plan = m_up.planOf({"a", "b"}, 8);
        plan.fairWork.audit = false;
        plan.targets[0].url = "http://127.0.0.1:1"; // nobody listens there
        plan.untilCi = 0.02;
        const auto end = rig.run(plan);
        QVERIFY(end.ok());
        QCOMPARE(end.value().result.trials.size(), std::size_t(12));
        const auto& warnings = end.value().result.warnings;
        const auto told = std::find_if(warnings.begin(), warnings.end(),
                                       [](const Warning& warning) { return warning.code == "nothing_compared"; });
        QVERIFY(told != warnings.end());
        QVERIFY2(told->text.find("after 6 rounds") != std::string::npos, told->text.c_str());
        QVERIFY(!told->evidence.empty());
    }

    void untilCiGoesOnWhileAnIntervalIsWideAndSaysThatItStayedSo()
    {
        SessionRig rig;
        Plan plan = m_up.planOf({"a", "b"}, 7);
        plan.untilCi = 1e-9;
        const auto end = rig.run(plan);
        QVERIFY(end.ok());
        QCOMPARE(end.value().result.trials.size(), std::size_t(14));
        QCOMPARE(countWarnings(end.value().result.warnings, "intervals_wide"), std::size_t(1));
    }

    void memoryIsReadBeforeTheFirstLoadAndAfterTheLast()
    {
        SessionRig rig;
        Plan plan = SessionRig::planOf({"a"}, 1);
        plan.load.connections = {4, 8};
        const auto end = rig.run(plan);
        const auto& trials = end.value().result.trials;
        QCOMPARE(trials.size(), std::size_t(2));
        QVERIFY(*trials[0].server.rssBytesIdle > 1'000'000);
        QCOMPARE(*trials[1].server.rssBytesIdle, *trials[0].server.rssBytesIdle);
        QVERIFY(!trials[0].server.rssBytesSettled);
        QVERIFY(*trials[1].server.rssBytesSettled > 1'000'000);
    }

    void aJournalOfMoreRoundsThanThePlanHasIsNotResumed()
    {
        SessionRig rig;
        const Plan plan = m_up.planOf({"a"}, 1);
        SessionResult saved = rig.run(plan).value().result;
        {
            auto journal = Journal::create(rig.options.result, saved);
            saved.trials[0].round = 2;
            saved.trials[0].index = 1;
            QVERIFY(journal.value().append(saved.trials[0]).ok());
        }
        QVERIFY(!rig.resume(plan).ok());
    }
};

QTEST_APPLESS_MAIN(TestRounds)
#include "tst_rounds.moc"
