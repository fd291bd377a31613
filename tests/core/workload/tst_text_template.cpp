#include "core/workload/percent_encoding.h"
#include "core/workload/seeded.h"
#include "core/workload/text_template.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <set>

using namespace lapbench;

class TestTextTemplate : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_feeds = std::make_unique<FeedShelf>(m_folder->path().toStdString());
        QFile file(m_folder->filePath("users.csv"));
        const QByteArray text("id,name,note\n1,Z\xc3\xbcrich A&B,plain\n2,50% off,\"two\nlines\"\n3,/a%20b?c=d,x\n");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }

    /// Worked out with Python's whole numbers from SplitMix64 and Lemire's rule: the seed of a request is output NUMBER
    /// of the seed, that of a placeholder is output PLACE of it.
    void randomValuesAreThoseOfSeedNumberAndPlace()
    {
        const auto numbers = made("{{random_int 1 200000}} {{random_int 1 200000}}");
        QCOMPARE(rendered(numbers, 1, 0), "138703 124109");
        QCOMPARE(rendered(numbers, 1, 1), "4866 76282");
        QCOMPARE(rendered(numbers, 1, 5), "50516 98065");
        const auto few = made("{{random_int -3 3}}");
        const QStringList expected = {"-3", "-1", "-2", "-2", "-3", "0"};
        for (int number = 0; number < expected.size(); ++number)
            QCOMPARE(rendered(few, 2, number), expected[number]);
        const auto words = made("{{choice a b c}}");
        QString row;
        for (int number = 0; number < 8; ++number)
            row += rendered(words, 1, number);
        QCOMPARE(row, "cabcbabc");
        QCOMPARE(rendered(made("{{uuid}}"), 1, 0), "b18a02f4-6d8d-46c3-b8c5-b62c83f707e8");
    }

    void randomIntReachesBothEndsAndNothingElse()
    {
        const auto die = made("{{random_int 1 6}}");
        std::set<QString> seen;
        for (int number = 0; number < 1000; ++number)
            seen.insert(rendered(die, 1, number));
        QCOMPARE(seen, (std::set<QString>{"1", "2", "3", "4", "5", "6"}));
    }

    void randomIntTakesTheWholeRangeOf64Bits()
    {
        const auto any = made("{{random_int -9223372036854775808 9223372036854775807}}");
        int negative = 0;
        for (int number = 0; number < 1000; ++number) {
            bool ok = false;
            negative += rendered(any, 1, number).toLongLong(&ok) < 0;
            QVERIFY(ok);
        }
        QVERIFY2(negative > 400 && negative < 600, qPrintable(QString::number(negative))); // 6 standard deviations
        QCOMPARE(rendered(made("{{random_int 9223372036854775807 9223372036854775807}}"), 1, 0), "9223372036854775807");
    }

    void uuidsHaveTheLayoutOfVersion4AndDiffer()
    {
        const auto uuid = made("{{uuid}}");
        const QRegularExpression form("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$");
        std::set<QString> seen;
        for (int number = 0; number < 1000; ++number) {
            const QString text = rendered(uuid, 1, number);
            QVERIFY2(form.match(text).hasMatch(), qPrintable(text));
            seen.insert(text);
        }
        QCOMPARE(seen.size(), 1000u);
    }

    void sequenceCountsTheRequestsOfTheKindFromOne()
    {
        const auto text = made("{{sequence}}/{{sequence}}");
        QCOMPARE(rendered(text, 1, 99, 0), "1/1");
        QCOMPARE(rendered(text, 1, 99, 41), "42/42");
    }

    /// 1,796,049,600 s are 2026-11-30T14:40:00Z (date -ud @1796049600).
    void timesAreThoseOfTheSending()
    {
        const auto text = made("{{now_iso}} {{now_ms}}");
        QVERIFY(text.readsClock());
        QVERIFY(!made("{{uuid}}").readsClock());
        QCOMPARE(rendered(text, 1, 0, 0, 1796049600123), "2026-11-30T14:40:00.123Z 1796049600123");
        QCOMPARE(rendered(text, 1, 0, 0, 0), "1970-01-01T00:00:00.000Z 0");
        QCOMPARE(rendered(text, 1, 0, 0, 951782399009), "2000-02-28T23:59:59.009Z 951782399009");
    }

    void columnsOfOneFileComeFromTheSameRowAndBeginAgain()
    {
        const auto text = made("{{csv users.csv id}}={{csv users.csv note}}");
        QCOMPARE(rendered(text, 1, 0, 0), "1=plain");
        QCOMPARE(rendered(text, 1, 0, 1), "2=two\nlines");
        QCOMPARE(rendered(text, 1, 0, 3), "1=plain");
    }

    void valuesInAPathAreEncodedAsNeeded()
    {
        const auto text = made("{{csv users.csv name}}", TextPlace::path);
        QCOMPARE(rendered(text, 1, 0, 0), "Z%C3%BCrich%20A&B");
        QCOMPARE(rendered(text, 1, 0, 1), "50%25%20off");
        QCOMPARE(rendered(text, 1, 0, 2), "/a%20b?c=d");
        QCOMPARE(rendered(made(R"({{choice "a b"}})", TextPlace::path), 1, 0), "a%20b");
        char encoded[64];
        const char* end = writePercentEncoded(std::string_view("\0\r\n\x7f#\"<>\\^`{|}%%4", 16), encoded);
        QCOMPARE(std::string(static_cast<const char*>(encoded), end),
                 "%00%0D%0A%7F%23%22%3C%3E%5C%5E%60%7B%7C%7D%25%25");
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("cure");
        const QString number = "for example {{random_int 1 100}}";
        QTest::newRow("a slip of the fingers") << "{{random_itn 1 2}}"
                                               << "there is no placeholder {{random_itn}}"
                                               << "did you mean \"random_int\"?";
        QTest::newRow("no name") << "{{ }}"
                                 << "there is no placeholder {{}}"
                                 << "random_int, choice, sequence";
        QTest::newRow("too few words") << "{{random_int 1}}"
                                       << "{{random_int}} takes 2 words and has 1" << number;
        QTest::newRow("too many words") << "{{uuid 4}}"
                                        << "{{uuid}} takes no words and has 1"
                                        << "{{uuid}}";
        QTest::newRow("no choice") << "{{choice}}"
                                   << "{{choice}} takes at least one word and has 0"
                                   << "red green";
        QTest::newRow("no number") << "{{random_int 1 9x}}"
                                   << "\"9x\" in {{random_int}} is no whole number" << number;
        QTest::newRow("a number over 64 bits") << "{{random_int 1 9223372036854775808}}"
                                               << "is no whole number" << number;
        QTest::newRow("the larger first") << "{{random_int 9 1}}"
                                          << "has its larger number first"
                                          << "write {{random_int 1 9}}";
        QTest::newRow("not closed") << "{{uuid"
                                    << "is not closed"
                                    << "}}";
        QTest::newRow("no such file") << "{{csv nobody.csv id}}"
                                      << "nobody.csv\": cannot be read"
                                      << "check the name";
        QTest::newRow("no such column") << "{{csv users.csv nmae}}"
                                        << "the data file \"users.csv\" has no column \"nmae\""
                                        << "did you mean \"name\"?";
        QTest::newRow("a line break for a header") << "{{csv users.csv note}}"
                                                   << "has a line break in row 2"
                                                   << "a header is one line";
        QTest::newRow("a word with a line break") << "{{choice \"a\r\nb\"}}"
                                                  << "holds a line break"
                                                  << "a header is one line";
    }
    void saysWhatIsWrong()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        QFETCH(QString, cure);
        unsigned place = 0;
        const auto result = TextTemplate::compile(text.toStdString(), TextPlace::header, *m_feeds, place);
        QVERIFY(!result);
        const QString said = QString::fromStdString(result.problem().message);
        QVERIFY2(said.contains(message), qPrintable(said));
        QVERIFY2(QString::fromStdString(result.problem().cure).contains(cure), result.problem().cure.c_str());
    }

    void knowsWhatIsConstantAndHowLongItGets()
    {
        QVERIFY(made("").isConstant());
        QVERIFY(made(R"(/a\{{b)").isConstant());
        QCOMPARE(rendered(made(R"(/a\{{b)"), 1, 0), "/a{{b");
        QVERIFY(!made("/{{sequence}}").isConstant());
        QCOMPARE(made("ab{{choice x yyy zz}}").longest(), 5u);
        QCOMPARE(made("{{csv users.csv id}}", TextPlace::path).longest(), 3u);
        for (const char* text : {"{{random_int -9223372036854775808 -9223372036854775808}}", "{{uuid}}", "{{now_iso}}"})
            QCOMPARE(made(text).longest(), std::size_t(rendered(made(text), 1, 0).size()));
    }

    void knowsWhetherItAlwaysBeginsWithASlash()
    {
        QVERIFY(made("/{{uuid}}").alwaysBeginsWith('/'));
        QVERIFY(made("{{choice /a /b}}").alwaysBeginsWith('/'));
        QVERIFY(!made("{{choice /a b}}").alwaysBeginsWith('/'));
        QVERIFY(!made("{{csv users.csv name}}").alwaysBeginsWith('/'));
        QVERIFY(!made("{{uuid}}").alwaysBeginsWith('/'));
        QVERIFY(!made("").alwaysBeginsWith('/'));
    }

    void templatesCanBeJoined()
    {
        TextTemplate text = made("a{{sequence}}b");
        text.append("c");
        text.append(made("d{{sequence}}"));
        text.append(" ");
        text.appendBodyLength();
        QCOMPARE(rendered(text, {0, 6, {}, 1234}), "a7bcd7 1234");
    }

private:
    TextTemplate made(const std::string& text, TextPlace where = TextPlace::body)
    {
        unsigned place = 0;
        auto result = TextTemplate::compile(text, where, *m_feeds, place);
        if (!result)
            qFatal("%s", format(result.problem()).c_str());
        return std::move(result).value();
    }

    static QString rendered(const TextTemplate& text, std::uint64_t seed, int number, std::uint64_t occurrence = 0,
                            std::int64_t ms = 0)
    {
        const UtcTime now{std::chrono::milliseconds(ms)};
        return rendered(text, {splitMix64(seed, std::uint64_t(number)), occurrence, now, 0});
    }
    static QString rendered(const TextTemplate& text, const RequestPoint& point)
    {
        std::string out(text.longest(), '\0');
        const auto length = text.render(point, out.data()) - out.data();
        return QString::fromUtf8(out.data(), length);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FeedShelf> m_feeds;
};

QTEST_APPLESS_MAIN(TestTextTemplate)
#include "tst_text_template.moc"
