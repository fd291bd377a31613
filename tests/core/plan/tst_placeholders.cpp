#include "core/plan/placeholders.h"

#include <QTest>

using namespace lapbench;

namespace {

/// The parts as one line: plain text as it stands, placeholders as <word|word>.
QString shown(const std::string& text)
{
    const auto parts = splitPlaceholders(text);
    if (!parts)
        return "problem: " + QString::fromStdString(parts.problem().message);
    QString line;
    for (const TextPart& part : parts.value()) {
        QStringList words;
        for (const std::string& word : part.words)
            words.append(QString::fromStdString(word));
        line += part.isPlaceholder ? "<" + words.join('|') + ">" : QString::fromStdString(part.plain);
    }
    return line;
}

} // namespace

class TestPlaceholders : public QObject {
    Q_OBJECT

private slots:
    void splitsATextAtItsPlaceholders_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("parts");
        QTest::newRow("an empty text") << ""
                                       << "";
        QTest::newRow("a plain text") << "/users/42?a={b}"
                                      << "/users/42?a={b}";
        QTest::newRow("one in the middle") << "/u/{{random_int 1 9}}/x"
                                           << "/u/<random_int|1|9>/x";
        QTest::newRow("two side by side") << "{{uuid}}{{sequence}}"
                                          << "<uuid><sequence>";
        QTest::newRow("blanks around the words") << "{{  choice  a\tb }}"
                                                 << "<choice|a|b>";
        QTest::newRow("quotes keep blanks") << R"({{choice "a b" c}})"
                                            << "<choice|a b|c>";
        QTest::newRow("quotes keep braces") << R"({{choice "}}" c}})"
                                            << "<choice|}}|c>";
        QTest::newRow("quotes keep quotes and backslashes") << R"({{choice "a\"b\\"}})"
                                                            << R"(<choice|a"b\>)";
        QTest::newRow("an empty word") << R"({{choice "" a}})"
                                       << "<choice||a>";
        QTest::newRow("braces of JSON behind one") << R"({"a":{"b":{{sequence}}}})"
                                                   << R"({"a":{"b":<sequence>}})";
        QTest::newRow("a backslash makes it plain") << R"(\{{uuid}} {{uuid}})"
                                                    << "{{uuid}} <uuid>";
        QTest::newRow("other backslashes stand") << R"(a\nb\\{{x)"
                                                 << R"(a\nb\{{x)";
        QTest::newRow("no words") << "{{}}"
                                  << "<>";
    }
    void splitsATextAtItsPlaceholders()
    {
        QFETCH(QString, text);
        QTEST(shown(text.toStdString()), "parts");
    }

    void masksWhatIsNotPlain_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("masked");
        QTest::newRow("a plain text") << "/a?b#c"
                                      << "/a?b#c";
        QTest::newRow("one in the middle") << "/a/{{choice \"}}#\"}}/b"
                                           << "/a/xxxxxxxxxxxxxxxxx/b";
        QTest::newRow("one behind a plain one") << "\\{{uuid}}{{uuid}} "
                                                << "\\{{uuid}}xxxxxxxx ";
        QTest::newRow("one that is not closed") << "/a {{uuid } "
                                                << "/a xxxxxxxxx";
    }
    void masksWhatIsNotPlain()
    {
        QFETCH(QString, text);
        QTEST(QString::fromStdString(maskPlaceholders(text.toStdString())), "masked");
    }

    void saysWhatIsNotClosed()
    {
        QCOMPARE(shown("/users/{{random_int 1 9}"), "problem: the placeholder \"{{random_int 1 9}\" is not closed");
        QCOMPARE(shown("a{{"), "problem: the placeholder \"{{\" is not closed");
        QCOMPARE(shown("{{choice \"a b}}"), "problem: a quote in the placeholder \"{{choice \"a b}}\" is not closed");
    }
};

QTEST_APPLESS_MAIN(TestPlaceholders)
#include "tst_placeholders.moc"
