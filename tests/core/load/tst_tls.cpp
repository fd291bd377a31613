#include "core/load/curl_failure.h"
#include "tests/core/load/load_task.h"
#include "tests/support/wire_server.h"

#include <QTest>

#include <fstream>
#include <memory>

using namespace lapbench;
using namespace lapbench::test;

namespace {

constexpr unsigned kRequests = 60;

std::string urlOf(const WireServer& server, const std::string& host = "localhost")
{
    return "https://" + host + ":" + std::to_string(server.port());
}

bool allRight(const LoadReport& report)
{
    if (report.figures.ok == kRequests && report.figures.failed == 0)
        return true;
    for (const ErrorCount& error : report.figures.errors)
        qWarning("%s in %s: %s", std::string(errorKindName(error.kind)).c_str(),
                 std::string(phaseName(error.phase)).c_str(), error.firstMessage.c_str());
    return false;
}

} // namespace

/// TLS through both transports, as a server sees it.
class TestTls : public QObject {
    Q_OBJECT

    const Certificates m_files;

    LoadTask taskTo(const std::string& url, unsigned connections = 3) const
    {
        QFETCH_GLOBAL(int, transport);
        LoadTask task = countedTask(url, connections, kRequests, static_cast<TransportKind>(transport));
        task.caCert = m_files.authority();
        return task;
    }
    /// The one error of a run that could not connect.
    static ErrorCount onlyError(const LoadTask& task)
    {
        const LoadReport report = runOf(task);
        return report.windowOpened || report.figures.errors.size() != 1 ? ErrorCount{} : report.figures.errors.front();
    }

private slots:
    void initTestCase_data() { addTransports(); }

    void aServerIsVerifiedAndAskedByItsName()
    {
        const WireServer server({.tls = &m_files});
        const LoadReport report = runOf(taskTo(urlOf(server)));
        QVERIFY(allRight(report));
        QCOMPARE(report.httpVersion, std::string("1.1"));
        QVERIFY(report.figures.tls.has_value());
        QCOMPARE(report.figures.tls->version, std::string("TLSv1.3"));
        QVERIFY(report.figures.tls->cipher.starts_with("TLS_"));
        QCOMPARE(report.figures.tls->protocol, std::string("http/1.1"));
        QVERIFY(report.figures.tls->verified && !report.figures.tls->resumed);
        for (const SeenRequest& request : server.seen()) {
            QCOMPARE(request.name, std::string("localhost"));
            QCOMPARE(request.protocol, std::string("http/1.1"));
            QVERIFY(request.client.empty());
        }
        // The curl transport opens one more to see that there is a server.
        QVERIFY(server.connections() == 3 || server.connections() == 4);
    }

    void theNameIsThatOfTheUrlAlsoWithAnOverride()
    {
        const WireServer server({.tls = &m_files});
        LoadTask task = taskTo(urlOf(server, "name.test"));
        task.resolve = {"name.test:" + std::to_string(server.port()) + ":127.0.0.1"};
        QVERIFY(allRight(runOf(task)));
        QCOMPARE(server.seen().front().name, std::string("name.test"));
    }

    void anUnknownAuthorityIsAFailureOfTls()
    {
        const WireServer server({.tls = &m_files});
        LoadTask task = taskTo(urlOf(server));
        task.caCert.clear();
        const ErrorCount error = onlyError(task);
        QCOMPARE(error.kind, ErrorKind::tls);
        QCOMPARE(error.phase, Phase::connect);
        QVERIFY2(error.firstMessage.find("certificate") != std::string::npos, error.firstMessage.c_str());
        task.insecure = true;
        const LoadReport report = runOf(task);
        QVERIFY(allRight(report));
        QVERIFY(!report.figures.tls->verified);
    }

    void aCertificateOfAnotherNameIsAFailureOfTls()
    {
        const WireServer server({.tls = &m_files});
        LoadTask task = taskTo(urlOf(server, "other.test"));
        task.resolve = {"other.test:" + std::to_string(server.port()) + ":127.0.0.1"};
        QCOMPARE(onlyError(task).kind, ErrorKind::tls);
    }

    void theClientShowsItsCertificate()
    {
        const WireServer server({.tls = &m_files, .asksForClient = true});
        LoadTask task = taskTo(urlOf(server));
        task.cert = m_files.client();
        task.key = m_files.clientKey();
        QVERIFY(allRight(runOf(task)));
        for (const SeenRequest& request : server.seen())
            QCOMPARE(request.client, std::string("the client"));
    }

    void aClientWithoutACertificateIsTurnedAway()
    {
        const WireServer server({.tls = &m_files, .asksForClient = true});
        LoadTask task = taskTo(urlOf(server), 1);
        task.measure.requests = 1;
        // TLS 1.3 tells only when the client reads: the connection came about, the request did not.
        const LoadReport report = runOf(task);
        QCOMPARE(report.figures.ok, std::uint64_t(0));
        QCOMPARE(report.figures.errors.front().kind, ErrorKind::tls);
        QVERIFY(report.figures.errors.front().firstMessage.find("certificate required") != std::string::npos);
    }

    void filesThatCannotBeUsedAreToldBefore()
    {
        const WireServer server({.tls = &m_files});
        const std::string junk = (m_files.folder() / "junk.pem").string();
        std::ofstream(junk) << "no certificate\n";
        const auto refusal = [&](auto change) {
            LoadTask task = taskTo(urlOf(server));
            change(task);
            const auto report = runLoad(task, {});
            return report.ok() ? std::string() : report.problem().path;
        };
        QCOMPARE(refusal([&](LoadTask& task) { task.caCert = junk; }), std::string("cacert"));
        QCOMPARE(refusal([&](LoadTask& task) { task.caCert = "/no/such/file"; }), std::string("cacert"));
        QCOMPARE(refusal([&](LoadTask& task) { task.cert = junk; }), std::string("cert"));
        QCOMPARE(refusal([&](LoadTask& task) { task.cert = m_files.client(); }), std::string("key"));
        QCOMPARE(refusal([&](LoadTask& task) {
                     task.cert = m_files.client();
                     task.key = m_files.serverKey();
                 }),
                 std::string("key"));
        QCOMPARE(refusal([&](LoadTask& task) { task.key = m_files.clientKey(); }), std::string("key"));
        QCOMPARE(server.connections(), std::uint64_t(0));

        LoadTask task = taskTo(urlOf(server));
        task.cert = "/no/such/file";
        const Problem missing = runLoad(task, {}).problem();
        QVERIFY2(missing.message.find("No such file") != std::string::npos, missing.message.c_str());
    }

    void aPlainServerIsAFailureOfTls()
    {
        const OddServer garbage(Odd::garbage);
        LoadTask task = taskTo("https://127.0.0.1:" + std::to_string(garbage.port()));
        task.connectTimeout = std::chrono::seconds(1);
        const ErrorCount error = onlyError(task);
        QVERIFY(error.phase == Phase::connect && error.count != 0);
    }

    void closedConnectionsAreReconnectsNotErrors_data()
    {
        QTest::addColumn<bool>("announced");
        QTest::addColumn<bool>("rudely");
        QTest::newRow("announced") << true << false;
        QTest::newRow("unannounced, told in TLS") << false << false;
        QTest::newRow("unannounced, without a word") << false << true;
    }
    void closedConnectionsAreReconnectsNotErrors()
    {
        QFETCH(bool, announced);
        QFETCH(bool, rudely);
        const WireServer server({.tls = &m_files, .answer = [&](const SeenRequest& request) {
                                     const bool last = request.inConnection == 5;
                                     WireAnswer answer =
                                         WireServer::hello(last && announced ? "Connection: close\r\n" : "");
                                     answer.thenClose = last;
                                     answer.rudely = rudely;
                                     return answer;
                                 }});
        const LoadReport report = runOf(taskTo(urlOf(server), 2));
        QVERIFY(allRight(report));
        QVERIFY(report.figures.reconnects >= 10);
        QCOMPARE(server.seen().size(), std::size_t(kRequests));
    }

    void aResetIsToldFromAnEnd()
    {
        const WireServer server({.tls = &m_files, .answer = [](const SeenRequest&) {
                                     return WireAnswer{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
                                                       .reset = true};
                                 }});
        LoadTask task = taskTo(urlOf(server));
        task.measure.requests = 3;
        const LoadReport report = runOf(task);
        std::string seen;
        for (const ErrorCount& error : report.figures.errors)
            seen += std::to_string(error.count) + " " + std::string(errorKindName(error.kind)) + " in " +
                    std::string(phaseName(error.phase)) + ": " + error.firstMessage + "; ";
        QVERIFY2(report.figures.errors.size() == 1, seen.c_str());
        QCOMPARE(report.figures.errors.front().kind, ErrorKind::reset);
        QCOMPARE(report.figures.errors.front().count, std::uint64_t(3));
    }

    /// The poller may see a reset before a read does, and libcurl then speaks of sending.
    void aResetThatThePollerSawIsToldAsOne()
    {
        const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy(curl_easy_init(), curl_easy_cleanup);
        const std::string text = "select/poll returned error";
        const Failure after = transferFailure(easy.get(), CURLE_SEND_ERROR, {true, true, false, 0}, text);
        QVERIFY(after.kind == ErrorKind::reset && after.phase == Phase::waitHead);
        const Failure within = transferFailure(easy.get(), CURLE_SEND_ERROR, {true, true, true, 0}, text);
        QVERIFY(within.kind == ErrorKind::reset && within.phase == Phase::readBody);
        const Failure before = transferFailure(easy.get(), CURLE_SEND_ERROR, {true, false, false, 0}, text);
        QVERIFY(before.kind == ErrorKind::reset && before.phase == Phase::send);
    }

    void largeAnswersComeWhole()
    {
        const std::string body(300'000, 'x');
        const WireServer server(
            {.tls = &m_files, .answer = [&](const SeenRequest&) { return WireServer::hello({}, body); }});
        LoadTask task = taskTo(urlOf(server));
        task.workload.expectBytes = body.size();
        QVERIFY(allRight(runOf(task)));
    }

    void largeBodiesArriveWhole_data()
    {
        QTest::addColumn<int>("bytes");
        QTest::newRow("two records") << 20'000;
        QTest::newRow("more than one turn") << 1'000'000;
    }
    void largeBodiesArriveWhole()
    {
        QFETCH(int, bytes);
        const std::string body(static_cast<std::size_t>(bytes), 'b');
        const WireServer server({.tls = &m_files});
        LoadTask task = taskTo(urlOf(server));
        task.workload.method = "POST";
        task.workload.body = body;
        task.timeout = std::chrono::seconds(5);
        QVERIFY(allRight(runOf(task)));
        for (const SeenRequest& request : server.seen())
            QVERIFY(request.body == body);
    }

    void everyRequestShakesHandsWhereConnectionsAreNew()
    {
        const WireServer server({.tls = &m_files});
        LoadTask task = taskTo(urlOf(server));
        task.newConnections = true;
        const LoadReport report = runOf(task);
        QVERIFY(allRight(report));
        QCOMPARE(report.figures.connectionsOpened, kRequests);
        for (const SeenRequest& request : server.seen())
            QCOMPARE(request.inConnection, 1U);
    }
};

QTEST_APPLESS_MAIN(TestTls)
#include "tst_tls.moc"
