#include "core/result/import/row_time.h"

#include <QTest>

using namespace lapbench;

class TestRowTime : public QObject {
    Q_OBJECT

private slots:
    void timesOfRowsAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("us");
        QTest::addColumn<bool>("isUtc");
        // 1772359200 is 2026-03-01 10:00:00 UTC by date(1)
        QTest::newRow("seconds") << QByteArray("1772359200") << 1772359200e6 << true;
        QTest::newRow("seconds with a fraction") << QByteArray("1772359200.25") << 1772359200.25e6 << true;
        QTest::newRow("milliseconds") << QByteArray("1772359200123") << 1772359200.123e6 << true;
        QTest::newRow("microseconds") << QByteArray("1772359200123456") << 1772359200.123456e6 << true;
        QTest::newRow("nanoseconds") << QByteArray("1772359200123456000") << 1772359200.123456e6 << true;
        QTest::newRow("RFC 3339") << QByteArray("2026-03-01T10:00:00Z") << 1772359200e6 << true;
        QTest::newRow("RFC 3339, east") << QByteArray("2026-03-01T12:00:00.5+02:00") << 1772359200.5e6 << true;
        QTest::newRow("RFC 3339, west") << QByteArray("2026-03-01T04:30:00-05:30") << 1772359200e6 << true;
        QTest::newRow("a clock") << QByteArray("2026-03-01 10:00:00.250") << 1772359200.25e6 << false;
        QTest::newRow("slashes, a comma") << QByteArray(" 2026/03/01 10:00:00,250 ") << 1772359200.25e6 << false;
    }
    void timesOfRowsAreRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(double, us);
        QFETCH(bool, isUtc);
        const auto time = parseRowTime(text.toStdString());
        QVERIFY(time);
        QVERIFY(std::abs(time->us - us) < 1);
        QCOMPARE(time->isUtc, isUtc);
    }

    void whatIsNoTimeIsNothing_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"", "later", "2001/20/20 12:05:05.123", "2026-02-30 10:00:00", "2026-03-01", "2026-03-01 25:00:00",
              "2026-03-01 10:00", "10:00:00", "2026-03-01 10:00:00 noon", "-5", "1.2.3"})
            QTest::newRow(text) << QByteArray(text);
    }
    void whatIsNoTimeIsNothing()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!parseRowTime(text.toStdString()));
    }
};

QTEST_GUILESS_MAIN(TestRowTime)
#include "tst_row_time.moc"
