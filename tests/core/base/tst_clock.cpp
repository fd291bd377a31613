#include "core/base/clock.h"

#include <QTest>

using namespace lapbench;

class TestClock : public QObject {
    Q_OBJECT

private slots:
    void aKnownMomentIsWrittenAndReadBack()
    {
        // 1700000000 s since 1970 is 2023-11-14 22:13:20 UTC (date -u -d @1700000000).
        const UtcTime time{std::chrono::milliseconds(1700000000123)};
        QCOMPARE(formatUtc(time), std::string("2023-11-14T22:13:20.123Z"));
        QCOMPARE(formatUtcCompact(time), std::string("20231114T221320Z"));
        QVERIFY(parseUtc("2023-11-14T22:13:20.123Z") == time);
        QVERIFY(parseUtc("2023-11-14T22:13:20Z") == UtcTime{std::chrono::seconds(1700000000)});
    }

    void otherTextsAreNoTime()
    {
        for (const char* text : {"", "yesterday", "2023-11-14", "2023-13-14T22:13:20Z", "2023-11-14T22:13:20+01:00",
                                 "2023-11-14T22:13:20.5", "2023-11-14T25:13:20Z"})
            QVERIFY2(!parseUtc(text), text);
    }

    void steadyTimeDoesNotGoBack()
    {
        const auto before = steadyNs();
        QVERIFY(steadyNs() >= before);
    }
};

QTEST_APPLESS_MAIN(TestClock)
#include "tst_clock.moc"
