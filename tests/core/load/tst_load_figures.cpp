#include "tests/core/load/load_task.h"

using namespace lapbench;
using namespace lapbench::test;
using namespace std::chrono_literals;

/// What a load tells of itself beside its latencies.
class TestLoadFigures : public QObject {
    Q_OBJECT

private slots:
    void theBusiestWorkerIsOneOfThem()
    {
        const OddServer server(Odd::ok);
        LoadTask task = timedTask(server.url(), 4, 400ms);
        task.threads = 1;
        const LoadFigures alone = runOf(task).figures;
        QCOMPARE(alone.busiestWorkerCores.value(), alone.generatorCpuCores.value());
        task.threads = 2;
        const LoadFigures two = runOf(task).figures;
        QVERIFY(*two.busiestWorkerCores >= *two.generatorCpuCores / 2);
        QVERIFY(*two.busiestWorkerCores < *two.generatorCpuCores);
    }

    /// The window's requests, those at either end in part: each of the connections has one under way all the time.
    void requestsAreUnderWayAsLongAsTheWindowOnEachConnection()
    {
        const OddServer server(Odd::delayed, 30);
        LoadTask task = timedTask(server.url(), 5, 500ms);
        task.warmup.duration = 100ms;
        const LoadFigures figures = runOf(task).figures;
        const double underWay = figures.requestSeconds.value() / figures.durationSeconds;
        QVERIFY2(underWay > 4.5 && underWay < 5.05, qPrintable(QString::number(underWay)));
    }

    void theRiseOfTheLoadIsFollowed()
    {
        const OddServer server(Odd::delayed, 10);
        std::optional<double> warm; // a machine that is too busy to look often enough does not tell
        for (int attempt = 0; attempt < 5 && !warm; ++attempt)
            warm = runOf(timedTask(server.url(), 4, 1s)).figures.warmSeconds;
        QVERIFY(warm && *warm < 1);
        QVERIFY(!runOf(timedTask(server.url(), 4, 300ms)).figures.warmSeconds); // too short to tell
    }
};

QTEST_APPLESS_MAIN(TestLoadFigures)
#include "tst_load_figures.moc"
