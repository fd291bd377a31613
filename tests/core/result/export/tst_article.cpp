#include "core/result/export/article.h"
#include "tests/support/made_session.h"

#include <QCryptographicHash>
#include <QRegularExpression>
#include <QTest>

#include <set>

using namespace lapbench;
using namespace lapbench::test;

namespace {

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

const ExportFile* fileOf(const std::vector<ExportFile>& files, const std::string& name)
{
    for (const ExportFile& file : files)
        if (file.name == name)
            return &file;
    return nullptr;
}

ArticleSources sourcesWith(const Charts& charts)
{
    return {"users", "{\"raw\": 1}\n", charts, std::nullopt};
}

Charts twoCharts()
{
    Charts charts;
    charts.light = {makeChartPicture("rps", "<svg><title>Requests [per] second</title><desc>Bun has most</desc></svg>"),
                    makeChartPicture("../p99", "<svg><title>p99</title><desc>p99. Bars: Bun 1 ms.</desc></svg>")};
    charts.light[0].png = "PNG";
    charts.light[0].csv = "a,b\n";
    return charts;
}

} // namespace

class TestArticle : public QObject {
    Q_OBJECT

private slots:
    void theFolderHasEverythingThatIsLinked()
    {
        const auto files = articleFiles(madeSession(), sourcesWith(twoCharts()));
        std::set<std::string> names;
        for (const ExportFile& file : files)
            names.insert(file.name);
        QCOMPARE(names, (std::set<std::string>{"index.md", "charts/rps.svg", "charts/rps.png", "charts/rps.csv",
                                               "charts/p99.svg", "users.lapbench.json", "users-trials.csv",
                                               "users-seconds.csv", "users.plan.json", "SHA256SUMS"}));
        QCOMPARE(fileOf(files, "users.lapbench.json")->content, std::string("{\"raw\": 1}\n"));
        QCOMPARE(fileOf(files, "charts/rps.png")->content, std::string("PNG"));
        const QString text = QString::fromStdString(fileOf(files, "index.md")->content);
        static const QRegularExpression kLink("\\]\\(([^)]*)\\)");
        std::set<std::string> linked;
        for (auto matches = kLink.globalMatch(text); matches.hasNext();)
            linked.insert(matches.next().captured(1).toStdString());
        names.erase("index.md");
        QCOMPARE(linked, names);
        QVERIFY(text.contains("![p99. Bars: Bun 1 ms.](charts/p99.svg)"));
        QVERIFY(text.contains("![Requests \\[per\\] second. Bun has most](charts/rps.svg)"));
    }

    void checksumsAreThoseOfTheFiles()
    {
        const auto files = articleFiles(madeSession(), sourcesWith(twoCharts()));
        const std::string& sums = fileOf(files, "SHA256SUMS")->content;
        for (const ExportFile& file : files)
            if (file.name != "SHA256SUMS")
                QVERIFY(contains(
                    sums, QCryptographicHash::hash(QByteArray::fromStdString(file.content), QCryptographicHash::Sha256)
                                  .toHex()
                                  .toStdString() +
                              "  " + file.name + "\n"));
    }

    void theMethodIsWrittenFromPlanAndMachine()
    {
        SessionResult result = madeSession();
        result.scale = 0.25;
        const std::string text = articleText(result, sourcesWith({}));
        for (const char* sentence :
             {"2 targets were measured on 14 November 2023, 22:13 UTC: Node.js 22 and Bun 1.1.",
              "The runtimes were Node.js 22.9.1 (22.9.0 was asked for).",
              "Each target was asked for GET /users/42; right was an answer with the status 200 and 1230 bytes.",
              "It was asked over 64 connections, each of which sent its next request when it had its answer",
              "A measured window was 2500 ms after a warm-up of 500 ms.",
              "Everything was repeated in 3 rounds, with a fresh start of each server in each.",
              "in round 1 Node.js 22, Bun 1.1; in round 2 Bun 1.1, Node.js 22; in round 3 Node.js 22, Bun 1.1.",
              "were scaled to 0.250 of what the plan says.", "All of it took 2 min 5 s.",
              "The load was made by Lapbench 0.1.0 (abc1234, libcurl 7.88.1) with 2 threads over the transport "
              "keep-alive (HTTP/1.1).",
              "The machine has 4 processors (Some CPU), 16.0 GB of memory, Linux 6.1.",
              "| Bun 1.1 | ./bun b.ts | - | - | - |", "| Node.js 22 | a.mjs | Node.js | 22.9.0 | 22.9.1 |",
              "lapbench-cli run users.plan.json --scale 0.25\n", "- The verdicts rest on fewer than 6 rounds"})
            QVERIFY2(contains(text, sentence), (std::string(sentence) + "\n\n" + text).c_str());
    }

    void onlyWhatRanIsRepeated()
    {
        SessionResult result = madeSession();
        std::erase_if(result.trials, [](const Trial& trial) { return trial.target == "bun"; });
        result.cells = makeCells(result.trials);
        result.comparisons.clear();
        QVERIFY(contains(articleText(result, sourcesWith({})), "lapbench-cli run users.plan.json --only node\n"));
    }

    void severalLevelsHaveATableAMeasurement()
    {
        const std::string text = articleText(madeSession(3, {10, 50}), sourcesWith({}));
        QVERIFY(contains(text, "## Requests per second\n\n| target | 10 connections | 50 connections |\n"
                               "| --- | ---: | ---: |\n| Node.js 22 | 1.02k | 1.02k |\n| Bun 1.1 | 2.04k | 2.04k |\n"));
    }

    void namesAreTextsWhateverIsInThem()
    {
        const std::string text = articleText(madeSession(3, {64}, kHostile), sourcesWith({}));
        QVERIFY(contains(text, "\\<script>alert(1)\\</script>"));
        QVERIFY(!contains(text, " <script") && !contains(text, "><img"));
    }

    void withoutChartsTheTextSaysSo()
    {
        Charts charts;
        charts.missing = "Charts need the desktop app";
        const auto files = articleFiles(madeSession(), sourcesWith(charts));
        QVERIFY(contains(fileOf(files, "index.md")->content, "## Charts\n\nCharts need the desktop app.\n"));
    }
};

QTEST_APPLESS_MAIN(TestArticle)
#include "tst_article.moc"
