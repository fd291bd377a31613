#include "core/plan/schedule.h"
#include "tests/support/made_article.h"
#include "ui/models/article_chart.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <set>

using namespace lapbench;
using test::MadeArticle;
using test::madeArticle;
using test::makeCellsOf;
using test::trialOf;

namespace {

const ArticleChart* chartOf(const std::vector<ArticleChart>& charts, const char* id)
{
    const auto found = std::find_if(charts.begin(), charts.end(),
                                    [&](const ArticleChart& chart) { return chart.id == QLatin1String(id); });
    return found == charts.end() ? nullptr : &*found;
}

QStringList labelsOf(const ArticleChart& chart)
{
    QStringList labels;
    for (const ArticleSeries& series : chart.series)
        labels << series.label;
    return labels;
}

/// One target at 64 connections with these requests a second, a round each.
SessionResult rounds(const std::vector<double>& rates)
{
    SessionResult result = madeArticle({{"Node"}, {"user"}, {{64, {}}}, static_cast<unsigned>(rates.size())});
    for (std::size_t i = 0; i < rates.size(); ++i)
        result.trials[i].load.rps = rates[i];
    makeCellsOf(result);
    return result;
}

bool isNear(std::optional<double> value, double expected)
{
    return value && std::abs(*value - expected) < 1e-3 * std::max(1.0, std::abs(expected));
}

} // namespace

class tst_article_charts : public QObject {
    Q_OBJECT

private slots:
    void thereIsOneBarChartAMeasurement()
    {
        const auto charts = articleCharts(madeArticle());
        for (const char* id : {"rps", "p25", "mean", "p50", "p75", "p90", "p95", "p99", "p99_9", "max", "cpu",
                               "cpu-peak", "memory", "memory-peak", "requests-per-cpu-second"}) {
            const ArticleChart* const chart = chartOf(charts, id);
            QVERIFY2(chart, id);
            QCOMPARE(chart->kind, ArticleChart::Kind::bars);
            QCOMPARE(chart->categories,
                     (QStringList{"10 connections", "50 connections", "100 connections", "300 connections"}));
            QCOMPARE(labelsOf(*chart), (QStringList{"Node", "Deno", "Bun"}));
            QVERIFY(!chart->description.isEmpty());
        }
        for (const char* id :
             {"startup", "latency", "percentiles-user-300", "rps-time-user-10", "p50-time-user-10", "p99-time-user-10",
              "cpu-time-user-10", "memory-time-user-10", "p50-rate", "p99-rate", "rps-memory"})
            QVERIFY2(chartOf(charts, id), id);
    }

    void barsHoldWhatTheCellsHold()
    {
        const SessionResult result = madeArticle();
        const auto charts = articleCharts(result);
        const ArticleChart* const rps = chartOf(charts, "rps");
        QVERIFY(isNear(rps->series[2].values[3].value, 3320)); // Bun, 300 connections, middle round: 3000 + 300 + 20
        const ArticleChart* const p99 = chartOf(charts, "p99");
        QCOMPARE(p99->y.unit, QStringLiteral("ms"));
        QCOMPARE(p99->y.title, QStringLiteral("Latency (ms)"));
        QVERIFY(isNear(p99->series[1].values[1].value, 30)); // 100 us x 2 x 50 x 3
        const ArticleChart* const memory = chartOf(charts, "memory");
        QCOMPARE(memory->y.unit, QStringLiteral("MB"));
        QVERIFY(isNear(memory->series[2].values[0].value, 80));
        QVERIFY(isNear(chartOf(charts, "startup")->series[1].values[0].value, 50));
        const std::vector<unsigned> levels = {10, 50, 100, 300};
        for (const Cell& cell : result.cells) {
            const auto target = static_cast<std::size_t>(cell.target[1] - '0');
            const auto level = std::find(levels.begin(), levels.end(), cell.level.connections) - levels.begin();
            QVERIFY(isNear(rps->series[target].values[static_cast<std::size_t>(level)].value,
                           *cell.figures.at("rps").median));
        }
    }

    /// t(0.975; 2) = 4.302653 (any table): 110 +/- 4.302653 x 10 / sqrt 3.
    void whiskersAreStudentsIntervalOfTheRounds()
    {
        const auto charts = articleCharts(rounds({100, 120, 110}));
        const ArticleValue& value = chartOf(charts, "rps")->series[0].values[0];
        QVERIFY(isNear(value.value, 110));
        QVERIFY(isNear(value.low, 85.1586));
        QVERIFY(isNear(value.high, 134.8414));
        QVERIFY(chartOf(charts, "rps")->notes.first().contains(QStringLiteral("Student")));
        QVERIFY(!chartOf(charts, "p50")->series[0].values[0].low);
    }

    void whiskersOfTwoRoundsAreTheTwo()
    {
        const auto charts = articleCharts(rounds({120, 100}));
        const ArticleValue& value = chartOf(charts, "rps")->series[0].values[0];
        QVERIFY(isNear(value.low, 100));
        QVERIFY(isNear(value.high, 120));
        QVERIFY(chartOf(charts, "rps")->notes.first().contains(QStringLiteral("two rounds")));
    }

    void oneRoundHasNoWhiskers()
    {
        const auto charts = articleCharts(rounds({120}));
        QVERIFY(!chartOf(charts, "rps")->series[0].values[0].low);
        QVERIFY(chartOf(charts, "rps")->notes.isEmpty());
        QVERIFY(chartOf(charts, "rps")->subtitle.contains(QStringLiteral("1 round of 4 s")));
    }

    void theSubtitleSaysVersionsMachineAndRounds()
    {
        const auto charts = articleCharts(rounds({100, 120, 110}));
        QCOMPARE(
            chartOf(charts, "rps")->subtitle,
            QStringLiteral("Hello over HTTP · Node.js 22.9.0 · 64 connections · 3 rounds of 4 s · 2 × Old Processor"));
        QCOMPARE(chartOf(charts, "rps")->credit, QStringLiteral("Lapbench 9.8.7 · 2026-11-30"));
    }

    void aNameCannotLeaveItsPlace()
    {
        // A tab and a line break would push it out of its line; U+202E would turn "evil" round.
        const auto charts =
            articleCharts(madeArticle({{"a\tb\n\x1b[31m", "\xe2\x80\xaelive"}, {"u\ts"}, {{64, {}}}, 1}));
        QVERIFY(!charts.empty());
        QCOMPARE(labelsOf(*chartOf(charts, "rps")), QStringList({"a b ?[31m", "?live"}));
        for (const ArticleChart& chart : charts)
            for (const QString& text : QStringList{chart.title, chart.subtitle, chart.description} + chart.categories)
                for (const QChar c : text)
                    QVERIFY2(c.unicode() >= 0x20 && c.unicode() != 0x202e, qPrintable(chart.id + ": " + text));
    }

    void whatIsNotKnownIsAbsent()
    {
        SessionResult result = madeArticle();
        for (Trial& trial : result.trials) {
            trial.server.cpuCoresMean.reset();
            if (trial.target == "t1" && trial.level.connections == 50)
                trial.server.rssBytesMean.reset();
        }
        makeCellsOf(result);
        const auto charts = articleCharts(result);
        QVERIFY(!chartOf(charts, "cpu"));
        QVERIFY(!chartOf(charts, "memory")->series[1].values[1].value);
        QVERIFY(chartOf(charts, "memory")->series[1].values[0].value);
        QCOMPARE(chartOf(charts, "rps-memory")->series[1].points.size(), std::size_t{3});
    }

    void aBoundIsSaidToBeOne()
    {
        SessionResult result = rounds({100, 110, 120});
        for (Trial& trial : result.trials)
            trial.load.latency.percentiles[5] = Quantile{2e6, true};
        makeCellsOf(result);
        const auto charts = articleCharts(result);
        QVERIFY(chartOf(charts, "p99")->series[0].values[0].atLeast);
        QVERIFY(!chartOf(charts, "p50")->series[0].values[0].atLeast);
        QVERIFY(chartOf(charts, "p99")->description.contains(QStringLiteral("at least 2.00 s")));
    }

    void whatIsNotRankedSaysWhy()
    {
        SessionResult result = madeArticle();
        trialOf(result, "t2", 300, 2).bottleneck = Bottleneck{Limit::generator, "busy", false};
        const auto charts = articleCharts(result);
        const ArticleChart* const rps = chartOf(charts, "rps");
        QCOMPARE(rps->series[2].values[3].notRanked, QStringLiteral("limited by generator"));
        QVERIFY(rps->series[2].values[2].notRanked.isEmpty());
        QVERIFY(
            rps->notes.contains(QStringLiteral("Hatched: not ranked, limited by generator: Bun at 300 connections.")));
        const ArticleChart* const lines = chartOf(charts, "percentiles-user-300");
        QVERIFY(!lines->series[2].notRanked.isEmpty());
        QVERIFY(lines->notes.contains(QStringLiteral("Dashed: not ranked, limited by generator: Bun.")));
        QCOMPARE(chartOf(charts, "rps-memory")->series[2].hollow, std::vector<std::size_t>{3});
    }

    void onlyTrialsThatCountAreDrawn()
    {
        SessionResult result = rounds({100, 110, 120});
        Trial failed = result.trials.front();
        failed.round = 4;
        failed.outcome = Outcome::failed;
        failed.load.rps = 9e9;
        Trial repeated = result.trials.front();
        repeated.superseded = true;
        repeated.seconds.front().load.ok = 1'000'000'000;
        Trial other = failed;
        other.target = "t9";
        result.trials.insert(result.trials.end(), {failed, repeated, other});
        makeCellsOf(result);
        const auto charts = articleCharts(result);
        QCOMPARE(labelsOf(*chartOf(charts, "rps")), QStringList{"Node"});
        QVERIFY(isNear(chartOf(charts, "rps")->series[0].values[0].value, 110));
        for (const auto& point : chartOf(charts, "rps-time-user-64")->series[0].points)
            QVERIFY(point.second < 1e6);
    }

    void theControlIsLeftOut()
    {
        SessionResult result = madeArticle({{"Node", "Bun"}, {"user"}, {{64, {}}}, 3, true});
        const Plan plan = parsePlan(result.planJson, {}).plan;
        const std::string control = controlOf(plan.targets.front()).name;
        for (unsigned round = 1; round <= 3; ++round)
            result.trials.push_back(test::madeArticleTrial(control, 0, "user", {64, {}}, round));
        makeCellsOf(result);
        for (const ArticleChart& chart : articleCharts(result))
            QCOMPARE(labelsOf(chart), (QStringList{"Node", "Bun"}));
    }

    void workloadsOfOneLevelStandInOneChart()
    {
        const auto charts = articleCharts(madeArticle({{"Node", "Bun"}, {"read", "write"}, {{100, {}}}, 3}));
        QCOMPARE(chartOf(charts, "rps")->categories, (QStringList{"read", "write"}));
        QVERIFY(chartOf(charts, "percentiles-write-100")->title.endsWith(QStringLiteral(": write")));
    }

    void workloadsOfSeveralLevelsHaveChartsOfTheirOwn()
    {
        const auto charts =
            articleCharts(madeArticle({{"Node", "Bun"}, {"GET /a", "GET.a", "read"}, {{8, {}}, {4, {}}}, 1}));
        QCOMPARE(chartOf(charts, "rps-read")->title, QStringLiteral("Requests per second: read"));
        QCOMPARE(chartOf(charts, "rps-read")->categories, (QStringList{"4 connections", "8 connections"}));
        std::set<QString> ids;
        static const QRegularExpression kSafe(QStringLiteral("^[a-z0-9_-]+$"));
        for (const ArticleChart& chart : charts) {
            QVERIFY2(kSafe.match(chart.id).hasMatch(), qPrintable(chart.id));
            QVERIFY2(ids.insert(chart.id).second, qPrintable(chart.id));
        }
        QVERIFY(chartOf(charts, "rps-get-a-2"));
    }

    void percentilesEndWhereTheSamplesDo()
    {
        const auto charts = articleCharts(rounds({100}));
        const auto& points = chartOf(charts, "percentiles-user-64")->series[0].points;
        QCOMPARE(points.front().first, 0.0);
        QVERIFY(std::abs(points.back().first - 0.999) < 1e-9); // of 1000 samples
        const auto p99 = std::find_if(points.begin(), points.end(),
                                      [](const auto& point) { return std::abs(point.first - 0.99) < 1e-9; });
        QVERIFY(std::abs(p99->second - 9.536) < 0.01); // 6400 us x (0.5 + 0.99), in ms, to 3 digits
        QVERIFY(std::is_sorted(points.begin(), points.end()));
    }

    void percentilesEndWhereRequestsWereLeftOpen()
    {
        SessionResult result = rounds({100});
        result.trials.front().load.censored.record(20'000'000, 1000);
        const auto charts = articleCharts(result);
        const ArticleChart* const chart = chartOf(charts, "percentiles-user-64");
        QVERIFY(chart->series[0].points.back().first <= 0.5);
        QVERIFY(chart->notes.last().contains(QStringLiteral("at least as long: Node")));
    }

    void timeHasTheMedianOfTheRounds()
    {
        SessionResult result = rounds({100, 110, 120});
        for (unsigned round = 0; round < 3; ++round) {
            Trial& trial = result.trials[round];
            trial.seconds[1].load.ok = 500 + 100 * round;
            trial.seconds[2].load.latency = {};
            trial.load.durationSeconds = 3.5; // the last second is in part
        }
        const auto charts = articleCharts(result);
        const ArticleSeries& rps = chartOf(charts, "rps-time-user-64")->series[0];
        QCOMPARE(rps.points.size(), std::size_t{3});
        QCOMPARE(rps.points[1], (std::pair{2.0, 600.0}));
        const ArticleSeries& p50 = chartOf(charts, "p50-time-user-64")->series[0];
        QCOMPARE(p50.points.size(), std::size_t{3});
        QCOMPARE(p50.gaps, std::vector<std::size_t>{2});
        const ArticleChart* const memory = chartOf(charts, "memory-time-user-64");
        QVERIFY(isNear(memory->series[0].points[3].second, 63));
    }

    void latencyStandsByTheRateAskedForOrReached()
    {
        const auto closed = articleCharts(madeArticle());
        const ArticleSeries& reached = chartOf(closed, "p99-rate")->series[0];
        QVERIFY(isNear(reached.points[3].first, 1320));
        QCOMPARE(reached.pointLabels[3], QStringLiteral("300"));
        const auto open = articleCharts(madeArticle({{"Node"}, {"user"}, {{64, 500U}, {64, 1000U}}, 3}));
        const ArticleChart* const asked = chartOf(open, "p99-rate");
        QVERIFY(isNear(asked->series[0].points[1].first, 1000));
        QVERIFY(asked->x.title.contains(QStringLiteral("asked")));
    }

    void anotherToolsRunIsDrawnAsFarAsItGoes()
    {
        Trial trial;
        trial.target = "wrk";
        trial.workload = "default";
        trial.level.connections = 0;
        trial.imported = ImportedTrial{};
        trial.imported->semantics.tool = "wrk";
        trial.load.rps = 812.5;
        trial.load.latency.percentiles[1] = Quantile{640, false};
        trial.load.latency.percentiles[5] = Quantile{1900, false};
        SessionResult result;
        result.trials = {trial};
        makeCellsOf(result);
        const auto charts = articleCharts(result);
        QVERIFY(isNear(chartOf(charts, "rps")->series[0].values[0].value, 812.5));
        QCOMPARE(chartOf(charts, "rps")->categories, QStringList{QString()});
        QVERIFY(chartOf(charts, "rps")->subtitle.contains(QStringLiteral("measured by wrk")));
        QCOMPARE(chartOf(charts, "rps")->credit, QStringLiteral("Lapbench"));
        QCOMPARE(chartOf(charts, "p50")->y.unit, QStringLiteral("µs"));
        QVERIFY(!chartOf(charts, "cpu"));
        QVERIFY(!chartOf(charts, "latency"));
        QCOMPARE(chartOf(charts, "percentiles-default")->series[0].points.size(), std::size_t{2});
    }

    void levelsAreNamedByWhatTellsThemApart()
    {
        const auto open = articleCharts(madeArticle({{"Node"}, {"user"}, {{64, 500U}, {64, 1000U}}, 1}));
        QCOMPARE(chartOf(open, "rps")->categories, (QStringList{"500/s", "1.00k/s"}));
        QVERIFY(chartOf(open, "rps")->subtitle.contains(QStringLiteral("· 64 connections ·")));
        QCOMPARE(chartOf(open, "rps")->x.title, QStringLiteral("Requests per second asked for"));
        std::vector<Level> many;
        for (unsigned i = 1; i <= 8; ++i)
            many.push_back({i, {}});
        const auto closed = articleCharts(madeArticle({{"Node"}, {"user"}, many, 1}));
        QCOMPARE(chartOf(closed, "rps")->categories.last(), QStringLiteral("8"));
        QCOMPARE(chartOf(closed, "latency")->x.title, QStringLiteral("Connections"));
    }

    void aTargetStandsOnlyWhereItRan()
    {
        SessionResult result = madeArticle({{"Node", "Bun"}, {"read", "write"}, {{4, {}}, {8, {}}}, 1});
        std::erase_if(result.trials,
                      [](const Trial& trial) { return trial.target == "t1" && trial.workload == "read"; });
        makeCellsOf(result);
        const auto charts = articleCharts(result);
        QCOMPARE(labelsOf(*chartOf(charts, "rps-read")), QStringList{"Node"});
        QCOMPARE(labelsOf(*chartOf(charts, "latency-read")), QStringList{"Node"});
        QCOMPARE(labelsOf(*chartOf(charts, "rps-write")), (QStringList{"Node", "Bun"}));
        QCOMPARE(chartOf(charts, "rps-write")->series[1].colour, 1);
    }

    void figuresOfSeveralToolsAreDoubted()
    {
        SessionResult result = madeArticle({{"Node", "Bun"}, {"user"}, {{4, {}}}, 1});
        result.trials[1].imported = ImportedTrial{};
        result.trials[1].imported->semantics.tool = "k6";
        makeCellsOf(result);
        const auto charts = articleCharts(result);
        QVERIFY(chartOf(charts, "p99")->subtitle.contains(QStringLiteral("measured by Lapbench, k6")));
        QVERIFY(chartOf(charts, "p99")
                    ->notes.contains(QStringLiteral("Figures of different tools may not mean the same.")));
    }

    void nothingMeasuredGivesNoChart()
    {
        QVERIFY(articleCharts(SessionResult()).empty());
        SessionResult failed = rounds({100});
        failed.trials.front().outcome = Outcome::failed;
        makeCellsOf(failed);
        QVERIFY(articleCharts(failed).empty());
    }
};

QTEST_GUILESS_MAIN(tst_article_charts)
#include "tst_article_charts.moc"
