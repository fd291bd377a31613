#include "core/result/journal.h"
#include "core/result/result_json.h"
#include "tests/core/session/session_rig.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::countWarnings;
using lapbench::test::SessionRig;
using lapbench::test::UpServer;

/// Rounds in which other programs used the machine.
class TestRepeats : public QObject {
    Q_OBJECT

    const UpServer m_up;

    /// However quiet the machine, every round is noisier than that.
    Plan neverQuiet(unsigned rounds, unsigned repeats) const
    {
        Plan plan = m_up.planOf({"a", "b"}, rounds);
        plan.fairWork.audit = false;
        plan.noiseLimit = -1;
        plan.noisyRepeats = repeats;
        return plan;
    }

private slots:
    void aNoisyRoundIsRunAgainAndBothAreKept()
    {
        SessionRig rig;
        const auto end = rig.run(neverQuiet(2, 2));
        QVERIFY2(end.ok(), end.ok() ? "" : format(end.problem()).c_str());
        const SessionResult& result = end.value().result;
        QCOMPARE(result.trials.size(), std::size_t(12));
        for (std::size_t i = 0; i < 12; ++i) {
            QCOMPARE(result.trials[i].index, i);
            QCOMPARE(result.trials[i].round, unsigned(i / 6 + 1));
            QCOMPARE(result.trials[i].attempt, unsigned(i / 2 % 3 + 1));
        }
        // One attempt of each round counts.
        for (const unsigned round : {1U, 2U})
            for (const char* target : {"a", "b"})
                QCOMPARE(std::count_if(result.trials.begin(), result.trials.end(),
                                       [&](const Trial& trial) {
                                           return trial.round == round && trial.target == target && !trial.superseded;
                                       }),
                         std::ptrdiff_t(1));
        QCOMPARE(result.cells.at(0).figures.at("rps").rounds.size(), std::size_t(2));
        QCOMPARE(result.comparisons.at(0).figures.rounds, std::size_t(2));
        QCOMPARE(rig.recorder.count("round 1 over"), std::size_t(1));
        QCOMPARE(countWarnings(result.warnings, "round_repeated"), std::size_t(4));
        QCOMPARE(countWarnings(rig.recorder.warnings, "round_noisy"), std::size_t(2));
        QVERIFY(!end.value().interrupted);
    }

    void aQuietRoundIsNotRunAgain()
    {
        SessionRig rig;
        Plan plan = neverQuiet(1, 2);
        plan.noiseLimit = 1; // no share is larger
        const auto end = rig.run(plan);
        QCOMPARE(end.value().result.trials.size(), std::size_t(2));
        QCOMPARE(countWarnings(end.value().result.warnings, "round_noisy"), std::size_t(0));
    }

    void theBudgetHoldsForRepeatsToo()
    {
        SessionRig rig;
        Plan plan = neverQuiet(3, 2);
        plan.budget = std::chrono::milliseconds(1);
        const auto end = rig.run(plan);
        QCOMPARE(end.value().result.trials.size(), std::size_t(2));
        QCOMPARE(countWarnings(end.value().result.warnings, "round_noisy"), std::size_t(1));
        QCOMPARE(countWarnings(end.value().result.warnings, "budget_ended"), std::size_t(1));
    }

    void aTrialOfARepeatCanBeSkipped()
    {
        SessionRig rig;
        rig.control.skip(3);
        const auto end = rig.run(neverQuiet(1, 1));
        const auto& trials = end.value().result.trials;
        QCOMPARE(trials.size(), std::size_t(4));
        QVERIFY(trials[3].outcome == Outcome::skipped);
        // The first attempt is whole and the second is not.
        QVERIFY(!trials[0].superseded && !trials[1].superseded);
        QVERIFY(trials[2].superseded && trials[3].superseded);
    }

    void aRepeatThatCameToNothingLeavesTheRoundNoisy()
    {
        SessionRig before, rig;
        Plan plan = neverQuiet(1, 0);
        SessionResult first = before.run(plan).value().result;
        first.warnings.clear();
        {
            auto journal = Journal::create(rig.options.result, first);
            QVERIFY(journal.ok());
            for (Trial& trial : first.trials) {
                trial.host.noisySeconds = 1;
                QVERIFY(journal.value().append(trial, Nanoseconds(1)).ok());
            }
        }
        plan.noiseLimit = 0.5;
        plan.noisyRepeats = 1;
        rig.options.resume = true;
        rig.control.skip(2);
        rig.control.skip(3);
        const auto end = rig.run(plan);
        QVERIFY2(end.ok(), end.ok() ? "" : format(end.problem()).c_str());
        QCOMPARE(end.value().result.trials.size(), std::size_t(4));
        QVERIFY(!end.value().result.trials[0].superseded);
        QCOMPARE(countWarnings(end.value().result.warnings, "round_noisy"), std::size_t(1));
    }

    void aKilledSessionGoesOnInTheMiddleOfARepeat_data()
    {
        QTest::addColumn<std::size_t>("last");
        QTest::newRow("in the middle of the first attempt") << std::size_t(0);
        QTest::newRow("between two attempts") << std::size_t(1);
        QTest::newRow("in the middle of the second attempt") << std::size_t(2);
        QTest::newRow("between two rounds") << std::size_t(3);
        QTest::newRow("in the middle of the second round") << std::size_t(4);
    }
    void aKilledSessionGoesOnInTheMiddleOfARepeat()
    {
        QFETCH(std::size_t, last);
        SessionRig rig;
        const Plan plan = neverQuiet(2, 1);
        const std::filesystem::path journal = Journal::pathFor(rig.options.result);
        const std::string kept = journal.string() + ".kept";
        rig.recorder.onTrialFinished = [&](const Trial& trial) {
            if (trial.index != last)
                return;
            std::filesystem::copy_file(journal, kept); // what a session that is killed here leaves
            rig.control.stop();
        };
        QVERIFY(rig.run(plan).ok());
        std::filesystem::remove(rig.options.result);
        std::filesystem::rename(kept, journal);
        const auto end = rig.resume(plan);
        QVERIFY2(end.ok(), end.ok() ? "" : format(end.problem()).c_str());
        QCOMPARE(rig.recorder.trials.size(), 8 - (last + 1));
        const SessionResult saved = readResultOrJournal(rig.options.result).value();
        QCOMPARE(saved.trials.size(), std::size_t(8));
        for (std::size_t i = 0; i < 8; ++i) {
            QCOMPARE(saved.trials[i].round, unsigned(i / 4 + 1));
            QCOMPARE(saved.trials[i].attempt, unsigned(i / 2 % 2 + 1));
            QCOMPARE(saved.trials[i].superseded, end.value().result.trials[i].superseded);
        }
        QCOMPARE(saved.comparisons.at(0).figures.rounds, std::size_t(2));
        // Each is told once, whichever of the two sessions did.
        QCOMPARE(countWarnings(saved.warnings, "round_repeated"), std::size_t(2));
        QCOMPARE(countWarnings(saved.warnings, "round_noisy"), std::size_t(2));
    }

    void aStopInARepeatLeavesTheAttemptBefore()
    {
        SessionRig rig;
        rig.recorder.onTrialStarted = [&](const TrialPlan& trial) {
            if (trial.attempt == 2)
                rig.control.stopAfterTrial();
        };
        const auto end = rig.run(neverQuiet(1, 1));
        QVERIFY(end.value().interrupted);
        const auto& trials = end.value().result.trials;
        QCOMPARE(trials.size(), std::size_t(3));
        QVERIFY(!trials[0].superseded && !trials[1].superseded && trials[2].superseded);
    }
};

QTEST_APPLESS_MAIN(TestRepeats)
#include "tst_repeats.moc"
