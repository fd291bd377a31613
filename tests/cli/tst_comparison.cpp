#include "app/cli/comparison.h"
#include "app/cli/load_report.h"
#include "tests/support/made_trials.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::madeTrial;

namespace {

const char* const kPlan = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p", "title": "Title",
    "targets": [{"name": "node", "label": "Node.js 22"}, {"name": "bun", "label": "Bun 1.1"}]})";

SessionResult sessionOf(std::vector<Trial> trials)
{
    SessionResult result;
    result.planJson = kPlan;
    for (std::size_t i = 0; i < trials.size(); ++i)
        trials[i].index = i;
    result.trials = std::move(trials);
    result.cells = makeCells(result.trials);
    return result;
}

Trial cleanTrial(const std::string& target, unsigned round, double rps)
{
    Trial trial = madeTrial(target, round, rps);
    trial.load.failed = 0;
    return trial;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestComparison : public QObject {
    Q_OBJECT

private slots:
    void medianOverRoundsAndRatioToTheFirst()
    {
        const SessionResult result =
            sessionOf({cleanTrial("node", 1, 18100), cleanTrial("bun", 1, 30000), cleanTrial("bun", 2, 36200),
                       cleanTrial("node", 2, 10000), cleanTrial("node", 3, 20000), cleanTrial("bun", 3, 90000)});
        const auto tables = compareTargets(result);
        QCOMPARE(tables.size(), std::size_t(1));
        QCOMPARE(tables[0].title, std::string("Workload user, 64 connections, medians of 3 rounds"));
        const std::vector<std::string> header = {"target",      "req/s",       "p25 ms", "p50 ms",
                                                 "p75 ms",      "p99 ms",      "max ms", "CPU cores",
                                                 "peak RSS MB", "start-up ms", "ratio"};
        QCOMPARE(tables[0].table.header, header);
        const std::vector<std::string> node = {"Node.js 22", "18.1k", "-",    "2.00", "-",   ">= 2.00 s",
                                               "4.00",       "0.970", "64.0", "45.5", "1.00"};
        QCOMPARE(tables[0].table.rows[0], node);
        QCOMPARE(tables[0].table.rows[1].front(), std::string("Bun 1.1"));
        QCOMPARE(tables[0].table.rows[1][1], std::string("36.2k"));
        QCOMPARE(tables[0].table.rows[1].back(), std::string("2.00"));
    }

    void levelsAndWorkloadsHaveTablesOfTheirOwn()
    {
        std::vector<Trial> trials = {cleanTrial("node", 1, 1), cleanTrial("node", 1, 2), cleanTrial("node", 1, 3)};
        trials[1].level.connections = 1;
        trials[2].workload = "other";
        const auto tables = compareTargets(sessionOf(trials));
        QCOMPARE(tables.size(), std::size_t(3));
        QCOMPARE(tables[1].title, std::string("Workload user, 1 connection"));
        QCOMPARE(tables[2].title, std::string("Workload other, 64 connections"));
    }

    void failedRequestsAreMarked()
    {
        const auto tables = compareTargets(sessionOf({madeTrial("node", 1, 10), cleanTrial("bun", 1, 10)}));
        const auto& table = tables[0].table;
        const std::size_t column = table.header.size() - 2;
        QCOMPARE(table.header[column], std::string("failed"));
        QCOMPARE(table.rows[0][column], std::string("! 2"));
        QCOMPARE(table.rows[1][column], std::string("0"));
    }

    void whatWentWrongStandsBelow()
    {
        Trial failed = cleanTrial("bun", 1, 0);
        failed.outcome = Outcome::failed;
        failed.load = {};
        failed.failure = TrialFailure{"start", "ended with exit code 1", {"Error: a", "  at b"}};
        SessionResult result = sessionOf({cleanTrial("node", 1, 10), failed});
        result.scale = 0.2;
        result.complete = false;
        const std::string text = comparisonAsText(result);
        QVERIFY(text.starts_with("Title\n"));
        QVERIFY(contains(text, "scaled to 0.200"));
        QVERIFY(contains(text, "did not end: it finished 2 trials"));
        QVERIFY(contains(text, "Bun 1.1, 64 connections, round 1: failed (start): ended with exit code 1\n"
                               "      Error: a\n        at b\n"));
        QVERIFY(contains(comparisonAsMarkdown(result), "# Title\n\n## Workload user, 64 connections\n\n| target |"));
    }

    void aColumnHasTheUnitOfItsMiddleValue()
    {
        std::vector<Trial> trials = {cleanTrial("a", 1, 1), cleanTrial("b", 1, 1), cleanTrial("c", 1, 1)};
        trials[0].load.latency.maxUs = 13'100;
        trials[1].load.latency.maxUs = 1'390'000;
        trials[2].load.latency.maxUs = 812;
        const auto tables = compareTargets(sessionOf(trials));
        const auto& table = tables[0].table;
        const auto column = std::find(table.header.begin(), table.header.end(), "max ms") - table.header.begin();
        QVERIFY(column < std::ssize(table.header));
        const auto cell = [&](std::size_t row) { return table.rows[row][std::size_t(column)]; };
        QCOMPARE(cell(0), std::string("13.1"));
        QCOMPARE(cell(1), std::string("1390"));
        QCOMPARE(cell(2), std::string("0.812"));
    }

    void whatHappenedOftenIsToldOnce()
    {
        std::vector<Trial> trials(3, cleanTrial("bun", 1, 0));
        for (Trial& trial : trials) {
            trial.outcome = Outcome::failed;
            trial.failure = TrialFailure{"start", "no luck", {}};
            trial.warnings.clear();
        }
        const auto notes = notesOn(sessionOf(trials));
        QCOMPARE(notes.back().text, std::string("Bun 1.1, 3 trials: failed (start): no luck"));
    }

    void warningsOfTrialsAreToldOnceATarget()
    {
        std::vector<Trial> trials = {cleanTrial("node", 1, 1), cleanTrial("bun", 1, 1), cleanTrial("node", 2, 1)};
        trials[1].warnings.push_back({"gave_up", "error", "Not all were made.", ""});
        const std::string text = comparisonAsText(sessionOf(trials));
        QVERIFY2(contains(text, "Node.js 22, 2 trials, the first with 64 connections, round 1: An example.\n"
                                "Bun 1.1, 64 connections, round 1: An example.\n"
                                "Bun 1.1, 64 connections, round 1: Not all were made.\n"),
                 text.c_str());
    }

    void nothingMeasuredIsSaid() { QVERIFY(contains(comparisonAsText(sessionOf({})), "Nothing was measured")); }

    void csvHasEveryFigureUnrounded()
    {
        const std::string csv = cellsAsCsv(sessionOf({cleanTrial("node", 1, 18123.25)}));
        QVERIFY(csv.starts_with("target,workload,connections,rate,rounds,rps,mean_us,"));
        QVERIFY(contains(csv, "\nnode,user,64,,1,18123.25,2333.3,,2000,"));
        QVERIFY(contains(csv, ",>=2000000,"));
    }

    void aTrialIsTold()
    {
        const std::string text = formatTrial(madeTrial("http://127.0.0.1:1/", 1, 18123));
        QVERIFY(contains(text, "64 connections, 8 streams each, 2 threads, keep-alive"));
        QVERIFY(contains(text, "3 right, 2 failed, 1 unfinished"));
        QVERIFY(contains(text, "Requests/s   18.1k"));
        QVERIFY(contains(text, ">= 2.00 s"));
        QVERIFY(contains(text, "2 unexpected_status (check), first at 0.250 s: status 500"));
        QVERIFY(contains(text, "answered HTTP/1.1 500 Oops"));
        QVERIFY(contains(text, "0.410 cores, 9.50 us a request, 12.0 MB"));
        QVERIFY(contains(text, "0.970 cores, peak RSS 64.0 MB"));
    }
};

QTEST_APPLESS_MAIN(TestComparison)
#include "tst_comparison.moc"
