#include "core/server/line_splitter.h"

#include <QTest>

#include <string>
#include <vector>

using namespace lapbench;

class TestLineSplitter : public QObject {
    Q_OBJECT

    /// The lines of a stream that comes in pieces of `size` bytes.
    static std::vector<std::string> linesOf(const std::string& text, std::size_t size)
    {
        std::vector<std::string> lines;
        LineSplitter splitter;
        const auto keep = [&](std::string line) { lines.push_back(std::move(line)); };
        for (std::size_t at = 0; at < text.size(); at += size)
            splitter.feed(std::string_view(text).substr(at, size), keep);
        splitter.finish(keep);
        return lines;
    }

private slots:
    void linesAreTheSameHoweverTheStreamIsCut_data()
    {
        QTest::addColumn<std::size_t>("size");
        QTest::newRow("byte by byte") << std::size_t(1);
        QTest::newRow("in sevens") << std::size_t(7);
        QTest::newRow("at once") << std::size_t(1000);
    }
    void linesAreTheSameHoweverTheStreamIsCut()
    {
        QFETCH(std::size_t, size);
        QCOMPARE(linesOf("one\ntwo\r\n\nfour", size), (std::vector<std::string>{"one", "two", "", "four"}));
        QCOMPARE(linesOf("end\n", size), (std::vector<std::string>{"end"}));
        QCOMPARE(linesOf("", size), std::vector<std::string>());
    }

    void aLongLineIsCutAndTheNextIsWhole()
    {
        const auto lines = linesOf(std::string(1'000'000, 'a') + "\nnext", 65536);
        QCOMPARE(lines.size(), std::size_t(2));
        QCOMPARE(lines[0], std::string(LineSplitter::kMaxLine, 'a'));
        QCOMPARE(lines[1], std::string("next"));
    }

    void linesAreValidUtf8_data()
    {
        QTest::addColumn<QByteArray>("raw");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("two, three and four bytes")
            << QByteArray("\u00e4\u20ac\U0001F600") << QByteArray("\u00e4\u20ac\U0001F600");
        QTest::newRow("Latin-1") << QByteArray("gr\xfc\xdf") << QByteArray("gr??");
        QTest::newRow("cut short") << QByteArray("a\xe2\x82") << QByteArray("a??");
        QTest::newRow("overlong") << QByteArray("\xc0\xaf") << QByteArray("??");
        QTest::newRow("a surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("???");
        QTest::newRow("beyond the last") << QByteArray("\xf4\x90\x80\x80") << QByteArray("????");
    }
    void linesAreValidUtf8()
    {
        QFETCH(QByteArray, raw);
        QFETCH(QByteArray, line);
        QCOMPARE(linesOf(raw.toStdString(), 100), std::vector<std::string>{line.toStdString()});
    }

    void coloursAndControlCharactersAreLeftOut()
    {
        QCOMPARE(linesOf("\x1b[1m\x1b[31merror\x1b[0m: a\tb\x07\x7f", 100), std::vector<std::string>{"error: a\tb"});
        QCOMPARE(linesOf(std::string("a\0b\x1b", 4), 100), std::vector<std::string>{"ab"});
        QCOMPARE(linesOf("cut \x1b[38;5", 100), std::vector<std::string>{"cut "});
    }
};

QTEST_APPLESS_MAIN(TestLineSplitter)
#include "tst_line_splitter.moc"
