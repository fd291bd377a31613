#include "core/base/shown_text.h"

#include <QTest>

using namespace lapbench;

class TestShownText : public QObject {
    Q_OBJECT

private slots:
    void widthIsWhatATerminalShows_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("width");
        QTest::newRow("empty") << QByteArray("") << 0;
        QTest::newRow("ASCII") << QByteArray("abc") << 3;
        QTest::newRow("two bytes a letter") << QByteArray("Grüße") << 5;
        QTest::newRow("wide letters") << QByteArray("日本") << 4;
        QTest::newRow("an emoji") << QByteArray("🚀") << 2;
        QTest::newRow("a combining accent") << QByteArray("e\xcc\x81") << 1;
        QTest::newRow("no UTF-8") << QByteArray("\xff\xfe") << 2;
        QTest::newRow("cut off") << QByteArray("a\xe6\x97") << 2;
    }
    void widthIsWhatATerminalShows()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, width);
        QCOMPARE(int(displayWidth(text.toStdString())), width);
    }

    void controlCharactersDoNotReachTheTerminal()
    {
        QCOMPARE(withoutControls("a\x1b[31mb\x7f\xc2\x9b"
                                 "c"),
                 std::string("a?[31mb??c"));
        QCOMPARE(withoutControls("a\r\nb\n\tc"), std::string("a b c"));
        QCOMPARE(withoutControls("Grüße 日本"), std::string("Grüße 日本"));
    }

    void whatTurnsTheReadingOrderIsShownInstead()
    {
        // U+202E RIGHT-TO-LEFT OVERRIDE, U+2067 RIGHT-TO-LEFT ISOLATE and U+2069, which ends it: UAX 9, table 1.
        QCOMPARE(withoutControls("a\xe2\x80\xae"
                                 "evil\xe2\x81\xa7x\xe2\x81\xa9"),
                 std::string("a?evil?x?"));
        QCOMPARE(withoutControls("a\xe2\x80\xa8"
                                 "b"),
                 std::string("a b"));
        QCOMPARE(withoutControls("שלום\xe2\x80\x8f"), std::string("שלום\xe2\x80\x8f"));
    }

    void longTextsAreCutToTheColumns()
    {
        QCOMPARE(fitted("abcdef", 6), std::string("abcdef"));
        QCOMPARE(fitted("abcdefg", 6), std::string("abcde…"));
        QCOMPARE(fitted("日本語", 5), std::string("日本…"));
    }
};

QTEST_APPLESS_MAIN(TestShownText)
#include "tst_shown_text.moc"
