#include "core/result/attempts.h"

#include <QTest>

using namespace lapbench;

class TestAttempts : public QObject {
    Q_OBJECT

    static Trial trialOf(unsigned round, unsigned attempt, std::optional<double> noisySeconds,
                         Outcome outcome = Outcome::done)
    {
        Trial trial;
        trial.round = round;
        trial.attempt = attempt;
        trial.host.noisySeconds = noisySeconds;
        trial.outcome = outcome;
        return trial;
    }

private slots:
    void theNoiseOfAnAttemptIsThatOfItsNoisiestFinishedTrial()
    {
        const std::vector<Trial> trials = {trialOf(1, 1, 0.1), trialOf(1, 1, 0.4), trialOf(1, 1, 0.9, Outcome::failed),
                                           trialOf(1, 2, 0.8), trialOf(2, 1, 1.0)};
        QCOMPARE(noiseOf(trials, 1, 1).value(), 0.4);
        QVERIFY(!noiseOf({trialOf(1, 1, std::nullopt)}, 1, 1));
    }

    void theLastQuietAttemptCounts()
    {
        const std::vector<Trial> trials = {trialOf(1, 1, 0.5), trialOf(1, 1, 0.0), trialOf(1, 2, 0.1),
                                           trialOf(1, 2, 0.1)};
        QCOMPARE(countingAttempt(trials, 1), 2U);
    }

    void ofNoisyAttemptsTheLeastNoisyCounts()
    {
        QCOMPARE(countingAttempt({trialOf(1, 1, 0.5), trialOf(1, 2, 0.3), trialOf(1, 3, 0.4)}, 1), 2U);
    }

    void ofEquallyNoisyAttemptsTheLatestCounts()
    {
        QCOMPARE(countingAttempt({trialOf(1, 1, 0.5), trialOf(1, 2, 0.5)}, 1), 2U);
    }

    void anAttemptThatIsNotWholeDoesNotCountYet()
    {
        std::vector<Trial> trials = {trialOf(1, 1, 0.5), trialOf(1, 1, 0.5), trialOf(1, 2, 0.0)};
        QCOMPARE(countingAttempt(trials, 1), 1U);
        trials.push_back(trialOf(1, 2, 0.0, Outcome::interrupted));
        QCOMPARE(countingAttempt(trials, 1), 1U);
        trials.back().outcome = Outcome::done;
        QCOMPARE(countingAttempt(trials, 1), 2U);
    }

    void anAttemptWhoseTrialsFailDoesNotReplaceOneThatMeasured()
    {
        QCOMPARE(countingAttempt({trialOf(1, 1, 0.5), trialOf(1, 2, {}, Outcome::failed)}, 1), 1U);
    }

    void onlyTrialsOfOtherAttemptsAreSuperseded()
    {
        std::vector<Trial> trials = {trialOf(1, 1, 0.5), trialOf(1, 2, 0.0), trialOf(2, 1, 0.0)};
        trials[1].superseded = true; // as a reader of an earlier state had it
        markSuperseded(trials);
        QVERIFY(trials[0].superseded);
        QVERIFY(!trials[1].superseded);
        QVERIFY(!trials[2].superseded);
    }
};

QTEST_APPLESS_MAIN(TestAttempts)
#include "tst_attempts.moc"
