#include "core/result/import/measure_text.h"

#include <QTest>

using namespace lapbench;

namespace {

constexpr double kNothing = -1;

QByteArray styleName(NumberStyle style)
{
    return style == NumberStyle::comma ? "comma" : "point";
}

} // namespace

class TestMeasureText : public QObject {
    Q_OBJECT

private slots:
    void numbersAreReadInBothStyles_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("comma");
        QTest::addColumn<double>("value");
        const auto row = [](const char* text, bool comma, double value) {
            QTest::addRow("%s%s", text, comma ? " (comma)" : "") << QString(text) << comma << value;
        };
        row("1045", false, 1045);
        row(" 205.68 ", false, 205.68);
        row("1,234,567.5", false, 1234567.5);
        row("1.234.567,5", true, 1234567.5);
        row("205,68", true, 205.68);
        row("1 234 567", false, 1234567);
        row("1\u202f234,5", true, 1234.5);
        row("12'345.6", false, 12345.6);
        row("1_000", false, 1000);
        row("1.93978908932e+06", false, 1939789.08932);
        row("1e3", false, 1000);
        row("-5", false, -5);
        row("+5", false, 5);
        row("1,23", false, kNothing);
        row("1234,567", false, kNothing);
        row("1,2345", false, kNothing);
        row("12.5.1", false, kNothing);
        for (const char* none : {"", "-", ".", "nan", "-nan%", "inf", "1e999", "12x", "0x10", "1e", "1 23", "5%"})
            row(none, false, kNothing);
    }
    void numbersAreReadInBothStyles()
    {
        QFETCH(QString, text);
        QFETCH(bool, comma);
        QFETCH(double, value);
        const auto number = parseNumber(text.toStdString(), comma ? NumberStyle::comma : NumberStyle::point);
        QCOMPARE(number.has_value(), value != kNothing);
        if (number)
            QCOMPARE(*number, value);
    }

    void wholeNumbersHaveNoFractionAndNoSign()
    {
        QCOMPARE(parseWhole("22,464,657").value(), std::uint64_t{22464657});
        QCOMPARE(parseWhole("9007199254740992").value(), std::uint64_t{9007199254740992});
        for (const char* none : {"1.5", "-1", "9007199254740993000", "", "nan", "12 requests"})
            QVERIFY2(!parseWhole(none), none);
    }

    void timesHaveUnits_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("us");
        const auto row = [](const char* text, double us) { QTest::newRow(text) << QString(text) << us; };
        row("635.91us", 635.91);
        row("635.91\u00b5s", 635.91);
        row("635.91\u03bcs", 635.91);
        row("0.89ms", 890);
        row("250ns", 0.25);
        row("36.00s", 36e6);
        row("1.00m", 60e6);
        row("0.90m", 54e6);
        row("83.33m", 4999.8e6);
        row("2.00h", 7200e6);
        row("10m0s", 600e6);
        row("1h2m3.4s", 3723.4e6);
        row("5.9440 secs", 5944000);
        row("2.875 seconds", 2875000);
        for (const char* none : {"12", "", "-", "ms", "12 parsecs", "1s2", "1.2.3ms", "nans"})
            row(none, kNothing);
    }
    void timesHaveUnits()
    {
        QFETCH(QString, text);
        QFETCH(double, us);
        const auto time = parseTimeUs(text.toStdString());
        QCOMPARE(time.has_value(), us != kNothing);
        if (time)
            QCOMPARE(*time, us);
    }

    void bytesAreAThousandOr1024()
    {
        QCOMPARE(parseBytes("46.03MB", 1024).value(), 46.03 * 1024 * 1024);
        QCOMPARE(parseBytes("46.03MB", 1000).value(), 46030000.0);
        QCOMPARE(parseBytes("3.36 MiB", 1000).value(), 3.36 * 1024 * 1024);
        QCOMPARE(parseBytes("606.33K", 1000).value(), 606330.0);
        QCOMPARE(parseBytes("2.33GB", 1024).value(), 2.33 * 1024 * 1024 * 1024);
        QCOMPARE(parseBytes("512B", 1024).value(), 512.0);
        QCOMPARE(parseBytes("5 bytes", 1024).value(), 5.0);
        for (const char* none : {"5", "", "MB", "5XB", "5MBit", "5MB/s"})
            QVERIFY2(!parseBytes(none, 1024), none);
    }

    void countsAreScaledByAThousand()
    {
        QCOMPARE(parseScaled("748.87k").value(), 748870.0);
        QCOMPARE(parseScaled("1.2M").value(), 1200000.0);
        QCOMPARE(parseScaled("12").value(), 12.0);
        QVERIFY(!parseScaled("1.2X"));
        QVERIFY(!parseScaled("1.2kk"));
    }

    void theStyleIsToldByNumbersThatCanOnlyBeReadOneWay_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("style");
        QTest::newRow("points") << "Latency 12.34ms, 205.68 a second" << styleName(NumberStyle::point);
        QTest::newRow("commas") << "Latency 12,34ms, 205,68 a second" << styleName(NumberStyle::comma);
        QTest::newRow("groups of three tell nothing") << "1,234 requests, 5,678 bytes" << styleName(NumberStyle::point);
        QTest::newRow("groups and fraction") << "1.234,5 and 2.345,75" << styleName(NumberStyle::comma);
        QTest::newRow("less than one") << "0,125 s" << styleName(NumberStyle::comma);
        QTest::newRow("versions and addresses tell nothing")
            << "2.4.57 at 127.0.0.1, 0,5 s" << styleName(NumberStyle::comma);
        QTest::newRow("lists of numbers tell nothing") << "1,2,3,4" << styleName(NumberStyle::point);
        QTest::newRow("none") << "" << styleName(NumberStyle::point);
    }
    void theStyleIsToldByNumbersThatCanOnlyBeReadOneWay()
    {
        QFETCH(QString, text);
        QFETCH(QByteArray, style);
        QCOMPARE(styleName(numberStyleOf(text.toStdString())), style);
    }

    void linesAndWords()
    {
        using Views = std::vector<std::string_view>;
        QCOMPARE(linesOf("a\n\nb"), (Views{"a", "", "b"}));
        QCOMPARE(linesOf("a\n"), (Views{"a"}));
        QVERIFY(linesOf("").empty());
        QCOMPARE(wordsOf("  a\t b "), (Views{"a", "b"}));
        QCOMPARE(afterLabel("  Requests/sec:   12 ", "Requests/sec:").value(), std::string_view("12"));
        QVERIFY(!afterLabel("All Requests/sec: 12", "Requests/sec:"));
    }
};

QTEST_APPLESS_MAIN(TestMeasureText)
#include "tst_measure_text.moc"
