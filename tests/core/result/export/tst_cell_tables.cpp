#include "core/result/comparisons.h"
#include "core/result/export/cell_tables.h"
#include "core/result/export/cells_csv.h"
#include "core/result/export/result_notes.h"
#include "core/result/export/session_text.h"
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

/// Bun serves twice as much as Node in each of six rounds, give or take little.
std::vector<Trial> sixRounds()
{
    std::vector<Trial> trials;
    for (unsigned round = 1; round <= 6; ++round) {
        trials.push_back(cleanTrial("node", round, 1000 + 10 * round));
        trials.push_back(cleanTrial("bun", round, 2 * (1000 + 10 * round) + (round % 2 == 0 ? 4 : -4)));
        trials.back().load.latency.percentiles[1] = Quantile{1000.0 + round, false};
    }
    for (Trial& trial : trials) {
        trial.bottleneck = Bottleneck{Limit::server, "its busiest process used 0.99 of a core", true};
        trial.warnings.clear();
    }
    return trials;
}

SessionResult judged(std::vector<Trial> trials)
{
    SessionResult result = sessionOf(std::move(trials));
    const ComparisonRules rules = comparisonRulesOf(result);
    result.comparisons = makeComparisons(result.trials, rules);
    result.rankings = makeRankings(result.trials, rules);
    return result;
}

std::string csvValue(const std::string& csv, const std::string& target, const std::string& column)
{
    const auto split = [](const std::string& line) {
        std::vector<std::string> cells{""};
        for (const char c : line)
            if (c == ',')
                cells.emplace_back();
            else
                cells.back() += c;
        return cells;
    };
    const auto header = split(csv.substr(0, csv.find('\n')));
    const std::size_t start = csv.find("\n" + target + ",") + 1;
    const auto row = split(csv.substr(start, csv.find('\n', start) - start));
    return row.at(std::size_t(std::find(header.begin(), header.end(), column) - header.begin()));
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestCellTables : public QObject {
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

    void theVerdictStandsInTheTableAndInSentencesBelow()
    {
        const SessionResult result = judged(sixRounds());
        const auto tables = compareTargets(result);
        const auto& table = tables[0].table;
        QCOMPARE(table.header[table.header.size() - 2], std::string("verdict"));
        QCOMPARE(table.header.back(), std::string("limit"));
        QCOMPARE(table.rows[0][table.header.size() - 2], std::string("-"));
        QCOMPARE(table.rows[1][table.header.size() - 2], std::string("faster"));
        QCOMPARE(table.rows[1].back(), std::string("server"));
        const std::vector<std::string> lines = {
            "Bun 1.1 serves 2.00 times as many requests as Node.js 22 (95 % interval 2.00-2.00, 6 rounds)",
            "p50 against Node.js 22: Bun 1.1 0.50 (0.50-0.50) faster",
            "Bun 1.1 and Node.js 22 cannot be compared by p99: of Node.js 22 it is only known to be at least 2.00 s in "
            "round 1",
            // 2 of the 64 ways to set the signs.
            "Sign-flip test of requests/s against Node.js 22, decides nothing: Bun 1.1 p = 0.0313",
            "Ranking by requests/s: 1. Bun 1.1; 2. Node.js 22"};
        QCOMPARE(tables[0].lines, lines);
        const std::string text = comparisonAsText(result);
        QVERIFY2(contains(text, "\n" + lines[0] + "\n"), text.c_str());
        QVERIFY(contains(comparisonAsMarkdown(result), "\n- " + lines[0] + "\n"));
    }

    void fewRoundsAreMarkedAsThin()
    {
        std::vector<Trial> trials = sixRounds();
        trials.resize(6);
        const auto tables = compareTargets(judged(trials));
        const auto& table = tables[0].table;
        QCOMPARE(table.rows[1][table.header.size() - 2], std::string("faster (thin)"));
        QVERIFY(tables[0].lines[0].ends_with("(3 rounds; rests on normal rounds, run 6 or more)"));
    }

    void whoIsNotRankedIsMarkedAndSaid()
    {
        std::vector<Trial> trials = sixRounds();
        trials[3].bottleneck = Bottleneck{Limit::generator, "a thread of the generator used 0.97 of a core", false};
        const SessionResult result = judged(trials);
        const auto tables = compareTargets(result);
        const auto& table = tables[0].table;
        QCOMPARE(table.rows[1][table.header.size() - 2], std::string("not ranked"));
        QCOMPARE(table.rows[1].back(), std::string("generator, server"));
        QCOMPARE(table.rows[0].back(), std::string("server"));
        QCOMPARE(tables[0].lines.back(),
                 std::string("Not ranked: Bun 1.1, for 1 trial limited by the generator, the first "
                             "in round 2: a thread of the generator used 0.97 of a core"));
        QVERIFY(!contains(comparisonAsText(result), "Ranking"));
        QCOMPARE(csvValue(cellsAsCsv(result), "bun", "rank"), std::string());
        QCOMPARE(csvValue(cellsAsCsv(result), "bun", "rps_verdict"), std::string("cannot_tell"));
    }

    void csvHasTheSameVerdicts()
    {
        const SessionResult result = judged(sixRounds());
        const std::string csv = cellsAsCsv(result);
        const PairedRatio& rps = result.comparisons[0].figures;
        QCOMPARE(std::stod(csvValue(csv, "bun", "rps_compared")), rps.ratio);
        QVERIFY(std::abs(std::stod(csvValue(csv, "bun", "rps_low")) - *rps.low) < 1e-12);
        QCOMPARE(csvValue(csv, "bun", "rps_verdict"), std::string("faster"));
        QCOMPARE(csvValue(csv, "bun", "compared_rounds"), std::string("6"));
        QCOMPARE(csvValue(csv, "bun", "sign_flip_p"), std::string("0.03125"));
        QCOMPARE(csvValue(csv, "bun", "thin"), std::string("false"));
        QCOMPARE(csvValue(csv, "bun", "rank"), std::string("1"));
        QCOMPARE(csvValue(csv, "node", "rank"), std::string("2"));
        QCOMPARE(csvValue(csv, "bun", "p99_compared"), std::string());
        QCOMPARE(csvValue(csv, "node", "rps_verdict"), std::string());
        QCOMPARE(csvValue(csv, "bun", "limit"), std::string("server"));
    }

    void nothingMeasuredIsSaid() { QVERIFY(contains(comparisonAsText(sessionOf({})), "Nothing was measured")); }

    void csvHasEveryFigureUnrounded()
    {
        const std::string csv = cellsAsCsv(sessionOf({cleanTrial("node", 1, 18123.25)}));
        QVERIFY(csv.starts_with("target,workload,connections,rate,rounds,rps,mean_us,"));
        QVERIFY(contains(csv, "\nnode,user,64,,1,18123.25,2333.3,,2000,"));
        QVERIFY(contains(csv, ",>=2000000,"));
    }
};

QTEST_APPLESS_MAIN(TestCellTables)
#include "tst_cell_tables.moc"
