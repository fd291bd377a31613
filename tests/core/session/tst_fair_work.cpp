#include "core/result/journal.h"
#include "core/result/result_json.h"
#include "core/session/fair_work.h"
#include "tests/support/made_trials.h"

#include <QTest>

#include <algorithm>

using namespace lapbench;

namespace {

/// A right answer of 1,200 bytes.
FairProbe probeOf(const std::string& target)
{
    FairProbe probe;
    probe.target = target;
    probe.label = target == "node" ? "Node" : target == "deno" ? "Deno" : "Bun";
    probe.workload = probe.request = "user";
    probe.method = "GET";
    probe.path = "/users/42";
    probe.status = 200;
    probe.httpVersion = "1.1";
    probe.headers = {{"Date", "now"}, {"Content-Length", "1200"}};
    probe.framing = "content-length";
    probe.contentType = "text/plain";
    probe.date = true;
    probe.body = std::string(1200, 'x');
    probe.bodyBytes = probe.body.size();
    return probe;
}

void setBody(FairProbe& probe, const std::string& body)
{
    probe.body = body;
    probe.bodyBytes = body.size();
}

/// Node, and Deno as `change` makes it.
template <typename Change>
FairWork pair(Change change, const FairWorkRules& rules = {})
{
    FairProbe deno = probeOf("deno");
    change(deno);
    return compareProbes({probeOf("node"), deno}, rules);
}

/// "error body_length: sentence"; all of them, a line each.
std::string told(const FairWork& work)
{
    std::string text;
    for (const FairFinding& finding : work.findings)
        text += (text.empty() ? "" : "\n") + finding.severity + " " + finding.code + ": " + finding.text;
    return text;
}

/// A trial of so many right answers with bodies of so many bytes each.
Trial trialOf(const std::string& target, std::uint64_t answers, std::uint64_t bytes, std::uint64_t reconnects = 0)
{
    Trial trial;
    trial.target = target;
    trial.workload = "user";
    trial.level.connections = 64;
    trial.load.ok = answers;
    trial.load.bodyReceived = answers * bytes;
    trial.load.connectionsOpened = 64;
    trial.load.reconnects = reconnects;
    return trial;
}

Plan planOfTwo()
{
    Plan plan;
    plan.targets.resize(2);
    plan.targets[0].name = "node";
    plan.targets[0].label = "Node";
    plan.targets[1].name = "deno";
    plan.targets[1].label = "Deno";
    return plan;
}

} // namespace

class TestFairWork : public QObject {
    Q_OBJECT

private slots:
    void equalAnswersAreEqualWork()
    {
        const FairWork work = pair([](FairProbe&) {});
        QCOMPARE(told(work), std::string());
        QCOMPARE(work.verdict(), std::string("equal"));
        QVERIFY(!fairWorkWarning(work));
        QCOMPARE(work.probes.size(), std::size_t(2));
        QVERIFY(work.probes[0].body.empty());
        QCOMPARE(work.probes[0].bodySha256, work.probes[1].bodySha256);
    }

    void eachDifferenceHasItsSeverityAndASentence_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("finding");
        QTest::addColumn<QString>("verdict");
        int which = 0;
        const auto row = [&](const char* name, const char* finding, const char* verdict) {
            QTest::newRow(name) << which++ << finding << verdict;
        };
        row("10 % smaller",
            "error body_length: Deno's answer to GET /users/42 is 1,080 bytes, Node's 1,200 (10 % smaller)", "differs");
        row("another text of the same length",
            "error body_content: Deno's answer to GET /users/42 is as long as Node's, but another", "differs");
        row("another status", "error status: Deno's answer to GET /users/42 has status 404, Node's 200", "differs");
        row("no answer", "error no_answer: Deno gives no answer to GET /users/42 (Connection refused)", "differs");
        row("compressed",
            "warning compression: Deno's answer to GET /users/42 is compressed (gzip, 29 bytes), Node's not compressed "
            "(1,200 bytes)",
            "differs_little");
        row("closing", "warning closes: Deno closes the connection after the answer to GET /users/42, Node keeps it",
            "differs_little");
        row("no Date", "warning date: Deno's answer to GET /users/42 has no Date, Node's has one", "differs_little");
        row("HTTP/1.0", "warning http_version: Deno's answer to GET /users/42 is HTTP/1.0, Node's HTTP/1.1",
            "differs_little");
        row("changing",
            "warning body_varies: Deno's answer to GET /users/42 changes from request to request, first in /time; put "
            "\"/time\" into fair_work.ignore to compare the rest",
            "differs_little");
        row("chunked", "info framing: Deno's answer to GET /users/42 is framed by chunks, Node's by Content-Length",
            "equal");
        row("other headers",
            "info headers: Deno's answer to GET /users/42 has etag and x-powered-by, which Node's has not", "equal");
        row("another type", "info content_type: Deno's answer to GET /users/42 is application/json, Node's text/plain",
            "equal");
    }
    void eachDifferenceHasItsSeverityAndASentence()
    {
        QFETCH(int, which);
        QFETCH(QString, finding);
        QFETCH(QString, verdict);
        const FairWork work = pair([which](FairProbe& deno) {
            switch (which) {
            case 0:
                return setBody(deno, std::string(1080, 'x'));
            case 1:
                return setBody(deno, std::string(1200, 'y'));
            case 2:
                deno.status = 404;
                return setBody(deno, "no");
            case 3:
                deno.failure = "Connection refused";
                return setBody(deno, "");
            case 4: // the body is the decoded one
                deno.compression = "gzip";
                deno.bodyBytes = 29;
                return;
            case 5:
                deno.closes = true;
                return;
            case 6:
                deno.date = false;
                return;
            case 7:
                deno.httpVersion = "1.0";
                return;
            case 8:
                deno.varies = "/time";
                return setBody(deno, "{\"time\":1}");
            case 9:
                deno.framing = "chunked";
                deno.headers[1] = {"Transfer-Encoding", "chunked"};
                return;
            case 10:
                deno.headers.emplace_back("X-Powered-By", "Deno");
                deno.headers.emplace_back("ETag", "\"1\"");
                return;
            default:
                deno.contentType = "application/json";
            }
        });
        QCOMPARE(QString::fromStdString(told(work)), finding);
        QCOMPARE(QString::fromStdString(work.verdict()), verdict);
        QCOMPARE(fairWorkWarning(work).has_value(), verdict != "equal");
        QCOMPARE(work.findings[0].targets, std::vector<std::string>{"deno"});
    }

    void whatTheFirstTargetLacksIsToldFromItsSide()
    {
        FairProbe node = probeOf("node");
        node.date = false;
        node.closes = true;
        node.headers.emplace_back("Vary", "Accept");
        const FairWork work = compareProbes({node, probeOf("deno"), probeOf("bun")}, {});
        QCOMPARE(told(work),
                 std::string("warning closes: Deno and Bun keep the connection after the answer to GET /users/42, Node "
                             "closes it\n"
                             "warning date: Deno's and Bun's answers to GET /users/42 have a Date, Node's has none\n"
                             "info headers: Deno's and Bun's answers to GET /users/42 have no vary, which Node's has"));
        const std::vector<std::string> both = {"deno", "bun"};
        QCOMPARE(work.findings[0].targets, both);
    }

    void theFirstThatAnsweredIsTheReference()
    {
        FairProbe node = probeOf("node"), bun = probeOf("bun");
        node.failure = "Connection refused";
        setBody(bun, "tiny");
        const FairWork work = compareProbes({node, probeOf("deno"), bun}, {});
        QCOMPARE(told(work), std::string("error no_answer: Node gives no answer to GET /users/42 (Connection refused)\n"
                                         "error body_length: Bun's answer to GET /users/42 is 4 bytes, Deno's 1,200 "
                                         "(100 % smaller)"));
    }

    void whereNobodyAnsweredTheVerdictIsUnknown()
    {
        FairProbe node = probeOf("node"), deno = probeOf("deno");
        node.failure = deno.failure = "Connection refused";
        const FairWork work = compareProbes({node, deno}, {});
        QCOMPARE(work.verdict(), std::string("unknown"));
        QVERIFY(fairWorkWarning(work)->text.find("not known") != std::string::npos);
        QCOMPARE(compareProbes({}, {}).verdict(), std::string("unknown"));
    }

    void requestsAreComparedWithThemselvesOnly()
    {
        std::vector<FairProbe> probes;
        for (const char* target : {"node", "deno"})
            for (const std::size_t length : {10u, 20u}) {
                probes.push_back(probeOf(target)); // both of one name
                setBody(probes.back(), std::string(length, 'x'));
            }
        QCOMPARE(told(compareProbes(probes, {})), std::string());
    }

    void jsonOfOtherFormIsOnlyInformationOnItsContent()
    {
        FairProbe node = probeOf("node"), deno = probeOf("deno");
        setBody(node, R"({"id": 1,"name":"x"})");
        setBody(deno, R"({"name": "x","id":1})");
        QCOMPARE(told(compareProbes({node, deno}, {})),
                 std::string("info json_formatting: Deno's answer to GET /users/42 has the same JSON as Node's, but "
                             "other white space or another order of keys"));
        setBody(deno, R"({"name":"x","id":1})");
        const FairWork shorter = compareProbes({node, deno}, {});
        QCOMPARE(shorter.verdict(), std::string("differs"));
        QVERIFY(told(shorter).find("error body_length: Deno's answer to GET /users/42 is 19 bytes, Node's 20 (5.0 % "
                                   "smaller)\ninfo json_formatting") == 0);
        FairWorkRules rules;
        rules.ignore = {"body"};
        QCOMPARE(told(compareProbes({node, deno}, rules)), std::string());
    }

    void theFirstFieldThatDiffersIsNamed()
    {
        FairProbe node = probeOf("node"), deno = probeOf("deno");
        setBody(node, R"({"users":[{"id":1},{"id":2}],"z":0})");
        setBody(deno, R"({"users":[{"id":1},{"id":3}],"z":1})");
        QCOMPARE(told(compareProbes({node, deno}, {})),
                 std::string("error body_content: Deno's answer to GET /users/42 is as long as Node's, but another, "
                             "first in /users/1/id"));
    }

    void ignoredFieldsMayDifferInContentAndLength()
    {
        FairProbe node = probeOf("node"), deno = probeOf("deno");
        setBody(node, R"({"id":1,"runtime":"node","list":[1,22]})");
        setBody(deno, R"({"id":1,"runtime":"deno 2","list":[1,3]})");
        FairWorkRules rules;
        rules.ignore = {"/runtime", "/list/1", "/not/there", "/list/x", "no pointer"};
        QCOMPARE(told(compareProbes({node, deno}, rules)), std::string());
        rules.ignore = {"/runtime"};
        QCOMPARE(compareProbes({node, deno}, rules).verdict(), std::string("differs"));
        rules.ignore = {"body"};
        QCOMPARE(told(compareProbes({node, deno}, rules)), std::string());
    }

    void oddBodiesAreComparedAsTheyAre_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("cut JSON") << QByteArray("{\"a\":");
        QTest::newRow("a key twice") << QByteArray("{\"a\":1,\"a\":2}");
        QTest::newRow("no UTF-8") << QByteArray("{\"a\":\"\xff\"}");
        QTest::newRow("deeper than anybody means") << QByteArray(100'000, '[');
        QTest::newRow("a number") << QByteArray("12");
        QTest::newRow("zeros") << QByteArray(10, '\0');
    }
    void oddBodiesAreComparedAsTheyAre()
    {
        QFETCH(QByteArray, body);
        FairProbe node = probeOf("node"), deno = probeOf("deno");
        setBody(node, body.toStdString());
        setBody(deno, body.toStdString());
        QCOMPARE(told(compareProbes({node, deno}, {})), std::string());
        deno.body.back() = ' ';
        QCOMPARE(compareProbes({node, deno}, {}).verdict(), std::string("differs"));
    }

    void theAuditIsInTheResultAndReadAgain()
    {
        FairProbe deno = probeOf("deno"), bun = probeOf("bun");
        setBody(deno, "short");
        deno.closes = true;
        deno.varies = "";
        bun.failure = "Connection refused";
        SessionResult result;
        result.id = "1";
        result.planJson = "{}";
        result.fairWork = compareProbes({probeOf("node"), deno, bun}, {});
        const std::string text = formatResult(result);
        const auto read = parseResult(text);
        QVERIFY2(read.ok(), read.ok() ? "" : format(read.problem()).c_str());
        QVERIFY(read.value().fairWork.has_value());
        QCOMPARE(read.value().fairWork->verdict(), std::string("differs"));
        QCOMPARE(told(*read.value().fairWork), told(*result.fairWork));
        QCOMPARE(read.value().fairWork->probes[1].closes, true);
        QCOMPARE(read.value().fairWork->probes[0].headers, result.fairWork->probes[0].headers);
        QCOMPARE(formatResult(read.value()), text);
        const Json json = Json::parse(text)["fair_work"];
        QCOMPARE(json["verdict"].get<std::string>(), std::string("differs"));
        QCOMPARE(json["probes"][1]["body_bytes"].get<int>(), 5);
        QVERIFY(!json["probes"][2].contains("status"));
        QVERIFY(!json["probes"][0].contains("failure"));
        result.fairWork.reset();
        QVERIFY(!Json::parse(formatResult(result)).contains("fair_work"));
    }

    void longerBodiesUnderLoadAreAWarning_data()
    {
        QTest::addColumn<quint64>("bytes");
        QTest::addColumn<bool>("warns");
        QTest::newRow("the same") << quint64(1000) << false;
        QTest::newRow("1 % more") << quint64(1010) << false;
        QTest::newRow("1.1 % more") << quint64(1011) << true;
        QTest::newRow("1.1 % less") << quint64(989) << true;
        QTest::newRow("nothing") << quint64(0) << true;
    }
    void longerBodiesUnderLoadAreAWarning()
    {
        QFETCH(quint64, bytes);
        QFETCH(bool, warns);
        // A target of other numbers of answers, the second in the file.
        const auto warnings = workWarnings(planOfTwo(), {trialOf("deno", 5000, bytes), trialOf("node", 2000, 1000)});
        QCOMPARE(warnings.size(), std::size_t(warns ? 1 : 0));
        if (bytes != 1011)
            return;
        QCOMPARE(warnings[0].code, std::string("bytes_per_answer"));
        QCOMPARE(warnings[0].text,
                 std::string("Deno's answers have bodies of 1011 bytes, Node's 1000 (1.1 % larger) in "
                             "workload user, 64 connections"));
        QCOMPARE(warnings[0].evidence, std::string("5055000 bytes in 5000 answers, 2000000 in 2000"));
    }

    void bodiesThatTellNothingAreNotCompared()
    {
        Plan plan = planOfTwo();
        QVERIFY(workWarnings(plan, {trialOf("node", 2000, 1000), trialOf("deno", 999, 2000)}).empty());
        std::vector<Trial> trials = {trialOf("node", 2000, 1000), trialOf("deno", 2000, 2000)};
        QCOMPARE(workWarnings(plan, trials).size(), std::size_t(1));
        trials[1].load.failed = 3;
        QVERIFY(workWarnings(plan, trials).empty());
        trials[1].load.failed = 2;
        QCOMPARE(workWarnings(plan, trials).size(), std::size_t(1));
        trials[1].superseded = true;
        QVERIFY(workWarnings(plan, trials).empty());
        trials[1].superseded = false;
        trials[1].level.connections = 1;
        QVERIFY(workWarnings(plan, trials).empty());
        trials[1].level.connections = 64;
        plan.fairWork.ignore = {"body"};
        QVERIFY(workWarnings(plan, trials).empty());
        QVERIFY(workWarnings(plan, {}).empty());
    }

    void connectionsThatAreNotReusedAreAWarning()
    {
        Plan plan = planOfTwo();
        // 1 - 100 / 1000 is 0.9, which is enough; over both rounds 1 - 202 / 2000 is not.
        QVERIFY(workWarnings(plan, {trialOf("node", 1000, 1), trialOf("deno", 1000, 1, 100)}).empty());
        const std::vector<Trial> trials = {trialOf("node", 2000, 1), trialOf("deno", 1000, 1, 100),
                                           trialOf("deno", 1000, 1, 102)};
        const auto warnings = workWarnings(plan, trials);
        QCOMPARE(warnings.size(), std::size_t(1));
        QCOMPARE(warnings[0].code, std::string("connections_not_reused"));
        QCOMPARE(warnings[0].text, std::string("Deno closed connections that the plan keeps: only 90 % of the requests "
                                               "found one open in workload user, 64 connections"));
        QCOMPARE(warnings[0].evidence, std::string("202 connections opened again for 2000 requests"));
        QCOMPARE(workWarnings(plan, {trialOf("deno", 1000, 1, 1003)})[0].text,
                 std::string("Deno closed connections that the plan keeps: no request found one open in workload user, "
                             "64 connections"));
        plan.load.newConnections = true;
        QVERIFY(workWarnings(plan, trials).empty());
    }
};

QTEST_APPLESS_MAIN(TestFairWork)
#include "tst_fair_work.moc"
