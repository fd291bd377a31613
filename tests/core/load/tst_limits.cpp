#include "core/load/limits.h"
#include "core/load/transport_choice.h"

#include <QTemporaryDir>
#include <QTest>

#include <curl/curl.h>

#include <filesystem>
#include <fstream>

using namespace lapbench;

namespace {

void writePorts(const QTemporaryDir& proc, const char* range, const char* reserved)
{
    const auto folder = std::filesystem::path(proc.path().toStdString()) / "sys/net/ipv4";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "ip_local_port_range") << range << "\n";
    std::ofstream(folder / "ip_local_reserved_ports") << reserved << "\n";
}

bool has(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestLimits : public QObject {
    Q_OBJECT

private slots:
    void descriptorsAreThoseOfConnectionsPollersAndMultiHandles_data()
    {
        QTest::addColumn<int>("transport");
        QTest::addColumn<bool>("secure");
        QTest::addColumn<int>("http");
        QTest::addColumn<int>("needed");
        // 1000 connections on 2 workers: 3 for each worker, 16 to spare, 2 for each multi handle.
        const int base = 1000 + 6 + 16;
        const int keepAlive = static_cast<int>(TransportKind::keepAlive), curl = static_cast<int>(TransportKind::curl);
        const int one = static_cast<int>(HttpVersion::http1), two = static_cast<int>(HttpVersion::http2);
        QTest::newRow("plain, kept: one multi a worker") << keepAlive << false << one << base + 4;
        // 1000 / 16 = 62 and a rest on each of the two, and the two that look for the server.
        QTest::newRow("curl: one multi for 16") << curl << false << one << base + 2 * (62 + 4);
        QTest::newRow("TLS: one multi a connection") << keepAlive << true << one << base + 2000;
        QTest::newRow("HTTP/2: one multi a connection") << curl << true << two << base + 2000;
    }
    void descriptorsAreThoseOfConnectionsPollersAndMultiHandles()
    {
        QFETCH(int, transport);
        QFETCH(bool, secure);
        QFETCH(int, http);
        QFETCH(int, needed);
        WireOptions options;
        options.http = static_cast<HttpVersion>(http);
        QCOMPARE(descriptorsNeeded({1000, 2, static_cast<TransportKind>(transport), secure, options}),
                 std::uint64_t(needed));
    }

    void portsAreCountedForEachLocalAddress()
    {
        const QTemporaryDir proc;
        writePorts(proc, "40000\t40099", "39000-40009,40050");
        const std::filesystem::path root = proc.path().toStdString();
        WireOptions options;
        const auto problem = [&](unsigned connections) {
            const auto checked = checkPorts({connections, 1, TransportKind::keepAlive, false, options}, root);
            return checked.ok() ? std::string() : format(checked.problem());
        };
        // 100 ports, 10 and 1 of them reserved.
        QCOMPARE(problem(89), std::string());
        QVERIFY2(has(problem(90), "one local address has 89 (40000-40099)"), problem(90).c_str());
        QVERIFY(has(problem(200), "name 3 local addresses with --interface") && has(problem(200), "sysctl"));
        options.interfaces = {"127.0.0.2", "127.0.0.3"};
        QCOMPARE(problem(178), std::string());
        QVERIFY(has(problem(179), "each local address has 89"));
        options.interfaces.clear();
        options.unixSocket = "/tmp/x";
        QCOMPARE(problem(1000), std::string());
    }

    void whereTheRangeCannotBeReadNothingIsWrong()
    {
        const WireOptions options;
        QVERIFY(checkPorts({1'000'000, 1, TransportKind::keepAlive, false, options}, "/nonexistent").ok());
    }

    void theTransportFollowsFromTheOptions()
    {
        WireOptions options;
        const auto choice = [&](bool secure) { return chooseTransport(options, secure).value(); };
        QVERIFY(choice(false) == TransportKind::keepAlive && choice(true) == TransportKind::keepAlive);
        options.followRedirects = true;
        QVERIFY(choice(false) == TransportKind::curl);
        options.followRedirects = false;
        options.proxy = "http://127.0.0.1:1";
        QVERIFY(choice(false) == TransportKind::curl);
        options.proxy.clear();
        options.http = HttpVersion::http2;
        QVERIFY(choice(true) == TransportKind::curl);
        options.http = HttpVersion::http2Knowledge;
        QVERIFY(choice(false) == TransportKind::curl);
        options = {};
        options.transport = TransportKind::curl;
        QVERIFY(choice(false) == TransportKind::curl);
    }

    void whatTheUrlExcludesIsOneSentence()
    {
        WireOptions options;
        const auto sentence = [&](bool secure) {
            const auto choice = chooseTransport(options, secure);
            return choice.ok() ? std::string() : format(choice.problem());
        };
        options.http = HttpVersion::http2;
        QVERIFY(has(sentence(false), "needs an https URL"));
        options.http = HttpVersion::http2Knowledge;
        QVERIFY(has(sentence(true), "prior knowledge"));
        options.http = HttpVersion::http3;
        QVERIFY(has(sentence(false), "HTTP/3 needs an https URL"));
        const curl_version_info_data* libcurl = curl_version_info(CURLVERSION_NOW);
        if ((libcurl->features & CURL_VERSION_HTTP3) == 0)
            QVERIFY(
                has(sentence(true), (std::string("this libcurl (") + libcurl->version + ") has no HTTP/3").c_str()));
    }
};

QTEST_APPLESS_MAIN(TestLimits)
#include "tst_limits.moc"
