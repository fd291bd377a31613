#include "core/session/bottleneck.h"

#include <QTemporaryDir>
#include <QTest>

#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace lapbench;

namespace {

Trial madeTrial()
{
    Trial trial;
    trial.transport = "keep-alive";
    trial.load.ok = 1000;
    trial.load.rps = 100;
    trial.load.durationSeconds = 10;
    trial.load.connectionsAsked = 64;
    trial.load.peakOpen = 64;
    trial.server.cpuCoresMean = 0.3;
    return trial;
}

Limit limitOf(const Trial& trial, const TrialCircumstances& circumstances = {})
{
    return findBottleneck(evidenceOf(trial, circumstances)).limit;
}

ErrorCount unopened()
{
    return {ErrorKind::connectRefused, Phase::connect, 1, 0, {}, {}};
}

} // namespace

/// What a trial's limit is judged by, on both sides of each bound.
class TestTrialLimit : public QObject {
    Q_OBJECT

private slots:
    void missingConnectionsLimitTheClientWhereAllAreOpenedAhead()
    {
        Trial trial = madeTrial();
        QVERIFY(limitOf(trial) == Limit::server);
        trial.load.peakOpen = 63;
        QVERIFY(limitOf(trial) == Limit::clientLimit);
    }

    /// With libcurl, and with one for each request, connections open as they are needed.
    void fewerConnectionsThanAskedForAreNoLimitWhereTheyOpenAsNeeded()
    {
        Trial trial = madeTrial();
        trial.load.peakOpen = 7;
        TrialCircumstances anew;
        anew.newConnections = true;
        QVERIFY(limitOf(trial, anew) == Limit::server);
        trial.transport = "curl";
        QVERIFY(limitOf(trial) == Limit::server);
        trial.load.errors = {unopened()};
        QVERIFY(limitOf(trial) == Limit::clientLimit);
        trial.load.peakOpen = 64; // it came in the end
        QVERIFY(limitOf(trial) == Limit::server);
    }

    void onlyTheGeneratorsOwnLagIsItsLimit()
    {
        Trial trial = madeTrial();
        trial.load.latency.percentiles[1] = Quantile{1000, false};
        trial.load.scheduleLag = {1000, 500, 900, 990}; // waiting for a connection
        trial.load.generatorLag = {1000, 5, 100, 200};
        QVERIFY(limitOf(trial) == Limit::server);
        trial.load.generatorLag.p99Us = 101;
        QVERIFY(limitOf(trial) == Limit::generator);
    }

    void aBusyWorkerAndANearCeilingAreTheGeneratorsLimit()
    {
        Trial trial = madeTrial();
        trial.load.busiestWorkerCores = 0.90;
        QVERIFY(limitOf(trial) == Limit::server);
        trial.load.busiestWorkerCores = 0.91;
        QVERIFY(limitOf(trial) == Limit::generator);
        trial = madeTrial();
        TrialCircumstances circumstances;
        circumstances.ceilingRps = 118; // 100 is 84.7 % of it
        QVERIFY(limitOf(trial, circumstances) == Limit::server);
        circumstances.ceilingRps = 117; // 85.5 %
        QVERIFY(limitOf(trial, circumstances) == Limit::generator);
    }

    void noiseAndTheRateComeFromTheTrial()
    {
        Trial trial = madeTrial();
        trial.host.noisySeconds = 0.2;
        TrialCircumstances circumstances;
        circumstances.rateAsked = 101;
        QVERIFY(limitOf(trial, circumstances) == Limit::server);
        circumstances.rateAsked = 100.4;
        QVERIFY(limitOf(trial, circumstances) == Limit::rate);
        trial.host.noisySeconds = 0.21;
        QVERIFY(limitOf(trial, circumstances) == Limit::noise);
    }

    /// 100 requests a second that each take 1.5 s, for 10 s: those due in the last 1.5 s are still open.
    void aRateIsReachedBySlowAnswersWhereTheWindowBeganWithTheLoad()
    {
        Trial trial = madeTrial();
        trial.load.ok = 850;
        trial.load.rps = 85;
        for (unsigned t = 0; t < 10; ++t) {
            trial.seconds.emplace_back();
            trial.seconds.back().load.t = t;
            trial.seconds.back().load.ok = t == 0 ? 0 : t == 1 ? 50 : 100;
        }
        TrialCircumstances circumstances;
        circumstances.rateAsked = 100;
        QVERIFY(limitOf(trial, circumstances) == Limit::server);
        circumstances.openedEmpty = true;
        QCOMPARE(findBottleneck(evidenceOf(trial, circumstances)).reason,
                 std::string("the rate asked for was reached in the later half of the window: 100 requests/s"));
        // One that cannot keep up has fewer in the later half too: 498 of 500 are within 0.5 %, 497 are not.
        trial.seconds.back().load.ok = 98;
        QVERIFY(limitOf(trial, circumstances) == Limit::rate);
        trial.seconds.back().load.ok = 97;
        QVERIFY(limitOf(trial, circumstances) == Limit::server);
        // What was made over the whole window still counts.
        trial.load.ok = 1000;
        QVERIFY(limitOf(trial, circumstances) == Limit::rate);
        trial.load.ok = 850;
        trial.load.durationSeconds = 1.9; // no later half of whole seconds
        QVERIFY(limitOf(trial, circumstances) == Limit::server);
    }

    /// The server answered them all, even if wrong.
    void wrongAnswersCountTowardsTheRate()
    {
        Trial trial = madeTrial();
        trial.load.ok = 992;
        trial.load.failed = 8;
        trial.load.rps = 99.2;
        TrialCircumstances circumstances;
        circumstances.rateAsked = 100;
        QVERIFY(limitOf(trial, circumstances) == Limit::rate);
    }

    void aGeneratorThatStoodStillIsTheLimit()
    {
        TrialCircumstances circumstances;
        circumstances.stoodStillSeconds = 0.1; // of 10
        QVERIFY(limitOf(madeTrial(), circumstances) == Limit::server);
        circumstances.stoodStillSeconds = 0.6;
        QVERIFY(limitOf(madeTrial(), circumstances) == Limit::generator);
    }

    void theBusiestProcessHasItsShareOfTheTree()
    {
        // Of 4 s used, process 2 used 3; process 9 began in the window.
        const std::vector<ProcessTime> before = {{1, 5.0}, {2, 1.0}}, after = {{1, 5.5}, {2, 4.0}, {9, 0.5}};
        QCOMPARE(*busiestProcess(before, after, 1.2, 4), 1.2 * 3 / 4);
        // Another 2 s were of processes that have ended.
        QCOMPARE(*busiestProcess(before, after, 1.2, 6), 1.2 * 3 / 6);
        QVERIFY(!busiestProcess(before, after, std::nullopt, 4));
        QVERIFY(!busiestProcess(before, before, 1.2, 0));
        QVERIFY(!busiestProcess({}, {}, 1.2, 0));
        Trial trial = madeTrial();
        TrialCircumstances circumstances;
        circumstances.busiestProcessCores = 0.89;
        QVERIFY(findBottleneck(evidenceOf(trial, circumstances)).reason.starts_with("waiting"));
        circumstances.busiestProcessCores = 0.91;
        QVERIFY(findBottleneck(evidenceOf(trial, circumstances)).reason.starts_with("its busiest process"));
    }

    void aServerMayUseWhatItsProcessesAreKeptTo()
    {
        cpu_set_t before;
        CPU_ZERO(&before);
        QVERIFY(sched_getaffinity(0, sizeof before, &before) == 0);
        const double all = allowedCores({{::getpid(), 0}}).value();
        QVERIFY(all > 0 && all <= CPU_COUNT(&before));
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
            if (CPU_ISSET(cpu, &before))
                CPU_SET(cpu, &one);
        QVERIFY(sched_setaffinity(0, sizeof one, &one) == 0);
        const double kept = allowedCores({{::getpid(), 0}}).value();
        QVERIFY(sched_setaffinity(0, sizeof before, &before) == 0);
        QVERIFY(kept > 0 && kept <= 1);
        QVERIFY(!allowedCores({}));
    }

    /// The server may be in a container, and Lapbench not.
    void theQuotaIsThatOfTheServersOwnGroup()
    {
        const QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString(), box = root / "sys/fs/cgroup/box";
        const auto own = root / "proc" / std::to_string(::getpid());
        std::filesystem::create_directories(box);
        std::filesystem::create_directories(own);
        std::filesystem::create_directories(root / "proc/self");
        std::ofstream(root / "proc/self/cgroup") << "0::/\n";
        std::ofstream(own / "cgroup") << "0::/box\n";
        std::ofstream(box / "cpu.max") << "30000 100000\n";
        QCOMPARE(*allowedCores({{::getpid(), 0}}, root / "proc", root / "sys"), 0.3);
        // Another one of the tree is outside of it.
        QVERIFY(*allowedCores({{::getpid(), 0}, {::getppid(), 0}}, root / "proc", root / "sys") >= 1);
    }

    void aTreeThatUsesAllItMayIsTheLimit()
    {
        Trial trial = madeTrial();
        TrialCircumstances circumstances;
        circumstances.serverAllowedCores = 0.34;
        QVERIFY(findBottleneck(evidenceOf(trial, circumstances)).reason.starts_with("waiting"));
        circumstances.serverAllowedCores = 0.33;
        QVERIFY(findBottleneck(evidenceOf(trial, circumstances)).reason.starts_with("it used"));
    }
};

QTEST_APPLESS_MAIN(TestTrialLimit)
#include "tst_trial_limit.moc"
