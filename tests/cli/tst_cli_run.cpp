#include "tests/cli/cli_process.h"

#include <QFileInfo>
#include <QJsonArray>

#include <signal.h>

using namespace lapbench::test;

namespace {

/// A target that is started by a shell.
QByteArray shellTarget(const QByteArray& name, const QByteArray& script)
{
    return "{\"name\": \"" + name + "\", \"command\": [\"sh\", \"-c\", \"" + script + "\"]}";
}

const char* const kShort = R"("measure": {"requests": 200}, "rounds": 2)";

/// A `run --progress jsonl` whose events are read as they come.
class EventRun {
public:
    EventRun(const CliPlace& place, QStringList arguments)
    {
        place.prepare(m_process);
        m_process.setArguments(arguments << "--progress"
                                         << "jsonl");
        m_process.start();
    }

    /// The next event; an empty object where none came in time or the line is no event.
    QJsonObject next()
    {
        while (!m_process.canReadLine())
            if (!m_process.waitForReadyRead(kLongestRunMs))
                return {};
        return QJsonDocument::fromJson(m_process.readLine()).object();
    }
    QJsonObject nextOf(const QString& name)
    {
        for (QJsonObject event = next(); !event.isEmpty(); event = next())
            if (event["event"] == name)
                return event;
        return {};
    }
    void say(const QByteArray& line)
    {
        m_process.write(line + "\n");
        m_process.waitForBytesWritten(10'000);
    }
    QProcess& process() { return m_process; }
    CliEnd finish() { return CliPlace::finish(m_process); }

private:
    QProcess m_process;
};

QJsonArray trialsIn(const QString& result)
{
    return QJsonDocument::fromJson(CliPlace::read(result)).object()["trials"].toArray();
}

} // namespace

class TestCliRun : public QObject {
    Q_OBJECT

private slots:
    void aPlanRunsAndItsResultIsSaved()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, kShort));
        const QString result = place.path("r.lapbench.json");
        const CliEnd end = place.run({"run", plan, "-o", result});
        QVERIFY2(end.code == 0, end.err);
        QVERIFY2(end.out.contains("Workload default, 4 connections, medians of 2 rounds"), end.out);
        QVERIFY2(end.out.contains("Saved " + result.toUtf8()), end.out);
        QVERIFY2(end.err.contains("trial 4 of 4"), end.err);
        const QJsonArray trials = trialsIn(result);
        QCOMPARE(trials.size(), 4);
        QByteArray order;
        for (const QJsonValue trial : trials) {
            order += trial["target"].toString().toUtf8();
            QCOMPARE(trial["outcome"].toString(), QString("done"));
            QCOMPARE(trial["requests"]["ok"].toInt(), 200);
            QVERIFY(trial["server"]["startup_ms"].toDouble() > 0);
        }
        QCOMPARE(order, QByteArray("abba"));
        QVERIFY(!QFile::exists(result + ".journal"));
        QVERIFY(place.mark().goneWithin(std::chrono::seconds(3)));

        const CliEnd shown = place.run({"show", result});
        QVERIFY(shown.code == 0 && end.out.startsWith(shown.out));
        QVERIFY(place.run({"show", result, "--format", "markdown"}).out.contains("| target |"));
        QCOMPARE(place.run({"show", result, "--format", "csv"}).out.count('\n'), 3);
        QCOMPARE(place.run({"show", result, "--format", "json"}).json()["trials"].toArray().size(), 4);
    }

    void theShippedPlanHelloRunsWithoutANameForItsResult()
    {
        const CliPlace place;
        const CliEnd end = place.run({"run", "hello", "--scale", "0.01", "--rounds", "1", "--progress", "none"});
        QVERIFY2(end.code == 0, end.err);
        QVERIFY2(end.err.isEmpty() && end.out.contains("scaled to 0.0100"), end.err);
        const QStringList saved = QDir(place.home() + "/results").entryList({"hello-*.lapbench.json"});
        QCOMPARE(saved.size(), 1);
        const QJsonObject result =
            QJsonDocument::fromJson(CliPlace::read(place.home() + "/results/" + saved[0])).object();
        QCOMPARE(result["scale"].toDouble(), 0.01);
        QCOMPARE(result["plan"].toObject()["rounds"].toInt(), 1);
    }

    void onlyTheTargetsAskedForRun()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, kShort));
        const QString result = place.path("r.json");
        QCOMPARE(place.run({"run", plan, "-o", result, "--only", "b"}).code, 0);
        QCOMPARE(trialsIn(result).size(), 2);
        QCOMPARE(trialsIn(result)[0].toObject()["target"].toString(), QString("b"));
    }

    void theFirstTargetRunsAgainAsItsOwnControl()
    {
        const CliPlace place;
        const QString plan = place.write(
            "p.plan.json",
            planOf(kTwo, R"("measure": {"requests": 200}, "rounds": 1, "order": "fixed", "aa_control": true)"));
        const QString result = place.path("r.json");
        const CliEnd end = place.run({"run", plan, "-o", result, "--only", "b", "--budget", "10m"});
        QVERIFY2(end.code == 0, end.err);
        QByteArrayList targets;
        for (const QJsonValue trial : trialsIn(result))
            targets << trial["target"].toString().toUtf8();
        QCOMPARE(targets, (QByteArrayList{"b", "b-again"}));
        const QJsonObject saved = QJsonDocument::fromJson(CliPlace::read(result)).object()["plan"].toObject();
        QVERIFY(saved["aa_control"].toBool() && saved["targets"].toArray().size() == 2);
        QCOMPARE(saved["budget"].toString(), QString("10m"));
    }

    void untilCiRunsSixRoundsWhateverThePlanSays()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, QByteArray(kShort) + R"(, "noisy_repeats": 0)"));
        const QString result = place.path("r.json");
        const CliEnd end = place.run({"run", plan, "-o", result, "--until-ci", "50%", "--rounds", "6"});
        QVERIFY2(end.code == 0, end.err);
        QCOMPARE(trialsIn(result).last().toObject()["round"].toInt(), 6);
        const QJsonObject saved = QJsonDocument::fromJson(CliPlace::read(result)).object()["plan"].toObject();
        QCOMPARE(saved["until_ci"].toString(), QString("50%"));
        QCOMPARE(saved["rounds"].toInt(), 6);
    }

    void anExistingResultIsKeptWithoutYes()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, kShort));
        const QString result = place.write("r.json", "mine");
        const CliEnd kept = place.run({"run", plan, "-o", result});
        QCOMPARE(kept.code, 2);
        QVERIFY2(kept.err.contains("--yes"), kept.err);
        QCOMPARE(CliPlace::read(result), QByteArray("mine"));
        QCOMPARE(place.run({"run", plan, "-o", result, "--yes"}).code, 0);
        QCOMPARE(trialsIn(result).size(), 4);
    }

    void eventsTellTheStory()
    {
        const CliPlace place;
        const QString plan = place.write(
            "p.plan.json", planOf(kTwo, R"("measure": {"duration": "600ms"}, "noisy_repeats": 0, "rounds": 1)"));
        const QString result = place.path("r.json");
        const CliEnd end = place.run({"run", plan, "-o", result, "--progress", "jsonl"});
        QVERIFY2(end.code == 0 && end.err.isEmpty(), end.err);
        QStringList story;
        int intervals = 0;
        for (const QByteArray& line : end.out.trimmed().split('\n')) {
            const QJsonObject event = QJsonDocument::fromJson(line).object();
            QVERIFY2(event.contains("event"), line);
            const QString name = event["event"].toString();
            if (name == "interval") {
                ++intervals;
                QVERIFY(event.contains("t") && event.contains("ok") && event.contains("failed"));
            }
            if (name == "trial_started")
                QCOMPARE(event["level"].toObject()["connections"].toInt(), 4);
            if (name == "trial_finished")
                QVERIFY(event["trial"].toObject()["requests"].toObject()["ok"].toInt() > 0);
            if (name == "session_started")
                QCOMPARE(event["trials"].toInt(), 2);
            if (name == "session_finished")
                QCOMPARE(event["result"].toString(), result);
            if (name != "interval" && name != "phase" && name != "log" && name != "warning")
                story << name;
        }
        QVERIFY(intervals >= 2);
        QCOMPARE(story, QStringList({"session_started", "trial_started", "trial_finished", "trial_started",
                                     "trial_finished", "round_finished", "session_finished"}));
    }

    void aFailureBeforeTheStartIsAnEventToo()
    {
        const CliPlace place;
        const CliEnd end = place.run({"run", "hello", "-o", "/no/such/folder/r.json", "--progress", "jsonl"});
        QCOMPARE(end.code, 4);
        QCOMPARE(end.json()["event"].toString(), QString("session_failed"));
    }

    void aServerThatDoesNotStartIsToldWithItsOutput()
    {
        const CliPlace place;
        const QByteArray broken = shellTarget("bad", "echo no luck; exit 3");
        const QString alone = place.write("alone.plan.json", planOf(broken, kShort));
        const CliEnd end = place.run({"run", alone, "-o", place.path("alone.json")});
        QCOMPARE(end.code, 1);
        QVERIFY2(end.out.contains("no luck"), end.out);
        QVERIFY2(end.err.contains("nothing could be measured"), end.err);

        const QString both =
            place.write("both.plan.json", planOf(broken + R"(, {"name": "a", "builtin": true})", kShort));
        QCOMPARE(place.run({"run", both, "-o", place.path("both.json")}).code, 0);
        QCOMPARE(place.run({"run", both, "-o", place.path("strict.json"), "--strict"}).code, 3);
    }

    void whereEveryServerDiesNothingWasMeasured()
    {
        const CliPlace place;
        const QByteArray dying = shellTarget("a", QByteArray(LAPBENCH_CLI) + " serve & sleep 1; kill -9 $!; exit 7");
        const QString plan =
            place.write("p.plan.json", planOf(dying, R"("measure": {"duration": "60s"}, "rounds": 1)"));
        const CliEnd end = place.run({"run", plan, "-o", place.path("r.json")});
        QCOMPARE(end.code, 1);
        QVERIFY2(end.err.contains("nothing could be measured"), end.err);
        QVERIFY(trialsIn(place.path("r.json"))[0].toObject()["requests"].toObject()["ok"].toInt() > 0);
    }

    void ctrlCKeepsTheFinishedTrialsAndLeavesNothingRunning()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, kLong));
        const QString result = place.path("r.json");
        EventRun run(place, {"run", plan, "-o", result});
        QVERIFY(!run.nextOf("trial_finished").isEmpty());
        QVERIFY(!run.nextOf("interval").isEmpty());
        ::kill(pid_t(run.process().processId()), SIGINT);
        QVERIFY(!run.nextOf("session_finished").isEmpty());
        QCOMPARE(run.finish().code, 130);
        QVERIFY(place.mark().goneWithin(std::chrono::seconds(2)));
        const QJsonArray trials = trialsIn(result);
        QVERIFY(trials.size() >= 2 && trials.size() < 80);
        QCOMPARE(trials.last().toObject()["outcome"].toString(), QString("interrupted"));
        const CliEnd shown = place.run({"show", result});
        QVERIFY2(shown.code == 0 && shown.out.contains("interrupted"), shown.out);
    }

    void killedHardItLeavesAJournalAndNothingElse_data()
    {
        QTest::addColumn<QByteArray>("target");
        QTest::newRow("a server of its own") << QByteArray(R"({"name": "a", "builtin": true})");
        QTest::newRow("a server below a shell") << shellTarget("a", QByteArray(LAPBENCH_CLI) + " serve & wait");
    }
    void killedHardItLeavesAJournalAndNothingElse()
    {
        QFETCH(QByteArray, target);
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(target, kLong));
        const QString result = place.path("r.json");
        EventRun run(place, {"run", plan, "-o", result});
        QVERIFY(!run.nextOf("trial_finished").isEmpty());
        QVERIFY(!run.nextOf("interval").isEmpty());
        QVERIFY(place.mark().living().size() >= 3);
        run.process().kill();
        QCOMPARE(run.finish().code, -1);
        QVERIFY(place.mark().goneWithin(std::chrono::seconds(2)));
        QVERIFY(!QFile::exists(result));
        const CliEnd shown = place.run({"show", result + ".journal"});
        QVERIFY2(shown.code == 0 && shown.out.contains("did not end"), shown.out + shown.err);

        const CliEnd refused = place.run({"run", plan, "-o", result});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("--resume") && refused.err.contains("remove"), refused.err);
    }

    void aSessionIsResumed()
    {
        const CliPlace place;
        const QString plan = place.write(
            "p.plan.json", planOf(kTwo, R"("measure": {"duration": "500ms"}, "noisy_repeats": 0, "rounds": 3)"));
        const QString result = place.path("r.json");
        EventRun run(place, {"run", plan, "-o", result});
        const QJsonObject first = run.nextOf("trial_finished")["trial"].toObject();
        run.process().kill();
        run.finish();
        const CliEnd end = place.run({"run", plan, "-o", result, "--resume"});
        QVERIFY2(end.code == 0, end.err);
        const QJsonArray trials = trialsIn(result);
        QCOMPARE(trials.size(), 6);
        QCOMPARE(trials[0].toObject()["started_utc"], first["started_utc"]);
        QVERIFY(!QFile::exists(result + ".journal"));
    }

    void theWindowStopsTheSession_data()
    {
        QTest::addColumn<bool>("closes");
        QTest::newRow("by a word") << false;
        QTest::newRow("by going away") << true;
    }
    void theWindowStopsTheSession()
    {
        QFETCH(bool, closes);
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, kLong));
        const QString result = place.path("r.json");
        EventRun run(place, {"run", plan, "-o", result, "--control"});
        QVERIFY(!run.nextOf("interval").isEmpty());
        if (closes)
            run.process().closeWriteChannel();
        else
            run.say("stop");
        QCOMPARE(run.finish().code, 130);
        QVERIFY(place.mark().goneWithin(std::chrono::seconds(2)));
        QCOMPARE(trialsIn(result).size(), 1);
    }

    void theWindowSkipsAndStopsAfterATrial()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, kLong));
        const QString result = place.path("r.json");
        EventRun run(place, {"run", plan, "-o", result, "--control"});
        QCOMPARE(run.nextOf("trial_started")["index"].toInt(), 0);
        run.say("skip 1");
        QCOMPARE(run.nextOf("trial_finished")["trial"].toObject()["outcome"].toString(), QString("done"));
        QCOMPARE(run.nextOf("trial_finished")["trial"].toObject()["outcome"].toString(), QString("skipped"));
        QVERIFY(!run.nextOf("interval").isEmpty());
        run.say("stop-after-trial");
        QCOMPARE(run.finish().code, 130);
        const QJsonArray trials = trialsIn(result);
        QCOMPARE(trials.size(), 3);
        QCOMPARE(trials[2].toObject()["outcome"].toString(), QString("done"));
    }

    void theWindowPausesBetweenTrials()
    {
        const CliPlace place;
        const QString plan =
            place.write("p.plan.json", planOf(kTwo, R"("measure": {"duration": "300ms"}, "rounds": 1)"));
        EventRun run(place, {"run", plan, "-o", place.path("r.json"), "--control"});
        QVERIFY(!run.nextOf("trial_started").isEmpty());
        run.say("pause");
        QVERIFY(!run.nextOf("trial_finished").isEmpty());
        QJsonObject event;
        do
            event = run.next();
        while (!event.isEmpty() && event["name"] != "paused");
        QCOMPARE(event["event"].toString(), QString("phase"));
        run.say("continue");
        QCOMPARE(run.nextOf("trial_started")["index"].toInt(), 1);
        QCOMPARE(run.finish().code, 0);
    }

    void aReaderThatGoesAwayStopsTheSession()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, kLong));
        const QString result = place.path("r.json");
        QProcess shell;
        place.prepare(shell);
        shell.setProgram("sh");
        shell.setArguments(
            {"-c", "\"$0\" run \"$1\" -o \"$2\" --progress jsonl | sed /measure/q", LAPBENCH_CLI, plan, result});
        shell.start();
        QCOMPARE(CliPlace::finish(shell).code, 0);
        QVERIFY(place.mark().goneWithin(std::chrono::seconds(2)));
        QVERIFY(trialsIn(result).size() < 80);
        QVERIFY(!trialsIn(result).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestCliRun)
#include "tst_cli_run.moc"
