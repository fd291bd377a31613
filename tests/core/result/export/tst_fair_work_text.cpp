#include "core/result/export/fair_work_text.h"
#include "core/result/export/session_text.h"

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
        for (const auto& findings : {std::vector<FairFinding>{}, {finding("info", "other headers")}}) {
            const auto told = fairWorkTold(workOf(findings));
            QVERIFY(told && told->equal && told->lines.empty());
            QCOMPARE(told->headline, std::string("The targets did the same work"));
        }
    }

    void errorsStandBeforeWarningsAndInformationIsLeftOut()
    {
        const auto told = fairWorkTold(
            workOf({finding("warning", "no Date"), finding("info", "other headers"), finding("error", "shorter")}));
        QVERIFY(told && !told->equal);
        QCOMPARE(told->headline, std::string("Fair work: the targets did not do the same work"));
        QCOMPARE(told->lines, (std::vector<std::string>{"error: shorter", "warning: no Date"}));
        QCOMPARE(fairWorkTold(workOf({finding("warning", "no Date")}))->headline,
                 std::string("Fair work: the targets did not do quite the same work"));
    }

    void aServerCannotWriteToTheTerminal()
    {
        SessionResult result;
        result.fairWork = workOf({finding("error", "a\x1b[31mb")});
        QVERIFY(comparisonAsText(result).find('\x1b') == std::string::npos);
    }

    void manyFindingsAreCutAndCounted()
    {
        const auto told = fairWorkTold(workOf(std::vector<FairFinding>(15, finding("warning", "w"))));
        QVERIFY(told);
        QCOMPARE(told->lines.size(), std::size_t(12 + 1));
        QCOMPARE(told->lines.back(), std::string("and 3 more, in the result under fair_work"));
    }

    void oneTargetHasNothingToBeComparedWith()
    {
        FairWork work = workOf({});
        work.probes.pop_back();
        QVERIFY(!fairWorkTold(work));
        QVERIFY(!fairWorkTold(FairWork{}));
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
