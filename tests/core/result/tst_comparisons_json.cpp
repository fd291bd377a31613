#include "core/result/result_json.h"
#include "tests/core/result/round_trials.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

class TestComparisonsJson : public QObject {
    Q_OBJECT

private slots:
    void aFilesOwnComparisonsAreKeptAndMissingOnesAreMade()
    {
        std::vector<Trial> trials;
        add(trials, "node", kNode);
        add(trials, "bun", kBun);
        add(trials, "node-again", kSame);
        SessionResult result = resultOf(trials, "{}");
        ComparisonRules rules = rulesOf({"node", "bun"});
        rules.control = "node-again";
        result.comparisons = makeComparisons(result.trials, rules);
        result.rankings = makeRankings(result.trials, rules);
        Json json = Json::parse(formatResult(result));
        const Json first = json["comparisons"][0];
        for (const char* key :
             {"workload", "level", "metric", "a", "b", "ratio", "low", "high", "rounds", "verdict", "thin",
              "sign_flip_p", "sentence", "level_of_confidence", "ratios", "control", "rankable", "noise_floor"})
            QVERIFY2(first.contains(key), key);
        QCOMPARE(first["verdict"].get<std::string>(), std::string("faster"));
        QCOMPARE(first["ratios"].size(), std::size_t(6));
        QCOMPARE(first["sign_flip_p"].get<double>(), 2.0 / 64);
        QCOMPARE(json["ranking"][0]["places"][0]["target"].get<std::string>(), std::string("bun"));

        json["comparisons"][0]["ratio"] = 7.5;
        json["ranking"][0]["places"][1]["rank"] = 9;
        const auto kept = parseResult(json.dump());
        QVERIFY(kept.ok());
        QCOMPARE(kept.value().comparisons[0].figures.ratio, 7.5);
        QCOMPARE(kept.value().rankings[0].places[1].rank, 9u);
        Json again = Json::parse(formatResult(kept.value()));
        QCOMPARE(again["comparisons"].dump(), json["comparisons"].dump());
        QCOMPARE(again["ranking"].dump(), json["ranking"].dump());

        json.erase("comparisons");
        json.erase("ranking");
        json.erase("integrity");
        const auto made = parseResult(json.dump());
        QVERIFY(made.ok());
        QCOMPARE(made.value().comparisons.size(), std::size_t(6)); // without a plan the double is one more target
        QCOMPARE(made.value().rankings.size(), std::size_t(1));
    }

    void aKeyOfALaterVersionIsKept()
    {
        std::vector<Trial> trials;
        add(trials, "node", kNode);
        add(trials, "bun", kBun);
        SessionResult result = resultOf(trials, "{}");
        result.comparisons = makeComparisons(result.trials, rulesOf({"node", "bun"}));
        Json json = Json::parse(formatResult(result));
        json["comparisons"][1]["effect"] = {{"superiority", 0.5}};
        json.erase("integrity");
        const auto read = parseResult(json.dump());
        QVERIFY(read.ok());
        const Json again = Json::parse(formatResult(read.value()));
        QCOMPARE(again["comparisons"].dump(), json["comparisons"].dump());
        QVERIFY(!again["comparisons"][0].contains("effect"));
    }

    void aComparisonThatIsNoneIsAProblemWithItsPlace()
    {
        const std::string text = R"({"schema": "lapbench-result", "schema_version": 1, "id": "1",
            "created_utc": "2023-11-14T22:13:20.123Z", "trials": [],
            "comparisons": [{"metric": "rps", "verdict": "better"}]})";
        const auto read = parseResult(text);
        QVERIFY(!read.ok());
        QCOMPARE(read.problem().path, std::string("comparisons[0].verdict"));
    }
};

QTEST_APPLESS_MAIN(TestComparisonsJson)
#include "tst_comparisons_json.moc"
