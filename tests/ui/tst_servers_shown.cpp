#include "tests/support/made_trials.h"
#include "ui/models/comparison_model.h"
#include "ui/models/number_format.h"
#include "ui/views/live_page.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QTest>

using namespace lapbench;
using lapbench::test::madeTrial;

namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;
using Columns = ComparisonModel;

const std::vector<ShownTarget> kTargets = {{"node", "Node", "Node.js 22.9.0", 0}, {"bun", "Bun", "Bun 1.1.30", 1}};

void fill(ComparisonModel& model, const std::vector<Trial>& trials)
{
    model.reset(kTargets, {"user"}, {Level{64, {}}}, {2, 2});
    for (const Trial& trial : trials)
        model.addTrial(trial);
}

QString cell(const ComparisonModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

QString tip(const ComparisonModel& model, int row, int column)
{
    return model.index(row, column).data(Qt::ToolTipRole).toString();
}

Trial warmed(Trial trial, std::optional<double> steadyAfter)
{
    trial.load.steady = SteadyFigures{steadyAfter, 6.6, 1000, 2000};
    return trial;
}

Plan planOf(unsigned coldStarts)
{
    Plan plan;
    plan.targets.resize(2);
    plan.targets[0].name = "node";
    plan.targets[0].label = "Node";
    plan.targets[1].name = "bun";
    plan.targets[1].label = "Bun";
    plan.workloads.front().name = "user";
    plan.rounds = 1;
    plan.coldStarts = coldStarts;
    return plan;
}

QTableView* tableOf(const LivePage& page, const char* name)
{
    return page.findChild<QTableView*>(QLatin1String(name));
}

QStringList headersOf(const QTableView* table)
{
    QStringList shown;
    for (int column = 0; column < table->model()->columnCount(); ++column) {
        if (!table->isColumnHidden(column))
            shown << table->model()->headerData(column, Qt::Horizontal).toString().replace(u'\n', u' ');
    }
    return shown;
}

const QStringList kAlways = {"Target",
                             "95 % of the rate after s",
                             "Requests a CPU second",
                             "RSS MB for 1,000 req/s",
                             "Idle RSS MB",
                             "Peak RSS MB",
                             "Settled RSS MB"};
const QStringList kCold = {"Cold starts", "Cold start median ms", "Cold start p95 ms"};

} // namespace

class TestServersShown : public QObject {
    Q_OBJECT

private slots:
    void figuresOfTheServersAreMediansOfTheirRounds()
    {
        ComparisonModel model;
        QAbstractItemModelTester tester(&model, Mode::QtTest);
        Trial second = madeTrial("bun", 2, 500);
        second.load.warmSeconds = 0.25;
        fill(model, {madeTrial("node", 1, 100), madeTrial("bun", 1, 500), second});
        // 3 right answers in 2 s of 0.97 cores: 1.55; 60 MB at 100 and at 500 requests a second.
        QCOMPARE(cell(model, 0, Columns::WarmUp), QStringLiteral("0.750"));
        QCOMPARE(cell(model, 1, Columns::WarmUp), QStringLiteral("0.500"));
        QCOMPARE(cell(model, 0, Columns::Efficiency), QStringLiteral("1.55"));
        QCOMPARE(cell(model, 0, Columns::MemoryPerRate), QStringLiteral("600"));
        QCOMPARE(cell(model, 1, Columns::MemoryPerRate), QStringLiteral("120"));
        QCOMPARE(cell(model, 0, Columns::IdleMemory), QStringLiteral("41.0"));
        QCOMPARE(cell(model, 0, Columns::PeakMemory), QStringLiteral("64.0"));
        QCOMPARE(cell(model, 0, Columns::SettledMemory), QStringLiteral("58.0"));
        QVERIFY(tip(model, 1, Columns::MemoryPerRate).contains(QStringLiteral("120 MB, 120 MB")));
        QCOMPARE(model.index(0, Columns::Efficiency).data(Columns::ValueRole).toDouble(), 3 / (2 * 0.97));
    }

    void whatIsNotKnownIsADashAndNoNumber()
    {
        Trial bare = madeTrial("bun", 1, 500);
        bare.server = {};
        bare.load.warmSeconds.reset();
        ComparisonModel model;
        fill(model, {bare}); // of node nothing has ended yet
        for (const int row : {0, 1}) {
            for (int column = Columns::Steady; column < Columns::ColumnCount; ++column) {
                QCOMPARE(cell(model, row, column), missingFigure());
                QVERIFY(!model.index(row, column).data(Columns::ValueRole).isValid());
                QVERIFY(tip(model, row, column).isEmpty());
            }
        }
        QVERIFY(!model.looksForSteady() && !model.hasColdStarts());
    }

    void aWarmUpThatNeverBecameSteadySaysSo_data()
    {
        QTest::addColumn<QList<double>>("steadyAfter"); // below 0: never
        QTest::addColumn<QString>("said");
        QTest::addColumn<bool>("thin");
        QTest::newRow("always") << QList<double>{3.5, 2} << "steady" << false;
        QTest::newRow("once") << QList<double>{3.5, -1} << "never in 1 of 2" << true;
        QTest::newRow("never") << QList<double>{-1, -1} << "never steady" << true;
    }
    void aWarmUpThatNeverBecameSteadySaysSo()
    {
        QFETCH(QList<double>, steadyAfter);
        std::vector<Trial> trials;
        for (int i = 0; i < steadyAfter.size(); ++i)
            trials.push_back(warmed(madeTrial("node", static_cast<unsigned>(i + 1), 100),
                                    steadyAfter[i] < 0 ? std::nullopt : std::optional(steadyAfter[i])));
        ComparisonModel model;
        fill(model, trials);
        QVERIFY(model.looksForSteady());
        QTEST(cell(model, 0, Columns::Steady), "said");
        QCOMPARE(cell(model, 1, Columns::Steady), missingFigure());
        QTEST(model.index(0, Columns::WarmUp).data(Columns::ThinRole).toBool(), "thin");
        const QString round2 = steadyAfter[1] < 0 ? QStringLiteral("Round 2: never steady in a warm-up of 6.60 s")
                                                  : QStringLiteral("Round 2: steady after 2.00 s");
        QVERIFY2(tip(model, 0, Columns::Steady).contains(round2), qPrintable(tip(model, 0, Columns::Steady)));
    }

    void coldStartsStandInEveryRowOfTheirTargetAndSayWhatEndedThem()
    {
        ComparisonModel model;
        QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.reset(kTargets, {"user"}, {Level{8, {}}, Level{64, {}}}, {1, 1});
        model.setColdStarts({{"node", {40, 30, 50}, 40, 50, ""}, {"bun", {}, {}, {}, "port 1 is taken"}});
        for (const int row : {0, 2}) {
            QCOMPARE(cell(model, row, Columns::ColdStartCount), QStringLiteral("3"));
            QCOMPARE(cell(model, row, Columns::ColdStartMedian), QStringLiteral("40.0"));
            QCOMPARE(cell(model, row, Columns::ColdStartP95), QStringLiteral("50.0"));
        }
        QCOMPARE(tip(model, 0, Columns::ColdStartMedian), QStringLiteral("In order: 40.0, 30.0, 50.0 ms"));
        QCOMPARE(cell(model, 1, Columns::ColdStartCount), QStringLiteral("0"));
        QCOMPARE(cell(model, 1, Columns::ColdStartMedian), missingFigure());
        QCOMPARE(cell(model, 1, Columns::ColdStartP95), missingFigure());
        QCOMPARE(tip(model, 1, Columns::ColdStartCount), QStringLiteral("Cold start 1 failed: port 1 is taken"));
        model.reset(kTargets, {"user"}, {Level{64, {}}}, {1, 1});
        QVERIFY(!model.hasColdStarts());
    }

    void theServersHaveATableOfTheirOwn()
    {
        LivePage page(new QWidget);
        page.expect(planOf(0));
        QCOMPARE(headersOf(tableOf(page, "serversTable")), kAlways);
        for (const QString& header : kAlways.mid(1))
            QVERIFY2(!headersOf(tableOf(page, "comparisonTable")).contains(header), qPrintable(header));
        page.handle(TrialFinished{0, warmed(madeTrial("node", 1, 100), std::nullopt)});
        QCOMPARE(headersOf(tableOf(page, "serversTable")).at(1), QStringLiteral("Warm-up"));
        page.expect(planOf(3));
        QCOMPARE(headersOf(tableOf(page, "serversTable")), kAlways + kCold);
        page.showColdStarts({{"node", {40, 30, 50}, 40, 50, ""}});
        tableOf(page, "serversTable")->findChild<QAction*>(QStringLiteral("copyTableAction"))->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 (kAlways + kCold).join(u'\t') + QStringLiteral("\nNode\t–\t–\t–\t–\t–\t–\t3\t40.0\t50.0\n"
                                                                "Bun\t–\t–\t–\t–\t–\t–\t–\t–\t–\n"));
    }

    void aSavedSessionShowsItsColdStarts()
    {
        SessionResult result;
        result.trials = {madeTrial("node", 1, 100)};
        result.coldStarts = {{"node", {40}, 40, 40, ""}};
        LivePage page(new QWidget);
        page.showResult(result, planOf(0)); // as many as the result has, whatever the plan says
        QCOMPARE(headersOf(tableOf(page, "serversTable")), kAlways + kCold);
        QCOMPARE(cell(page.comparison(), 0, Columns::ColdStartMedian), QStringLiteral("40.0"));
        QCOMPARE(cell(page.comparison(), 0, Columns::SettledMemory), QStringLiteral("58.0"));
    }
};

QTEST_MAIN(TestServersShown)
#include "tst_servers_shown.moc"
