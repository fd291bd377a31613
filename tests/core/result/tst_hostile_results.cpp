#include "core/result/journal.h"
#include "core/result/result_json.h"
#include "tests/support/made_trials.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::madeTrial;

namespace {

/// A result that holds something of everything there is.
Json wholeResult()
{
    SessionResult result;
    result.created = UtcTime{std::chrono::seconds(1'700'000'000)};
    result.planJson = R"({"name":"x"})";
    result.elapsedSeconds = 12.5;
    result.conditionsBefore.emplace().swappedPages = 3;
    result.fairWork.emplace().probes.emplace_back();
    result.coldStarts = {{"node", {30, 40}, 35, 40, ""}};
    result.trials = {madeTrial("node", 1, 100), madeTrial("bun", 1, 190)};
    result.trials[0].search.emplace().steps.emplace_back();
    result.trials[0].bottleneck.emplace();
    Comparison& comparison = result.comparisons.emplace_back();
    comparison.metric = "rps";
    comparison.figures.rounds = 1;
    comparison.ratios = {1.9};
    result.rankings = {{"user", {}, {{"bun", 1, 190}}}};
    Json json = Json::parse(formatResult(result));
    json.erase("integrity");
    return json;
}

} // namespace

/// A file may say anything: what is no figure is a sentence that names its place.
class TestHostileResults : public QObject {
    Q_OBJECT

private slots:
    void theWholeResultItselfIsRead()
    {
        const auto read = parseResult(wholeResult().dump());
        QVERIFY2(read.ok(), read ? "" : format(read.problem()).c_str());
    }

    void aValueThatIsNoFigureIsRefusedWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<QByteArray>("value");
        const auto row = [](const char* pointer, const char* value) {
            QTest::addRow("%s %s", pointer, value) << QByteArray(pointer) << QByteArray(value);
        };
        row("/elapsed_s", "-1");
        row("/elapsed_s", "1e300");
        row("/conditions/before/swapped_pages", "-3");
        row("/conditions/before/swapped_pages", "2.5");
        row("/conditions/before/busiest_processes", "[1]");
        row("/fair_work/probes/0/status", "1000");
        row("/fair_work/probes/0/status", "18446744073709551615");
        row("/fair_work/probes/0/body_bytes", "-1");
        row("/fair_work/probes/0/closes", "\"yes\"");
        row("/cold_starts/0/ms", "7");
        row("/cold_starts/0/ms/1", "-40");
        row("/cold_starts/0/ms/1", "null");
        row("/cold_starts/0/median_ms", "\"fast\"");
        row("/trials/0/level/connections", "4294967296");
        row("/trials/0/level/connections", "-64");
        row("/trials/0/round", "1e30");
        row("/trials/0/attempt", "4294967297");
        row("/trials/0/superseded", "1");
        row("/trials/0/bottleneck/rankable", "0");
        row("/trials/0/bottleneck/kind", "\"luck\"");
        row("/trials/0/host/steal", "\"much\"");
        row("/trials/0/seconds/0/noise", "[]");
        row("/trials/0/search/steps", "{}");
        row("/trials/0/search/steps/0/rate", "\"x\"");
        row("/trials/0/search/steps/0/held", "2");
        row("/comparisons/0/ratio", "\"1\"");
        row("/comparisons/0/ratios/0", "\"1\"");
        row("/comparisons/0/rounds", "-1");
        row("/comparisons/0/verdict", "\"better\"");
        row("/comparisons/0/thin", "0");
        row("/comparisons/0/level/rate", "4294967296");
        row("/ranking/0/places/0/rank", "4294967296");
        row("/ranking/0/places/0/rps", "[1]");
    }
    void aValueThatIsNoFigureIsRefusedWithItsPlace()
    {
        QFETCH(QByteArray, pointer);
        QFETCH(QByteArray, value);
        Json json = wholeResult();
        json[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
        const auto read = parseResult(json.dump());
        QVERIFY(!read.ok());
        // "cold_starts[0].ms" for /cold_starts/0/ms/1: the key that holds it.
        const std::string top = pointer.toStdString().substr(1, pointer.indexOf('/', 1) - 1);
        QVERIFY2(read.problem().path.starts_with(top), read.problem().path.c_str());
        QVERIFY(!read.problem().message.empty());
    }

    void aNumberThatIsTooLargeForAnyIsNoJson()
    {
        std::string text = wholeResult().dump();
        const std::string figure = "\"elapsed_s\":12.5";
        for (const char* number : {"1e999", "-1e999", "NaN", "Infinity"}) {
            std::string other = text;
            other.replace(other.find(figure), figure.size(), std::string("\"elapsed_s\":") + number);
            QVERIFY2(!parseResult(other).ok(), number);
        }
    }

    void whatOneFigureMayBeIsShownHoweverLargeOrSmall()
    {
        Json json = wholeResult();
        for (const double figure : {1.7e308, -1.7e308, 1e-320, -0.0}) {
            json["trials"][0]["rps"] = figure;
            json["comparisons"][0]["ratio"] = figure;
            const auto read = parseResult(json.dump());
            QVERIFY(read.ok());
            QVERIFY(parseResult(formatResult(read.value())).ok());
        }
    }

    void aJournalWithAnImpossibleTimeIsRefused()
    {
        const std::string head =
            R"({"schema":"lapbench-journal","schema_version":1,"created_utc":"2023-11-14T22:13:20Z"})";
        const std::string trial = trialToJson(madeTrial("node", 1, 100)).dump();
        const auto journal = [&](const std::string& elapsed) {
            return head + "\n{\"index\":0,\"elapsed_s\":" + elapsed + ",\"trial\":" + trial + "}\n";
        };
        QVERIFY(parseJournal(journal("3.5")).ok());
        QVERIFY(!parseJournal(journal("-3.5")).ok());
        QVERIFY(!parseJournal(journal("1e300")).ok());
    }
};

QTEST_APPLESS_MAIN(TestHostileResults)
#include "tst_hostile_results.moc"
