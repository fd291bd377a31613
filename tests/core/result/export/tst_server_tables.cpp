#include "core/result/export/server_tables.h"
#include "core/result/export/session_text.h"
#include "tests/support/made_trials.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::madeTrial;

namespace {

using Row = std::vector<std::string>;

SessionResult sessionOf(std::vector<Trial> trials)
{
    SessionResult result;
    result.planJson = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p", "aa_control": true,
        "targets": [{"name": "node", "label": "Node.js 22"}, {"name": "bun", "label": "Bun 1.1"}]})";
    result.trials = std::move(trials);
    result.cells = makeCells(result.trials, {"node", "bun"});
    return result;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestServerTables : public QObject {
    Q_OBJECT

private slots:
    void efficiencyAndMemoryStandBesideEachOther()
    {
        Trial slow = madeTrial("bun", 1, 500);
        slow.load.warmSeconds.reset();
        slow.server.rssBytesSettled.reset();
        const auto tables = serverTables(sessionOf({madeTrial("node", 1, 100), slow, madeTrial("node-again", 1, 100)}));
        QCOMPARE(tables.size(), std::size_t(1));
        QCOMPARE(tables[0].title, std::string("Workload user, 64 connections: warm-up, efficiency, memory"));
        QCOMPARE(tables[0].table.header, (Row{"target", "95 % of the rate after", "requests a CPU second",
                                              "RSS for 1,000 req/s", "idle RSS", "settled RSS"}));
        // 3 right answers in 2 s of 0.97 cores; 60 MB at 100 and 500 requests/s.
        QCOMPARE(tables[0].table.rows[0], (Row{"Node.js 22", "0.750 s", "1.55", "600 MB", "41.0 MB", "58.0 MB"}));
        QCOMPARE(tables[0].table.rows[1], (Row{"Bun 1.1", "-", "1.55", "120 MB", "41.0 MB", "-"}));
        QCOMPARE(tables[0].table.rows[2].front(), std::string("Node.js 22 again"));
    }

    void columnsThatNobodyHasAreLeftOut()
    {
        Trial bare = madeTrial("node", 1, 100);
        bare.load.warmSeconds.reset();
        bare.server = {};
        QVERIFY(serverTables(sessionOf({bare})).empty());
        bare.server.rssBytesIdle = 40'000'000;
        const auto tables = serverTables(sessionOf({bare}));
        QCOMPARE(tables[0].table.header, (Row{"target", "idle RSS"}));
    }

    void coldStartsHaveATableAndSayWhatEndedThem()
    {
        SessionResult result = sessionOf({});
        result.coldStarts = {{"node", {40, 30, 50}, 40, 50, ""},
                             {"bun", {1200}, 1200, 1200, "the server ended with exit code 1"},
                             {"deno", {}, std::nullopt, std::nullopt, "port 1 is taken"}};
        const auto tables = serverTables(result);
        QCOMPARE(tables.size(), std::size_t(1));
        QCOMPARE(tables[0].title, std::string("Cold starts, before the first round"));
        QCOMPARE(tables[0].table.header, (Row{"target", "starts", "median", "p95"}));
        QCOMPARE(tables[0].table.rows[0], (Row{"Node.js 22", "3", "40.0 ms", "50.0 ms"}));
        QCOMPARE(tables[0].table.rows[1], (Row{"Bun 1.1", "1", "1.20 s", "1.20 s"}));
        QCOMPARE(tables[0].table.rows[2], (Row{"deno", "0", "-", "-"}));
        QCOMPARE(tables[0].lines, (Row{"Bun 1.1, cold start 2 failed: the server ended with exit code 1",
                                       "deno, cold start 1 failed: port 1 is taken"}));
    }

    void bothFormatsShowThem()
    {
        SessionResult result = sessionOf({madeTrial("node", 1, 100)});
        result.coldStarts = {{"node", {40, 30, 50}, 40, 50, ""}};
        const std::string text = comparisonAsText(result), markdown = comparisonAsMarkdown(result);
        QVERIFY(contains(text, "Cold starts, before the first round\n\ntarget      starts   median      p95\n"));
        QVERIFY(contains(text, "Node.js 22       3  40.0 ms  50.0 ms\n"));
        QVERIFY(contains(markdown, "## Cold starts, before the first round\n\n| target "));
        QVERIFY(contains(markdown, "| Node.js 22 | 3 | 40.0 ms | 50.0 ms |"));
        QVERIFY(contains(text, "warm-up, efficiency, memory") && contains(markdown, "warm-up, efficiency, memory"));
    }
};

QTEST_APPLESS_MAIN(TestServerTables)
#include "tst_server_tables.moc"
