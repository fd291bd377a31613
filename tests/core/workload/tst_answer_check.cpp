#include "core/workload/answer_check.h"

#include <QTest>

using namespace lapbench;

class TestAnswerCheck : public QObject {
    Q_OBJECT

private slots:
    void knowsTheRightStatusesAndLength()
    {
        RequestTemplate request;
        request.expectStatus = {{200, 299}, {304, 304}};
        request.expectBytes = 12;
        const AnswerCheck check(request);
        QVERIFY(check.isRightStatus(200) && check.isRightStatus(299) && check.isRightStatus(304));
        QVERIFY(!check.isRightStatus(199) && !check.isRightStatus(300) && !check.isRightStatus(999));
        QVERIFY(check.isRightLength(12) && !check.isRightLength(11));
        QVERIFY(!check.needsBody());
        QVERIFY(AnswerCheck(RequestTemplate{}).isRightLength(0));
    }

    void looksForATextInTheBody()
    {
        RequestTemplate request;
        request.expectContains = "\"ok\"";
        const AnswerCheck check(request);
        QVERIFY(check.needsBody());
        QVERIFY(!check.bodyFault("{\"state\":\"ok\"}"));
        QVERIFY(!check.bodyFault(std::string_view("\0\"ok\"", 5)));
        QCOMPARE(check.bodyFault("{\"state\":\"o\"}").value_or(""), "the body does not hold \"\"ok\"\"");
        QCOMPARE(check.bodyFault("").value_or(""), "the body does not hold \"\"ok\"\"");
    }

    /// The document and the pointers of RFC 6901, section 5, and a few more.
    void comparesTheValueAtAPointer_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("fault");
        QTest::newRow("an element") << "/foo/0"
                                    << "bar"
                                    << "";
        QTest::newRow("an array") << "/foo"
                                  << "[ \"bar\", \"baz\" ]"
                                  << "";
        QTest::newRow("an empty key") << "/"
                                      << "0"
                                      << "";
        QTest::newRow("an escaped slash") << "/a~1b"
                                          << "1"
                                          << "";
        QTest::newRow("a percent sign") << "/c%d"
                                        << "2"
                                        << "";
        QTest::newRow("a backslash") << "/i\\j"
                                     << "5"
                                     << "";
        QTest::newRow("a quote") << "/k\"l"
                                 << "6"
                                 << "";
        QTest::newRow("a blank") << "/ "
                                 << "7"
                                 << "";
        QTest::newRow("an escaped tilde") << "/m~0n"
                                          << "8"
                                          << "";
        QTest::newRow("an escaped tilde before a one") << "/~01"
                                                       << "9"
                                                       << "";
        QTest::newRow("a number with a fraction of zero") << "/m~0n"
                                                          << "8.0"
                                                          << "";
        QTest::newRow("a fraction that is whole") << "/half/0"
                                                  << "42"
                                                  << "";
        QTest::newRow("a large whole number") << "/large"
                                              << "9007199254740993"
                                              << "";
        QTest::newRow("its neighbour") << "/large"
                                       << "9007199254740992"
                                       << "the body has \"9007199254740993\" at /large, not \"9007199254740992\"";
        QTest::newRow("true") << "/yes"
                              << "true"
                              << "";
        QTest::newRow("null") << "/nothing"
                              << "null"
                              << "";
        QTest::newRow("digits as a text") << "/digits"
                                          << "42"
                                          << "";
        QTest::newRow("a text is no number") << "/digits"
                                             << "42.0"
                                             << "the body has \"42\" at /digits, not \"42.0\"";
        QTest::newRow("another text") << "/foo/1"
                                      << "bar"
                                      << "the body has \"baz\" at /foo/1, not \"bar\"";
        QTest::newRow("a word where a number is") << "/"
                                                  << "zero"
                                                  << "the body has \"0\" at /, not \"zero\"";
        QTest::newRow("no such key") << "/fo"
                                     << "1"
                                     << "the body has nothing at /fo";
        QTest::newRow("no such element") << "/foo/2"
                                         << "1"
                                         << "the body has nothing at /foo/2";
        QTest::newRow("the element behind the last") << "/foo/-"
                                                     << "1"
                                                     << "the body has nothing at /foo/-";
        QTest::newRow("an index with a zero before it") << "/foo/00"
                                                        << "bar"
                                                        << "the body has nothing at /foo/00";
        QTest::newRow("a step into a number") << "//x"
                                              << "1"
                                              << "the body has nothing at //x";
    }
    void comparesTheValueAtAPointer()
    {
        constexpr std::string_view kBody =
            "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"i\\\\j\":5,\"k\\\"l\":6,\" \":7,\"m~n\":8,"
            "\"~1\":9,\"half\":[42.0],\"large\":9007199254740993,\"yes\":true,\"nothing\":null,\"digits\":\"42\"}";
        QFETCH(QString, pointer);
        QFETCH(QString, text);
        RequestTemplate request;
        request.expectJson = {{pointer.toStdString(), text.toStdString()}};
        const AnswerCheck check(request);
        QVERIFY(check.needsBody());
        QTEST(QString::fromStdString(check.bodyFault(kBody).value_or("")), "fault");
    }

    void theEmptyPointerIsTheWholeBody()
    {
        RequestTemplate request;
        request.expectJson = {{"", "{\"b\": 2, \"a\": 1}"}};
        QVERIFY(!AnswerCheck(request).bodyFault("{\"a\":1,\"b\":2}"));
        QCOMPARE(AnswerCheck(request).bodyFault("[]").value_or(""),
                 "the body has \"[]\" at its root, not \"{\"b\": 2, \"a\": 1}\"");
    }

    void saysWhatIsNoJson()
    {
        RequestTemplate request;
        request.expectJson = {{"/a", "1"}};
        for (const std::string_view body : {"", "{\"a\":1", "{\"a\":1} x", "<html>", "{\"a\":\"\xff\"}"})
            QCOMPARE(AnswerCheck(request).bodyFault(body).value_or(""), "the body is no JSON");
    }

    /// Each of a million levels would take its share of the stack.
    void anAnswerThatNestsWithoutEndIsRefused()
    {
        constexpr std::size_t kLevels = 1'000'000;
        const std::string lists = "{\"a\":" + std::string(kLevels, '[') + std::string(kLevels, ']') + "}";
        RequestTemplate request;
        request.expectJson = {{"/a", "1"}};
        QCOMPARE(AnswerCheck(request).bodyFault(lists).value_or(""), "the body nests more than 500 levels deep at /a");
        request.expectJson = {{"", "{}"}};
        QCOMPARE(AnswerCheck(request).bodyFault(lists).value_or(""),
                 "the body nests more than 500 levels deep at its root");
        request.expectJson = {{"/a/0/0", "[" + std::string(499, '[') + std::string(499, ']') + "]"}};
        const std::string deep = "{\"a\":" + std::string(502, '[') + std::string(502, ']') + "}";
        QVERIFY(!AnswerCheck(request).bodyFault(deep));
    }

    void allOfSeveralValuesMustBeRight()
    {
        RequestTemplate request;
        request.expectJson = {{"/a", "1"}, {"/b", "2"}};
        QVERIFY(!AnswerCheck(request).bodyFault("{\"a\":1,\"b\":2}"));
        QVERIFY(AnswerCheck(request).bodyFault("{\"a\":1,\"b\":3}").has_value());
        QVERIFY(AnswerCheck(request).bodyFault("{\"a\":2,\"b\":2}").has_value());
    }

    void longTextsAreShownShortAndWhole()
    {
        RequestTemplate request;
        request.expectContains = std::string(59, 'a') + "\xc3\xbc" + "b";
        QCOMPARE(AnswerCheck(request).bodyFault("").value_or(""),
                 "the body does not hold \"" + std::string(59, 'a') + "..\"");
    }
};

QTEST_APPLESS_MAIN(TestAnswerCheck)
#include "tst_answer_check.moc"
