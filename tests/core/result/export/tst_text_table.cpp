#include "core/result/export/text_table.h"

#include <QTest>

using namespace lapbench;

class TestTextTable : public QObject {
    Q_OBJECT

private slots:
    void columnsAreAligned()
    {
        const TextTable table{{"target", "req/s", "p50 ms"}, {{"Grüße", "18.1k", "3.18"}, {"日本", "9", "-"}}};
        QCOMPARE(formatAligned(table), std::string("target  req/s  p50 ms\n"
                                                   "─────────────────────\n"
                                                   "Grüße   18.1k    3.18\n"
                                                   "日本        9       -\n"));
    }

    void markdownIsEscaped()
    {
        const TextTable table{{"target", "req/s"}, {{"a|b*c", "1"}}};
        QCOMPARE(formatMarkdown(table), std::string("| target | req/s |\n| --- | ---: |\n| a\\|b\\*c | 1 |\n"));
    }

    void markdownShowsTextsAsTheyAre()
    {
        QCOMPARE(escapedMarkdown("<script>alert(1)</script>"), std::string("\\<script>alert(1)\\</script>"));
        QCOMPARE(escapedMarkdown("p99 <= 10 ms & more"), std::string("p99 <= 10 ms & more"));
        QCOMPARE(escapedMarkdown("## a"), std::string("\\## a"));
        QCOMPARE(escapedMarkdown("- a"), std::string("\\- a"));
        QCOMPARE(escapedMarkdown("> a"), std::string("\\> a"));
        QCOMPARE(escapedMarkdown("12. a_b"), std::string("12\\. a\\_b"));
        QCOMPARE(escapedMarkdown("---"), std::string("\\---"));
        for (const char* plain : {"-", ">= 2.00 s", "1.50", "-1", "4 targets", "#1", "2", ""})
            QCOMPARE(escapedMarkdown(plain), std::string(plain));
        QCOMPARE(escapedMarkdown("&lt;b"), std::string("&amp;lt;b"));
        QCOMPARE(escapedMarkdown("[a](b) ![c]\nd"), std::string("\\[a\\](b) !\\[c\\] d"));
        // As the text of an image, CommonMark 6.4: a closing bracket without a backslash would end it.
        QCOMPARE("![" + escapedMarkdown("bars: x](http:") + "](a.svg)", std::string("![bars: x\\](http:](a.svg)"));
        QCOMPARE(escapedMarkdown("~~~"), std::string("\\~\\~\\~"));
        QCOMPARE(escapedMarkdown("~~a~~"), std::string("\\~\\~a\\~\\~"));
    }

    void aFormulaIsHarmlessInASpreadsheet()
    {
        const TextTable table{{"a", "b"}, {{"=HYPERLINK(\"x\",\"y\")", "-1.5"}, {"@SUM(1)", "-1e-7"}, {"+1+1", "-x"}}};
        QCOMPARE(formatCsv(table),
                 std::string("a,b\n\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\",-1.5\n'@SUM(1),-1e-7\n'+1+1,'-x\n"));
    }

    void csvLinesMayEndAsTheStandardSays()
    {
        QCOMPARE(formatCsv({{"a", "b"}, {{"1", "2"}}}, "\r\n"), std::string("a,b\r\n1,2\r\n"));
    }

    void csvIsQuotedWhereItMustBe()
    {
        const TextTable table{{"a", "b"}, {{"x,y", "say \"hi\""}, {"plain", "1.5"}}};
        QCOMPARE(formatCsv(table), std::string("a,b\n\"x,y\",\"say \"\"hi\"\"\"\nplain,1.5\n"));
    }
};

QTEST_APPLESS_MAIN(TestTextTable)
#include "tst_text_table.moc"
