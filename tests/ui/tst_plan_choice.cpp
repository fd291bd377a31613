#include "core/plan/plan_check.h"
#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"
#include "ui/bridge/plan_choice.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lapbench;

namespace {

const std::filesystem::path kResources = std::filesystem::path(LAPBENCH_SOURCE_DIR) / "resources";

PlanReading shipped(const char* name)
{
    return readPlan(findPlan(name, kResources).value(), kResources);
}

} // namespace

class TestPlanChoice : public QObject {
    Q_OBJECT

private slots:
    void thePlanIsTheFirstChoice()
    {
        const PlanReading reading = shipped("json-api");
        QVERIFY(reading.ok());
        const PlanChoice choice = choiceOf(reading.plan);
        QCOMPARE(choice.selected, std::vector<bool>(4, true));
        QCOMPARE(choice.connections, std::vector<unsigned>{256});
        QCOMPARE(choice.rounds, std::optional(3U));
        QVERIFY(checkChoice(choice).empty());
    }

    void connectionsAreReadAsWritten_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<unsigned>>("levels");
        QTest::newRow("one") << QStringLiteral("64") << QList<unsigned>{64};
        QTest::newRow("several") << QStringLiteral("10, 50,100") << QList<unsigned>{10, 50, 100};
        QTest::newRow("blanks") << QStringLiteral("  1   256 ") << QList<unsigned>{1, 256};
    }
    void connectionsAreReadAsWritten()
    {
        QFETCH(QString, text);
        QFETCH(QList<unsigned>, levels);
        const auto connections = parseConnections(text);
        QVERIFY(connections.ok());
        QCOMPARE(QList<unsigned>(connections.value().begin(), connections.value().end()), levels);
        QCOMPARE(parseConnections(formatConnections(connections.value())).value(), connections.value());
    }

    void wrongConnectionsAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", ",", "0", "-1", "64, x", "1e3", "4.5", "99999999999999999999"})
            QTest::newRow(*text ? text : "empty") << QString::fromLatin1(text);
    }
    void wrongConnectionsAreRefused()
    {
        QFETCH(QString, text);
        const auto connections = parseConnections(text);
        QVERIFY(!connections.ok());
        QCOMPARE(connections.problem().path, std::string("load.connections"));
    }

    void aWindowIsATimeOrACount()
    {
        QVERIFY(parseExtent(QStringLiteral(" 30s ")).value().duration == std::chrono::seconds(30));
        QVERIFY(parseExtent(QStringLiteral("1.5m")).value().duration == std::chrono::seconds(90));
        QCOMPARE(*parseExtent(QStringLiteral("100k")).value().requests, std::uint64_t(100000));
        QCOMPARE(*parseExtent(QStringLiteral("5M")).value().requests, std::uint64_t(5000000));
        QCOMPARE(formatExtent(parseExtent(QStringLiteral("5M")).value()), QStringLiteral("5000000"));
    }

    void wrongWindowsAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "0s", "-5s", "0", "-1", "soon", "10 years"})
            QTest::newRow(*text ? text : "empty") << QString::fromLatin1(text);
    }
    void wrongWindowsAreRefused()
    {
        QFETCH(QString, text);
        const auto extent = parseExtent(text);
        QVERIFY(!extent.ok());
        QVERIFY(!extent.problem().message.empty());
    }

    void nothingCheckedIsAProblem()
    {
        PlanChoice choice = choiceOf(shipped("json-api").plan);
        choice.selected.assign(4, false);
        const Problems problems = checkChoice(choice);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems.front().path, std::string("targets"));
    }

    void anUneditedPlanRunsFromItsOwnFile()
    {
        QTemporaryDir cache;
        const Plan plan = shipped("json-api").plan;
        PlanChoice choice = choiceOf(plan);
        choice.selected = {true, false, false, true};
        choice.scale = 0.2;
        const auto arguments = runArguments(plan, "/plans/a.plan.json", choice, kResources, cache.path().toStdString());
        QVERIFY(arguments.ok());
        QCOMPARE(arguments.value(),
                 QStringList({"/plans/a.plan.json", "--only", "node,bun", "--rounds", "3", "--scale", "0.2"}));
        QVERIFY(QDir(cache.path()).isEmpty());
    }

    void untilTheIntervalsAreNarrowNoNumberOfRoundsIsSet()
    {
        QTemporaryDir cache;
        Plan plan = shipped("json-api").plan;
        plan.rounds.reset();
        plan.untilCi = 0.02;
        const PlanChoice choice = choiceOf(plan);
        QVERIFY(!choice.rounds);
        QVERIFY(checkChoice(choice).empty());
        const auto arguments = runArguments(plan, "/plans/a.plan.json", choice, kResources, cache.path().toStdString());
        QCOMPARE(arguments.value(), QStringList({"/plans/a.plan.json", "--only", "node,fastify,deno,bun"}));
        const Plan applied = applyChoice(plan, choice, kResources);
        QVERIFY(!applied.rounds);
        QVERIFY(mostRoundsOf(applied) > roundsOf(applied));

        plan.rounds = 12; // then it is the most there may be
        QCOMPARE(choiceOf(plan).rounds, std::optional(12U));
    }

    void theControlCountsAmongTheTargetsOfARound()
    {
        Plan plan = shipped("json-api").plan;
        plan.rounds.reset();
        QCOMPARE(choiceOf(plan).rounds, std::optional(8U)); // 4 targets: the multiple of 4 that is at least 6
        plan.aaControl = true;
        QCOMPARE(choiceOf(plan).rounds, std::optional(10U)); // 5, an odd number: the multiple of 10
    }

    void anEditedPlanIsWrittenAndSaysTheSame()
    {
        QTemporaryDir cache;
        const Plan plan = shipped("json-api").plan;
        PlanChoice choice = choiceOf(plan);
        choice.connections = {16, 64};
        choice.measure = parseExtent(QStringLiteral("3s")).value();
        const std::filesystem::path folder = std::filesystem::path(cache.path().toStdString()) / "deeper";
        const auto arguments = runArguments(plan, "/plans/a.plan.json", choice, kResources, folder);
        QVERIFY(arguments.ok());
        const PlanReading again = readPlan(arguments.value().first().toStdString(), kResources);
        QVERIFY2(again.ok(), again.ok() ? "" : format(again.problems.front()).c_str());
        QCOMPARE(again.plan.name, plan.name);
        QCOMPARE(again.plan.load.connections, choice.connections);
        QVERIFY(again.plan.measure == choice.measure);
        QVERIFY(again.plan.warmup == plan.warmup);
        QCOMPARE(again.plan.targets.size(), plan.targets.size());
        for (std::size_t i = 0; i < plan.targets.size(); ++i) {
            QCOMPARE(again.plan.targets[i].name, plan.targets[i].name);
            QVERIFY(findApp(again.plan, again.plan.targets[i].app, {}) ==
                    findApp(plan, plan.targets[i].app, kResources));
        }
    }

    void aFolderThatCannotBeWrittenIsAProblem()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const Plan plan = shipped("json-api").plan;
        PlanChoice choice = choiceOf(plan);
        choice.connections = {1};
        const auto arguments = runArguments(plan, "a.plan.json", choice, kResources,
                                            folder.filePath(QStringLiteral("file/cache")).toStdString());
        QVERIFY(!arguments.ok());
    }
};

QTEST_GUILESS_MAIN(TestPlanChoice)
#include "tst_plan_choice.moc"
