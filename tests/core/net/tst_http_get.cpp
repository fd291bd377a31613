#include "core/net/http_get.h"
#include "core/server/builtin_server.h"

#include <QTest>

using namespace lapbench;
using namespace std::chrono_literals;

class TestHttpGet : public QObject {
    Q_OBJECT

    std::unique_ptr<BuiltinServer> m_server;
    std::string url(const std::string& target) const
    {
        return "http://127.0.0.1:" + std::to_string(m_server->port()) + target;
    }

private slots:
    void init() { m_server = std::move(BuiltinServer::start(0)).value(); }

    void theAnswerHasStatusAndBody()
    {
        const auto answer = httpGet({url("/count")});
        QVERIFY(answer.ok());
        QCOMPARE(answer.value().status, 200);
        QCOMPARE(answer.value().body, std::string("0"));
        QCOMPARE(httpGet({url("/status/503")}).value().status, 503);
        QCOMPARE(m_server->answered(), std::uint64_t(1));
    }

    void aLongBodyIsCutAtTheLimit()
    {
        const auto cut = httpGet({url("/bytes/5000000"), 5s, 1000});
        QVERIFY(cut.ok());
        QCOMPARE(cut.value().status, 200);
        QCOMPARE(cut.value().body.size(), std::size_t(1000));
        QVERIFY(cut.value().cut);
        const auto whole = httpGet({url("/bytes/1000"), 5s, 1000});
        QCOMPARE(whole.value().body.size(), std::size_t(1000));
        QVERIFY(!whole.value().cut);
    }

    void aSlowAnswerIsAProblemAtTheTimeLimit()
    {
        const std::int64_t before = steadyNs();
        QVERIFY(!httpGet({url("/delay/30000"), 100ms}).ok());
        QVERIFY(Nanoseconds(steadyNs() - before) < 20s);
    }

    void givingUpBreaksTheExchangeOff()
    {
        const std::int64_t before = steadyNs();
        const auto answer = httpGet({url("/delay/30000"), 30s}, [&] { return steadyNs() - before > 50'000'000; });
        QVERIFY(!answer.ok());
        QVERIFY(Nanoseconds(steadyNs() - before) < 20s);
    }

    void noServerIsAProblemThatSaysSo()
    {
        const std::string gone = url("/");
        m_server.reset();
        const auto answer = httpGet({gone});
        QVERIFY(!answer.ok());
        QCOMPARE(answer.problem().path, gone);
        QVERIFY(!answer.problem().message.empty());
    }

    void aProxyOfTheEnvironmentIsNotUsed()
    {
        qputenv("http_proxy", "http://127.0.0.1:1");
        const auto answer = httpGet({url("/")});
        qunsetenv("http_proxy");
        QVERIFY(answer.ok());
    }

    void onlyHttpIsSpoken() { QVERIFY(!httpGet({"file:///etc/hostname"}).ok()); }
};

QTEST_APPLESS_MAIN(TestHttpGet)
#include "tst_http_get.moc"
