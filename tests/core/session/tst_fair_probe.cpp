#include "core/load/engine.h"
#include "core/server/builtin_server.h"
#include "core/session/fair_work.h"
#include "tests/support/odd_server.h"
#include "tests/support/recording_server.h"
#include "tests/support/wire_server.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <thread>

using namespace lapbench;
using namespace std::chrono_literals;
using lapbench::test::Certificates;
using lapbench::test::Odd;
using lapbench::test::OddServer;
using lapbench::test::Recorded;
using lapbench::test::RecordingServer;
using lapbench::test::SeenRequest;
using lapbench::test::WireAnswer;
using lapbench::test::WireServer;

namespace {

Target targetOf(const std::string& name)
{
    Target target;
    target.name = name;
    return target;
}

Plan planOf(const std::string& path = "/")
{
    Plan plan;
    plan.workloads[0].path = path;
    plan.load.timeout = 5s;
    return plan;
}

const std::string kBody(1200, 'b');
const std::string kDate = "Date: Mon, 30 Nov 2026 11:20:31 GMT\r\n";

std::string answerOf(const std::string& body, const std::string& headers, const char* version = "1.1")
{
    return std::string("HTTP/") + version + " 200 OK\r\n" + headers + "Content-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}

/// The findings that weigh something, "error body_length" a line, of a server beside one that answers 1,200 bytes.
std::string beside(const OddServer& other, const FairWorkRules& rules = {}, FairWork* whole = nullptr)
{
    const OddServer first(answerOf(kBody, kDate), false);
    Plan plan = planOf();
    plan.fairWork = rules;
    std::vector<FairProbe> probes = probeTarget(plan, targetOf("a"), first.url());
    for (FairProbe& probe : probeTarget(plan, targetOf("b"), other.url()))
        probes.push_back(std::move(probe));
    const FairWork work = compareProbes(std::move(probes), rules);
    std::string told;
    for (const FairFinding& finding : work.findings)
        told += (told.empty() ? "" : "\n") + finding.severity + " " + finding.code;
    if (whole != nullptr)
        *whole = work;
    return told;
}

} // namespace

class TestFairProbe : public QObject {
    Q_OBJECT

private slots:
    void anEqualPairIsEqual()
    {
        FairWork work;
        QCOMPARE(beside(OddServer(answerOf(kBody, kDate), false), {}, &work), std::string());
        QCOMPARE(work.verdict(), std::string("equal"));
        const FairProbe& probe = work.probes[1];
        QCOMPARE(probe.status, 200);
        QCOMPARE(probe.httpVersion, std::string("1.1"));
        QCOMPARE(probe.framing, std::string("content-length"));
        QCOMPARE(probe.bodyBytes, std::uint64_t(1200));
        QVERIFY(probe.date && !probe.closes);
        // printf 'b%.0s' $(seq 1200) | sha256sum
        QCOMPARE(probe.bodySha256, std::string("3a9ad3dd270f552a2cb152387cee64250ff1da2b37a9b787df85b7de5d646d42"));
        QCOMPARE(probe.path, std::string("/"));
    }

    void aServerOfTheIssueIsNamed_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<bool>("thenClose");
        QTest::addColumn<QByteArray>("found");
        const auto row = [](const char* name, const std::string& answer, bool thenClose, const char* found) {
            QTest::newRow(name) << QByteArray::fromStdString(answer) << thenClose << QByteArray(found);
        };
        // head -c 1200 /dev/zero | tr '\0' b | gzip -n
        const std::string gzipped =
            QByteArray::fromHex("1f8b08000000000000034b4a1a05a360148c82a101005a2f08beb0040000").toStdString();
        row("10 % smaller", answerOf(std::string(1080, 'b'), kDate), false, "error body_length");
        row("another content", answerOf(std::string(1200, 'c'), kDate), false, "error body_content");
        row("no Date", answerOf(kBody, ""), false, "warning date");
        row("compresses unasked", answerOf(gzipped, kDate + "Content-Encoding: gzip\r\n"), false,
            "warning compression");
        row("compresses in a way nobody knows", answerOf(kBody, kDate + "Content-Encoding: odd\r\n"), false,
            "warning compression");
        row("closes and says so", answerOf(kBody, kDate + "Connection: close\r\n"), true, "warning closes");
        row("says that it closes", answerOf(kBody, kDate + "Connection: x, CLOSE\r\n"), false, "warning closes");
        row("closes without a word", answerOf(kBody, kDate), true, "warning closes");
        row("HTTP/1.0", answerOf(kBody, kDate, "1.0"), true, "warning http_version\nwarning closes");
        row("HTTP/1.0 that keeps", answerOf(kBody, kDate + "Connection: keep-alive\r\n", "1.0"), false,
            "warning http_version");
        row("chunked",
            "HTTP/1.1 200 OK\r\n" + kDate + "Transfer-Encoding: chunked\r\n\r\n4b0\r\n" + kBody + "\r\n0\r\n\r\n",
            false, "info framing");
        row("no length at all", "HTTP/1.1 200 OK\r\n" + kDate + "\r\n" + kBody, true, "warning closes\ninfo framing");
        row("another status", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", false, "error status");
        row("more headers", answerOf(kBody, kDate + "Server: b\r\n"), false, "info headers");
    }
    void aServerOfTheIssueIsNamed()
    {
        QFETCH(QByteArray, answer);
        QFETCH(bool, thenClose);
        QFETCH(QByteArray, found);
        QCOMPARE(QByteArray::fromStdString(beside(OddServer(answer.toStdString(), thenClose))), found);
    }

    void bodiesThatThePlanIgnoresMayDiffer()
    {
        const OddServer other(answerOf("tiny", kDate), false);
        QCOMPARE(beside(other, {true, {"body"}}), std::string());
        QCOMPARE(beside(other), std::string("error body_length"));
    }

    void aBodyThatChangesIsToldWithItsField()
    {
        std::atomic<int> count{0};
        WireServer::Options options;
        options.answer = [&](const SeenRequest&) {
            const std::string n = std::to_string(++count);
            return WireServer::hello(kDate, R"({"a":{"id":1,"n":)" + n + "}}");
        };
        const WireServer server(std::move(options));
        const std::string url = "http://127.0.0.1:" + std::to_string(server.port());
        Plan plan = planOf();
        QCOMPARE(probeTarget(plan, targetOf("a"), url)[0].varies, std::string("/a/n"));
        plan.fairWork.ignore = {"/a/n"};
        const std::vector<FairProbe> ignored = probeTarget(plan, targetOf("a"), url);
        QCOMPARE(ignored[0].varies, std::string());
        QCOMPARE(ignored[0].comparedBytes, std::uint64_t(std::string(R"({"a":{"id":1}})").size()));
    }

    void aDeadServerIsAFailureInItsProbe_data()
    {
        QTest::addColumn<Odd>("how");
        QTest::newRow("never answers") << Odd::hang;
        QTest::newRow("drops the connection") << Odd::empty;
        QTest::newRow("speaks no HTTP") << Odd::garbage;
        QTest::newRow("ends within its body") << Odd::shortBody;
        QTest::newRow("answers once") << Odd::half;
    }
    void aDeadServerIsAFailureInItsProbe()
    {
        QFETCH(Odd, how);
        const OddServer server(how);
        Plan plan = planOf();
        plan.load.timeout = 300ms;
        const std::vector<FairProbe> probes = probeTarget(plan, targetOf("a"), server.url());
        QCOMPARE(probes.size(), std::size_t(1));
        QVERIFY(!probes[0].failure.empty());
    }

    void noServerAndNoUrlAreFailuresToo()
    {
        const std::string gone = "http://127.0.0.1:" + std::to_string(lapbench::test::freePort());
        for (const std::string& url : {gone, std::string("ftp://x"), std::string()}) {
            const std::vector<FairProbe> probes = probeTarget(planOf(), targetOf("a"), url);
            QCOMPARE(probes.size(), std::size_t(1));
            QVERIFY2(!probes[0].failure.empty(), url.c_str());
        }
        const std::vector<FairProbe> unanswered = unansweredProbes(planOf("/x"), targetOf("a"), "did not start");
        QCOMPARE(unanswered[0].failure, std::string("did not start"));
        QCOMPARE(unanswered[0].path, std::string("/x"));
    }

    void aStopBreaksTheAuditOff()
    {
        const OddServer server(Odd::hang);
        Plan plan = planOf();
        plan.load.timeout = 60s;
        std::atomic<bool> stop{false};
        const std::int64_t before = steadyNs();
        std::thread stopper([&] {
            while (server.requests() == 0 && Nanoseconds(steadyNs() - before) < 20s)
                std::this_thread::yield();
            stop = true;
        });
        const std::vector<FairProbe> probes = probeTarget(plan, targetOf("a"), server.url(), &stop);
        stopper.join();
        QVERIFY(Nanoseconds(steadyNs() - before) < 30s);
        QCOMPARE(probes[0].failure, std::string("the session was stopped"));
    }

    void aHugeBodyIsReadNoFurtherThanItsBound()
    {
        auto server = std::move(BuiltinServer::start(0)).value();
        const std::string url = "http://127.0.0.1:" + std::to_string(server->port());
        const std::vector<FairProbe> probes = probeTarget(planOf("/bytes/20000000"), targetOf("a"), url);
        QVERIFY2(probes[0].failure.empty(), probes[0].failure.c_str());
        QVERIFY(probes[0].bodyCut);
        QCOMPARE(probes[0].bodyBytes, std::uint64_t(20'000'000)); // as its head says
        QCOMPARE(probes[0].comparedBytes, std::uint64_t(20'000'000));
        QVERIFY(probes[0].body.empty());
        QVERIFY(!probes[0].closes);
        const std::vector<FairProbe> large = probeTarget(planOf("/bytes/2000000"), targetOf("a"), url);
        QVERIFY(!large[0].bodyCut && large[0].body.empty());
        QCOMPARE(large[0].comparedBytes, std::uint64_t(2'000'000));
        QCOMPARE(large[0].bodySha256.size(), std::size_t(64));
    }

    void ofManyHeadersTheFirstAreNamed()
    {
        std::string headers = kDate;
        for (int i = 10; i < 30; ++i)
            headers += "X-" + std::to_string(i) + ": v\r\n";
        FairWork work;
        QCOMPARE(beside(OddServer(answerOf(kBody, headers), false), {}, &work), std::string("info headers"));
        QCOMPARE(work.findings[0].text, std::string("b's answer to GET / has x-10, x-11, x-12, x-13, x-14, x-15, x-16, "
                                                    "x-17 and 12 more, which a's has not"));
    }

    void bodiesBeyondTheBoundAreComparedByTheLengthTheyAreSaidToHave()
    {
        auto server = std::move(BuiltinServer::start(0)).value();
        const std::string url = "http://127.0.0.1:" + std::to_string(server->port());
        const auto told = [&](const std::string& first, const std::string& second) {
            std::vector<FairProbe> probes = probeTarget(planOf(first), targetOf("a"), url);
            for (FairProbe& probe : probeTarget(planOf(second), targetOf("b"), url))
                probes.push_back(std::move(probe));
            for (FairProbe& probe : probes)
                probe.path = "/";
            const FairWork work = compareProbes(std::move(probes), {});
            return work.findings.empty() ? std::string() : work.findings.back().text;
        };
        QCOMPARE(told("/bytes/20000000", "/bytes/20000000"), std::string());
        QCOMPARE(told("/bytes/20000000", "/bytes/18000000"),
                 std::string("b's answer to GET / is 18,000,000 bytes, a's 20,000,000 (10 % smaller)"));
        QCOMPARE(told("/bytes/5", "/chunked/20000000"),
                 std::string("b's answer to GET / is more than 16,777,216 bytes, a's 5"));
    }

    void theProbeIsTheRequestOfTheLoadByteForByte()
    {
        Plan plan = planOf();
        plan.load.seed = 7;
        Workload& mix = plan.workloads[0];
        mix.requests.resize(3);
        mix.requests[0].name = "read";
        mix.requests[0].weight = 60;
        mix.requests[0].path = "/users/{{random_int 1 200000}}/../{{sequence}}?q=%20x";
        mix.requests[0].headers = {{"X-Id", "{{uuid}}"}, {"Accept", "text/plain"}};
        mix.requests[1].name = "write";
        mix.requests[1].weight = 30;
        mix.requests[1].method = "POST";
        mix.requests[1].path = "/notes";
        mix.requests[1].headers = {{"Content-Type", "application/json"}};
        mix.requests[1].body = R"({"n":{{random_int 1 100000}}})";
        mix.requests[2].name = "put";
        mix.requests[2].weight = 10;
        mix.requests[2].method = "PUT";
        mix.requests[2].path = "/empty";

        RecordingServer probed;
        const std::string authority = probed.url().substr(7);
        const std::vector<FairProbe> probes = probeTarget(plan, targetOf("a"), probed.url() + "/base/");
        std::vector<Recorded> asked = probed.stop();
        QCOMPARE(asked.size(), std::size_t(6)); // each twice
        QCOMPARE(probes.size(), std::size_t(3));
        for (std::size_t i = 0; i < probes.size(); ++i) {
            QCOMPARE(asked[2 * i].head, asked[2 * i + 1].head);
            QCOMPARE(asked[2 * i].body, asked[2 * i + 1].body);
            QCOMPARE(asked[2 * i].line, probes[i].method + " " + probes[i].path + " HTTP/1.1");
        }

        for (const TransportKind transport : {TransportKind::keepAlive, TransportKind::curl}) {
            RecordingServer loaded;
            LoadTask task;
            static_cast<WireOptions&>(task) = plan.load;
            task.url = loaded.url() + "/base/";
            task.workload = plan.workloads[0];
            task.seed = plan.load.seed;
            task.connections = 1;
            task.transport = transport;
            task.measure.requests = 10;
            const std::string other = loaded.url().substr(7);
            QVERIFY(runLoad(task, {}).ok());
            std::vector<Recorded> sent = loaded.stop();
            // The first of each kind; only the port of Host is another.
            for (std::size_t i = 0; i < probes.size(); ++i) {
                const std::string method = probes[i].method;
                const auto first = std::find_if(sent.begin(), sent.end(), [&](const Recorded& each) {
                    return each.line.starts_with(method + " ");
                });
                QVERIFY(first != sent.end());
                std::string head = first->head;
                head.replace(head.find(other), other.size(), authority);
                QCOMPARE(QByteArray::fromStdString(asked[2 * i].head), QByteArray::fromStdString(head));
                QCOMPARE(asked[2 * i].body, first->body);
            }
        }
    }

    void aPostIsAnsweredAsItIsUnderLoad()
    {
        auto server = std::move(BuiltinServer::start(0)).value();
        Plan plan = planOf("/echo");
        plan.workloads[0].method = "POST";
        plan.workloads[0].body = "twelve bytes";
        const std::vector<FairProbe> probes =
            probeTarget(plan, targetOf("a"), "http://127.0.0.1:" + std::to_string(server->port()));
        QVERIFY2(probes[0].failure.empty(), probes[0].failure.c_str());
        QCOMPARE(probes[0].bodyBytes, std::uint64_t(12));
        QCOMPARE(probes[0].method, std::string("POST"));
    }

    void theBuiltInServerIsEqualToItself()
    {
        auto one = std::move(BuiltinServer::start(0)).value(), two = std::move(BuiltinServer::start(0)).value();
        Plan plan = planOf("/users/{{random_int 1 1000}}");
        plan.workloads.push_back(planOf("/chunked/5000").workloads[0]);
        plan.workloads.push_back(planOf("/").workloads[0]);
        plan.workloads[1].name = "chunks";
        plan.workloads[2].name = "head";
        plan.workloads[2].method = "HEAD";
        std::vector<FairProbe> probes;
        for (const auto* server : {one.get(), two.get()})
            for (FairProbe& probe : probeTarget(plan, targetOf(server == one.get() ? "a" : "b"),
                                                "http://127.0.0.1:" + std::to_string(server->port())))
                probes.push_back(std::move(probe));
        QCOMPARE(probes.size(), std::size_t(6));
        QCOMPARE(probes[1].framing, std::string("chunked"));
        QCOMPARE(probes[2].framing, std::string("none"));
        const FairWork work = compareProbes(probes, {});
        QCOMPARE(work.findings.size(), std::size_t(0));
        QCOMPARE(work.verdict(), std::string("equal"));
    }

    void theOptionsOfTheLoadAreKept()
    {
        const Certificates certificates;
        QTemporaryDir folder;
        WireServer::Options options;
        options.tls = &certificates;
        options.asksForClient = true;
        options.unixPath = folder.filePath("s").toStdString();
        const WireServer server(options);
        Plan plan = planOf();
        plan.load.caCert = certificates.authority();
        plan.load.cert = certificates.client();
        plan.load.key = certificates.clientKey();
        plan.load.unixSocket = options.unixPath;
        const std::vector<FairProbe> probes = probeTarget(plan, targetOf("a"), "https://name.test");
        QVERIFY2(probes[0].failure.empty(), probes[0].failure.c_str());
        QCOMPARE(server.seen().back().client, std::string("the client"));
        QVERIFY(server.seen().back().head.find("Host: name.test") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestFairProbe)
#include "tst_fair_probe.moc"
