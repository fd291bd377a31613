#include "tests/core/session/session_rig.h"

#include <QTest>

#include <csignal>
#include <fstream>

using namespace lapbench;
using lapbench::test::SessionRig;

/// Servers that end while they are under load.
class TestDyingServer : public QObject {
    Q_OBJECT

private slots:
    void itIsToldWhenItEnded_data()
    {
        QTest::addColumn<QByteArray>("phase");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("in the warm-up") << QByteArray("warmup")
                                        << QByteArray("the server ended before the window opened");
        QTest::newRow("right after the window opened") << QByteArray("measure") << QByteArray(" s of the window with ");
    }
    void itIsToldWhenItEnded()
    {
        QFETCH(QByteArray, phase);
        QFETCH(QByteArray, told);
        SessionRig rig;
        const std::string pidFile = rig.options.result.string() + ".pid";
        Plan plan = SessionRig::planOf({"dies"}, 1);
        plan.targets[0].builtin = false;
        plan.targets[0].command = {"sh", "-c", "echo $$ > \"$0\"; exec " LAPBENCH_CLI " serve", pidFile};
        plan.warmup.duration = std::chrono::milliseconds(phase == "warmup" ? 60'000 : 50);
        plan.measure.duration = std::chrono::seconds(60);
        rig.recorder.onPhase = [&](const std::string& name) {
            pid_t pid = 0;
            if (name == phase.toStdString() && std::ifstream(pidFile) >> pid)
                ::kill(pid, SIGKILL);
        };
        const auto end = rig.run(plan);
        QVERIFY2(end.ok(), end.ok() ? "" : format(end.problem()).c_str());
        const Trial& trial = end.value().result.trials.at(0);
        QVERIFY(trial.outcome == Outcome::failed);
        QCOMPARE(trial.failure->phase, phase.toStdString());
        const QByteArray message = QByteArray::fromStdString(trial.failure->message);
        QVERIFY2(message.contains(told), message);
        QVERIFY2(!message.contains(" 0.00 s"), message); // it took some time to end, however little
    }
};

QTEST_APPLESS_MAIN(TestDyingServer)
#include "tst_dying_server.moc"
