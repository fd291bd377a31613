#include "core/result/hlog.h"
#include "tests/core/result/import/read_runs.h"
#include "tests/support/made_trials.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

namespace {

using Whole = std::optional<std::uint64_t>;

/// A log of histogram libraries has 2 or 3 digits.
bool isNear(double figure, double should)
{
    return std::abs(figure - should) < 1e-3 * should;
}

} // namespace

class TestImportHlog : public QObject {
    Q_OBJECT

private slots:
    void eachTagIsARun()
    {
        // By hdr-histogram-js 3.0.1: see tests/data/hlog/README.md.
        const ImportedRuns runs = runsIn(importData("../hlog/js-2-digits.hlog"));
        QCOMPARE(runs.size(), std::size_t(3));
        QCOMPARE(runs[0].target, std::string("read"));
        QCOMPARE(runs[1].target, std::string("write"));
        QCOMPARE(runs[2].target, std::string());
        const ImportedRun& run = runs[0];
        QCOMPARE(run.completed, Whole(600));
        QVERIFY(!run.failed); // the log does not tell
        QCOMPARE(run.durationSeconds, std::optional(3.0));
        QCOMPARE(run.rps, std::optional(200.0));
        QVERIFY(isNear(percentile(run, "p25"), 891));
        QVERIFY(isNear(percentile(run, "p50"), 2047));
        QVERIFY(isNear(percentile(run, "p90"), 3695));
        QVERIFY(isNear(percentile(run, "p99"), 3999));
        QVERIFY(isNear(run.latency.maxUs.value(), 4047));
        QVERIFY(isNear(percentile(runs[1], "p50"), 48895));
        QCOMPARE(formatUtc(run.started.value()), std::string("2023-11-14T22:13:20.000Z"));
        QCOMPARE(run.seconds.size(), std::size_t(3));
        QCOMPARE(run.seconds[2].t, 2U);
        QCOMPARE(run.seconds[2].ok, std::uint64_t(200));
        QVERIFY(!run.semantics.latencyIncludesErrors);
        QCOMPARE(run.semantics.correction, Correction::unknown);
        QCOMPARE(run.semantics.resolutionUs, std::optional(1.0));
    }

    void anOwnLogTellsTargetWorkloadAndLevel()
    {
        Trial trial = madeTrial("bun/main", 2, 100);
        trial.level.rate = 5000;
        const ImportedRun run = runsIn(formatHlog(trial)).at(0);
        QCOMPARE(run.target, std::string("bun/main"));
        QCOMPARE(run.workload, std::string("user"));
        QCOMPARE(run.connections, std::optional(64U));
        QCOMPARE(run.rate, std::optional(5000.0));
        QCOMPARE(run.completed, Whole(3)); // 1, 2 and 4 ms
        QVERIFY(isNear(percentile(run, "p50"), 2000));
        QVERIFY(isNear(run.latency.meanUs.value(), 7000.0 / 3));
        QVERIFY(isNear(run.latency.stdevUs.value(), 1247.22)); // of 1, 2, 4: sqrt(14 / 9)
        QCOMPARE(run.semantics.latencyIncludesErrors, std::optional(false));
        QCOMPARE(run.semantics.correction, Correction::intended);
    }

    void aDamagedLogSaysWhere()
    {
        const std::string text = importData("../hlog/js-2-digits.hlog");
        const std::string refusal = refusalOf(text.substr(0, text.size() / 2));
        QVERIFY2(refusal.find("name: line ") == 0, refusal.c_str());
    }
};

QTEST_GUILESS_MAIN(TestImportHlog)
#include "tst_import_hlog.moc"
