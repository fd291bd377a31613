#include "core/result/compare_results.h"
#include "tests/support/made_results.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

namespace {

const Rounds kNodeRounds = {2941, 2964, 3103}, kBunRounds = {4072, 4045, 4304};

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

const ResultDifference* differenceIn(const ResultComparison& made, const std::string& what)
{
    for (const ResultDifference& difference : made.differences)
        if (difference.what == what)
            return &difference;
    return nullptr;
}

} // namespace

class TestResultDifferences : public QObject {
    Q_OBJECT

private slots:
    void whatDiffersIsListed()
    {
        std::vector<NamedResult> results = {resultOf("before", {{"node", kNodeRounds}}),
                                            resultOf("after", {{"node", kBunRounds}})};
        SessionResult &a = results[0].result, &b = results[1].result;
        a.tool.version = "0.1.0";
        b.tool.version = "0.2.0";
        a.host.kernel = b.host.kernel = "6.18";
        b.host.governor = "powersave";
        b.scale = 0.2;
        a.runtimes["node22"] = {"node", "22", "22.9.0", "aa"};
        b.runtimes["node22"] = {"node", "22", "22.10.0", "bb"};
        a.planJson = planOf(kNode, R"("measure": {"duration": "10s"}, "cooldown": "1000ms")");
        b.planJson = planOf(R"({"name": "node", "label": "Node.js 22", "url": "http://127.0.0.1:9"})",
                            R"("measure": {"duration": "30s"}, "cooldown": "1s", "order": "fixed")");
        for (Trial& trial : b.trials)
            trial.transport = "curl";
        const auto made = compareResults(results);
        const auto is = [&](const char* what, const std::optional<std::string>& first,
                            const std::optional<std::string>& second) {
            const ResultDifference* found = differenceIn(made, what);
            return found != nullptr && found->values == std::vector{first, second};
        };
        QVERIFY(is("tool.version", "0.1.0", "0.2.0"));
        QVERIFY(is("host.governor", std::nullopt, "powersave"));
        QVERIFY(is("scale", "1.00", "0.200"));
        QVERIFY(is("runtimes.node22.actual", "22.9.0", "22.10.0"));
        QVERIFY(is("runtimes.node22.sha256", "aa", "bb"));
        QVERIFY(is("transport", "keep-alive", "curl"));
        QVERIFY(is("plan.measure.duration", "10s", "30s"));
        QVERIFY(is("plan.targets[node].url", "http://127.0.0.1:1", "http://127.0.0.1:9"));
        QVERIFY(is("plan.order", "williams", "fixed")); // the first has the default
        QVERIFY(differenceIn(made, "host.kernel") == nullptr);
        QVERIFY(differenceIn(made, "plan.cooldown") == nullptr);
        QVERIFY(differenceIn(made, "runtimes.node22.kind") == nullptr);
        QVERIFY(contains(made.notes.front(), "after: counts, windows and pauses were scaled to 0.200"));
    }

    void aTargetThatOnlyOnePlanHasIsOneDifference()
    {
        const auto made =
            compareResults({resultOf("one", {{"node", kNodeRounds}}), resultOf("two", {{"bun", kBunRounds}})});
        QVERIFY(differenceIn(made, "plan.targets[bun]") != nullptr);
        QVERIFY(!differenceIn(made, "plan.targets[bun]")->values[0]);
        QVERIFY(differenceIn(made, "plan.targets[bun].url") == nullptr);
    }

    void plansThatDifferInMuchAreCutOff()
    {
        std::vector<NamedResult> results = {resultOf("a", {{"node", {1}}}), resultOf("b", {{"node", {1}}})};
        std::string env;
        for (int i = 0; i < 45; ++i)
            env += (i > 0 ? ", " : "") + ("\"later_option_" + std::to_string(i)) + "\": 1";
        results[1].result.planJson = planOf(kNode, R"("measure": {"duration": "10s"}, )" + env);
        const auto made = compareResults(results);
        QCOMPARE(made.differences.size(), kMostPlanDifferences);
        QCOMPARE(made.differencesLeftOut, std::size_t(5));
    }
};

QTEST_APPLESS_MAIN(TestResultDifferences)
#include "tst_result_differences.moc"
