#include "core/load/curl_endpoint.h"
#include "core/load/engine.h"

#include <QTest>

#include <algorithm>

using namespace lapbench;

class TestEndpoint : public QObject {
    Q_OBJECT

private slots:
    void urlsAreTakenApart_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("host");
        QTest::addColumn<int>("port");
        QTest::addColumn<QString>("authority");
        QTest::addColumn<QString>("basePath");
        QTest::newRow("a name") << "http://localhost:8080/"
                                << "localhost" << 8080 << "localhost:8080"
                                << "";
        QTest::newRow("port 80 is not named") << "http://example.test"
                                              << "example.test" << 80 << "example.test"
                                              << "";
        QTest::newRow("port 443 is not named with TLS") << "https://example.test/"
                                                        << "example.test" << 443 << "example.test"
                                                        << "";
        QTest::newRow("port 80 is named with TLS") << "https://example.test:80/"
                                                   << "example.test" << 80 << "example.test:80"
                                                   << "";
        QTest::newRow("an IPv6 literal") << "http://[::1]:9028"
                                         << "::1" << 9028 << "[::1]:9028"
                                         << "";
        QTest::newRow("an IPv6 literal without port") << "http://[::1]/"
                                                      << "::1" << 80 << "[::1]"
                                                      << "";
        QTest::newRow("a zone stays out of Host") << "http://[fe80::1%25lo]:9028/"
                                                  << "fe80::1%lo" << 9028 << "[fe80::1]:9028"
                                                  << "";
        QTest::newRow("a base path") << "http://a:1/x/y/"
                                     << "a" << 1 << "a:1"
                                     << "/x/y";
    }
    void urlsAreTakenApart()
    {
        QFETCH(QString, url);
        QFETCH(QString, host);
        QFETCH(int, port);
        QFETCH(QString, authority);
        QFETCH(QString, basePath);
        const auto endpoint = parseEndpoint(url.toStdString());
        QVERIFY2(endpoint.ok(), qPrintable(url));
        QCOMPARE(QString::fromStdString(endpoint.value().host), host);
        QCOMPARE(int(endpoint.value().port), port);
        QCOMPARE(QString::fromStdString(endpoint.value().authority), authority);
        QCOMPARE(QString::fromStdString(endpoint.value().basePath), basePath);
    }

    void whatCannotBeLoadedIsRefusedWithACure()
    {
        for (const char* url :
             {"", "localhost", "localhost:80", "http://", "http://::1:9028/", "ftp://localhost/",
              "http://me:secret@localhost/", "http://localhost:99999/", "http://a/?x=1", "file:///etc/passwd"}) {
            const auto endpoint = parseEndpoint(url);
            QVERIFY2(!endpoint.ok(), url);
            QVERIFY2(!endpoint.problem().message.empty() && !endpoint.problem().cure.empty(), url);
        }
    }

    void namesAreLookedUpAndPinned()
    {
        Endpoint local = resolveEndpoint(parseEndpoint("http://127.0.0.1:81").value()).value();
        QCOMPARE(local.addresses, std::vector<std::string>{"127.0.0.1"});
        local.host = "name.test";
        local.addresses = {"127.0.0.1", "::1"};
        QCOMPARE(local.pin(), std::string("name.test:81:127.0.0.1,::1"));
        QVERIFY(resolveEndpoint(parseEndpoint("http://[::1]:81").value()).value().pin().empty());
        QVERIFY(!resolveEndpoint(parseEndpoint("http://no-such-host.invalid").value()).ok());
    }

    void localhostStandsForBothLoopbackAddresses()
    {
        const Endpoint local = resolveEndpoint(parseEndpoint("http://localhost:81").value()).value();
        std::vector<std::string> sorted = local.addresses;
        std::sort(sorted.begin(), sorted.end());
        QCOMPARE(sorted, (std::vector<std::string>{"127.0.0.1", "::1"}));
    }

    void aTaskOfNothingIsRefused()
    {
        LoadTask good;
        good.url = "http://127.0.0.1:1";
        good.timeout = good.connectTimeout = std::chrono::seconds(1);
        good.measure.requests = 1;
        const auto refused = [&good](auto change) {
            LoadTask task = good;
            change(task);
            const auto report = runLoad(task, {});
            return !report.ok() && !report.problem().cure.empty();
        };
        QVERIFY(!refused([](LoadTask&) {}));
        QVERIFY(refused([](LoadTask& task) { task.connections = 0; }));
        QVERIFY(refused([](LoadTask& task) { task.threads = 0; }));
        QVERIFY(refused([](LoadTask& task) { task.measure.requests = 0; }));
        QVERIFY(refused([](LoadTask& task) { task.measure.requests.reset(); }));
        QVERIFY(refused([](LoadTask& task) { task.measure.duration = std::chrono::seconds(1); }));
        QVERIFY(refused([](LoadTask& task) { task.timeout = {}; }));
        QVERIFY(refused([](LoadTask& task) { task.workload.path = "x"; }));
        QVERIFY(refused([](LoadTask& task) { task.url = "ftp://127.0.0.1"; }));
    }

    void tooManyConnectionsAreRefusedWithBothNumbers()
    {
        LoadTask task;
        task.url = "http://127.0.0.1:1";
        task.timeout = task.connectTimeout = std::chrono::seconds(1);
        task.measure.requests = 1;
        task.connections = 100'000'000;
        const auto report = runLoad(task, {});
        QVERIFY(!report.ok());
        QVERIFY(report.problem().message.find("100000000 connections need") != std::string::npos);
        QVERIFY(report.problem().message.find("may have") != std::string::npos);
    }

    void automaticThreadsLeaveTheServerRoom()
    {
        QCOMPARE(automaticThreads(1), 1U);
        QVERIFY(automaticThreads(1000) >= 1 && automaticThreads(1000) <= 8);
    }
};

QTEST_APPLESS_MAIN(TestEndpoint)
#include "tst_endpoint.moc"
