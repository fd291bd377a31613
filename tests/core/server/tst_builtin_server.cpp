#include "core/base/clock.h"
#include "core/server/builtin_server.h"
#include "tests/core/server/raw_client.h"

#include <QTest>

#include <sys/resource.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

using namespace lapbench;

class TestBuiltinServer : public QObject {
    Q_OBJECT

    static std::unique_ptr<BuiltinServer> startServer(unsigned threads = 1)
    {
        auto server = BuiltinServer::start(0, threads);
        return server ? std::move(server).value() : nullptr;
    }
    static double msSince(std::int64_t startNs) { return static_cast<double>(steadyNs() - startNs) / 1e6; }

private slots:
    void theRootIsTwelveBytesWithADateOverAKeptConnection()
    {
        const auto server = startServer();
        RawClient client(server->port());
        for (int i = 0; i < 3; ++i) {
            const std::string answer = client.get("/");
            QVERIFY(answer.starts_with("HTTP/1.1 200 OK\r\n"));
            QVERIFY(answer.find("\r\nDate: ") != std::string::npos);
            QVERIFY(answer.find(" GMT\r\n") != std::string::npos);
            QVERIFY(answer.find("Connection:") == std::string::npos);
            QCOMPARE(RawClient::bodyOf(answer).size(), std::size_t(12));
        }
        QCOMPARE(server->answered(), std::uint64_t(3));
    }

    void bytesAreExactlyAsManyAsAskedFor_data()
    {
        QTest::addColumn<std::size_t>("size");
        QTest::newRow("none") << std::size_t(0);
        QTest::newRow("one") << std::size_t(1);
        QTest::newRow("one piece") << std::size_t(65536);
        QTest::newRow("one more than a piece") << std::size_t(65537);
        QTest::newRow("more than the socket takes at once") << std::size_t(20'000'000);
    }
    void bytesAreExactlyAsManyAsAskedFor()
    {
        QFETCH(std::size_t, size);
        const auto server = startServer();
        RawClient client(server->port());
        const std::string answer = client.get("/bytes/" + std::to_string(size));
        QVERIFY(answer.find("Content-Length: " + std::to_string(size) + "\r\n") != std::string::npos);
        QCOMPARE(RawClient::bodyOf(answer).size(), size);
        QCOMPARE(RawClient::bodyOf(client.get("/")).size(), std::size_t(12));
    }

    void chunksAddUpAndEnd_data() { bytesAreExactlyAsManyAsAskedFor_data(); }
    void chunksAddUpAndEnd()
    {
        QFETCH(std::size_t, size);
        const auto server = startServer();
        RawClient client(server->port());
        client.send("GET /chunked/" + std::to_string(size) + " HTTP/1.1\r\nHost: test\r\n\r\n");
        QVERIFY(client.readHead().find("Transfer-Encoding: chunked\r\n") != std::string::npos);
        std::size_t sum = 0;
        for (;;) {
            const std::string line = client.readUntil("\r\n");
            const std::size_t length = std::stoul(line, nullptr, 16);
            QCOMPARE(client.readBytes(length).size(), length);
            QCOMPARE(client.readUntil("\r\n"), std::string("\r\n"));
            sum += length;
            if (length == 0)
                break;
        }
        QCOMPARE(sum, size);
        QCOMPARE(RawClient::bodyOf(client.get("/")).size(), std::size_t(12));
    }

    void aUserIsAboutOneKilobyteOfJson()
    {
        const auto server = startServer();
        RawClient client(server->port());
        const std::string body = RawClient::bodyOf(client.get("/users/4711"));
        QVERIFY2(body.size() > 1100 && body.size() < 1300, std::to_string(body.size()).c_str());
        const auto json = nlohmann::json::parse(body, nullptr, false);
        QCOMPARE(json.value("id", 0), 4711);
        QCOMPARE(json.at("roles").size(), std::size_t(12));
        QVERIFY(client.get("/users/none").starts_with("HTTP/1.1 404 "));
    }

    void statusCodesAreAsAskedFor()
    {
        const auto server = startServer();
        RawClient client(server->port());
        QVERIFY(client.get("/status/500").starts_with("HTTP/1.1 500 Internal Server Error\r\n"));
        QVERIFY(client.get("/status/204").starts_with("HTTP/1.1 204 No Content\r\n"));
        QVERIFY(client.get("/status/304").starts_with("HTTP/1.1 304 "));
        QVERIFY(client.get("/status/99").starts_with("HTTP/1.1 404 "));
        QVERIFY(client.get("/no/such/path").starts_with("HTTP/1.1 404 "));
        QVERIFY(client.get("/bytes/99999999999").starts_with("HTTP/1.1 404 "));
        QVERIFY(client.get("/?with=query").starts_with("HTTP/1.1 200 "));
    }

    void headHasTheHeadersAndNoBody()
    {
        const auto server = startServer();
        RawClient client(server->port());
        client.send("HEAD /bytes/70000 HTTP/1.1\r\nHost: test\r\n\r\n");
        QVERIFY(client.readHead().find("Content-Length: 70000\r\n") != std::string::npos);
        QVERIFY(client.get("/").starts_with("HTTP/1.1 200 "));
    }

    void theConnectionClosesWhereItShould_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<bool>("closes");
        QTest::newRow("/close") << QByteArray("GET /close HTTP/1.1\r\nHost: t\r\n\r\n") << true;
        QTest::newRow("asked to close") << QByteArray("GET / HTTP/1.1\r\nConnection: close\r\n\r\n") << true;
        QTest::newRow("HTTP/1.0") << QByteArray("GET / HTTP/1.0\r\n\r\n") << true;
        QTest::newRow("HTTP/1.0 kept") << QByteArray("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n") << false;
        QTest::newRow("HTTP/1.1") << QByteArray("GET / HTTP/1.1\r\nHost: t\r\n\r\n") << false;
    }
    void theConnectionClosesWhereItShould()
    {
        QFETCH(QByteArray, request);
        QFETCH(bool, closes);
        const auto server = startServer();
        RawClient client(server->port());
        client.send(request.toStdString());
        const std::string head = client.readHead();
        QVERIFY(head.starts_with("HTTP/1.1 200 "));
        QCOMPARE(client.readBytes(12).size(), std::size_t(12));
        QCOMPARE(head.find("Connection: close\r\n") != std::string::npos, closes);
        if (closes)
            QCOMPARE(client.readToEnd(), std::string());
        else
            QVERIFY(client.get("/").starts_with("HTTP/1.1 200 "));
    }

    void anOldClientGetsNoChunks()
    {
        const auto server = startServer();
        RawClient client(server->port());
        client.send("GET /chunked/100 HTTP/1.0\r\n\r\n");
        const std::string answer = client.readToEnd();
        QVERIFY(answer.find("chunked") == std::string::npos);
        QCOMPARE(RawClient::bodyOf(answer), std::string(100, 'x'));
    }

    void echoReturnsTheBody_data()
    {
        QTest::addColumn<bool>("chunked");
        QTest::newRow("with a length") << false;
        QTest::newRow("in chunks") << true;
    }
    void echoReturnsTheBody()
    {
        QFETCH(bool, chunked);
        const auto server = startServer();
        RawClient client(server->port());
        std::string body(300'000, '\0');
        for (std::size_t i = 0; i < body.size(); ++i)
            body[i] = static_cast<char>(i * 31);
        std::string request = "POST /echo HTTP/1.1\r\nHost: t\r\n";
        if (chunked)
            request += "Transfer-Encoding: chunked\r\n\r\n493e0\r\n" + body + "\r\n0\r\n\r\n";
        else
            request += "Content-Length: 300000\r\n\r\n" + body;
        std::thread sender([&] { client.send(request); });
        const std::string head = client.readHead();
        const std::string back = client.readBytes(RawClient::contentLength(head));
        sender.join();
        QVERIFY(back == body);
        QVERIFY(client.get("/").starts_with("HTTP/1.1 200 "));
    }

    void aClientThatAsksFirstIsToldToContinue()
    {
        const auto server = startServer();
        RawClient client(server->port());
        client.send("POST /echo HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
        QCOMPARE(client.readHead(), std::string("HTTP/1.1 100 Continue\r\n\r\n"));
        client.send("abc");
        QVERIFY(client.readHead().starts_with("HTTP/1.1 200 "));
        QCOMPARE(client.readBytes(3), std::string("abc"));
    }

    void badRequestsAreAnsweredAndTheConnectionCloses_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<QByteArray>("status");
        QTest::newRow("no HTTP") << QByteArray("what is this\r\n\r\n") << QByteArray("400");
        QTest::newRow("TLS") << QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) << QByteArray("400");
        QTest::newRow("two lengths") << QByteArray(
                                            "POST /echo HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n")
                                     << QByteArray("400");
        QTest::newRow("long body announced")
            << QByteArray("POST /echo HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n") << QByteArray("413");
        QTest::newRow("long target") << "GET /" + QByteArray(20'000, 'a') + " HTTP/1.1\r\n\r\n" << QByteArray("414");
        QTest::newRow("long head") << "GET / HTTP/1.1\r\nX: " + QByteArray(90'000, 'a') << QByteArray("431");
        QTest::newRow("proxy tunnel") << QByteArray("CONNECT example:443 HTTP/1.1\r\n\r\n") << QByteArray("405");
    }
    void badRequestsAreAnsweredAndTheConnectionCloses()
    {
        QFETCH(QByteArray, request);
        QFETCH(QByteArray, status);
        const auto server = startServer();
        RawClient client(server->port());
        client.send(request.toStdString());
        const std::string answer = client.readToEnd();
        QVERIFY2(answer.starts_with("HTTP/1.1 " + status.toStdString() + " "), answer.c_str());
        QVERIFY(answer.find("Connection: close\r\n") != std::string::npos);
        RawClient next(server->port());
        QVERIFY(next.get("/").starts_with("HTTP/1.1 200 "));
    }

    void aBodyThatGrowsTooLongIsRefused()
    {
        const auto server = startServer();
        RawClient client(server->port());
        client.send("POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
        const std::string chunk = "100000\r\n" + std::string(0x100000, 'b') + "\r\n";
        for (int i = 0; i < 17; ++i)
            client.send(chunk);
        QVERIFY(client.readHead().starts_with("HTTP/1.1 413 "));
    }

    void pipelinedRequestsAreAnsweredInOrder()
    {
        const auto server = startServer();
        RawClient client(server->port());
        client.send("GET /delay/30 HTTP/1.1\r\n\r\nGET /status/201 HTTP/1.1\r\n\r\nGET /bytes/200000 HTTP/1.1\r\n\r\n"
                    "GET /count HTTP/1.1\r\n\r\n");
        QVERIFY(client.readHead().starts_with("HTTP/1.1 200 "));
        QCOMPARE(client.readBytes(12).size(), std::size_t(12));
        const std::string head = client.readHead();
        QVERIFY(head.starts_with("HTTP/1.1 201 "));
        client.readBytes(RawClient::contentLength(head));
        QVERIFY(client.readHead().starts_with("HTTP/1.1 200 "));
        QCOMPARE(client.readBytes(200'000).size(), std::size_t(200'000));
        client.readHead();
        QCOMPARE(client.readBytes(1), std::string("3"));
    }

    void aRequestInSinglePiecesIsAnswered()
    {
        const auto server = startServer();
        RawClient client(server->port());
        for (const char c : std::string("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nok"))
            client.send(std::string(1, c));
        QVERIFY(client.readHead().starts_with("HTTP/1.1 200 "));
        QCOMPARE(client.readBytes(2), std::string("ok"));
    }

    void aClientThatStopsSendingStillGetsItsAnswer()
    {
        const auto server = startServer();
        RawClient client(server->port());
        client.send("GET /delay/20 HTTP/1.1\r\n\r\n");
        client.finishSending();
        QCOMPARE(RawClient::bodyOf(client.readToEnd()).size(), std::size_t(12));
    }

    void manyDelaysRunBesideEachOther()
    {
        const auto server = startServer();
        constexpr int kClients = 200;
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < kClients; ++i)
            clients.push_back(std::make_unique<RawClient>(server->port()));
        const std::int64_t start = steadyNs();
        for (auto& client : clients)
            client->send("GET /delay/100 HTTP/1.1\r\n\r\n");
        for (auto& client : clients)
            QVERIFY(client->readHead().starts_with("HTTP/1.1 200 "));
        const double ms = msSince(start);
        QVERIFY2(ms >= 100 && ms < 0.5 * kClients * 100, std::to_string(ms).c_str());
    }

    void aStallHoldsTheWholeServer_data()
    {
        QTest::addColumn<unsigned>("threads");
        QTest::newRow("one thread") << 1u;
        QTest::newRow("three threads") << 3u;
    }
    void aStallHoldsTheWholeServer()
    {
        QFETCH(unsigned, threads);
        const auto server = startServer(threads);
        std::vector<std::unique_ptr<RawClient>> others;
        for (int i = 0; i < 6; ++i) {
            others.push_back(std::make_unique<RawClient>(server->port()));
            QVERIFY(others.back()->get("/").starts_with("HTTP/1.1 200 "));
        }
        RawClient client(server->port());
        QVERIFY(client.get("/").starts_with("HTTP/1.1 200 "));
        std::int64_t start = steadyNs();
        QVERIFY(client.get("/stall/150").starts_with("HTTP/1.1 200 "));
        QVERIFY(msSince(start) >= 150);
        client.send("GET /stall/300 HTTP/1.1\r\n\r\n");
        // A request of another client is answered either before the stall has begun or after it has ended.
        start = steadyNs();
        std::vector<double> tookMs;
        while (msSince(start) < 250) {
            for (auto& other : others) {
                const std::int64_t asked = steadyNs();
                QVERIFY(other->get("/").starts_with("HTTP/1.1 200 "));
                tookMs.push_back(msSince(asked));
            }
        }
        QVERIFY(*std::max_element(tookMs.begin(), tookMs.end()) >= 200);
        QVERIFY(client.readHead().starts_with("HTTP/1.1 200 "));
    }

    void theCountIsExactOverThreadsAndConnections()
    {
        const auto server = startServer(3);
        constexpr int kClients = 8;
        constexpr int kRequests = 250;
        std::vector<std::thread> threads;
        for (int i = 0; i < kClients; ++i)
            threads.emplace_back([&] {
                RawClient client(server->port());
                for (int n = 0; n < kRequests; ++n)
                    client.get(n % 10 == 0 ? "/count" : "/users/7");
            });
        for (auto& thread : threads)
            thread.join();
        constexpr std::uint64_t kExpected = kClients * (kRequests - kRequests / 10);
        QCOMPARE(server->answered(), kExpected);
        RawClient client(server->port());
        QCOMPARE(RawClient::bodyOf(client.get("/count")), std::to_string(kExpected));
    }

    void aTakenPortIsAProblemThatNamesIt()
    {
        const auto server = startServer();
        const auto second = BuiltinServer::start(server->port());
        QVERIFY(!second.ok());
        QCOMPARE(second.problem().path, "127.0.0.1:" + std::to_string(server->port()));
        QVERIFY(!second.problem().cure.empty());
    }

    void onlyLoopbackIsServed()
    {
        const auto server = startServer();
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(server->port());
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
        QVERIFY(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0);
        ::close(fd);
    }

    void runningOutOfDescriptorsRefusesClientsAndRecovers()
    {
        const auto server = startServer();
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        const int highest = ::dup(0);
        ::close(highest);
        rlimit small = before;
        small.rlim_cur = static_cast<rlim_t>(highest) + 20;
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &small), 0);
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < 10; ++i)
            clients.push_back(std::make_unique<RawClient>(server->port()));
        // Ten clients and their ten server ends use the limit up; one socket is freed for the one that is refused.
        while (!clients.empty() && !clients.back()->connected())
            clients.pop_back();
        RawClient refused(server->port());
        QVERIFY(refused.connected());
        QCOMPARE(refused.get("/"), std::string());
        ::setrlimit(RLIMIT_NOFILE, &before);
        RawClient client(server->port());
        QVERIFY(client.get("/").starts_with("HTTP/1.1 200 "));
    }

    void aServerWithOpenConnectionsAndTimersStops()
    {
        auto server = startServer(2);
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < 10; ++i) {
            clients.push_back(std::make_unique<RawClient>(server->port()));
            clients.back()->send(i == 5 ? "GET /stall/60000 HTTP/1.1\r\n\r\n" : "GET /delay/60000 HTTP/1.1\r\n\r\n");
        }
        const std::int64_t start = steadyNs();
        server.reset();
        QVERIFY(msSince(start) < 5000);
    }
};

QTEST_APPLESS_MAIN(TestBuiltinServer)
#include "tst_builtin_server.moc"
