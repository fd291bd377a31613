#include "core/result/result_json.h"
#include "core/result/sha256.h"
#include "tests/support/made_trials.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::madeOpenTrial;
using lapbench::test::madeTrial;

namespace {

SessionResult madeResult()
{
    SessionResult result;
    result.id = newResultId();
    result.created = UtcTime{std::chrono::seconds(1700000000)};
    result.tool = {"0.1.0", "abc", "Release", "7.88.1"};
    result.scale = 0.2;
    result.tags = {"draft"};
    result.notes = "a \"note\"\n";
    result.planJson = R"({"name":"x"})";
    result.planSha256 = sha256Hex(result.planJson);
    result.host.hostname = "box";
    result.host.cpus = 2;
    Conditions& before = result.conditionsBefore.emplace();
    before.governor = "powersave";
    before.turbo = true;
    before.cpuQuotaCores = 1.5;
    before.listenDrops = 7;
    result.conditionsAfter.emplace().onBattery = false;
    result.runtimes["node22"] = {"node", "22.9.0", "22.9.0", "00ff"};
    result.trials = {madeTrial("node", 1, 100), madeOpenTrial("bun", 1, 190)};
    result.cells = makeCells(result.trials);
    result.warnings = {{"example", "info", "Said so.", ""}};
    result.publishedJson = R"({"name":"article"})";
    return result;
}

Json parsed(const std::string& text)
{
    return Json::parse(text);
}

} // namespace

class TestResultJson : public QObject {
    Q_OBJECT

private slots:
    void sha256IsThatOfTheStandard()
    {
        // FIPS 180-2, appendix B.1.
        QCOMPARE(sha256Hex("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }

    void aTrialHasTheKeysOfTheContract()
    {
        Trial trial = madeOpenTrial("node", 1, 1.5);
        trial.bottleneck = Bottleneck{Limit::noise, "others were busy", true};
        const Json json = trialToJson(trial);
        QCOMPARE(json["requests"]["sent"].get<int>(), 6);
        QCOMPARE(json["requests"]["completed"].get<int>(), 5);
        QCOMPARE(json["rps"].get<double>(), 1.5);
        QCOMPARE(json["latency_us"]["p50"].get<double>(), 2000.0);
        QCOMPARE(json["latency_us"]["p99"]["at_least"].get<double>(), 2e6);
        QVERIFY(!json["latency_us"].contains("p25"));
        QCOMPARE(json["status"]["500"].get<int>(), 2);
        QCOMPARE(json["errors"][0]["kind"].get<std::string>(), std::string("unexpected_status"));
        QCOMPARE(json["errors"][0]["first"]["response_head"].get<std::string>(), std::string("HTTP/1.1 500 Oops"));
        QCOMPARE(json["connections"]["reconnects"].get<int>(), 1);
        QCOMPARE(json["streams"].get<int>(), 8);
        QCOMPARE(json["tls"]["version"].get<std::string>(), std::string("TLSv1.3"));
        QVERIFY(json["tls"]["verified"].get<bool>() && !json["tls"]["resumed"].get<bool>());
        QCOMPARE(json["connections"]["open_s"].get<double>(), 0.125);
        QCOMPARE(json["server"]["startup_ms"].get<double>(), 45.5);
        QCOMPARE(json["server"]["rss_bytes_idle"].get<int>(), 41'000'000);
        QCOMPARE(json["server"]["requests_per_cpu_second"].get<double>(), 3 / (0.97 * 2));
        QCOMPARE(json["server"]["rss_bytes_per_1000_rps"].get<double>(), 60'000'000 / 0.0015);
        QCOMPARE(json["generator"]["busiest_worker_cores"].get<double>(), 0.25);
        QCOMPARE(json["generator"]["own_lag_us"]["p99"].get<double>(), 40.0);
        QCOMPARE(json["warmup"]["to_95_s"].get<double>(), 0.75);
        QCOMPARE(json["host"].dump(),
                 std::string(R"({"cpu_cores_mean":1.5,"others_cpu_cores_mean":0.2,"steal":0.01,"noisy_seconds":0.5})"));
        QCOMPARE(json["bottleneck"]["kind"].get<std::string>(), std::string("noise"));
        QVERIFY(json["bottleneck"]["rankable"].get<bool>());
        QCOMPARE(json["seconds"][0]["noise"].get<double>(), 0.12);
        QCOMPARE(json["histogram"]["format"].get<std::string>(), std::string("hdr-v2-deflate-base64"));
        QCOMPARE(json["seconds"][0]["ok"].get<int>(), 3);
        QCOMPARE(json["seconds"][0]["server_rss_bytes"].get<int>(), 61'000'000);
        QCOMPARE(json["level"]["connections"].get<int>(), 64);
        QCOMPARE(json["level"]["rate"].get<int>(), 5000);
        QCOMPARE(json["service_us"]["p50"].get<double>(), 1500.0);
        QCOMPARE(json["generator"]["schedule_lag_us"]["p99"].get<double>(), 900.0);
        QCOMPARE(json["steady"]["after_s"].get<double>(), 3.5);
        QVERIFY(!json["steady"].contains("never"));
        QCOMPARE(json["started_utc"].get<std::string>(), std::string("2023-11-14T22:13:20.123Z"));
    }

    void aTrialWithoutLoadHasNoFigures()
    {
        Trial trial;
        trial.target = "node";
        trial.outcome = Outcome::failed;
        trial.failure = TrialFailure{"start", "ended with exit code 1", {"Error: no"}};
        const Json json = trialToJson(trial);
        for (const char* key : {"requests", "rps", "latency_us", "histogram", "seconds", "server", "transport"})
            QVERIFY2(!json.contains(key), key);
        QCOMPARE(json["failure"]["output"][0].get<std::string>(), std::string("Error: no"));
    }

    void aTrialReadBackIsWrittenTheSame()
    {
        Json json = trialToJson(madeTrial("node", 1, 1.5));
        json["from_the_future"] = {{"kept", true}};
        const auto trial = trialFromJson(json);
        QVERIFY2(trial.ok(), trial.ok() ? "" : format(trial.problem()).c_str());
        QCOMPARE(trialToJson(trial.value()).dump(), json.dump());
    }

    void theLimitAndTheMachineComeBack()
    {
        Trial trial = madeTrial("node", 1, 1.5);
        trial.bottleneck = Bottleneck{Limit::generator, "a thread of the generator used 0.99 of a core", false};
        trial.attempt = 2;
        trial.superseded = true;
        const auto read = trialFromJson(trialToJson(trial));
        QVERIFY(read.ok());
        QVERIFY(read.value().bottleneck->limit == Limit::generator);
        QCOMPARE(read.value().bottleneck->reason, trial.bottleneck->reason);
        QVERIFY(!read.value().bottleneck->rankable);
        QVERIFY(read.value().host == trial.host);
        QCOMPARE(read.value().attempt, 2U);
        QVERIFY(read.value().superseded);
        QCOMPARE(read.value().load.warmSeconds.value(), 0.75);
        QCOMPARE(read.value().seconds.front().noise.value(), 0.12);
        QCOMPARE(read.value().seconds.front().tcpRetransmits.value(), std::uint64_t(3));
        QCOMPARE(read.value().seconds.front().listenOverflows.value(), std::uint64_t(0));
        QVERIFY(read.value().unknownJson.empty());
        Json of = trialToJson(trial);
        of["bottleneck"]["kind"] = "the moon";
        QVERIFY(!trialFromJson(of).ok());
        of.erase("bottleneck");
        QVERIFY(!trialFromJson(of).value().bottleneck);
    }

    void aResultReadBackIsWrittenTheSame()
    {
        const std::string text = formatResult(madeResult());
        const auto result = parseResult(text);
        QVERIFY2(result.ok(), result.ok() ? "" : format(result.problem()).c_str());
        QCOMPARE(formatResult(result.value()), text);
        QVERIFY(result.value().complete);
        QCOMPARE(result.value().warnings.size(), std::size_t(1));
    }

    void whatIsNotKnownOfTheMachineHasNoKey()
    {
        SessionResult result = madeResult();
        const Json named = parsed(formatResult(result))["host"];
        QCOMPARE(named["hostname"].get<std::string>(), std::string("box"));
        QVERIFY(!named.contains("os") && !named.contains("kernel") && !named.contains("cpu_model"));
        result.host.hostname.clear();
        QVERIFY(!parsed(formatResult(result))["host"].contains("hostname"));
    }

    void conditionsHaveTheKeysOfTheContract()
    {
        Conditions all;
        all.governor = "performance";
        all.turbo = false;
        all.onBattery = true;
        all.cpuQuotaCores = 1.5;
        all.memoryLimitBytes = 1;
        all.loadAverage = 0.25;
        all.busiestProcesses = {"cc1plus (99) 0.50"};
        all.cpuPressure = 0.5;
        all.memoryPressure = 0.125;
        all.ioPressure = 0;
        all.swapUsedBytes = 2;
        all.swappedPages = 3;
        all.throttledPeriods = 4;
        all.thermalThrottles = 5;
        all.tcpRetransmits = 6;
        all.listenOverflows = 7;
        all.listenDrops = 8;
        all.stealSeconds = 9.5;
        all.processorSeconds = 10.5;
        SessionResult result = madeResult();
        result.conditionsBefore = result.conditionsAfter = all;
        const Json json = parsed(formatResult(result))["conditions"];
        QCOMPARE(
            json["before"].dump(),
            std::string(
                R"({"governor":"performance","turbo":false,"on_battery":true,"cpu_quota_cores":1.5,)"
                R"("memory_limit_bytes":1,"load_average":0.25,"busiest_processes":["cc1plus (99) 0.50"],"cpu_pressure":0.5,)"
                R"("memory_pressure":0.125,"io_pressure":0.0,"swap_used_bytes":2,"swapped_pages":3,)"
                R"("throttled_periods":4,"thermal_throttles":5,"tcp_retransmits":6,)"
                R"("listen_overflows":7,"listen_drops":8,"steal_seconds":9.5,)"
                R"("processor_seconds":10.5})"));
        QCOMPARE(json["after"].dump(), json["before"].dump());
        const auto read = parseResult(formatResult(result));
        QVERIFY(read.ok() && read.value().conditionsBefore == all && read.value().conditionsAfter == all);
    }

    void aResultWithoutConditionsHasNone()
    {
        SessionResult result = madeResult();
        result.conditionsBefore = result.conditionsAfter = std::nullopt;
        QVERIFY(!parsed(formatResult(result)).contains("conditions"));
        result.conditionsBefore.emplace();
        const auto read = parseResult(formatResult(result));
        QVERIFY(read.ok() && read.value().conditionsBefore == Conditions{} && !read.value().conditionsAfter);
    }

    void aConditionOfTheWrongTypeIsNamed()
    {
        Json json = parsed(formatResult(madeResult()));
        json["conditions"]["after"]["on_battery"] = "yes";
        const auto read = parseResult(json.dump());
        QVERIFY(!read.ok());
        QCOMPARE(read.problem().path, std::string("conditions.after.on_battery"));
    }

    void unknownKeysAreKept()
    {
        Json json = parsed(formatResult(madeResult()));
        json["added_later"] = 7;
        const auto result = parseResult(json.dump());
        QVERIFY(result.ok());
        QCOMPARE(parsed(formatResult(result.value()))["added_later"].get<int>(), 7);
    }

    void aChangedFileIsSaidToBeChanged()
    {
        Json json = parsed(formatResult(madeResult()));
        json["trials"][0]["rps"] = 1e6;
        const auto result = parseResult(json.dump());
        QVERIFY(result.ok());
        QCOMPARE(result.value().warnings.back().code, std::string("changed"));
    }

    void bytesThatAreNoUtf8DoNotBreakTheFile()
    {
        SessionResult result = madeResult();
        result.trials[0].load.errors[0].firstResponseHead = "HTTP/1.1 \xff\xfe";
        QVERIFY(parseResult(formatResult(result)).ok());
    }

    void otherFilesAreRefusedWithASentence_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("empty") << ""
                               << "JSON";
        QTest::newRow("no json") << "wrk -t1"
                                 << "JSON";
        QTest::newRow("a list") << "[]"
                                << "schema";
        QTest::newRow("another schema") << R"({"schema":"lapbench-plan","schema_version":1})"
                                        << "schema";
        QTest::newRow("newer") << R"({"schema":"lapbench-result","schema_version":999})"
                               << "up to 1";
        QTest::newRow("version is a text") << R"({"schema":"lapbench-result","schema_version":"2"})"
                                           << "schema_version";
        QTest::newRow("version is negative") << R"({"schema":"lapbench-result","schema_version":-1})"
                                             << "schema_version";
        QTest::newRow("no version") << R"({"schema":"lapbench-result"})"
                                    << "schema_version";
        QTest::newRow("very deep") << QString(100000, '[') << "deep";
        QTest::newRow("a trial of the wrong type")
            << R"({"schema":"lapbench-result","schema_version":1,"created_utc":"2023-11-14T22:13:20Z","trials":[{"target":5}]})"
            << "trials[0].target";
        QTest::newRow("an outcome nobody knows")
            << R"({"schema":"lapbench-result","schema_version":1,"created_utc":"2023-11-14T22:13:20Z","trials":[{"target":"a","outcome":"won"}]})"
            << "trials[0].outcome";
    }
    void otherFilesAreRefusedWithASentence()
    {
        QFETCH(QString, text);
        QFETCH(QString, part);
        const auto result = parseResult(text.toStdString());
        QVERIFY(!result.ok());
        QVERIFY2(QString::fromStdString(format(result.problem())).contains(part), format(result.problem()).c_str());
    }

    void aFileCutShortIsNeverHalfRead()
    {
        const std::string text = formatResult(madeResult());
        for (std::size_t length = 0; length + 2 < text.size(); length += 41)
            QVERIFY(!parseResult(text.substr(0, length)).ok());
    }
};

QTEST_APPLESS_MAIN(TestResultJson)
#include "tst_result_json.moc"
