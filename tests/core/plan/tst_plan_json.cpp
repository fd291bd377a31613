#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"

#include <QTest>

#include <algorithm>

using namespace lapbench;

namespace {

// moc takes // in a raw string of several lines for a comment: JSON may escape the slashes.
const char* const kWhole = R"({
  "schema": "lapbench-plan", "schema_version": 1, "name": "json-api", "title": "JSON API throughput", "description": "d",
  "runtimes": {"node22": {"kind": "node", "version": "22.9.0"}, "mine": {"kind": "program", "command": "/bin/true"}},
  "targets": [
    {"name": "node", "label": "Node.js 22 http", "runtime": "node22", "flags": ["--a"], "app": "json-api/node-http.mjs",
     "args": ["x"], "env": {"A": "b"}, "ready_path": "/users/1", "ready_timeout": "20s", "selected": false},
    {"name": "x", "command": ["./server", "--fast"], "port": 8123},
    {"name": "y", "url": "http:\/\/127.0.0.1:8080\/"},
    {"name": "z", "builtin": true}],
  "workloads": [{"name": "user", "method": "POST", "path": "/users/42", "headers": {"Accept": "a/b"}, "body": "{}",
                 "expect_status": "200-299,304", "expect_bytes": 1200}],
  "load": {"connections": [10, 256], "threads": 2, "transport": "curl", "new_connections": true, "timeout": "3s",
           "connect_timeout": "250ms"},
  "measure": {"requests": "5M"}, "warmup": {"duration": "1.5m"}, "rounds": 3, "order": "fixed", "cooldown": "1s",
  "until_ci": "1.5%", "budget": "20m", "equivalence": 0.03, "aa_control": true, "cold_starts": 20, "noise_limit": "35%",
  "noisy_repeats": 1, "affinity": {"server": [2, 0], "generator": "1,4-6"},
  "fair_work": {"audit": false, "ignore": ["body", "/generated_at"]},
  "published": {"a": [1]}})";

/// A plan that is right, with one part replaced.
std::string planWith(const std::string& part, const std::string& name = R"("name": "p")")
{
    return R"({"schema": "lapbench-plan", "schema_version": 1, )" + name + (part.empty() ? "" : ", ") + part + "}";
}

QString shown(const Problems& problems)
{
    QString text;
    for (const Problem& problem : problems)
        text += QString::fromStdString(format(problem)) + "\n";
    return text;
}

} // namespace

class TestPlanJson : public QObject {
    Q_OBJECT

private slots:
    void everyKeyIsRead()
    {
        const PlanReading reading = parsePlan(kWhole, "/folder");
        QVERIFY2(reading.ok(), qPrintable(shown(reading.problems)));
        const Plan& plan = reading.plan;
        QCOMPARE(plan.title, std::string("JSON API throughput"));
        QCOMPARE(plan.folder, std::filesystem::path("/folder"));
        QCOMPARE(plan.runtimes.size(), std::size_t(2));
        QVERIFY(plan.runtimes[0].kind == RuntimeKind::node && plan.runtimes[0].version == "22.9.0");
        QVERIFY(plan.runtimes[1].kind == RuntimeKind::program && plan.runtimes[1].command == "/bin/true");
        const Target& node = plan.targets[0];
        QCOMPARE(node.shownName(), std::string("Node.js 22 http"));
        QVERIFY(node.flags == std::vector<std::string>{"--a"} && node.args == std::vector<std::string>{"x"});
        QVERIFY(node.env.front() == std::make_pair(std::string("A"), std::string("b")));
        QVERIFY(node.readyTimeout == std::chrono::seconds(20) && node.readyPath == "/users/1" && !node.selected);
        QVERIFY(plan.targets[1].command.size() == 2 && plan.targets[1].port == 8123);
        QCOMPARE(plan.targets[2].url, std::string("http://127.0.0.1:8080"));
        QVERIFY(plan.targets[3].builtin && plan.targets[3].selected);
        const Workload& user = plan.workloads[0];
        QVERIFY(user.method == "POST" && user.path == "/users/42" && user.body == "{}" && user.expectBytes == 1200u);
        QVERIFY((user.expectStatus == std::vector<std::pair<int, int>>{{200, 299}, {304, 304}}));
        QVERIFY((plan.load.connections == std::vector<unsigned>{10, 256}));
        QVERIFY(plan.load.threads == 2u && plan.load.transport == TransportKind::curl && plan.load.newConnections);
        QVERIFY(plan.load.connectTimeout == std::chrono::milliseconds(250));
        QVERIFY(plan.measure == (Extent{std::nullopt, 5'000'000}));
        QVERIFY(plan.warmup == (Extent{std::chrono::seconds(90), std::nullopt}));
        QVERIFY(plan.rounds == 3u && plan.order == OrderKind::fixed && plan.cooldown == std::chrono::seconds(1));
        QCOMPARE(plan.publishedJson, std::string(R"({"a":[1]})"));
        QVERIFY(plan.untilCi == 0.015 && plan.budget == std::chrono::minutes(20) && plan.equivalence == 0.03);
        QVERIFY(plan.aaControl && plan.coldStarts == 20 && plan.noiseLimit == 0.35 && plan.noisyRepeats == 1);
        QVERIFY(plan.affinity == (Affinity{{2, 0}, {1, 4, 5, 6}}));
        QVERIFY(plan.fairWork == (FairWorkRules{false, {"body", "/generated_at"}}));
        QVERIFY(plan.sourceJson.starts_with(R"({"schema":"lapbench-plan",)") &&
                plan.sourceJson.find('\n') == std::string::npos);
    }

    void aShortPlanHasTheDefaults()
    {
        const PlanReading reading = parsePlan(planWith(R"("load": {"threads": "auto"})"), "");
        QVERIFY2(reading.ok(), qPrintable(shown(reading.problems)));
        QCOMPARE(reading.plan.workloads.size(), std::size_t(1));
        QVERIFY(reading.plan.load.connections == std::vector<unsigned>{64} && !reading.plan.load.threads);
        QVERIFY(reading.plan.measure.duration == std::chrono::seconds(10) && !reading.plan.rounds);
        QVERIFY(!reading.plan.untilCi && !reading.plan.budget && !reading.plan.load.find);
        QVERIFY(reading.plan.affinity == Affinity{} && reading.plan.fairWork == FairWorkRules{});
    }

    void aGoalIsReadAndWritten()
    {
        const PlanReading reading = parsePlan(
            planWith(
                R"("load": {"find": {"p50": "0.5ms", "p99": "10ms", "p99_9": "1s", "errors": "0.5%", "from": 100, "to": "50k"}})"),
            "");
        QVERIFY2(reading.ok(), qPrintable(shown(reading.problems)));
        Goal goal;
        goal.p50 = std::chrono::microseconds(500);
        goal.p99 = std::chrono::milliseconds(10);
        goal.p99_9 = std::chrono::seconds(1);
        goal.errors = 0.005;
        goal.from = 100;
        goal.to = 50'000;
        QVERIFY(reading.plan.load.find == goal);
        QVERIFY(parsePlan(formatPlan(reading.plan), "").plan.load.find == goal);
    }

    void theControlIsNotWritten()
    {
        Plan plan = parsePlan(kWhole, "").plan;
        const std::string text = formatPlan(plan);
        applyControl(plan);
        QCOMPARE(plan.targets.size(), std::size_t(5));
        QCOMPARE(formatPlan(plan), text);
    }

    void aWrittenPlanIsReadBackEqual()
    {
        const PlanReading first = parsePlan(kWhole, "");
        const std::string text = formatPlan(first.plan);
        const PlanReading second = parsePlan(text, "");
        QVERIFY2(second.ok(), qPrintable(shown(second.problems)));
        QCOMPARE(formatPlan(second.plan), text);
        QVERIFY(second.plan.targets.size() == 4 && second.plan.targets[0].env == first.plan.targets[0].env);
        QVERIFY(second.plan.measure == first.plan.measure && second.plan.warmup == first.plan.warmup);
        QVERIFY(second.plan.untilCi == first.plan.untilCi && second.plan.equivalence == first.plan.equivalence);
        QVERIFY(second.plan.affinity == first.plan.affinity && second.plan.fairWork == first.plan.fairWork);
        QVERIFY(second.plan.budget == first.plan.budget && second.plan.noisyRepeats == first.plan.noisyRepeats);
        QCOMPARE(second.plan.publishedJson, first.plan.publishedJson);
    }

    void badInputIsNamedWithItsPlaceAndCure_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const std::string& text, const char* path, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(path) << QByteArray(says);
        };
        row("empty", "", "", "no JSON");
        row("no JSON", "{\n  \"schema\": oops}", "", "line 2, column 13");
        row("cut off", R"({"schema": "lapbench-plan")", "", "no JSON");
        row("a list", "[]", "", "braces");
        row("bad UTF-8", "{\"name\": \"\xff\"}", "", "no JSON");
        row("no schema", R"({"name": "p"})", "schema", "lapbench-plan");
        row("another schema", R"({"schema": "lapbench-result", "schema_version": 1})", "schema", "lapbench-result");
        row("no version", R"({"schema": "lapbench-plan", "name": "p"})", "schema_version", "1");
        row("a newer version", R"({"schema": "lapbench-plan", "schema_version": 2})", "schema_version", "newer");
        row("no name", planWith("", R"("title": "t")"), "name", "missing");
        row("a key twice", planWith(R"("title": "a", "title": "b")"), "title", "twice");
        row("unknown key", planWith(R"("round": 3)"), "round", "\"rounds\"");
        row("unknown key of a target",
            planWith(R"("targets": [{"name": "a", "builtin": true}, {"name": "b", "ulr": "x"}])"), "targets[1].ulr",
            "\"url\"");
        row("unknown key of load", planWith(R"("load": {"conections": [1]})"), "load.conections", "\"connections\"");
        row("unknown key of a goal", planWith(R"("load": {"find": {"p999": "1s"}})"), "load.find.p999", "\"p99\"");
        row("a goal misspelt", planWith(R"("load": {"fnid": {"p99": "1s"}})"), "load.fnid", "\"find\"");
        row("a goal that is none", planWith(R"("load": {"find": "10ms"})"), "load.find", "braces");
        row("a goal of nothing", planWith(R"("load": {"find": {"p99": "0s"}})"), "load.find.p99", "0.01ms to 1h");
        row("unknown key of affinity", planWith(R"("affinity": {"sevrer": [0]})"), "affinity.sevrer", "\"server\"");
        row("a processor in words", planWith(R"("affinity": {"server": ["one"]})"), "affinity.server[0]",
            "whole number");
        row("a processor too high", planWith(R"("affinity": {"server": [1, 4096]})"), "affinity.server[1]",
            "0 to 4095");
        row("processors that are none", planWith(R"("affinity": {"server": true})"), "affinity.server", "\"0-1,4\"");
        row("half a list", planWith(R"("affinity": {"server": "0-"})"), "affinity.server", "0-1,4");
        row("what is ignored as text", planWith(R"("fair_work": {"ignore": "body"})"), "fair_work.ignore", "list");
        row("a percentage without its sign", planWith(R"("until_ci": 2)"), "until_ci", "\"2%\" or 0.02");
        row("a share of a wrong type", planWith(R"("until_ci": true)"), "until_ci", "0.02");
        row("a control in words", planWith(R"("aa_control": "yes")"), "aa_control", "true or false");
        row("too many cold starts", planWith(R"("cold_starts": 1001)"), "cold_starts", "too large");
        row("unknown key far from all", planWith(R"("measure": {"zzz": 1})"), "measure.zzz", "duration, requests");
        row("wrong type", planWith(R"("title": 7)"), "title", "text");
        row("a target that is text", planWith(R"("targets": ["node"])"), "targets[0]", "braces");
        row("targets that are none", planWith(R"("targets": {"a": 1})"), "targets", "brackets");
        row("runtimes that are none", planWith(R"("runtimes": [])"), "runtimes", "object");
        row("unknown kind", planWith(R"("runtimes": {"n": {"kind": "nodejs"}})"), "runtimes.n.kind", "\"node\"");
        row("kind missing", planWith(R"("runtimes": {"n": {}})"), "runtimes.n.kind", "missing");
        row("a duration without unit", planWith(R"("cooldown": 5)"), "cooldown", "\"10s\"");
        row("a negative duration", planWith(R"("measure": {"duration": "-3s"})"), "measure.duration", "negative");
        row("a duration of nothing", planWith(R"("measure": {"duration": "0s"})"), "measure.duration", "too small");
        row("too long", planWith(R"("cooldown": "2h")"), "cooldown", "0s to 1h");
        row("no rounds", planWith(R"("rounds": 0)"), "rounds", "1 to 1000");
        row("half a round", planWith(R"("rounds": 1.5)"), "rounds", "whole number");
        row("negative rounds", planWith(R"("rounds": -1)"), "rounds", "negative");
        row("rounds in words", planWith(R"("rounds": "3")"), "rounds", "whole number");
        row("huge count", planWith(R"("measure": {"requests": 1e300})"), "measure.requests", "whole number");
        row("level 0", planWith(R"("load": {"connections": [64, 0]})"), "load.connections[1]", "too small");
        row("a level in words", planWith(R"("load": {"connections": ["64"]})"), "load.connections[0]", "whole number");
        row("no level", planWith(R"("load": {"connections": []})"), "load.connections", "empty");
        row("levels that are none", planWith(R"("load": {"connections": 64})"), "load.connections", "[64, 256]");
        row("unknown order", planWith(R"("order": "rotated")"), "order", "\"rotate\"");
        row("flags with a number", planWith(R"("targets": [{"name": "a", "flags": ["x", 1]}])"), "targets[0].flags[1]",
            "text");
        row("a variable with a number", planWith(R"("targets": [{"name": "a", "env": {"A": 1}}])"), "targets[0].env.A",
            "text");
        row("a NUL", planWith(R"("targets": [{"name": "a", "app": "x\u0000y"}])"), "targets[0].app", "NUL");
        row("statuses", planWith(R"("workloads": [{"expect_status": "2xx"}])"), "workloads[0].expect_status",
            "200-299,304");
        row("too deep", planWith(R"("published": )" + std::string(100'000, '[') + std::string(100'000, ']')), "",
            "nested");
    }
    void badInputIsNamedWithItsPlaceAndCure()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, says);
        const PlanReading reading = parsePlan(text.toStdString(), "");
        QVERIFY(!reading.ok());
        QVERIFY2(std::any_of(reading.problems.begin(), reading.problems.end(),
                             [&](const Problem& problem) {
                                 return problem.path == path.toStdString() && !problem.cure.empty() &&
                                        format(problem).find(says.toStdString()) != std::string::npos;
                             }),
                 qPrintable(shown(reading.problems)));
    }

    void allProblemsAreToldAtOnce()
    {
        const PlanReading reading = parsePlan(planWith(R"("rounds": 0, "tilte": "x", "load": {"timeout": "-1s"},
            "targets": [{"name": "a", "port": 70000}])"),
                                              "");
        QCOMPARE(reading.problems.size(), std::size_t(4));
    }

    void hostileTextsEndQuietly()
    {
        const std::string whole(kWhole);
        for (std::size_t length = 0; length < whole.size(); ++length)
            QVERIFY(!parsePlan(whole.substr(0, length), "").ok());
        for (std::size_t at = 0; at < whole.size(); at += 3)
            for (const char c : {'\0', '"', '{', ']', '9', '\xc3'}) {
                std::string changed = whole;
                changed[at] = c;
                for (const Problem& problem : parsePlan(changed, "").problems)
                    QVERIFY(!problem.message.empty() && !problem.cure.empty());
            }
        QVERIFY(!parsePlan(std::string(20u << 20, ' '), "").ok());
        QVERIFY(!parsePlan(std::string(2'000'000, '{'), "").ok());
        std::string many = planWith(R"("targets": [)");
        many.resize(many.size() - 1);
        for (int i = 0; i < 900; ++i)
            many += R"({"x": 1},)";
        many += R"({}]})";
        QVERIFY(parsePlan(many, "").problems.size() <= 100);
    }
};

QTEST_APPLESS_MAIN(TestPlanJson)
#include "tst_plan_json.moc"
