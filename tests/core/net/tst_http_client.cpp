#include "core/net/http_client.h"
#include "tests/support/odd_server.h"
#include "tests/support/wire_server.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lapbench;
using namespace std::chrono_literals;
using lapbench::test::Certificates;
using lapbench::test::Odd;
using lapbench::test::OddServer;
using lapbench::test::SeenRequest;
using lapbench::test::WireAnswer;
using lapbench::test::WireServer;

class TestHttpClient : public QObject {
    Q_OBJECT

    static HttpRequest get(const std::string& url)
    {
        HttpRequest request;
        request.url = url;
        return request;
    }
    static std::string urlOf(const WireServer& server, const std::string& scheme = "http")
    {
        return scheme + "://127.0.0.1:" + std::to_string(server.port()) + "/";
    }

private slots:
    void theAnswerIsShownAsItCame()
    {
        const OddServer server("HTTP/1.1 200 OK\r\nX-One: 1\r\nx-one:  two words \r\nTransfer-Encoding: chunked\r\n"
                               "Content-Encoding: gzip\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: t\r\n\r\n",
                               false);
        const auto answer = HttpClient({}).exchange(get(server.url()));
        QVERIFY2(answer.ok(), answer.ok() ? "" : format(answer.problem()).c_str());
        QCOMPARE(answer.value().status, 200);
        QCOMPARE(answer.value().version, std::string("1.1"));
        QCOMPARE(answer.value().body, std::string("abcde"));
        const HttpHeaders headers = {
            {"X-One", "1"}, {"x-one", "two words"}, {"Transfer-Encoding", "chunked"}, {"Content-Encoding", "gzip"}};
        QVERIFY(answer.value().headers == headers);
    }

    void interimAnswersAreLeftOut()
    {
        const OddServer server(Odd::early);
        const auto answer = HttpClient({}).exchange(get(server.url()));
        QVERIFY(answer.ok());
        QCOMPARE(answer.value().status, 200);
        QCOMPARE(answer.value().headers.size(), std::size_t(1));
    }

    void nothingIsAddedToTheRequest()
    {
        const WireServer server(WireServer::Options{});
        HttpRequest request = get(urlOf(server));
        request.target = "/a/../b?x=%20#f";
        request.method = "PUT";
        request.headers = {{"Host", "name.test"}, {"X-Empty", ""}, {"Content-Length", "3"}};
        request.body = "abc";
        QVERIFY(HttpClient({}).exchange(request).ok());
        QVERIFY(HttpClient({}).exchange(get(urlOf(server))).ok());
        const std::vector<SeenRequest> seen = server.seen();
        QCOMPARE(seen[0].head, std::string("PUT /a/../b?x=%20#f HTTP/1.1\r\nHost: name.test\r\nX-Empty:\r\n"
                                           "Content-Length: 3"));
        QCOMPARE(seen[0].body, std::string("abc"));
        QCOMPARE(seen[1].head, "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()));
    }

    void anAnswerToHeadHasNoBody()
    {
        const OddServer server(Odd::headOnly);
        HttpRequest request = get(server.url());
        request.method = "HEAD";
        const auto answer = HttpClient({}).exchange(request);
        QVERIFY(answer.ok());
        QVERIFY(answer.value().body.empty());
    }

    void aKeptConnectionIsUsedAgain()
    {
        const OddServer keeps(Odd::ok);
        HttpClient client({});
        QVERIFY(!client.exchange(get(keeps.url())).value().reused);
        QVERIFY(client.exchange(get(keeps.url())).value().reused);
        QCOMPARE(keeps.connections(), std::uint64_t(1));
    }

    void aClosedConnectionIsOpenedAgain_data()
    {
        QTest::addColumn<Odd>("how");
        QTest::newRow("announced") << Odd::close;
        QTest::newRow("not announced") << Odd::quietClose;
        QTest::newRow("at the next request") << Odd::onceEach;
        QTest::newRow("HTTP/1.0") << Odd::http10;
    }
    void aClosedConnectionIsOpenedAgain()
    {
        QFETCH(Odd, how);
        const OddServer server(how);
        HttpClient client({});
        const auto first = client.exchange(get(server.url()));
        QVERIFY(first.ok());
        QCOMPARE(first.value().version, std::string(how == Odd::http10 ? "1.0" : "1.1"));
        const auto second = client.exchange(get(server.url()));
        QVERIFY2(second.ok(), second.ok() ? "" : format(second.problem()).c_str());
        QVERIFY(!second.value().reused);
    }

    void decodingIsDoneWhereItIsAskedForAndAsksForNothing()
    {
        // printf hello | gzip -n
        static const std::string kHello("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86"
                                        "\xa6\x10\x36\x05\x00\x00\x00",
                                        25);
        WireServer::Options options;
        options.answer = [](const SeenRequest&) { return WireServer::hello("Content-Encoding: gzip\r\n", kHello); };
        const WireServer server(std::move(options));
        HttpClient client({});
        HttpRequest request = get(urlOf(server));
        QCOMPARE(client.exchange(request).value().body, kHello);
        request.decode = true;
        QCOMPARE(client.exchange(request).value().body, std::string("hello"));
        for (const SeenRequest& seen : server.seen())
            QVERIFY(seen.head.find("Accept-Encoding") == std::string::npos);
    }

    void tlsChecksTheServerAndShowsTheClient()
    {
        const Certificates certificates;
        WireServer::Options options;
        options.tls = &certificates;
        options.asksForClient = true;
        const WireServer server(std::move(options));
        QVERIFY(!HttpClient({}).exchange(get(urlOf(server, "https"))).ok());
        HttpWay way;
        way.caCert = certificates.authority();
        way.cert = certificates.client();
        way.key = certificates.clientKey();
        const auto answer = HttpClient(way).exchange(get(urlOf(server, "https")));
        QVERIFY2(answer.ok(), answer.ok() ? "" : format(answer.problem()).c_str());
        QCOMPARE(server.seen().back().client, std::string("the client"));
        way.caCert.clear();
        way.insecure = true;
        QVERIFY(HttpClient(way).exchange(get(urlOf(server, "https"))).ok());
    }

    void namesAreOverriddenAndSocketsTaken()
    {
        const OddServer server(Odd::ok);
        const std::string port = std::to_string(server.port());
        HttpWay way;
        way.resolve = {"nowhere.test:" + port + ":127.0.0.1"};
        way.localAddress = "127.0.0.1";
        way.ipv4 = true;
        const auto answer = HttpClient(way).exchange(get("http://nowhere.test:" + port + "/"));
        QVERIFY2(answer.ok(), answer.ok() ? "" : format(answer.problem()).c_str());

        QTemporaryDir folder;
        WireServer::Options options;
        options.unixPath = folder.filePath("s").toStdString();
        const WireServer socket(options);
        HttpWay other;
        other.unixSocket = options.unixPath;
        QVERIFY(HttpClient(other).exchange(get("http://localhost/")).ok());
        QCOMPARE(socket.seen().size(), std::size_t(1));
    }

    void redirectsAreFollowedWhereThatIsAskedFor()
    {
        WireServer::Options options;
        options.answer = [](const SeenRequest& seen) {
            if (seen.head.starts_with("GET /there "))
                return WireServer::hello("X-There: 1\r\n");
            return WireAnswer{"HTTP/1.1 302 Found\r\nX-Here: 1\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"};
        };
        const WireServer server(std::move(options));
        HttpRequest request = get(urlOf(server));
        request.target = "/";
        QCOMPARE(HttpClient({}).exchange(request).value().status, 302);
        HttpWay way;
        way.followRedirects = true;
        const HttpAnswer answer = HttpClient(way).exchange(request).value();
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.headers.back().first, std::string("X-There"));
        QCOMPARE(answer.headers.size(), std::size_t(2));
    }

    void garbageIsAProblem()
    {
        const OddServer server(Odd::garbage);
        const auto answer = HttpClient({}).exchange(get(server.url()));
        QVERIFY(!answer.ok());
        QVERIFY(!answer.problem().message.empty());
    }
};

QTEST_APPLESS_MAIN(TestHttpClient)
#include "tst_http_client.moc"
