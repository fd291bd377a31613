#include "core/base/units.h"

#include <QTest>

#include <limits>

using namespace lapbench;

class TestUnits : public QObject {
    Q_OBJECT

private slots:
    void durationsAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("nanos");
        QTest::newRow("milliseconds") << "250ms" << qint64(250'000'000);
        QTest::newRow("seconds") << "3s" << qint64(3'000'000'000);
        QTest::newRow("a fraction of a minute") << "1.5m" << qint64(90'000'000'000);
        QTest::newRow("hours") << "2h" << qint64(7'200'000'000'000);
        QTest::newRow("zero") << "0s" << qint64(0);
        QTest::newRow("ten microseconds") << "0.01ms" << qint64(10'000);
    }
    void durationsAreRead()
    {
        QFETCH(QString, text);
        QFETCH(qint64, nanos);
        const auto duration = parseDuration(text.toStdString());
        QVERIFY(duration.ok());
        QCOMPARE(qint64(duration.value().count()), nanos);
        QVERIFY(parseDuration(formatDuration(duration.value())).value() == duration.value());
    }

    void wrongDurationsAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "10", "-1s", "-0.5ms", "ten s", "10 s", "10sec", "1e3s", "nan", "inf s", "infs", "1001h"})
            QTest::newRow(*text ? text : "empty") << text;
    }
    void wrongDurationsAreRefused()
    {
        QFETCH(QString, text);
        const auto duration = parseDuration(text.toStdString());
        QVERIFY(!duration.ok());
        QVERIFY(!duration.problem().cure.empty());
    }

    void sharesAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("share");
        QTest::addColumn<QString>("shown");
        QTest::newRow("percent") << "2%" << 0.02 << "2%";
        QTest::newRow("a fraction of a percent") << "0.1%" << 0.001 << "0.1%";
        QTest::newRow("a number") << "0.07" << 0.07 << "7%";
        QTest::newRow("zero") << "0" << 0.0 << "0%";
        QTest::newRow("one part in a million") << "0.0001%" << 0.000001 << "0.0001%";
        QTest::newRow("one part in ten millions") << "0.0000001" << 0.0000001 << "0.00001%";
        QTest::newRow("many digits") << "1.23456789%" << 0.0123456789 << "1.23456789%";
        QTest::newRow("the whole") << "1" << 1.0 << "100%";
    }
    void sharesAreRead()
    {
        QFETCH(QString, text);
        QFETCH(double, share);
        QFETCH(QString, shown);
        const auto read = parseShare(text.toStdString());
        QVERIFY(read.ok() && read.value() == share);
        QCOMPARE(QString::fromStdString(formatShare(share)), shown);
        QVERIFY(parseShare(formatShare(share)).value() == share);
    }

    void everySmallShareIsReadBackEqual()
    {
        for (int i = 0; i <= 100'000; ++i) {
            const double share = i / 1e5;
            QVERIFY2(parseShare(formatShare(share)).value() == share, formatShare(share).c_str());
        }
    }

    void wrongSharesAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "%", "-1%", "-0.1", "two", "2 %", "2%%", "2e-2", "nan", "inf%", "2s"})
            QTest::newRow(*text ? text : "empty") << text;
    }
    void wrongSharesAreRefused()
    {
        QFETCH(QString, text);
        const auto share = parseShare(text.toStdString());
        QVERIFY(!share.ok() && !share.problem().cure.empty());
    }

    void countsAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<quint64>("count");
        QTest::newRow("plain") << "100000" << quint64(100000);
        QTest::newRow("thousands") << "100k" << quint64(100000);
        QTest::newRow("a fraction of a million") << "1.2M" << quint64(1200000);
        QTest::newRow("zero") << "0" << quint64(0);
    }
    void countsAreRead()
    {
        QFETCH(QString, text);
        QFETCH(quint64, count);
        QCOMPARE(quint64(parseCount(text.toStdString()).value()), count);
    }

    void wrongCountsAreRefused()
    {
        for (const char* text : {"", "-1", "1.5", "0.0001k", "10K", "many", "1e6", "9999999999999999999"})
            QVERIFY2(!parseCount(text).ok(), text);
    }

    void numbersKeepThreeFigures_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("thousands") << 18123.0 << "18100";
        QTest::newRow("below one") << 0.9934 << "0.993";
        QTest::newRow("rounds up a place") << 9.996 << "10.0";
        QTest::newRow("small") << 0.012345 << "0.0123";
        QTest::newRow("zero") << 0.0 << "0.00";
        QTest::newRow("negative") << -12.345 << "-12.3";
    }
    void numbersKeepThreeFigures()
    {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(formatSignificant(value)), text);
    }

    void numbersAtEitherEndOfWhatADoubleHoldsAreWritten()
    {
        QCOMPARE(formatSignificant(std::numeric_limits<double>::max()).size(), std::size_t(309));
        QCOMPARE(formatSignificant(std::numeric_limits<double>::denorm_min()), std::string("0.00"));
        QCOMPARE(formatSignificant(1e-299).substr(0, 5), std::string("0.000"));
    }

    void quantitiesChooseTheirUnit()
    {
        QCOMPARE(formatShareRounded(0.03125), std::string("3.13 %"));
        QCOMPARE(formatShareRounded(0.2), std::string("20.0 %"));
        QCOMPARE(formatCounted(1, "trial"), std::string("1 trial"));
        QCOMPARE(formatCounted(0, "trial"), std::string("0 trials"));
        QCOMPARE(formatRate(18123), std::string("18.1k"));
        QCOMPARE(formatRate(999.4), std::string("999"));
        QCOMPARE(formatRate(999.6), std::string("1.00k"));
        QCOMPARE(formatRate(1.2345e6), std::string("1.23M"));
        QCOMPARE(formatLatencyUs(812), std::string("812 us"));
        QCOMPARE(formatLatencyUs(3180), std::string("3.18 ms"));
        QCOMPARE(formatLatencyUs(2e6), std::string("2.00 s"));
        QCOMPARE(formatBytes(61.4e6), std::string("61.4 MB"));
        QCOMPARE(formatBytes(12), std::string("12 B"));
        QCOMPARE(formatRemaining(std::chrono::seconds(185)), std::string("3 min 5 s"));
        QCOMPARE(formatRemaining(std::chrono::minutes(70)), std::string("1 h 10 min"));
    }
};

QTEST_APPLESS_MAIN(TestUnits)
#include "tst_units.moc"
