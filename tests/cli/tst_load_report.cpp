#include "app/cli/load_report.h"
#include "tests/support/made_trials.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::madeTrial;

namespace {

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestLoadReport : public QObject {
    Q_OBJECT

private slots:
    void aTrialIsTold()
    {
        const std::string text = formatTrial(madeTrial("http://127.0.0.1:1/", 1, 18123));
        QVERIFY(contains(text, "64 connections, 8 streams each, 2 threads, keep-alive"));
        QVERIFY(contains(text, "3 right, 2 failed, 1 unfinished"));
        QVERIFY(contains(text, "Requests/s   18.1k"));
        QVERIFY(contains(text, ">= 2.00 s"));
        QVERIFY(contains(text, "2 unexpected_status (check), first at 0.250 s: status 500"));
        QVERIFY(contains(text, "answered HTTP/1.1 500 Oops"));
        QVERIFY(contains(text, "0.410 cores, 9.50 us a request, 12.0 MB"));
        QVERIFY(contains(text, "0.970 cores, peak RSS 64.0 MB"));
    }
};

QTEST_APPLESS_MAIN(TestLoadReport)
#include "tst_load_report.moc"
