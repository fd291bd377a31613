#include "app/cli/comparison.h"
#include "app/cli/fair_work_text.h"

#include <QTest>

#include <algorithm>

using namespace lapbench;

namespace {

FairWork workOf(std::vector<FairFinding> findings)
{
    FairWork work;
    work.probes.resize(2);
    work.probes[0].target = "node";
    work.probes[1].target = "deno";
    work.findings = std::move(findings);
    return work;
}

FairFinding finding(const std::string& severity, const std::string& text)
{
    return {"code", severity, "user", "user", {"deno"}, text};
}

} // namespace

class TestFairWorkText : public QObject {
    Q_OBJECT

private slots:
    void equalWorkIsOneLine()
    {
        QCOMPARE(fairWorkText(workOf({}), "## ", "- "), std::string("The targets did the same work\n\n"));
        QCOMPARE(fairWorkText(workOf({finding("info", "other headers")}), "", ""),
                 std::string("The targets did the same work\n\n"));
    }

    void errorsStandBeforeWarningsAndInformationIsLeftOut()
    {
        const FairWork work =
            workOf({finding("warning", "no Date"), finding("info", "other headers"), finding("error", "shorter")});
        QCOMPARE(fairWorkText(work, "## ", "- "),
                 std::string("## Fair work: the targets did not do the same work\n\n- error: shorter\n"
                             "- warning: no Date\n\n"));
        QCOMPARE(fairWorkText(workOf({finding("warning", "no Date")}), "", ""),
                 std::string("Fair work: the targets did not do quite the same work\n\nwarning: no Date\n\n"));
    }

    void aServerCannotWriteToTheTerminal()
    {
        const std::string text = fairWorkText(workOf({finding("error", "a\x1b[31mb")}), "", "");
        QVERIFY(text.find('\x1b') == std::string::npos);
    }

    void manyFindingsAreCutAndCounted()
    {
        const std::string text = fairWorkText(workOf(std::vector<FairFinding>(15, finding("warning", "w"))), "", "");
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t(2 + 12 + 1 + 1));
        QVERIFY(text.ends_with("and 3 more, in the result under fair_work\n\n"));
    }

    void oneTargetHasNothingToBeComparedWith()
    {
        FairWork work = workOf({});
        work.probes.pop_back();
        QCOMPARE(fairWorkText(work, "", ""), std::string());
        QCOMPARE(fairWorkText(FairWork{}, "", ""), std::string());
    }

    void itStandsBeforeTheTables()
    {
        SessionResult result;
        result.planJson = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p", "title": "Title",
                              "targets": [{"name": "a", "url": "http://127.0.0.1:1"}]})";
        result.fairWork = workOf({finding("error", "shorter")});
        QCOMPARE(comparisonAsText(result).find("Title\n\nFair work: the targets did not do the same work\n\nerror: "
                                               "shorter\n\n"),
                 std::size_t(0));
        QCOMPARE(comparisonAsMarkdown(result).find("# Title\n\n## Fair work: the targets did not do the same work\n\n"
                                                   "- error: shorter\n\n"),
                 std::size_t(0));
        result.fairWork.reset();
        QVERIFY(comparisonAsText(result).find("work") == std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestFairWorkText)
#include "tst_fair_work_text.moc"
