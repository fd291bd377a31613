#include "core/workload/answer_check.h"
#include "core/workload/request.h"

#include <QTest>

using namespace lapbench;

namespace {

std::string bytesOf(const Workload& workload, const std::string& basePath = {})
{
    const auto request = prepareRequest(workload, "example.test:81", basePath);
    std::string bytes = request.value().bytes;
    const std::size_t at = bytes.find("User-Agent: lapbench/");
    if (at != std::string::npos)
        bytes.erase(at, bytes.find("\r\n", at) + 2 - at);
    return bytes;
}

} // namespace

class TestRequest : public QObject {
    Q_OBJECT

private slots:
    void aPlainGetCarriesHostAndNameAndNoMore()
    {
        Workload workload;
        workload.path = "/users/1?x=2";
        QCOMPARE(bytesOf(workload), std::string("GET /users/1?x=2 HTTP/1.1\r\nHost: example.test:81\r\n\r\n"));
        QVERIFY(prepareRequest(workload, "a", "").value().bytes.find("\r\nUser-Agent: lapbench/") != std::string::npos);
    }

    void theUrlsOwnPathStandsBefore()
    {
        QCOMPARE(bytesOf(Workload{}, "/base"), std::string("GET /base/ HTTP/1.1\r\nHost: example.test:81\r\n\r\n"));
    }

    void headersOfTheUserReplaceOursWhateverTheirCase()
    {
        Workload workload;
        workload.headers = {{"hOsT", "other:8080"}, {"user-AGENT", "me"}, {"X-MiXeD", "a:b:c"}, {"X-Empty", ""}};
        QCOMPARE(bytesOf(workload), std::string("GET / HTTP/1.1\r\nhOsT: other:8080\r\nuser-AGENT: me\r\n"
                                                "X-MiXeD: a:b:c\r\nX-Empty: \r\n\r\n"));
    }

    void aBodyHasItsLength()
    {
        Workload workload;
        workload.method = "POST";
        workload.body = "a=1";
        QVERIFY(bytesOf(workload).ends_with("\r\nContent-Length: 3\r\n\r\na=1"));
        workload.body.clear();
        QVERIFY(bytesOf(workload).ends_with("\r\nContent-Length: 0\r\n\r\n"));
        workload.headers = {{"content-length", "0"}};
        QVERIFY(bytesOf(workload).ends_with("\r\ncontent-length: 0\r\n\r\n"));
    }

    void whatCannotBeSentIsRefused()
    {
        const auto refused = [](auto change) {
            Workload workload;
            change(workload);
            const auto request = prepareRequest(workload, "a", "");
            return !request.ok() && !request.problem().cure.empty();
        };
        QVERIFY(refused([](Workload& w) { w.method = "GE T"; }));
        QVERIFY(refused([](Workload& w) { w.method = ""; }));
        QVERIFY(refused([](Workload& w) { w.path = "no-slash"; }));
        QVERIFY(refused([](Workload& w) { w.path = "/a b"; }));
        QVERIFY(refused([](Workload& w) { w.path = "/a\r\nX: y"; }));
        QVERIFY(refused([](Workload& w) { w.headers = {{"X-Bad", "a\r\nB: c"}}; }));
        QVERIFY(refused([](Workload& w) { w.headers = {{"X Bad", "a"}}; }));
    }

    void rangesSayWhichStatusIsRight()
    {
        const AnswerCheck usual{Workload{}};
        QVERIFY(usual.isRightStatus(200) && usual.isRightStatus(399));
        QVERIFY(!usual.isRightStatus(199) && !usual.isRightStatus(400));
        QVERIFY(usual.isRightLength(0) && usual.isRightLength(1000));
        Workload workload;
        workload.expectStatus = {{404, 404}, {-5, 2000}};
        workload.expectBytes = 5;
        const AnswerCheck check(workload);
        QVERIFY(check.isRightStatus(404) && check.isRightStatus(0) && check.isRightStatus(999));
        QVERIFY(check.isRightLength(5) && !check.isRightLength(4));
    }
};

QTEST_APPLESS_MAIN(TestRequest)
#include "tst_request.moc"
