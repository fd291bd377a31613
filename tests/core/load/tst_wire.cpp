#include "core/stats/stalls.h"
#include "tests/core/load/load_task.h"
#include "tests/support/wire_server.h"

#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace lapbench;
using namespace lapbench::test;

namespace {

constexpr unsigned kRequests = 60;

std::string urlOf(const WireServer& server, const std::string& host = "127.0.0.1", const char* scheme = "http")
{
    return std::string(scheme) + "://" + host + ":" + std::to_string(server.port());
}

LoadTask taskTo(const std::string& url, unsigned connections = 3)
{
    QFETCH_GLOBAL(int, transport);
    return countedTask(url, connections, kRequests, static_cast<TransportKind>(transport));
}

std::string shown(const LoadReport& report)
{
    std::string text = std::to_string(report.figures.ok) + " ok";
    for (const ErrorCount& error : report.figures.errors)
        text += ", " + std::string(errorKindName(error.kind)) + " in " + std::string(phaseName(error.phase)) + ": " +
                error.firstMessage;
    return text;
}

bool allRight(const LoadReport& report)
{
    if (report.figures.ok == kRequests && report.figures.failed == 0)
        return true;
    qWarning("%s", shown(report).c_str());
    return false;
}

std::set<std::string> peersOf(const WireServer& server)
{
    std::set<std::string> peers;
    for (const SeenRequest& request : server.seen())
        peers.insert(request.peer);
    return peers;
}

bool saysOneSentence(const Result<LoadReport>& report, const char* part)
{
    if (report.ok())
        return false;
    const std::string text = format(report.problem());
    if (text.find(part) != std::string::npos && !report.problem().cure.empty())
        return true;
    qWarning("%s", text.c_str());
    return false;
}

} // namespace

/// The options of the wire, as a server sees them, through both transports.
class TestWire : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { addTransports(); }

    void aNameIsTakenWhereTheOverrideSays()
    {
        const WireServer server({});
        LoadTask task = taskTo(urlOf(server, "name.test"));
        task.resolve = {"name.test:" + std::to_string(server.port()) + ":127.0.0.1", "other.test:1:127.0.0.9"};
        QVERIFY(allRight(runOf(task)));
        const std::string host = "Host: name.test:" + std::to_string(server.port());
        for (const SeenRequest& request : server.seen())
            QVERIFY2(request.head.find(host) != std::string::npos, request.head.c_str());
        task.resolve = {"name.test:1:127.0.0.1"}; // of another port
        QVERIFY(saysOneSentence(runLoad(task, {}), "cannot be found"));
    }

    void connectionsComeFromTheLocalAddressesInTurn()
    {
        const WireServer server({});
        LoadTask task = taskTo(urlOf(server), 4);
        task.interfaces = {"127.0.0.2", "127.0.0.3"};
        QVERIFY(allRight(runOf(task)));
        const std::set<std::string> wanted = {"127.0.0.2", "127.0.0.3"};
        std::set<std::string> peers = peersOf(server);
        peers.erase("127.0.0.1"); // never
        QCOMPARE(peers, wanted);
        QCOMPARE(peersOf(server), wanted);
    }

    void aLocalAddressOfAnotherMachineIsToldBefore()
    {
        const WireServer server({});
        LoadTask task = taskTo(urlOf(server));
        task.interfaces = {"192.0.2.1"};
        QVERIFY(saysOneSentence(runLoad(task, {}), "\"192.0.2.1\" cannot be used here"));
        QCOMPARE(server.connections(), std::uint64_t(0));
    }

    void onlyAddressesOfOneKindAreTaken()
    {
        const WireServer six({.host = "::1"});
        const std::string port = std::to_string(six.port());
        LoadTask task = taskTo("http://localhost:" + port);
        task.ipv6 = true;
        QVERIFY(allRight(runOf(task)));
        QCOMPARE(peersOf(six), std::set<std::string>{"::1"});
        task.url = "http://[::1]:" + port;
        task.ipv6 = false;
        QVERIFY(allRight(runOf(task)));
        task.ipv4 = true;
        QVERIFY(saysOneSentence(runLoad(task, {}), "has no IPv4 address"));
        task.ipv4 = false;
        task.ipv6 = true;
        task.url = "http://127.0.0.1:" + port;
        QVERIFY(saysOneSentence(runLoad(task, {}), "has no IPv6 address"));
    }

    void aUnixSocketIsConnectedToWhateverTheHost()
    {
        const Certificates files;
        const WireServer server({.unixPath = (files.folder() / "socket").string()});
        LoadTask task = taskTo("http://no-such-host.invalid");
        task.unixSocket = (files.folder() / "socket").string();
        QVERIFY(allRight(runOf(task)));
        QVERIFY(server.seen().front().head.find("Host: no-such-host.invalid") != std::string::npos);
        task.unixSocket = "socket";
        task.folder = files.folder();
        QVERIFY(allRight(runOf(task)));
    }

    void aFullLineAtAUnixSocketIsWaitedFor()
    {
        const Certificates files;
        const WireServer server({.unixPath = (files.folder() / "socket").string(), .backlog = 1});
        LoadTask task = taskTo("http://localhost", 40);
        task.unixSocket = (files.folder() / "socket").string();
        const LoadReport report = runOf(task);
        QVERIFY(allRight(report));
        QCOMPARE(report.figures.reconnects, std::uint64_t(0));
    }

    /// With libcurl the requests that wait for a place in the line go on the one connection there is, and the slot that
    /// had it opens its own later. The other transport has no request before its connections are open.
    void aConnectionThatAnotherSlotHasTakenIsNoReconnect()
    {
        const Certificates files;
        LoadTask task = taskTo("http://localhost", 8);
        const std::size_t aloneFor = task.transport == TransportKind::curl ? 30 : 0;
        const WireServer server({.unixPath = (files.folder() / "socket").string(), .backlog = 1, .aloneFor = aloneFor});
        task.unixSocket = (files.folder() / "socket").string();
        const LoadReport report = runOf(task);
        QVERIFY(allRight(report));
        QCOMPARE(report.figures.reconnects, std::uint64_t(0));
        QVERIFY(report.figures.connectionsOpened <= server.connections());
        QVERIFY(report.figures.peakOpen <= 8U);
    }

    void whatIsClosedAndOpenedAgainIsAReconnectWhicheverSlotHadIt()
    {
        const WireServer server({.answer = [](const SeenRequest&) {
            WireAnswer answer = WireServer::hello("Connection: close\r\n");
            answer.thenClose = true;
            return answer;
        }});
        const LoadReport report = runOf(taskTo(urlOf(server), 4));
        QVERIFY(allRight(report));
        QCOMPARE(report.figures.connectionsOpened, 4U);
        QCOMPARE(report.figures.reconnects, kRequests - 4U);
    }

    /// A small segment after another waits until the first is acknowledged, which takes this side 40 ms.
    void aHeadAndABodyOfTheirOwnStallAtTheDelayedAcknowledgement()
    {
        const auto split = [](bool twoSegments) {
            return [twoSegments](const SeenRequest&) {
                WireAnswer answer = WireServer::hello();
                if (twoSegments) {
                    answer.rest = answer.bytes.substr(20);
                    answer.bytes.resize(20);
                }
                return answer;
            };
        };
        const WireServer server({.answer = split(true)});
        const LoadFigures figures = runOf(taskTo(urlOf(server))).figures;
        if (figures.latency.percentile("p50")->us < 30'000)
            QSKIP("this system does not delay acknowledgements here");
        const std::vector<Stall> stalls = findStalls(figures);
        QCOMPARE(stalls.size(), std::size_t(1));
        QCOMPARE(stalls.front().name, std::string("40ms"));
        const WireServer whole({.answer = split(false)});
        QVERIFY(findStalls(runOf(taskTo(urlOf(whole))).figures).empty());
    }

    void aUnixSocketThatIsNotThereIsToldSo()
    {
        LoadTask task = taskTo("http://localhost", 1);
        task.unixSocket = "/no/such/socket";
        const LoadReport report = runOf(task);
        QVERIFY(!report.windowOpened);
        QCOMPARE(report.figures.errors.front().kind, ErrorKind::connectRefused);
        QCOMPARE(report.figures.errors.front().firstMessage, std::string("No such file or directory"));
    }

    void theProxyOfTheEnvironmentIsLeftAlone()
    {
        const WireServer server({});
        const std::string nobody = "http://127.0.0.1:" + std::to_string(freePort());
        ::setenv("http_proxy", nobody.c_str(), 1);
        ::setenv("https_proxy", nobody.c_str(), 1);
        ::setenv("all_proxy", nobody.c_str(), 1);
        const LoadReport report = runOf(taskTo(urlOf(server)));
        ::unsetenv("http_proxy");
        ::unsetenv("https_proxy");
        ::unsetenv("all_proxy");
        QVERIFY(allRight(report));
    }

    void everyRequestHasAConnectionOfItsOwnWhereThatIsAskedFor()
    {
        const WireServer server({});
        LoadTask task = taskTo(urlOf(server));
        task.newConnections = true;
        const LoadReport report = runOf(task);
        QVERIFY(allRight(report));
        QCOMPARE(report.figures.connectionsOpened, kRequests);
        for (const SeenRequest& request : server.seen())
            QCOMPARE(request.inConnection, 1U);
    }

    void anAnnouncedCloseIsAReconnect()
    {
        const WireServer server({.answer = [](const SeenRequest& request) {
            WireAnswer answer = WireServer::hello(request.inConnection == 5 ? "Connection: close\r\n" : "");
            answer.thenClose = request.inConnection == 5;
            return answer;
        }});
        const LoadReport report = runOf(taskTo(urlOf(server), 2));
        QVERIFY(allRight(report));
        // 60 requests in fives: 12 connections, or one more where the last rest is split over both.
        const std::uint64_t opened = report.figures.connectionsOpened + report.figures.reconnects;
        QVERIFY2(opened >= 12 && opened <= 14, qPrintable(QString::number(opened)));
        QVERIFY(report.figures.reconnects >= 10);
    }
};

QTEST_APPLESS_MAIN(TestWire)
#include "tst_wire.moc"
