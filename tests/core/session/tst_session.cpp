#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"
#include "core/result/journal.h"
#include "core/result/result_json.h"
#include "core/session/session.h"
#include "core/session/trial_run.h"
#include "tests/core/session/recorder.h"
#include "tests/support/full_listener.h"
#include "tests/support/odd_server.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace lapbench;
using lapbench::test::Recorder;
namespace fs = std::filesystem;

class TestSession : public QObject {
    Q_OBJECT

    static constexpr const char* kOne = R"({"name":"a","builtin":true})";
    static constexpr const char* kTwo = R"({"name":"a","builtin":true},{"name":"b","builtin":true})";

    QTemporaryDir m_folder;
    SessionPlaces m_places;
    SessionOptions m_options;
    int m_number = 0;

    static Plan planOf(const std::string& targets, unsigned rounds)
    {
        const std::string text =
            R"({"schema":"lapbench-plan","schema_version":1,"name":"t","targets":[)" + targets +
            R"(],"load":{"connections":[4],"threads":1},"measure":{"duration":"300ms"},"rounds":)" +
            std::to_string(rounds) + "}";
        const PlanReading reading = parsePlan(text, fs::current_path());
        for (const Problem& problem : reading.problems)
            qWarning("%s", format(problem).c_str());
        return reading.plan;
    }

    Result<SessionEnd> run(const Plan& plan, Recorder& recorder, SessionControl& control)
    {
        return runSession(plan, m_places, m_options, control, recorder);
    }

private slots:
    void init()
    {
        const fs::path folder = m_folder.path().toStdString();
        m_places = {folder / "home", fs::path(LAPBENCH_SOURCE_DIR) / "resources", LAPBENCH_CLI};
        m_options = {folder / ("r" + std::to_string(++m_number) + ".lapbench.json"), false};
    }

    void everyTrialRunsInRotatedOrderOnAServerOfItsOwn()
    {
        Recorder recorder;
        SessionControl control;
        const auto end = run(planOf(kTwo, 2), recorder, control);
        QVERIFY2(end.ok(), end.ok() ? "" : format(end.problem()).c_str());
        QVERIFY(!end.value().interrupted);
        const auto& trials = end.value().result.trials;
        QCOMPARE(trials.size(), std::size_t(4));
        QCOMPARE(trials[0].target + trials[1].target + trials[2].target + trials[3].target, std::string("abba"));
        for (const Trial& trial : trials) {
            QVERIFY(trial.outcome == Outcome::done);
            QVERIFY(trial.load.ok > 0);
            QVERIFY(*trial.openSeconds > 0);
            QVERIFY(*trial.server.startupMs > 0);
            QVERIFY(*trial.server.rssBytesPeak > 1'000'000);
            QVERIFY(*trial.server.cpuCoresMean > 0);
        }
        QCOMPARE(recorder.count("start"), std::size_t(4));
        QCOMPARE(recorder.count("audit"), std::size_t(2));
        QCOMPARE(recorder.count("stop"), std::size_t(6));
        QCOMPARE(recorder.count("round 1 over"), std::size_t(1));
        QVERIFY(recorder.intervals > 0);
        QVERIFY(!fs::exists(Journal::pathFor(m_options.result)));
        const auto saved = readResultOrJournal(m_options.result);
        QVERIFY(saved.ok());
        QCOMPARE(saved.value().trials.size(), std::size_t(4));
        QCOMPARE(saved.value().cells.size(), std::size_t(2));
        QVERIFY(saved.value().cells[1].rpsRatio.has_value());
    }

    void ratesAreLevelsAndKeepTheirCells()
    {
        Recorder recorder;
        SessionControl control;
        Plan plan = planOf(kOne, 1);
        plan.load.rates = {200, 400};
        const auto end = run(plan, recorder, control);
        QVERIFY2(end.ok(), end.ok() ? "" : format(end.problem()).c_str());
        const auto saved = readResultOrJournal(m_options.result);
        QVERIFY(saved.ok());
        QCOMPARE(saved.value().cells.size(), std::size_t(2));
        QCOMPARE(saved.value().cells[1].level.rate.value(), 400U);
        // 300 ms at 200 and at 400 a second.
        QCOMPARE(saved.value().trials[0].load.sent(), std::uint64_t(60));
        QCOMPARE(saved.value().trials[1].load.sent(), std::uint64_t(120));
        QVERIFY(saved.value().trials[1].load.service.has_value());
        QVERIFY(saved.value().trials[1].load.scheduleLag.p99Us.has_value());
    }

    void aScaledPlanHasScaledSteps()
    {
        using namespace std::chrono_literals;
        Plan plan = planOf(kOne, 1);
        plan.load.steps = "100,300/10s";
        QVERIFY(applyScale(plan, 0.2).ok());
        const auto task = loadTaskOf(plan, TrialPlan{}, "http://127.0.0.1");
        QVERIFY(task.ok());
        const RateCourse& course = task.value().course;
        QCOMPARE(course.size(), std::size_t(2));
        QVERIFY(course[0].length == 2s && course[1].length == 2s);
        QVERIFY(course[0].to == 100 && course[1].from == 300);
    }

    void aWarmUpThatIsNeverSteadyIsAWarning()
    {
        Recorder recorder;
        SessionControl control;
        Plan plan = planOf(kOne, 1);
        plan.warmup.duration = std::chrono::milliseconds(400); // too short for anything to be called steady
        plan.warmup.untilSteady = true;
        const auto end = run(plan, recorder, control);
        QVERIFY(end.ok());
        const Trial& trial = end.value().result.trials.front();
        QVERIFY(trial.outcome == Outcome::done);
        QVERIFY(trial.load.steady && !trial.load.steady->afterSeconds);
        QCOMPARE(trial.warnings.front().code, std::string("never_steady"));
        QVERIFY(!trial.warnings.front().evidence.empty());
    }

    void aCountThatWasGivenUpIsAWarning()
    {
        const test::OddServer server(test::Odd::dies, 100);
        Recorder recorder;
        SessionControl control;
        Plan plan = planOf(R"({"name": "a", "url": ")" + server.url() + R"("})", 1);
        plan.measure = {std::nullopt, 100'000};
        plan.load.connectTimeout = std::chrono::milliseconds(100);
        const auto end = run(plan, recorder, control);
        QVERIFY(end.ok());
        const Trial& trial = end.value().result.trials.front();
        // In the turn of its hundredth answer the server gives those of the three other connections too.
        QVERIFY(trial.load.ok >= 90 && trial.load.ok <= 103);
        QCOMPARE(trial.warnings.size(), std::size_t(1));
        QCOMPARE(trial.warnings.front().code, std::string("gave_up"));
        QVERIFY(trial.warnings.front().text.find("connect_refused") != std::string::npos);
        QVERIFY(trial.warnings.front().evidence.starts_with(std::to_string(trial.load.completed()) + " of 100000"));
        QVERIFY(trial.bottleneck->limit == Limit::errors);
        QVERIFY(!trial.bottleneck->rankable);
    }

    void everyTrialIsInTheJournalBeforeTheNextStarts()
    {
        Recorder recorder;
        SessionControl control;
        std::size_t finished = 0;
        bool allThere = true;
        recorder.onTrialStarted = [&](const TrialPlan&) {
            const auto journal = readResultOrJournal(Journal::pathFor(m_options.result));
            allThere = allThere && journal.ok() && journal.value().trials.size() == finished++;
        };
        QVERIFY(run(planOf(kOne, 3), recorder, control).ok());
        QVERIFY(allThere);
        QCOMPARE(finished, std::size_t(3));
    }

    void stopInTheMiddleKeepsWhatWasMeasured()
    {
        Recorder recorder;
        SessionControl control;
        recorder.onTrialStarted = [&](const TrialPlan& trial) {
            if (trial.index == 1)
                control.stop();
        };
        const auto end = run(planOf(kOne, 6), recorder, control);
        QVERIFY(end.ok());
        QVERIFY(end.value().interrupted);
        const auto saved = readResultOrJournal(m_options.result);
        QCOMPARE(saved.value().trials.size(), std::size_t(2));
        QVERIFY(saved.value().trials[0].outcome == Outcome::done);
        QVERIFY(saved.value().trials[1].outcome == Outcome::interrupted);
    }

    void stopAfterTrialEndsTheRunningTrialFirst()
    {
        Recorder recorder;
        SessionControl control;
        recorder.onTrialStarted = [&](const TrialPlan&) { control.stopAfterTrial(); };
        const auto end = run(planOf(kOne, 6), recorder, control);
        QCOMPARE(end.value().result.trials.size(), std::size_t(1));
        QVERIFY(end.value().result.trials[0].outcome == Outcome::done);
        QVERIFY(end.value().interrupted);
    }

    void aSkippedTrialIsNotRun()
    {
        Recorder recorder;
        SessionControl control;
        control.skip(1);
        const auto end = run(planOf(kOne, 2), recorder, control);
        QVERIFY(end.value().result.trials[0].outcome == Outcome::done);
        QVERIFY(end.value().result.trials[1].outcome == Outcome::skipped);
        QVERIFY(end.value().result.trials[1].transport.empty());
    }

    void aPausedSessionWaitsForItsUser()
    {
        Recorder recorder;
        SessionControl control;
        recorder.onTrialFinished = [&](const Trial& trial) {
            if (trial.index == 0)
                control.pause();
        };
        recorder.onPhase = [&](const std::string& name) {
            if (name == "paused")
                control.resume();
        };
        const auto end = run(planOf(kOne, 2), recorder, control);
        QCOMPARE(recorder.count("paused"), std::size_t(1));
        QCOMPARE(end.value().result.trials.size(), std::size_t(2));
    }

    void aServerThatDoesNotStartFailsItsTrialsAndNoOthers()
    {
        Recorder recorder;
        SessionControl control;
        const std::string targets =
            R"({"name":"bad","command":["sh","-c","echo no luck; exit 3"]},)" + std::string(kOne);
        const auto end = run(planOf(targets, 1), recorder, control);
        QVERIFY(end.ok());
        const Trial& bad = end.value().result.trials[0];
        QVERIFY(bad.outcome == Outcome::failed);
        QCOMPARE(bad.failure->phase, std::string("start"));
        QVERIFY2(bad.failure->message.find("exit code 3") != std::string::npos, bad.failure->message.c_str());
        QCOMPARE(bad.failure->output, std::vector<std::string>{"no luck"});
        QVERIFY(bad.transport.empty());
        QVERIFY(end.value().result.trials[1].outcome == Outcome::done);
        QVERIFY(!end.value().interrupted);
    }

    void aServerThatDiesFailsTheTrialSoon()
    {
        Recorder recorder;
        SessionControl control;
        Plan plan = planOf(
            R"({"name":"dies","command":["sh","-c",")" LAPBENCH_CLI R"( serve & sleep 1; kill -9 $!; exit 7"]})", 1);
        plan.measure.duration = std::chrono::seconds(60);
        const std::int64_t begin = steadyNs();
        const auto end = run(plan, recorder, control);
        QVERIFY(end.ok());
        QVERIFY(steadyNs() - begin < 30'000'000'000);
        const Trial& trial = end.value().result.trials[0];
        QVERIFY(trial.outcome == Outcome::failed);
        QCOMPARE(trial.failure->phase, std::string("measure"));
        QVERIFY2(trial.failure->message.find("exit code 7") != std::string::npos, trial.failure->message.c_str());
        QVERIFY(trial.load.ok > 0);
    }

    void aResumedSessionRunsOnlyWhatIsMissing()
    {
        // A journal as a killed session leaves it: one trial finished, one broken off.
        const Plan plan = planOf(kOne, 3);
        UtcTime firstStarted;
        {
            Recorder recorder;
            SessionControl control;
            const auto whole = run(plan, recorder, control);
            QVERIFY(whole.ok());
            const SessionResult saved = readResultOrJournal(m_options.result).value();
            Trial second = saved.trials[1];
            second.outcome = Outcome::interrupted;
            firstStarted = saved.trials[0].started;
            fs::remove(m_options.result);
            auto journal = Journal::create(m_options.result, saved);
            QVERIFY(journal.value().append(saved.trials[0]).ok());
            QVERIFY(journal.value().append(second).ok());
        }
        Recorder refused;
        SessionControl control;
        QVERIFY(!run(plan, refused, control).ok());
        QVERIFY(refused.events.empty());

        m_options.resume = true;
        Recorder recorder;
        const auto end = run(plan, recorder, control);
        QVERIFY2(end.ok(), end.ok() ? "" : format(end.problem()).c_str());
        QCOMPARE(recorder.trials.size(), std::size_t(2));
        QCOMPARE(end.value().result.trials.size(), std::size_t(3));
        QVERIFY(end.value().result.trials[0].started == firstStarted);
        QVERIFY(!end.value().interrupted);
        QVERIFY(!fs::exists(Journal::pathFor(m_options.result)));
    }

    void aJournalOfAnotherPlanIsNotResumed()
    {
        SessionResult head;
        head.planJson = "{}";
        QVERIFY(Journal::create(m_options.result, head).ok());
        m_options.resume = true;
        Recorder recorder;
        SessionControl control;
        QVERIFY(!run(planOf(kOne, 1), recorder, control).ok());
        QVERIFY(recorder.events.empty());
    }

    void aJournalOfOtherTargetsIsNotResumed()
    {
        Plan plan = planOf(kTwo, 2);
        SessionResult saved;
        {
            Recorder recorder;
            SessionControl control;
            QVERIFY(run(plan, recorder, control).ok());
            saved = readResultOrJournal(m_options.result).value();
            fs::remove(m_options.result);
            auto journal = Journal::create(m_options.result, saved);
            QVERIFY(journal.value().append(saved.trials[0]).ok());
        }
        m_options.resume = true;
        QVERIFY(selectTargets(plan, {"b"}).ok());
        Recorder recorder;
        SessionControl control;
        const auto end = run(plan, recorder, control);
        QVERIFY(!end.ok());
        QVERIFY2(end.problem().cure.find("--only") != std::string::npos, end.problem().cure.c_str());
        QVERIFY(recorder.events.empty());
        QVERIFY(fs::exists(Journal::pathFor(m_options.result)));
    }

    void stopIsHeardWhileConnecting()
    {
        const test::FullListener listener;
        Plan plan = planOf(kOne, 1);
        plan.targets[0].builtin = false;
        plan.targets[0].url = listener.url();
        plan.load.connections = {10};
        plan.load.connectTimeout = std::chrono::seconds(60);
        plan.load.timeout = std::chrono::seconds(60);
        Recorder recorder;
        SessionControl control;
        recorder.onPhase = [&](const std::string& name) {
            if (name == "connect")
                control.stop();
        };
        const std::int64_t begin = steadyNs();
        const auto end = run(plan, recorder, control);
        QVERIFY(end.ok());
        QVERIFY(steadyNs() - begin < 20'000'000'000);
        QVERIFY(end.value().interrupted);
        QVERIFY(end.value().result.trials.at(0).outcome == Outcome::interrupted);
        QVERIFY(!end.value().result.trials[0].openSeconds);
    }

    void aDestinationThatCannotBeWrittenIsFoundBeforeAnythingStarts()
    {
        m_options.result = "/proc/none/x.lapbench.json";
        Recorder recorder;
        SessionControl control;
        QVERIFY(!run(planOf(kOne, 1), recorder, control).ok());
        QVERIFY(recorder.events.empty());
    }

    void aMissingRuntimeIsNamedWithItsCure()
    {
        Plan plan = planOf(kOne, 1);
        plan.runtimes = {{"n", RuntimeKind::node, "1.2.3", ""}};
        plan.targets[0].builtin = false;
        plan.targets[0].runtime = "n";
        plan.targets[0].app = "json-api/node-http.mjs";
        const MissingPieces missing = missingPieces(plan, m_places);
        QCOMPARE(missing.runtimes.size(), std::size_t(1));
        QCOMPARE(missing.apps.size(), std::size_t(1));
        Recorder recorder;
        SessionControl control;
        const auto end = run(plan, recorder, control);
        QVERIFY(!end.ok());
        QVERIFY(end.problem().cure.find("runtimes install node@1.2.3") != std::string::npos);
    }

    void theHomeFollowsItsVariable()
    {
        qputenv("LAPBENCH_HOME", "/some/where");
        QCOMPARE(defaultHome(), fs::path("/some/where"));
        qunsetenv("LAPBENCH_HOME");
        QVERIFY(defaultHome().string().ends_with("/lapbench"));
        QCOMPARE(defaultResources(LAPBENCH_CLI), fs::path(LAPBENCH_SOURCE_DIR) / "resources");
    }
};

QTEST_APPLESS_MAIN(TestSession)
#include "tst_session.moc"
