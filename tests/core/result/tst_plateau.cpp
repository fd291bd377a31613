#include "core/result/plateau.h"

#include <QTest>

using namespace lapbench;

namespace {

enum class Near { no, info, warning, bottleneck };

Trial trialOf(const std::string& target, double rps, Near near)
{
    Trial trial;
    trial.target = target;
    trial.workload = "hello";
    trial.level.connections = 64;
    trial.transport = "keep-alive";
    trial.load.rps = rps;
    if (near == Near::bottleneck)
        trial.bottleneck = Bottleneck{Limit::generator, "it was", false};
    else if (near != Near::no)
        trial.warnings.push_back({"near_generator_ceiling", near == Near::info ? "info" : "warning", "Near.", ""});
    return trial;
}

std::vector<Warning> warningsOf(std::vector<Trial> trials)
{
    SessionResult result;
    result.planJson = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p",
        "targets": [{"name": "node", "label": "Node"}]})";
    result.trials = std::move(trials);
    result.cells = makeCells(result.trials);
    return plateauWarnings(result);
}

} // namespace

class TestPlateau : public QObject {
    Q_OBJECT

private slots:
    void threeTargetsTogetherNearTheCeilingAreAPlateau_data()
    {
        QTest::addColumn<int>("near");
        QTest::addColumn<bool>("warned");
        QTest::newRow("a warning") << static_cast<int>(Near::warning) << true;
        QTest::newRow("the bottleneck") << static_cast<int>(Near::bottleneck) << true;
        QTest::newRow("only at least so far") << static_cast<int>(Near::info) << false;
        QTest::newRow("far from it") << static_cast<int>(Near::no) << false;
    }
    void threeTargetsTogetherNearTheCeilingAreAPlateau()
    {
        QFETCH(int, near);
        QFETCH(bool, warned);
        const auto found =
            warningsOf({trialOf("node", 100'000, Near::no), trialOf("slow", 50'000, Near::no),
                        trialOf("bun", 101'000, static_cast<Near>(near)), trialOf("deno", 100'400, Near::no)});
        QCOMPARE(found.size(), std::size_t(warned ? 1 : 0));
        if (!warned)
            return;
        QCOMPARE(found[0].code, std::string("plateau"));
        QCOMPARE(found[0].severity, std::string("warning"));
        QCOMPARE(found[0].text,
                 std::string("Node, deno and bun are within 1 % of each other near the generator's ceiling (workload "
                             "hello, 64 connections): they may have reached its limit and not their own"));
        QCOMPARE(found[0].evidence,
                 std::string("medians: Node 100k, deno 100k, bun 101k requests/s; 1 trial near the ceiling"));
    }

    void furtherApartThanOnePercentIsNone()
    {
        QVERIFY(warningsOf({trialOf("node", 100'000, Near::warning), trialOf("bun", 101'001, Near::warning),
                            trialOf("deno", 100'500, Near::warning)})
                    .empty());
    }

    void twoTargetsAreNone()
    {
        QVERIFY(warningsOf({trialOf("node", 100'000, Near::warning), trialOf("bun", 100'000, Near::warning)}).empty());
    }

    void aTrialNearTheCeilingAwayFromThePlateauDoesNotCount()
    {
        QVERIFY(warningsOf({trialOf("node", 100, Near::no), trialOf("bun", 100, Near::no),
                            trialOf("deno", 100, Near::no), trialOf("fast", 90'000, Near::warning)})
                    .empty());
    }

    void eachLevelIsLookedAtAlone()
    {
        std::vector<Trial> trials = {trialOf("node", 100, Near::warning), trialOf("bun", 100, Near::warning),
                                     trialOf("deno", 100, Near::warning)};
        trials[2].level.connections = 1;
        QVERIFY(warningsOf(trials).empty());
    }
};

QTEST_APPLESS_MAIN(TestPlateau)
#include "tst_plateau.moc"
