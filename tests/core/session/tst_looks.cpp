#include "core/base/processors.h"
#include "core/result/journal.h"
#include "core/result/result_json.h"
#include "core/server/builtin_server.h"
#include "core/session/cold_starts.h"
#include "core/session/trial_run.h"
#include "tests/core/session/session_rig.h"

#include <QTest>

using namespace lapbench;
using lapbench::test::SessionRig;

/// What a session does before its first round.
class TestLooks : public QObject {
    Q_OBJECT

private slots:
    void theMedianAndTheNearestRankOfColdStarts()
    {
        const ColdStarts few = coldStartsOf("a", {30, 10, 20, 50}, "");
        QCOMPARE(few.medianMs.value(), 25.0);
        QCOMPARE(few.p95Ms.value(), 50.0);
        std::vector<double> twenty, forty;
        for (int i = 40; i >= 1; --i) {
            forty.push_back(i);
            if (i <= 20)
                twenty.push_back(i);
        }
        QCOMPARE(coldStartsOf("a", twenty, "").p95Ms.value(), 19.0);
        QCOMPARE(coldStartsOf("a", forty, "").p95Ms.value(), 38.0);
        QVERIFY(!coldStartsOf("a", {}, "no luck").p95Ms);
    }

    void eachServerIsStartedColdBeforeTheFirstRound()
    {
        SessionRig rig;
        Plan plan = SessionRig::planOf({"a", "b"}, 1);
        plan.coldStarts = 3;
        const auto end = rig.run(plan);
        QVERIFY2(end.ok(), end.ok() ? "" : format(end.problem()).c_str());
        QCOMPARE(rig.recorder.count("cold start"), std::size_t(6));
        const auto& events = rig.recorder.events;
        const auto lastCold = std::find(events.rbegin(), events.rend(), "cold start").base();
        QVERIFY(std::find(events.begin(), lastCold, "start") == lastCold);
        const SessionResult saved = readResultOrJournal(rig.options.result).value();
        QCOMPARE(saved.coldStarts.size(), std::size_t(2));
        QCOMPARE(saved.coldStarts[1].target, std::string("b"));
        QCOMPARE(saved.coldStarts[1].ms.size(), std::size_t(3));
        QVERIFY(*saved.coldStarts[1].medianMs > 0);
        QCOMPARE(saved.coldStarts[1].p95Ms, end.value().result.coldStarts[1].p95Ms);
    }

    void aServerThatDoesNotStartColdSaysWhy()
    {
        SessionRig rig;
        Plan plan = SessionRig::planOf({"a"}, 1);
        plan.targets[0].builtin = false;
        plan.targets[0].command = {"sh", "-c", "echo no such; exit 3"};
        plan.coldStarts = 5;
        const auto end = rig.run(plan);
        QVERIFY(end.ok());
        QCOMPARE(rig.recorder.count("cold start"), std::size_t(1));
        const ColdStarts& starts = end.value().result.coldStarts.at(0);
        QVERIFY(starts.ms.empty() && !starts.medianMs);
        QVERIFY2(starts.failure.find("exit code 3") != std::string::npos, starts.failure.c_str());
        QVERIFY2(starts.failure.find('\n') == std::string::npos, starts.failure.c_str()); // one sentence
        QCOMPARE(end.value().result.trials.at(0).failure->output, std::vector<std::string>{"no such"});
    }

    void theWorkOfTheTargetsIsLookedAtOnceBeforeTheFirstRound()
    {
        SessionRig rig;
        Plan plan = SessionRig::planOf({"a", "b"}, 1);
        plan.workloads[0].path = "/users/1";
        plan.coldStarts = 2;
        const auto end = rig.run(plan);
        QVERIFY(end.ok());
        QCOMPARE(rig.recorder.count("cold start"), std::size_t(4));
        QCOMPARE(rig.recorder.count("audit"), std::size_t(2));
        // The last cold start serves it: one server is stopped for each that was started.
        QCOMPARE(rig.recorder.count("start"), std::size_t(2));
        const SessionResult saved = readResultOrJournal(rig.options.result).value();
        QVERIFY(saved.fairWork.has_value());
        QCOMPARE(saved.fairWork->probes.size(), std::size_t(2));
        QCOMPARE(saved.fairWork->probes[1].status, 200);
        QCOMPARE(saved.fairWork->verdict(), std::string("equal"));
        QVERIFY(saved.conditionsBefore.has_value());
        QVERIFY(*saved.conditionsAfter->processorSeconds > *saved.conditionsBefore->processorSeconds);
    }

    void targetsThatDoOtherWorkAreAWarning()
    {
        SessionRig rig;
        const auto server = BuiltinServer::start(0).value();
        Plan plan = SessionRig::planOf({"a", "b"}, 1);
        plan.targets[1].builtin = false;
        plan.targets[1].url = "http://127.0.0.1:" + std::to_string(server->port()) + "/bytes/50";
        plan.workloads[0].path = "/bytes/5";
        const auto end = rig.run(plan);
        QVERIFY(end.ok());
        QCOMPARE(end.value().result.fairWork->verdict(), std::string("differs"));
        QCOMPARE(lapbench::test::countWarnings(rig.recorder.warnings, "unequal_work"), std::size_t(1));
    }

    void aPlanMayLeaveTheAuditOut()
    {
        SessionRig rig;
        Plan plan = SessionRig::planOf({"a", "b"}, 1);
        plan.fairWork.audit = false;
        const auto end = rig.run(plan);
        QVERIFY(end.ok());
        QVERIFY(!end.value().result.fairWork);
        QCOMPARE(rig.recorder.count("audit"), std::size_t(0));
    }

    void serverAndGeneratorAreKeptToTheirProcessors()
    {
        const std::vector<unsigned> before = allowedProcessors();
        SessionRig rig;
        Plan plan = SessionRig::planOf({"a"}, 1);
        plan.affinity.server = plan.affinity.generator = {before.front()};
        std::vector<unsigned> during = before;
        rig.recorder.onTrialStarted = [&](const TrialPlan&) { during = allowedProcessors(); };
        const auto end = rig.run(plan);
        QVERIFY(end.ok());
        QVERIFY(end.value().result.trials.at(0).outcome == Outcome::done);
        QCOMPARE(lapbench::test::countWarnings(rig.recorder.warnings, "cores_shared"), std::size_t(1));
        // The session itself stays off the server's processor, where there is another.
        QCOMPARE(std::find(during.begin(), during.end(), before.front()) == during.end(), before.size() > 1);
        QCOMPARE(allowedProcessors(), before);
        const LoadTask task = loadTaskOf(plan, TrialPlan{}, "http://127.0.0.1").value();
        QCOMPARE(task.cores, plan.affinity.generator);
    }

    void theControlIsNoServerOfItsOwn()
    {
        SessionRig rig;
        Plan plan = SessionRig::planOf({"a", "again"}, 1);
        plan.targets[1].control = true;
        plan.coldStarts = 1;
        const auto end = rig.run(plan);
        QCOMPARE(end.value().result.coldStarts.size(), std::size_t(1));
        QCOMPARE(end.value().result.trials.size(), std::size_t(2));
    }

    void aStopWhileStartingColdEndsTheSession()
    {
        SessionRig rig;
        Plan plan = SessionRig::planOf({"a"}, 1);
        plan.coldStarts = 1000;
        rig.recorder.onPhase = [&](const std::string&) { rig.control.stop(); };
        const auto end = rig.run(plan);
        QVERIFY(end.ok());
        QVERIFY(end.value().interrupted);
        QVERIFY(end.value().result.coldStarts.empty());
        QVERIFY(end.value().result.trials.empty());
    }

    void aResumedSessionKeepsItsColdStarts()
    {
        SessionRig rig;
        Plan plan = SessionRig::planOf({"a"}, 2);
        plan.coldStarts = 2;
        rig.recorder.onTrialFinished = [&](const Trial&) {
            // What a session that is killed here leaves.
            std::filesystem::copy_file(Journal::pathFor(rig.options.result), rig.options.result.string() + ".kept");
            rig.control.stop();
        };
        const SessionResult first = rig.run(plan).value().result;
        std::filesystem::remove(rig.options.result);
        std::filesystem::rename(rig.options.result.string() + ".kept", Journal::pathFor(rig.options.result));
        const auto end = rig.resume(plan);
        QVERIFY2(end.ok(), end.ok() ? "" : format(end.problem()).c_str());
        QCOMPARE(rig.recorder.count("cold start"), std::size_t(0));
        QCOMPARE(end.value().result.coldStarts.at(0).ms, first.coldStarts.at(0).ms);
        QCOMPARE(end.value().result.trials.size(), std::size_t(2));
        QVERIFY(*end.value().result.elapsedSeconds > *first.elapsedSeconds);
    }
};

QTEST_APPLESS_MAIN(TestLooks)
#include "tst_looks.moc"
