#include "tests/core/result/import/read_runs.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

namespace {

using Whole = std::optional<std::uint64_t>;

bool isNear(std::optional<double> figure, double should)
{
    return figure && std::abs(*figure - should) < 1e-6 * should;
}

} // namespace

class TestImportHyperfine : public QObject {
    Q_OBJECT

private slots:
    void eachCommandIsARun()
    {
        // Written by hyperfine 1.15.0: 12 runs of "sleep 0.01" and of "false".
        const ImportedRuns runs = runsIn(importData("hyperfine/sleep-and-false.json"));
        QCOMPARE(runs.size(), std::size_t(2));
        const ImportedRun& run = runs[0];
        QCOMPARE(run.target, std::string("sleep 0.01"));
        QCOMPARE(run.completed, Whole(12));
        QCOMPARE(run.failed, Whole(0));
        QVERIFY(!run.rps && !run.durationSeconds && !run.connections && !run.bytesReceived);
        QVERIFY(isNear(run.latency.meanUs, 12097.134333));
        QVERIFY(isNear(run.latency.stdevUs, 1001.394870));
        QVERIFY(isNear(run.latency.minUs, 11157.726));
        QVERIFY(isNear(run.latency.maxUs, 15055.460));
        QVERIFY(isNear(percentile(run, "p50"), 11984.4165)); // as printed: between the sixth and the seventh
        QVERIFY(isNear(percentile(run, "p25"), 11586.094));  // the third of twelve
        QVERIFY(isNear(percentile(run, "p90"), 12434.608));  // the eleventh
        QCOMPARE(run.semantics.tool, std::string("hyperfine"));
        QVERIFY(run.semantics.notes.at(0).find("no requests") != std::string::npos);
    }

    void whatEndedOtherwiseHasFailed()
    {
        const ImportedRun run = runsIn(importData("hyperfine/sleep-and-false.json")).at(1);
        QCOMPARE(run.failed, Whole(12));
        QCOMPARE(errorsOf(run, ErrorKind::failedCheck), std::uint64_t(12));
        QCOMPARE(run.errors.at(0).firstMessage, std::string("exit code 1"));
        const std::string text = "{\"results\": [{\"command\": \"c\", \"mean\": 1, \"times\": [1, 1], \"exit_codes\": ";
        QCOMPARE(runsIn(text + "[0, null]}]}").at(0).failed, Whole(1));
        QVERIFY(!runsIn(text + "null}]}").at(0).failed);
    }

    void figuresWithoutTimesAreRead()
    {
        const ImportedRun run =
            runsIn("{\"results\": [{\"command\": \"c\", \"mean\": 0.5, \"stddev\": null, \"median\": "
                   "0.4, \"user\": 0.1, \"min\": 0.25, \"max\": 1}]}")
                .at(0);
        QVERIFY(!run.completed && !run.failed && !run.latency.stdevUs && !run.histogram);
        QCOMPARE(run.latency.meanUs, std::optional(500e3));
        QCOMPARE(percentile(run, "p50"), 400e3);
        QCOMPARE(percentile(run, "p90"), -1.0);
    }

    void otherResultsAreNot()
    {
        QVERIFY(runsIn("{\"results\": []}").empty());
        QVERIFY(runsIn("{\"results\": [{\"command\": \"c\", \"rps\": 1}]}").empty());
    }

    void moreCommandsThanCanBeKeptAreRefused()
    {
        std::string text = "{\"results\": [";
        for (int i = 0; i < 1001; ++i)
            text += std::string(i == 0 ? "" : ",") + "{\"command\": \"c\", \"mean\": 1, \"times\": [1]}";
        QVERIFY(refusalOf(text + "]}").find("more than 1000 commands") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestImportHyperfine)
#include "tst_import_hyperfine.moc"
