#include "core/result/import/imported_trial.h"
#include "core/result/result_json.h"
#include "tests/support/made_results.h"

#include <QTest>

#include <limits>

using namespace lapbench;
using namespace lapbench::test;

namespace {

/// What a tool may tell in one run.
ImportedRun fullRun()
{
    ImportedRun run;
    run.target = "node";
    run.workload = "GET /";
    run.connections = 64;
    run.threads = 4;
    run.started = UtcTime{std::chrono::seconds(1'700'000'000)};
    run.completed = 100;
    run.failed = 1;
    run.unfinished = 2;
    run.durationSeconds = 2.5;
    run.rps = 40;
    run.latency = {100, 10.0, 20.0, 3.0, 90.0, {{"p50", 18.5}, {"p99", 80.0}}};
    run.status = {{200, 99}, {500, 1}};
    run.errors = {{ErrorKind::unexpectedStatus, Phase::check, 1, 0, "500", ""}};
    run.bytesReceived = 5000;
    run.bytesSent = 4000;
    run.bodyReceived = 1200;
    run.semantics = {"wrk", "text", true, true, Correction::backfilled, 10.0, BytesKind::wire, {"a known fault"}};
    run.doubts = {"the times disagree"};
    return run;
}

Json jsonOf(ImportedRun run)
{
    return trialToJson(trialOf(std::move(run)));
}

} // namespace

class TestImportedTrials : public QObject {
    Q_OBJECT

private slots:
    void everythingThatIsToldComesBackFromJson()
    {
        const Json json = jsonOf(fullRun());
        QCOMPARE(json["requests"]["completed"].get<int>(), 100);
        QCOMPARE(json["requests"]["ok"].get<int>(), 99);
        QCOMPARE(json["requests"]["sent"].get<int>(), 102);
        QCOMPARE(json["semantics"]["correction"].get<std::string>(), std::string("backfilled"));
        QCOMPARE(json["semantics"]["bytes_kind"].get<std::string>(), std::string("wire"));
        QCOMPARE(json["latency_us"]["p50"].get<double>(), 18.5);
        QCOMPARE(json["warnings"][0]["text"].get<std::string>(), std::string("the times disagree"));
        QVERIFY(!json.contains("transport"));
        QVERIFY(!json["latency_us"].contains("p95"));
        QVERIFY(!json["errors"][0]["first"].contains("at_s"));
        const auto read = trialFromJson(json);
        QVERIFY2(read.ok(), read ? "" : read.problem().message.c_str());
        QCOMPARE(trialToJson(read.value()).dump(), json.dump());
        QVERIFY(read.value().imported == trialOf(fullRun()).imported);
    }

    void whatIsNotToldHasNoKeyAndIsNoFigure()
    {
        ImportedRun run;
        run.target = "node";
        run.rps = 40;
        const Trial trial = trialOf(run);
        const Json json = trialToJson(trial);
        QVERIFY(json["requests"].empty());
        QVERIFY(json["latency_us"].empty());
        for (const char* key : {"duration_s", "bytes", "status", "generator", "started_utc", "connections", "seconds"})
            QVERIFY2(!json.contains(key), key);
        QVERIFY(json["level"].empty());
        for (const char* key : {"ok", "failed", "p50_us", "max_us"})
            QVERIFY2(!trialFigure(trial, key), key);
        QCOMPARE(trialFigure(trial, "rps")->us, 40.0);
        const auto read = trialFromJson(json);
        QVERIFY(read.ok());
        QVERIFY(!trialFigure(read.value(), "ok"));
        QCOMPARE(trialToJson(read.value()).dump(), json.dump());
    }

    void withoutTheFailedRequestsTheRightOnesAreNotKnown()
    {
        ImportedRun run = fullRun();
        run.failed.reset();
        const Trial trial = trialOf(run);
        QVERIFY(!trialFigure(trial, "ok"));
        QVERIFY(!trialFigure(trial, "failed"));
        const Json json = trialToJson(trial);
        QCOMPARE(json["requests"]["completed"].get<int>(), 100);
        QVERIFY(!json["requests"].contains("ok"));
        QVERIFY(!trialFigure(trialFromJson(json).value(), "ok"));
    }

    void impossibleFiguresAreLeftOutWithAWarning_data()
    {
        QTest::addColumn<double>("value");
        QTest::newRow("below 0") << -1.0;
        QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("infinite") << std::numeric_limits<double>::infinity();
        QTest::newRow("beyond all time") << 1e300;
    }
    void impossibleFiguresAreLeftOutWithAWarning()
    {
        QFETCH(double, value);
        ImportedRun run = fullRun();
        run.doubts.clear();
        run.latency.meanUs = value;
        run.latency.percentilesUs["p50"] = value;
        const Trial trial = trialOf(run);
        QVERIFY(!trialFigure(trial, "mean_us"));
        QVERIFY(!trialFigure(trial, "p50_us"));
        QCOMPARE(trialFigure(trial, "p99_us")->us, 80.0);
        QVERIFY(!trial.warnings.empty());
        QCOMPARE(trial.warnings.front().code, std::string("import_left_out"));
    }

    void moreFailedRequestsThanThereWereAreLeftOut()
    {
        ImportedRun run = fullRun();
        run.failed = 101;
        const Trial trial = trialOf(run);
        QVERIFY(!trialFigure(trial, "failed"));
        QVERIFY(QString::fromStdString(trial.warnings.front().text).contains("101"));
    }

    void aRunWithManyFailuresSaysNothingAboutItsServer()
    {
        ImportedRun run = fullRun();
        QVERIFY(!trialOf(run).bottleneck);
        run.failed = 2;
        const auto limit = trialOf(run).bottleneck;
        QVERIFY(limit && limit->limit == Limit::errors && !limit->rankable);
    }

    void aResultOfAnotherToolSaysNothingOfThisMachine()
    {
        SessionResult result;
        result.id = "1";
        result.created = UtcTime{std::chrono::seconds(1'700'000'000)};
        result.trials = {trialOf(fullRun())};
        result.cells = makeCells(result.trials);
        const std::string text = formatResult(result);
        const Json json = Json::parse(text);
        for (const char* key : {"host", "plan", "plan_sha256", "scale"})
            QVERIFY2(!json.contains(key), key);
        const auto read = parseResult(text);
        QVERIFY2(read.ok(), read ? "" : read.problem().message.c_str());
        QVERIFY(read.value().warnings.empty());
        QCOMPARE(read.value().measuredBy(), std::vector<std::string>{"wrk"});
        QCOMPARE(formatResult(read.value()), text);
    }
};

QTEST_GUILESS_MAIN(TestImportedTrials)
#include "tst_imported_trials.moc"
