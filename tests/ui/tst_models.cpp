#include "ui/models/comparison_model.h"
#include "ui/models/number_format.h"
#include "ui/models/session_progress.h"
#include "ui/models/target_model.h"
#include "ui/models/trial_queue_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace lapbench;

namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;

const std::vector<ShownTarget> kTargets = {{"node", "Node.js 22 http", "Node.js 22.9.0", 0},
                                           {"bun", "Bun 1.1", "Bun 1.1.30", 1}};

Trial trialOf(const char* target, unsigned round, double rps, double p50Us)
{
    Trial trial;
    trial.target = target;
    trial.workload = "user";
    trial.level.connections = 64;
    trial.round = round;
    trial.transport = "keep-alive";
    trial.load.ok = 1000;
    trial.load.rps = rps;
    trial.load.latency.count = 1000;
    for (std::size_t i = 0; i < kReportedPercentiles.size(); ++i)
        trial.load.latency.percentiles[i] = Quantile{p50Us * (kReportedPercentiles[i].key == "p99" ? 4 : 1), false};
    trial.load.latency.maxUs = p50Us * 10;
    trial.load.histogram.record(static_cast<std::int64_t>(p50Us * 1000), 1000);
    trial.server.cpuCoresMean = 0.98;
    trial.server.rssBytesPeak = 64'000'000;
    return trial;
}

QString cell(const ComparisonModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT

private slots:
    void theTableStandsEmptyAndFillsTrialByTrial()
    {
        ComparisonModel model;
        QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {3, 3});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(cell(model, 0, ComparisonModel::Target), QStringLiteral("Node.js 22 http"));
        for (int column = ComparisonModel::Rate; column < ComparisonModel::Rounds; ++column)
            QCOMPARE(cell(model, 0, column), missingFigure());
        QCOMPARE(cell(model, 0, ComparisonModel::Rounds), QStringLiteral("0 of 3"));

        model.addTrial(trialOf("node", 1, 18123, 3180));
        QCOMPARE(cell(model, 0, ComparisonModel::Rate), QStringLiteral("18.1k"));
        QCOMPARE(cell(model, 0, ComparisonModel::P50), QStringLiteral("3.18"));
        QCOMPARE(cell(model, 0, ComparisonModel::Memory), QStringLiteral("64.0"));
        QCOMPARE(cell(model, 0, ComparisonModel::Cpu), QStringLiteral("0.980"));
        QCOMPARE(cell(model, 0, ComparisonModel::StartUp), missingFigure());
        QCOMPARE(cell(model, 0, ComparisonModel::Rounds), QStringLiteral("1 of 3"));
        QCOMPARE(cell(model, 1, ComparisonModel::Rate), missingFigure());
    }

    void roundsAreShownByTheirMedian()
    {
        ComparisonModel model;
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {3, 3});
        for (const double rps : {10000.0, 30000.0, 20000.0})
            model.addTrial(trialOf("node", 1, rps, 1000));
        for (const double rps : {50000.0, 20000.0, 30000.0})
            model.addTrial(trialOf("bun", 1, rps, 500));
        QCOMPARE(cell(model, 0, ComparisonModel::Rate), QStringLiteral("20.0k"));
        QCOMPARE(cell(model, 1, ComparisonModel::Rate), QStringLiteral("30.0k"));
        QCOMPARE(cell(model, 0, ComparisonModel::Ratio), QStringLiteral("1.00"));
        QCOMPARE(cell(model, 1, ComparisonModel::Ratio), QStringLiteral("1.50"));
        QVERIFY(
            model.index(0, ComparisonModel::Rate).data(Qt::ToolTipRole).toString().contains(QStringLiteral("30000")));
    }

    void aColumnOfLatenciesSharesOneUnit()
    {
        ComparisonModel model;
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {1, 1});
        QSignalSpy headers(&model, &QAbstractItemModel::headerDataChanged);
        model.addTrial(trialOf("bun", 1, 100, 800));
        QCOMPARE(model.headerData(ComparisonModel::P50, Qt::Horizontal).toString(), QStringLiteral("p50\nµs"));
        QCOMPARE(cell(model, 1, ComparisonModel::P50), QStringLiteral("800"));
        model.addTrial(trialOf("node", 1, 100, 3180));
        QCOMPARE(model.headerData(ComparisonModel::P50, Qt::Horizontal).toString(), QStringLiteral("p50\nms"));
        QCOMPARE(cell(model, 1, ComparisonModel::P50), QStringLiteral("0.800"));
        QCOMPARE(cell(model, 0, ComparisonModel::P50), QStringLiteral("3.18"));
        QCOMPARE(headers.size(), 2);
    }

    void figuresBeyondTheCensoredTailSayAtLeast()
    {
        ComparisonModel model;
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {1, 1});
        Trial trial = trialOf("node", 1, 10, 100);
        for (std::size_t i = 0; i < kReportedPercentiles.size(); ++i) {
            if (kReportedPercentiles[i].key == "p99")
                trial.load.latency.percentiles[i] = Quantile{2e6, true};
        }
        model.addTrial(trial);
        QCOMPARE(cell(model, 0, ComparisonModel::P99), QStringLiteral("≥ 2.00"));
        QCOMPARE(model.headerData(ComparisonModel::P99, Qt::Horizontal).toString(), QStringLiteral("p99\ns"));
    }

    void thinPercentilesAreMarked()
    {
        ComparisonModel model;
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {1, 1});
        model.addTrial(trialOf("node", 1, 100, 800)); // 1000 samples: 10 beyond p99, 250 beyond p75
        QVERIFY(model.index(0, ComparisonModel::P99).data(ComparisonModel::ThinRole).toBool());
        QVERIFY(!model.index(0, ComparisonModel::P75).data(ComparisonModel::ThinRole).toBool());
    }

    void aFailedTrialIsNoRoundAndSaysWhy()
    {
        ComparisonModel model;
        QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {2, 2});
        Trial failed;
        failed.target = "bun";
        failed.workload = "user";
        failed.level.connections = 64;
        failed.outcome = Outcome::failed;
        failed.failure = TrialFailure{"start", "the port is taken", {}};
        model.addTrial(failed);
        QCOMPARE(cell(model, 1, ComparisonModel::Rate), missingFigure());
        QCOMPARE(cell(model, 1, ComparisonModel::Rounds), QStringLiteral("0 of 2"));
        QVERIFY(model.index(1, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("the port is taken")));
    }

    void aTrialOfAnUnknownTargetChangesNothing()
    {
        ComparisonModel model;
        QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {1, 1});
        model.addTrial(trialOf("ghost", 1, 100, 100));
        QCOMPARE(model.rowCount(), 2);
        ComparisonModel empty;
        empty.addTrial(trialOf("ghost", 1, 100, 100));
        QCOMPARE(empty.rowCount(), 0);
    }

    void theTableCopiesAsText()
    {
        ComparisonModel model;
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {1, 1});
        model.addTrial(trialOf("bun", 1, 100, 800));
        QCOMPARE(model.asText({ComparisonModel::Target, ComparisonModel::Rate, ComparisonModel::P50}),
                 QStringLiteral("Target\treq/s\tp50 µs\nNode.js 22 http\t–\t–\nBun 1.1\t100\t800\n"));
    }

    void targetsCanBeCheckedUnlessASessionRuns()
    {
        TargetModel model;
        QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.reset(kTargets, {true, false});
        QCOMPARE(model.checkedTargets().size(), std::size_t(1));
        QVERIFY(model.setData(model.index(1), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(model.checkedTargets().size(), std::size_t(2));
        QCOMPARE(model.index(1).data(TargetModel::RuntimeRole).toString(), QStringLiteral("Bun 1.1.30"));
        model.setEditable(false);
        QVERIFY(!model.setData(model.index(0), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(model.checkedTargets().size(), std::size_t(2));
    }

    void theQueueFollowsTheSession()
    {
        TrialQueueModel model;
        QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.reset({{kTargets[0], "user", {64, {}}, 1, TrialState::waiting, {}, {}},
                     {kTargets[1], "user", {64, {}}, 1, TrialState::waiting, {}, {}}});
        QCOMPARE(model.runningRow(), -1);
        model.start({0, "node", "user", {64, {}}, 1, {}}, kTargets[0]);
        QCOMPARE(model.runningRow(), 0);
        model.finish({0, trialOf("node", 1, 18123, 3180)});
        QCOMPARE(model.finished(), std::size_t(1));
        QCOMPARE(model.index(0).data(TrialQueueModel::FigureRole).toString(), QStringLiteral("18.1k req/s"));
        model.start({1, "bun", "user", {64, {}}, 1, {}}, kTargets[1]);
        model.close();
        QCOMPARE(model.index(1).data(TrialQueueModel::StateRole).toInt(), static_cast<int>(TrialState::interrupted));
        QVERIFY(model.index(1).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("Bun 1.1")));
    }

    void theQueueTakesWhatWasNotPlanned()
    {
        TrialQueueModel model;
        QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.finish({7, trialOf("node", 1, 1, 1)});
        QCOMPARE(model.rowCount(), 0);
        model.start({2, "node", "user", {64, {}}, 1, {}}, kTargets[0]);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.runningRow(), 2);
        model.start({std::numeric_limits<std::size_t>::max(), "node", "user", {64, {}}, 1, {}}, kTargets[0]);
        QCOMPARE(model.rowCount(), 3);
    }

    void progressGoesByTheEstimateUntilTrialsHaveEnded()
    {
        SessionProgress progress;
        QCOMPARE(progress.fraction(5), 0.0);
        QVERIFY(!progress.secondsLeft(5));
        progress.begin({4, 40.0}, 100);
        QCOMPARE(*progress.secondsLeft(100), 40.0);
        progress.trialStarted({0, "node", "user", {64, {}}, 1, {}}, 100);
        QCOMPARE(progress.fraction(105), 5.0 / 40);
        progress.trialFinished(120); // 20 s a trial, not 10
        QCOMPARE(*progress.secondsLeft(120), 60.0);
        QCOMPARE(progress.fraction(120), 0.25);
        progress.trialStarted({1, "node", "user", {64, {}}, 1, {}}, 121);
        QVERIFY(progress.fraction(1000) < 0.5);
        QCOMPARE(*progress.secondsLeft(1000), 0.0);
    }

    void numbersHaveThreeFiguresAndMissingOnesADash()
    {
        QCOMPARE(figureText(std::nullopt), QStringLiteral("–"));
        QCOMPARE(figureText(std::numeric_limits<double>::quiet_NaN()), QStringLiteral("–"));
        QCOMPARE(rateText(std::numeric_limits<double>::infinity()), QStringLiteral("–"));
        QCOMPARE(figureText(0.9934), QStringLiteral("0.993"));
        QCOMPARE(rateText(18123), QStringLiteral("18.1k"));
        QCOMPARE(latencyText(812), QStringLiteral("812 µs"));
        QCOMPARE(ratioText(1.344), QStringLiteral("1.34"));
        QCOMPARE(latencyUnitFor(999).symbol, QStringLiteral("µs"));
        QCOMPARE(latencyUnitFor(1000).symbol, QStringLiteral("ms"));
        QCOMPARE(latencyUnitFor(1e6).symbol, QStringLiteral("s"));
    }

    void runtimesAreNamedWithTheirVersions()
    {
        Plan plan;
        plan.runtimes = {{"a", RuntimeKind::node, "22.9.0", {}}, {"b", RuntimeKind::deno, {}, {}}};
        plan.targets.resize(4);
        plan.targets[0].name = "x";
        plan.targets[0].runtime = "a";
        plan.targets[1].name = "y";
        plan.targets[1].label = "Deno!";
        plan.targets[1].runtime = "b";
        plan.targets[2].builtin = true;
        plan.targets[3].url = "http://127.0.0.1:1/";
        const auto targets = shownTargets(plan);
        QCOMPARE(targets[0].label, QStringLiteral("x"));
        QCOMPARE(targets[0].runtime, QStringLiteral("Node.js 22.9.0"));
        QCOMPARE(targets[1].label, QStringLiteral("Deno!"));
        QCOMPARE(targets[1].runtime, QStringLiteral("Deno from PATH"));
        QCOMPARE(targets[2].runtime, QStringLiteral("built-in server"));
        QCOMPARE(targets[3].runtime, QStringLiteral("http://127.0.0.1:1/"));
        QCOMPARE(targets[3].index, 3);
    }
};

QTEST_GUILESS_MAIN(TestModels)
#include "tst_models.moc"
