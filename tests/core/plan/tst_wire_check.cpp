#include "core/plan/wire_check.h"

#include <QTest>

#include <functional>

using namespace lapbench;

class TestWireCheck : public QObject {
    Q_OBJECT

private slots:
    void whatIsLeftAloneIsRight() { QVERIFY(checkWire({}, "load").empty()); }

    void contradictionsAreToldWithTheirKeyAndACure_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<QString>("key");
        for (std::size_t i = 0; i < rows().size(); ++i)
            QTest::newRow(rows()[i].name) << int(i) << rows()[i].key;
    }
    void contradictionsAreToldWithTheirKeyAndACure()
    {
        QFETCH(int, row);
        QFETCH(QString, key);
        WireOptions options;
        rows()[std::size_t(row)].change(options);
        const Problems problems = checkWire(options, "load");
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(problems.front().path), "load." + key);
        QVERIFY(!problems.front().message.empty() && !problems.front().cure.empty());
    }

    void everyProblemIsToldAtOnce()
    {
        WireOptions options;
        options.ipv4 = options.ipv6 = true;
        options.streams = 2;
        options.key = "k";
        QCOMPARE(checkWire(options, "").size(), std::size_t(3));
        QCOMPARE(checkWire(options, "").front().path, std::string("streams"));
    }

    void overridesAreTakenApart()
    {
        const auto four = parseResolve("name.test:8080:127.0.0.1");
        QVERIFY(four && four->host == "name.test" && four->port == 8080 && four->address == "127.0.0.1");
        const auto six = parseResolve("name.test:443:[::1]");
        QVERIFY(six && six->address == "::1");
        QVERIFY(parseResolve("name.test:443:fe80::1").has_value());
        for (const char* wrong : {"", "name.test", "name.test:80", "name.test:80:", ":80:127.0.0.1", "a:0:127.0.0.1",
                                  "a:99999:127.0.0.1", "a:80:other.test", "a:x:127.0.0.1", "a:80:127.0.0.1.1"})
            QVERIFY2(!parseResolve(wrong), wrong);
    }

private:
    struct Row {
        const char* name;
        const char* key;
        std::function<void(WireOptions&)> change;
    };
    static const std::vector<Row>& rows()
    {
        static const std::vector<Row> kRows = {
            {"keep-alive and HTTP/2", "transport",
             [](WireOptions& o) {
                 o.transport = TransportKind::keepAlive;
                 o.http = HttpVersion::http2;
             }},
            {"keep-alive and redirects", "transport",
             [](WireOptions& o) {
                 o.transport = TransportKind::keepAlive;
                 o.followRedirects = true;
             }},
            {"keep-alive and a proxy", "transport",
             [](WireOptions& o) {
                 o.transport = TransportKind::keepAlive;
                 o.proxy = "http://127.0.0.1:1";
             }},
            {"streams of HTTP/1.1", "streams", [](WireOptions& o) { o.streams = 2; }},
            {"streams of new connections", "streams",
             [](WireOptions& o) {
                 o.http = HttpVersion::http2;
                 o.streams = 2;
                 o.newConnections = true;
             }},
            {"a key without a certificate", "key", [](WireOptions& o) { o.key = "k"; }},
            {"authorities of nothing", "cacert",
             [](WireOptions& o) {
                 o.insecure = true;
                 o.caCert = "c";
             }},
            {"both kinds of address alone", "ipv4", [](WireOptions& o) { o.ipv4 = o.ipv6 = true; }},
            {"an override of nothing", "resolve", [](WireOptions& o) { o.resolve = {"name.test"}; }},
            {"a name as local address", "interface", [](WireOptions& o) { o.interfaces = {"eth0"}; }},
            {"a long path of a socket", "unix_socket", [](WireOptions& o) { o.unixSocket = std::string(108, 'x'); }},
            {"a socket and a local address", "interface",
             [](WireOptions& o) {
                 o.unixSocket = "s";
                 o.interfaces = {"127.0.0.1"};
             }},
            {"a socket and a proxy", "proxy",
             [](WireOptions& o) {
                 o.unixSocket = "s";
                 o.proxy = "http://127.0.0.1:1";
             }},
            {"a proxy of another kind", "proxy", [](WireOptions& o) { o.proxy = "ftp://127.0.0.1"; }},
        };
        return kRows;
    }
};

QTEST_APPLESS_MAIN(TestWireCheck)
#include "tst_wire_check.moc"
