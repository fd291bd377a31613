#include "core/base/clock.h"
#include "core/load/curl_tls_opener.h"
#include "core/load/curl_trust.h"
#include "tests/support/wire_server.h"

#include <QTest>

#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

using namespace lapbench;
using namespace lapbench::test;

namespace {

constexpr std::string_view kRequest = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
constexpr unsigned kConnections = 6;

/// All that an opener rests on, for a server on this machine.
class Opening {
public:
    Opening(const WireServer& server, const Certificates* tls)
        : m_poller(Poller::make().value()), m_script(RequestScript::compile({}, {"localhost", "", {}, 1}).value())
    {
        startCurl();
        m_options.ipv4 = true;
        const std::string scheme = tls != nullptr ? "https" : "http";
        m_endpoint =
            resolveEndpoint(parseEndpoint(scheme + "://localhost:" + std::to_string(server.port())).value(), m_options)
                .value();
        if (tls != nullptr) {
            m_options.caCert = tls->authority();
            m_trust = CurlTrust::load(m_options, m_negotiated).value();
        }
        m_setup.emplace(WireTask{m_endpoint, m_script, m_options, m_trust.get(), m_negotiated, kConnections});
        m_opener = makeOpener(m_poller, m_sockets, 0, *m_setup, kConnections);
    }

    /// Opens connections for these slots; as many as that come, within 10 s.
    std::vector<Opened> open(unsigned first, unsigned count)
    {
        for (unsigned slot = first; slot < first + count; ++slot)
            m_opener->ask(slot);
        std::vector<Opened> opened;
        const std::int64_t deadlineNs = steadyNs() + 10'000'000'000;
        while (opened.size() < count && steadyNs() < deadlineNs) {
            for (const epoll_event& event :
                 m_poller.wait(steadyNs(), std::min(m_opener->dueNs(), steadyNs() + 50'000'000)))
                m_opener->onSocket(event);
            m_opener->onTime(steadyNs());
            const std::vector<Opened>& now = m_opener->collect();
            opened.insert(opened.end(), now.begin(), now.end());
        }
        return opened;
    }
    void endOpener() { m_opener.reset(); }

private:
    Poller m_poller;
    RequestScript m_script;
    WireOptions m_options;
    Endpoint m_endpoint;
    Negotiated m_negotiated;
    std::unique_ptr<CurlTrust> m_trust;
    std::optional<CurlSetup> m_setup;
    CurlSockets m_sockets;
    std::unique_ptr<Opener> m_opener;
};

bool send(const Opened& opened)
{
    const ssize_t sent = opened.tls != nullptr ? opened.tls->send(kRequest.data(), kRequest.size())
                                               : ::send(opened.fd, kRequest.data(), kRequest.size(), MSG_NOSIGNAL);
    return sent == ssize_t(kRequest.size());
}

bool hasInput(const Opened& opened)
{
    pollfd one{opened.fd, POLLIN, 0};
    return ::poll(&one, 1, 10'000) == 1;
}

/// The answer, which may come after records of TLS that are not for us.
std::string answer(const Opened& opened)
{
    std::string text(4096, '\0');
    const std::int64_t deadlineNs = steadyNs() + 10'000'000'000;
    while (steadyNs() < deadlineNs) {
        const ssize_t got = opened.tls != nullptr ? opened.tls->recv(text.data(), text.size())
                                                  : ::recv(opened.fd, text.data(), text.size(), 0);
        if (got >= 0)
            return text.substr(0, std::size_t(got));
        if (errno != EAGAIN)
            return std::strerror(errno);
        hasInput(opened);
    }
    return "nothing";
}

} // namespace

class TestOpener : public QObject {
    Q_OBJECT

    const Certificates m_files;

private slots:
    void openingOneLeavesOthersWithInputAlone_data()
    {
        QTest::addColumn<bool>("secure");
        QTest::newRow("plain") << false;
        QTest::newRow("over TLS") << true;
    }
    /// libcurl closes kept connections with something to read, and idle ones after 118 s, when it opens another.
    void openingOneLeavesOthersWithInputAlone()
    {
        QFETCH(bool, secure);
        const WireServer server({.tls = secure ? &m_files : nullptr});
        Opening opening(server, secure ? &m_files : nullptr);
        const std::vector<Opened> first = opening.open(0, kConnections - 1);
        QCOMPARE(first.size(), std::size_t(kConnections - 1));
        for (const Opened& opened : first) {
            QVERIFY(!opened.failure && opened.fd >= 0);
            QCOMPARE(opened.tls != nullptr, secure);
            QVERIFY(send(opened) && hasInput(opened));
        }
        QTest::qWait(1100); // libcurl looks for dead connections once a second
        const std::vector<Opened> last = opening.open(kConnections - 1, 1);
        QCOMPARE(last.size(), std::size_t(1));
        for (const Opened& opened : first)
            QVERIFY(answer(opened).ends_with("hello"));
        QTRY_COMPARE(server.connections(), std::uint64_t(kConnections));
        QCOMPARE(server.open(), std::uint64_t(kConnections));
        if (!secure)
            for (const auto* list : {&first, &last})
                for (const Opened& opened : *list)
                    ::close(opened.fd);
    }

    void withinTheMachineCongestionIsNotControlledAtACost()
    {
        const WireServer server({});
        Opening opening(server, nullptr);
        const std::vector<Opened> all = opening.open(0, 1);
        QCOMPARE(all.size(), std::size_t(1));
        std::array<char, 16> name{};
        socklen_t size = name.size();
        QCOMPARE(::getsockopt(all[0].fd, IPPROTO_TCP, TCP_CONGESTION, name.data(), &size), 0);
        QCOMPARE(std::string(name.data()), std::string("reno"));
        ::close(all[0].fd);
    }

    void nothingOfAPlainConnectionStaysInLibcurl()
    {
        const WireServer server({});
        Opening opening(server, nullptr);
        const std::vector<Opened> all = opening.open(0, kConnections);
        QCOMPARE(all.size(), std::size_t(kConnections));
        opening.endOpener(); // and with it the multi handle and all that it holds
        for (const Opened& opened : all) {
            QVERIFY(send(opened));
            QVERIFY(answer(opened).ends_with("hello"));
            ::close(opened.fd);
        }
    }

    void aClosedChannelOpensAnew()
    {
        const WireServer server({.tls = &m_files});
        Opening opening(server, &m_files);
        for (unsigned turn = 1; turn <= 3; ++turn) {
            const std::vector<Opened> one = opening.open(0, 1);
            QCOMPARE(one.size(), std::size_t(1));
            QVERIFY(send(one.front()) && answer(one.front()).ends_with("hello"));
            one.front().tls->close();
            QCOMPARE(server.connections(), std::uint64_t(turn));
        }
        QTRY_COMPARE(server.open(), std::uint64_t(0));
    }
};

QTEST_APPLESS_MAIN(TestOpener)
#include "tst_opener.moc"
