#include "core/result/comparisons.h"
#include "tests/support/made_trials.h"
#include "ui/models/comparison_model.h"
#include "ui/models/number_format.h"
#include "ui/models/trial_queue_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace lapbench;

namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;
using Columns = ComparisonModel;

const std::vector<ShownTarget> kTargets = {{"node", "Node", "Node.js 22.9.0", 0}, {"bun", "Bun", "Bun 1.1.30", 1}};
const ComparisonRules kRules{{"node", "bun"}, {{"node", "Node"}, {"bun", "Bun"}}, "", 0.02};

Trial limited(Trial trial, Limit limit, const char* reason, bool rankable)
{
    trial.bottleneck = Bottleneck{limit, reason, rankable};
    return trial;
}

/// Node at 1000 requests a second, Bun at so many times as many, a round each.
std::vector<Trial> roundsOf(const std::vector<double>& ratios)
{
    std::vector<Trial> trials;
    for (unsigned round = 1; round <= ratios.size(); ++round) {
        for (const bool first : {true, false}) {
            trials.push_back(
                limited(test::madeTrial(first ? "node" : "bun", round, first ? 1000 : 1000 * ratios[round - 1]),
                        Limit::server, "one process used a whole core", true));
            trials.back().index = trials.size() - 1;
        }
    }
    return trials;
}

void fill(ComparisonModel& model, const std::vector<Trial>& trials)
{
    model.reset(kTargets, {"user"}, {Level{64, {}}}, {6, 6});
    for (const Trial& trial : trials)
        model.addTrial(trial);
    model.setComparisons(makeComparisons(model.trials(), kRules));
}

QString cell(const ComparisonModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

QString tip(const ComparisonModel& model, int row, int column)
{
    return model.index(row, column).data(Qt::ToolTipRole).toString();
}

} // namespace

class TestVerdictsShown : public QObject {
    Q_OBJECT

private slots:
    void aVerdictIsAWordAndAShape_data()
    {
        QTest::addColumn<std::vector<double>>("ratios");
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<QString>("interval");
        QTest::newRow("faster") << std::vector<double>(6, 1.5) << "▲ faster"
                                << "1.50 (1.50–1.50)";
        QTest::newRow("slower") << std::vector<double>(6, 0.5) << "▼ slower"
                                << "0.50 (0.50–0.50)";
        QTest::newRow("equivalent") << std::vector<double>(6, 1.0) << "= equivalent"
                                    << "1.00 (1.00–1.00)";
        QTest::newRow("thin") << std::vector<double>(3, 1.5) << "▲ faster (thin)"
                              << "1.50 (1.50–1.50)";
        QTest::newRow("one round") << std::vector<double>{1.5} << "? cannot tell (thin)"
                                   << "1.50";
    }
    void aVerdictIsAWordAndAShape()
    {
        QFETCH(std::vector<double>, ratios);
        ComparisonModel model;
        QAbstractItemModelTester tester(&model, Mode::QtTest);
        fill(model, roundsOf(ratios));
        QTEST(cell(model, 1, Columns::Verdict), "verdict");
        QTEST(cell(model, 1, Columns::Ratio), "interval");
        QCOMPARE(cell(model, 0, Columns::Verdict), missingFigure());
        QCOMPARE(cell(model, 0, Columns::Ratio), QStringLiteral("1.00"));
        QCOMPARE(cell(model, 1, Columns::Limit), QStringLiteral("server"));
        QVERIFY(tip(model, 1, Columns::Limit).contains(QStringLiteral("one process used a whole core")));
        QCOMPARE(model.index(1, Columns::Verdict).data(Columns::ThinRole).toBool(), ratios.size() < 6);
    }

    void wideIntervalsCannotTell()
    {
        // ln 2 up and down: mean 0, standard deviation sqrt(6/5) ln 2, t(0.975, 5) = 2.571: +/- 0.797, 0.45 to 2.22
        ComparisonModel model;
        fill(model, roundsOf({2, 0.5, 2, 0.5, 2, 0.5}));
        QCOMPARE(cell(model, 1, Columns::Verdict), QStringLiteral("? cannot tell"));
        QCOMPARE(cell(model, 1, Columns::Ratio), QStringLiteral("1.00 (0.45–2.22)"));
        QVERIFY(tip(model, 1, Columns::Ratio).contains(QStringLiteral("2.00, 0.50, 2.00")));
    }

    void theSentenceIsThatOfTheComparison()
    {
        ComparisonModel model;
        QVERIFY(model.sentence().isEmpty());
        std::vector<Trial> trials = roundsOf(std::vector<double>(3, 1.5));
        fill(model, trials);
        const std::string sentence = makeComparisons(trials, kRules).front().sentence;
        QVERIFY(QString::fromStdString(sentence).contains(QStringLiteral("3 rounds")));
        QCOMPARE(model.sentence(), QString::fromStdString(sentence));
        QCOMPARE(model.sentence(1), QString::fromStdString(sentence));
        QCOMPARE(model.sentence(0), QStringLiteral("Node is what the others are compared with"));
        QCOMPARE(model.sentence(99), QString::fromStdString(sentence));
    }

    void aTargetLimitedByTheGeneratorIsNotRanked()
    {
        std::vector<Trial> trials = roundsOf(std::vector<double>(6, 1.5));
        trials[3] = limited(trials[3], Limit::generator, "a worker used 0.97 of a core", false);
        ComparisonModel model;
        fill(model, trials);
        QCOMPARE(cell(model, 1, Columns::Verdict), QStringLiteral("⊘ not ranked"));
        QCOMPARE(cell(model, 1, Columns::Limit), QStringLiteral("generator, server"));
        QVERIFY(model.index(1, 0).data(Columns::NotRankedRole).toBool());
        QVERIFY(!model.index(0, 0).data(Columns::NotRankedRole).toBool());
        QVERIFY2(model.sentence(1).contains(QStringLiteral("limited by generator in round 2")),
                 qPrintable(model.sentence(1)));
        QVERIFY(model.sentence(1).contains(QStringLiteral("a worker used 0.97 of a core")));
    }

    void nothingIsSaidBesideATargetThatIsNotRanked()
    {
        std::vector<Trial> trials = roundsOf(std::vector<double>(6, 1.5));
        trials[0] = limited(trials[0], Limit::errors, "5 % of the requests failed", false);
        ComparisonModel model;
        fill(model, trials);
        QCOMPARE(cell(model, 0, Columns::Verdict), QStringLiteral("⊘ not ranked"));
        QCOMPARE(cell(model, 1, Columns::Verdict), QStringLiteral("⊘ no verdict"));
        QVERIFY(!model.index(1, 0).data(Columns::NotRankedRole).toBool());
    }

    void aRoundThatWasRunAgainCountsOnce()
    {
        Trial noisy = test::madeTrial("bun", 1, 500), again = test::madeTrial("bun", 1, 1500);
        noisy.host.noisySeconds = 0.9;
        again.host.noisySeconds = 0.0;
        again.attempt = 2;
        again.index = 1;
        ComparisonModel model;
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {6, 6});
        model.addTrial(noisy);
        QCOMPARE(cell(model, 1, Columns::Rate), QStringLiteral("500"));
        model.addTrial(again);
        QCOMPARE(cell(model, 1, Columns::Rate), rateText(1500));
        QCOMPARE(cell(model, 1, Columns::Rounds), QStringLiteral("1 of 6"));
        QVERIFY(model.trials()[0].superseded && !model.trials()[1].superseded);

        TrialQueueModel queue;
        queue.reset({{kTargets[1], "user", {64, {}}, 1, TrialState::running, {}, {}},
                     {kTargets[1], "user", {64, {}}, 1, TrialState::running, {}, {}, 2}});
        queue.markSuperseded(model.trials());
        QVERIFY(!queue.index(0).data(TrialQueueModel::SupersededRole).toBool()); // it has not ended there
        queue.close();
        queue.markSuperseded(model.trials());
        QVERIFY(queue.index(0).data(TrialQueueModel::SupersededRole).toBool());
        QVERIFY(!queue.index(1).data(TrialQueueModel::SupersededRole).toBool());
        QVERIFY(queue.index(0).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("does not count")));
        QCOMPARE(queue.index(1).data(TrialQueueModel::DetailRole).toString(), QStringLiteral("64 · round 1 again"));
    }

    void roundsThatMayBecomeMoreAreShownAsASpan()
    {
        ComparisonModel model;
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {6, 100});
        for (const Trial& trial : roundsOf(std::vector<double>(7, 1.5)))
            model.addTrial(trial);
        QCOMPARE(cell(model, 1, Columns::Rounds), QStringLiteral("7 of 6–100"));
        model.setRounds({7, 7});
        QCOMPARE(cell(model, 1, Columns::Rounds), QStringLiteral("7 of 7"));
    }

    void theDoubtsAreCopiedToo()
    {
        ComparisonModel model;
        fill(model, roundsOf(std::vector<double>(6, 1.5)));
        QCOMPARE(model.asText({Columns::Target, Columns::Ratio, Columns::Verdict, Columns::Limit}),
                 QStringLiteral("Target\tvs first\tVerdict\tLimit\nNode\t1.00\t–\tserver\n"
                                "Bun\t1.50 (1.50–1.50)\t▲ faster\tserver\n"));
    }

    void aSavedSessionSaysWhatItSays()
    {
        SessionResult result;
        result.trials = roundsOf(std::vector<double>(6, 1.5));
        result.trials[0].superseded = true; // whatever the figures say
        Comparison comparison = makeComparisons(result.trials, kRules).front();
        comparison.sentence = "As it was saved";
        result.comparisons = {comparison};
        ComparisonModel model;
        QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {6, 6});
        model.setResult(result, {});
        QCOMPARE(model.sentence(), QStringLiteral("As it was saved"));
        QCOMPARE(cell(model, 0, Columns::Rounds), QStringLiteral("5 of 6"));
    }

    void aResultOfAnotherToolHasARowForEachOfItsCells()
    {
        SessionResult result;
        for (const char* target : {"node", "bun", "node"}) {
            Trial trial;
            trial.target = target;
            trial.workload = "GET /";
            trial.imported.emplace().semantics.tool = "wrk";
            trial.load.rps = 18'100;
            trial.round = result.trials.size() == 2 ? 2 : 1;
            result.trials.push_back(trial);
            result.trials.back().level.connections = 0;
        }
        ComparisonModel model;
        QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.reset({}, {"default"}, {Level{64, {}}}, {1, 1});
        model.setResult(result, {{"node", "Node.js", {}, 0}});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(cell(model, 0, Columns::Target), QStringLiteral("Node.js"));
        QCOMPARE(cell(model, 1, Columns::Target), QStringLiteral("bun"));
        QCOMPARE(cell(model, 0, Columns::Rate), QStringLiteral("18.1k"));
        QCOMPARE(cell(model, 0, Columns::Connections), missingFigure());
        QCOMPARE(cell(model, 0, Columns::Failed), missingFigure());
        QCOMPARE(cell(model, 0, Columns::P50), missingFigure());
        QCOMPARE(cell(model, 0, Columns::Rounds), QStringLiteral("2"));
        QVERIFY(!model.hasSeveralLevels());
    }
};

QTEST_GUILESS_MAIN(TestVerdictsShown)
#include "tst_verdicts_shown.moc"
