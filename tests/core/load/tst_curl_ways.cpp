#include "core/server/subprocess.h"
#include "tests/core/load/load_task.h"
#include "tests/support/wire_server.h"

#include <QStandardPaths>
#include <QTest>

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <fstream>
#include <utility>
#include <vector>

using namespace lapbench;
using namespace lapbench::test;

namespace {

constexpr unsigned kRequests = 60;

LoadTask taskTo(const std::string& url, unsigned connections = 3)
{
    return countedTask(url, connections, kRequests, TransportKind::automatic);
}

std::string local(std::uint16_t port, const char* scheme = "http")
{
    return std::string(scheme) + "://localhost:" + std::to_string(port);
}

bool allRight(const LoadReport& report, std::uint64_t requests = kRequests)
{
    if (report.figures.ok == requests && report.figures.failed == 0)
        return true;
    qWarning("%llu right, %llu failed", static_cast<unsigned long long>(report.figures.ok),
             static_cast<unsigned long long>(report.figures.failed));
    for (const ErrorCount& error : report.figures.errors)
        qWarning("%s in %s: %s", std::string(errorKindName(error.kind)).c_str(),
                 std::string(phaseName(error.phase)).c_str(), error.firstMessage.c_str());
    return false;
}

WireAnswer redirect(const std::string& to)
{
    return {"HTTP/1.1 302 Found\r\nLocation: " + to + "\r\nContent-Length: 0\r\n\r\n"};
}

std::string firstLine(const SeenRequest& request)
{
    return request.head.substr(0, request.head.find("\r\n"));
}

/// Whatever it makes of HTTP/1.1.
bool takesConnections(std::uint16_t port)
{
    LoadTask task = countedTask("http://127.0.0.1:" + std::to_string(port), 1, 1);
    task.timeout = std::chrono::seconds(1);
    return runOf(task).windowOpened;
}

/// A program of the system that listens on a port of its own; none where it is not installed.
class Peer {
public:
    ~Peer()
    {
        if (m_pid <= 0)
            return;
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    bool there() const { return m_there; }
    std::uint16_t port() const { return m_port; }

protected:
    Peer() : m_port(freePort()) {}
    void run(const QString& name, std::vector<std::string> arguments)
    {
        const QString program = QStandardPaths::findExecutable(name, {"/usr/bin", "/usr/sbin", "/usr/local/bin"});
        if (program.isEmpty())
            return;
        ProgramStart start;
        start.argv = std::move(arguments);
        start.argv.insert(start.argv.begin(), program.toStdString());
        // Not by QProcess: its fork leaves the thread sanitizer unable to start further threads.
        m_pid = startProgram(start).value();
        m_there = QTest::qWaitFor([this] { return takesConnections(m_port); }, 10'000);
    }

private:
    std::uint16_t m_port;
    pid_t m_pid = -1;
    bool m_there = false;
};

/// nghttpd serving a folder with "index.html".
class Nghttpd : public Peer {
public:
    explicit Nghttpd(const Certificates& files, bool secure, const std::vector<std::string>& more = {})
    {
        std::vector<std::string> arguments = {"-a", "127.0.0.1", "-d", files.folder().string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        if (!secure)
            arguments.push_back("--no-tls");
        arguments.push_back(std::to_string(port()));
        if (secure)
            arguments.insert(arguments.end(), {files.serverKey(), files.server()});
        run("nghttpd", std::move(arguments));
    }
};

/// nginx speaking HTTP/2, which ends a connection after 20 requests.
class Nginx : public Peer {
public:
    Nginx(const Certificates& files, bool secure, unsigned streams)
    {
        const std::string folder = files.folder().string();
        std::ofstream(folder + "/nginx.conf")
            << "daemon off; master_process off; pid " << folder << "/pid; error_log " << folder << "/log;\n"
            << "events {}\nhttp { access_log off; client_body_temp_path " << folder << "/a; proxy_temp_path " << folder
            << "/b; fastcgi_temp_path " << folder << "/c; uwsgi_temp_path " << folder << "/d; scgi_temp_path " << folder
            << "/e;\nserver { listen 127.0.0.1:" << port() << " http2" << (secure ? " ssl" : "")
            << "; keepalive_requests 20; http2_max_concurrent_streams " << streams << "; ssl_certificate "
            << files.server() << "; ssl_certificate_key " << files.serverKey()
            << "; location / { return 200 hello; } } }\n";
        run("nginx", {"-e", folder + "/log", "-c", folder + "/nginx.conf"});
    }
};

} // namespace

/// What only libcurl's own transfers do: redirects, proxies, HTTP/2.
class TestCurlWays : public QObject {
    Q_OBJECT

    const Certificates m_files;

private slots:
    void redirectsAreFollowedOnTheSameHost()
    {
        const WireServer server({.answer = [](const SeenRequest& request) {
            return firstLine(request).starts_with("GET /there") ? WireServer::hello() : redirect("/there");
        }});
        LoadTask task = taskTo(local(server.port()));
        task.followRedirects = true;
        task.workload.expectBytes = 5;
        task.workload.expectStatus = {{200, 200}};
        const LoadReport report = runOf(task);
        QVERIFY(allRight(report));
        QVERIFY(report.transport == TransportKind::curl);
        QCOMPARE(server.seen().size(), std::size_t(2 * kRequests));
    }

    void aRedirectToAnotherMethodLeavesTheBodyBehind()
    {
        const WireServer server({.answer = [](const SeenRequest& request) {
            if (firstLine(request).starts_with("GET /there"))
                return WireServer::hello();
            return WireAnswer{"HTTP/1.1 303 See Other\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"};
        }});
        LoadTask task = taskTo(local(server.port()));
        task.followRedirects = true;
        task.workload.method = "POST";
        task.workload.body = "five!";
        task.workload.expectStatus = {{200, 200}};
        task.timeout = std::chrono::seconds(2);
        QVERIFY(allRight(runOf(task)));
        for (const SeenRequest& request : server.seen()) {
            const bool posted = request.head.starts_with("POST ");
            QCOMPARE(request.body, std::string(posted ? "five!" : ""));
            QCOMPARE(request.head.find("Content-Length") != std::string::npos, posted);
        }
    }

    void aRedirectThatIsNotFollowedIsAnAnswer()
    {
        const WireServer server({.answer = [](const SeenRequest&) { return redirect("http://other.test/"); }});
        const LoadReport report = runOf(taskTo(local(server.port())));
        QVERIFY(allRight(report));
        QVERIFY(report.transport == TransportKind::keepAlive);
        QCOMPARE(report.figures.status.at(302), std::uint64_t(kRequests));
    }

    void anotherHostIsNotFollowed_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("as it should be written") << "/";
        QTest::newRow("with a space, which libcurl takes") << "/a b";
    }
    void anotherHostIsNotFollowed()
    {
        QFETCH(QString, path);
        const WireServer other({.host = "127.0.0.2"});
        const std::string place = "http://127.0.0.2:" + std::to_string(other.port()) + path.toStdString();
        const WireServer server({.answer = [&](const SeenRequest&) { return redirect(place); }});
        LoadTask task = taskTo("http://127.0.0.1:" + std::to_string(server.port()));
        task.followRedirects = true;
        const LoadReport report = runOf(task);
        QCOMPARE(report.figures.failed, std::uint64_t(kRequests));
        QCOMPARE(report.figures.errors.front().kind, ErrorKind::unexpectedStatus);
        QVERIFY(report.figures.errors.front().firstMessage.find("another host, 127.0.0.2") != std::string::npos);
        QCOMPARE(other.connections(), std::uint64_t(0));
    }

    void redirectsWithoutEndAreAFailure()
    {
        const WireServer server({.answer = [](const SeenRequest&) { return redirect("/again"); }});
        LoadTask task = taskTo(local(server.port()), 1);
        task.followRedirects = true;
        task.measure.requests = 2;
        const LoadReport report = runOf(task);
        QCOMPARE(report.figures.failed, std::uint64_t(2));
        QCOMPARE(report.figures.errors.front().kind, ErrorKind::unexpectedStatus);
    }

    void aProxyIsAskedForTheWholeUrl()
    {
        const WireServer proxy({});
        LoadTask task = taskTo("http://no-such-host.invalid:81");
        task.proxy = "http://127.0.0.1:" + std::to_string(proxy.port());
        const LoadReport report = runOf(task);
        QVERIFY(allRight(report));
        QVERIFY(report.transport == TransportKind::curl);
        QCOMPARE(proxy.seen().size(), std::size_t(kRequests));
        for (const SeenRequest& request : proxy.seen())
            QVERIFY(firstLine(request) == "GET http://no-such-host.invalid:81/ HTTP/1.1");
    }

    void aProxyMakesATunnelForTls()
    {
        const WireServer proxy({.tls = &m_files, .tlsInTunnel = true});
        LoadTask task = taskTo("https://name.test");
        task.proxy = "http://127.0.0.1:" + std::to_string(proxy.port());
        task.caCert = m_files.authority();
        QVERIFY(allRight(runOf(task)));
        const auto seen = proxy.seen();
        const auto tunnels = std::count_if(seen.begin(), seen.end(), [](const SeenRequest& request) {
            return firstLine(request) == "CONNECT name.test:443 HTTP/1.1";
        });
        QVERIFY(tunnels == 3 || tunnels == 4); // one ahead, to see that there is a server
        QCOMPARE(seen.size(), std::size_t(kRequests) + std::size_t(tunnels));
        QCOMPARE(seen.back().name, std::string("name.test"));
    }

    void aProxyThatIsNotThereIsToldSo()
    {
        LoadTask task = taskTo("http://127.0.0.1:81");
        task.proxy = "http://127.0.0.1:" + std::to_string(freePort());
        const LoadReport report = runOf(task);
        QVERIFY(!report.windowOpened);
        QCOMPARE(report.figures.errors.front().kind, ErrorKind::connectRefused);
    }

    void everyConnectionHasItsStreams_data()
    {
        QTest::addColumn<bool>("secure");
        QTest::newRow("over TLS") << true;
        QTest::newRow("with prior knowledge") << false;
    }
    void everyConnectionHasItsStreams()
    {
        QFETCH(bool, secure);
        const Nghttpd server(m_files, secure);
        if (!server.there())
            QSKIP("nghttpd (Debian: nghttp2-server) is not there");
        LoadTask task = taskTo(local(server.port(), secure ? "https" : "http"), 3);
        task.http = secure ? HttpVersion::http2 : HttpVersion::http2Knowledge;
        task.caCert = m_files.authority();
        task.streams = 8;
        task.workload.path = "/authority.pem";
        task.measure.requests = 3000;
        const LoadReport report = runOf(task);
        QVERIFY(allRight(report, 3000));
        QCOMPARE(report.httpVersion, std::string("2"));
        QVERIFY(report.transport == TransportKind::curl);
        QCOMPARE(report.figures.streams, 8U);
        QCOMPARE(report.figures.connectionsOpened, 3U);
        QCOMPARE(report.figures.peakOpen, 3U);
        QCOMPARE(report.figures.reconnects, std::uint64_t(0));
        if (secure)
            QCOMPARE(report.figures.tls->protocol, std::string("h2"));
        // Little: connections x streams requests are open nearly all the time.
        const double open = *report.figures.rps * *report.figures.latency.meanUs / 1e6;
        QVERIFY2(open > 12 && open <= 24.5, qPrintable(QString::number(open)));
    }

    void requestsWaitWhereTheServerTakesFewerStreams()
    {
        const Nghttpd server(m_files, false, {"--max-concurrent-streams=4"});
        if (!server.there())
            QSKIP("nghttpd (Debian: nghttp2-server) is not there");
        LoadTask task = taskTo(local(server.port()), 2);
        task.http = HttpVersion::http2Knowledge;
        task.streams = 8;
        task.workload.path = "/authority.pem";
        task.measure.requests = 1000;
        const LoadReport report = runOf(task);
        QVERIFY(allRight(report, 1000));
        QCOMPARE(report.figures.connectionsOpened + report.figures.reconnects, std::uint64_t(2));
        QCOMPARE(report.figures.peakOpen, 2U);
    }

    void connectionsThatTheServerEndsAreOpenedAgain_data()
    {
        QTest::addColumn<bool>("secure");
        QTest::addColumn<int>("streams");
        QTest::newRow("over TLS") << true << 128;
        QTest::newRow("by prior knowledge") << false << 128;
        QTest::newRow("over TLS, a stream at a time") << true << 1;
        QTest::newRow("by prior knowledge, a stream at a time") << false << 1;
    }
    void connectionsThatTheServerEndsAreOpenedAgain()
    {
        QFETCH(bool, secure);
        QFETCH(int, streams);
        const Nginx server(m_files, secure, static_cast<unsigned>(streams));
        if (!server.there())
            QSKIP("nginx is not there");
        LoadTask task = taskTo(local(server.port(), secure ? "https" : "http"), 3);
        task.http = secure ? HttpVersion::http2 : HttpVersion::http2Knowledge;
        task.caCert = m_files.authority();
        task.streams = 4;
        task.measure.requests = 1000;
        const LoadReport report = runOf(task);
        QVERIFY(allRight(report, 1000));
        QCOMPARE(report.figures.peakOpen, 3U);
        // 20 requests a connection: 50 of them at least.
        QVERIFY(report.figures.reconnects >= 47);
    }

    void aServerWithoutHttp2IsToldSo()
    {
        const WireServer server({.tls = &m_files});
        LoadTask task = taskTo(local(server.port(), "https"));
        task.http = HttpVersion::http2;
        task.caCert = m_files.authority();
        const LoadReport report = runOf(task);
        QVERIFY(!report.windowOpened);
        QCOMPARE(report.figures.errors.front().kind, ErrorKind::tls);
        QCOMPARE(report.figures.errors.front().firstMessage,
                 std::string("the server does not speak HTTP/2: it chose http/1.1 in the handshake"));
    }

    void priorKnowledgeThatIsWrongFails()
    {
        const WireServer server({.answer = [](const SeenRequest&) {
            return WireAnswer{"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", true};
        }});
        LoadTask task = taskTo(local(server.port()), 1);
        task.http = HttpVersion::http2Knowledge;
        task.measure.requests = 2;
        task.timeout = std::chrono::seconds(2);
        const LoadReport report = runOf(task);
        QCOMPARE(report.figures.ok, std::uint64_t(0));
        QCOMPARE(report.figures.failed, std::uint64_t(2));
    }
};

QTEST_GUILESS_MAIN(TestCurlWays)
#include "tst_curl_ways.moc"
