#include "ui/bridge/live_session.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lapbench;

namespace {
constexpr int kDeadlineMs = 20'000;
} // namespace

/// The session against small programs of its own, for what the real runner never does; the real one is in tst_window.
class TestLiveSession : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString program(const QByteArray& script)
    {
        static int number = 0;
        const QString name = m_folder.filePath(QStringLiteral("program%1").arg(number++));
        QFile file(name);
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no temporary file");
        file.write("#!/bin/sh\n" + script);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return name;
    }

    static LiveSessionEnd endOf(QSignalSpy& spy)
    {
        if (spy.isEmpty())
            spy.wait(kDeadlineMs);
        return spy.isEmpty() ? LiveSessionEnd{false, -1, false, {}, QStringLiteral("no end")}
                             : spy.first().first().value<LiveSessionEnd>();
    }

private slots:
    void itsArgumentsAreThoseOfTheInterface()
    {
        LiveSession session;
        QStringList lines;
        connect(&session, &LiveSession::lineRefused, this, [&](const QString& line) { lines << line; });
        QSignalSpy ended(&session, &LiveSession::ended);
        session.start(program("echo \"$@\"\n"),
                      {QStringLiteral("plan.json"), QStringLiteral("--rounds"), QStringLiteral("2")});
        QCOMPARE(endOf(ended).exitCode, 0);
        QCOMPARE(lines.size(), 1);
        QVERIFY(lines.first().contains(QStringLiteral("run plan.json --rounds 2 --progress jsonl --control")));
    }

    void eventsArriveInOrderAndTheResultIsKept()
    {
        LiveSession session;
        std::vector<std::size_t> kinds;
        connect(&session, &LiveSession::eventRead, this,
                [&](const SessionEvent& event) { kinds.push_back(event.index()); });
        QSignalSpy ended(&session, &LiveSession::ended);
        session.start(program("echo '{\"event\":\"session_started\",\"trials\":1}'\n"
                              "echo 'not an event'\n"
                              "echo '{\"event\":\"later\"}'\n"
                              "printf '{\"event\":\"session_finished\",\"result\":\"/tmp/a.json\"}'\n"),
                      {});
        const LiveSessionEnd end = endOf(ended);
        QCOMPARE(end.exitCode, 0);
        QCOMPARE(end.result, QStringLiteral("/tmp/a.json"));
        QVERIFY(end.message.isEmpty());
        const std::vector<std::size_t> wanted = {SessionEvent(SessionStarted()).index(),
                                                 SessionEvent(UnknownEvent()).index(),
                                                 SessionEvent(SessionFinished()).index()};
        QCOMPARE(kinds, wanted);
    }

    void stopIsOneLineAndComesOnce()
    {
        LiveSession session;
        QSignalSpy ended(&session, &LiveSession::ended);
        QSignalSpy events(&session, &LiveSession::eventRead);
        session.start(program("echo '{\"event\":\"session_started\",\"trials\":1}'\n"
                              "read line\n"
                              "echo \"{\\\"event\\\":\\\"session_finished\\\",\\\"result\\\":\\\"$line\\\"}\"\n"
                              "exit 130\n"),
                      {});
        QTRY_VERIFY_WITH_TIMEOUT(!events.isEmpty(), kDeadlineMs);
        QVERIFY(session.active());
        session.stop();
        session.stop();
        const LiveSessionEnd end = endOf(ended);
        QCOMPARE(end.result, QStringLiteral("stop"));
        QCOMPARE(end.exitCode, 130);
        QVERIFY(end.message.isEmpty());
        QVERIFY(!session.active());
    }

    void leavingClosesThePipe()
    {
        LiveSession session;
        QSignalSpy ended(&session, &LiveSession::ended);
        session.start(program("while read line; do :; done\nexit 130\n"), {});
        session.leave();
        QCOMPARE(endOf(ended).exitCode, 130);
    }

    void aDestroyedSessionLeavesNothingBehind()
    {
        const QString mark = m_folder.filePath(QStringLiteral("mark"));
        QElapsedTimer clock;
        {
            LiveSession session;
            QSignalSpy events(&session, &LiveSession::eventRead);
            session.start(program("echo '{\"event\":\"session_started\",\"trials\":1}'\n"
                                  "while read line; do :; done\necho gone > '" +
                                  mark.toUtf8() + "'\n"),
                          {});
            QTRY_VERIFY_WITH_TIMEOUT(!events.isEmpty(), kDeadlineMs);
            clock.start();
        }
        QVERIFY(QFile::exists(mark));
        QVERIFY(clock.elapsed() < LiveSession::kPatienceMs);
    }

    void failuresCarryASentence_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("message");
        QTest::newRow("an event says why")
            << QByteArray("echo '{\"event\":\"session_failed\",\"message\":\"port taken\"}'\nexit 1\n") << 1
            << QStringLiteral("port taken");
        QTest::newRow("the last line on stderr")
            << QByteArray("echo first >&2\necho 'load.connections: below 1' >&2\nexit 2\n") << 2
            << QStringLiteral("load.connections: below 1");
        QTest::newRow("nothing said") << QByteArray("exit 4\n") << 4
                                      << QStringLiteral("lapbench-cli ended with exit code 4");
    }
    void failuresCarryASentence()
    {
        QFETCH(QByteArray, script);
        QFETCH(int, exitCode);
        QFETCH(QString, message);
        LiveSession session;
        QSignalSpy ended(&session, &LiveSession::ended);
        session.start(program(script), {});
        const LiveSessionEnd end = endOf(ended);
        QCOMPARE(end.exitCode, exitCode);
        QCOMPARE(end.message, message);
    }

    void aKilledRunnerIsSaid()
    {
        LiveSession session;
        QSignalSpy ended(&session, &LiveSession::ended);
        QSignalSpy refused(&session, &LiveSession::lineRefused);
        session.start(program("printf '{\"event\":\"inter'\nkill -9 $$\n"), {});
        const LiveSessionEnd end = endOf(ended);
        QVERIFY(end.crashed);
        QVERIFY(end.message.contains(QStringLiteral("unexpectedly")));
        QCOMPARE(refused.size(), 0);
    }

    void aMissingProgramIsSaid()
    {
        LiveSession session;
        QSignalSpy ended(&session, &LiveSession::ended);
        session.start(m_folder.filePath(QStringLiteral("no-such-program")), {});
        const LiveSessionEnd end = endOf(ended);
        QVERIFY(!end.started);
        QVERIFY(end.message.contains(QStringLiteral("no-such-program")));
        QVERIFY(!session.active());
    }

    void aFloodOfOutputIsRead()
    {
        LiveSession session;
        QSignalSpy ended(&session, &LiveSession::ended);
        std::size_t lines = 0;
        connect(&session, &LiveSession::eventRead, this, [&](const SessionEvent&) { ++lines; });
        session.start(
            program("i=0\nwhile [ $i -lt 20000 ]; do echo '{\"event\":\"log\",\"source\":\"a\",\"line\":\"x\"}';"
                    " i=$((i+1)); done\n"),
            {});
        QCOMPARE(endOf(ended).exitCode, 0);
        QCOMPARE(lines, std::size_t(20000));
    }
};

QTEST_GUILESS_MAIN(TestLiveSession)
#include "tst_live_session.moc"
