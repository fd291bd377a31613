#include "tests/cli/cli_process.h"

#include <QElapsedTimer>
#include <QJsonArray>

#include <signal.h>

using namespace lapbench::test;

namespace {

double number(const QJsonObject& trial, const char* object, const char* key)
{
    return trial[object].toObject()[key].toDouble(-1);
}

} // namespace

class TestCliLoad : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_server = std::make_unique<ServeProcess>(m_place);
        QVERIFY(m_server->answered() >= 0);
    }
    void cleanupTestCase() { m_server.reset(); }

    void exactlyAsManyRequestsAsAskedFor_data()
    {
        QTest::addColumn<int>("requests");
        QTest::addColumn<int>("connections");
        QTest::addColumn<QString>("threads");
        QTest::addColumn<QString>("transport");
        QTest::newRow("401 on 400 connections of 4 threads") << 401 << 400 << "4"
                                                             << "auto";
        QTest::newRow("1 on 200 connections of 8 threads") << 1 << 200 << "8"
                                                           << "auto";
        QTest::newRow("7 on 3 connections of 2 threads") << 7 << 3 << "2"
                                                         << "auto";
        QTest::newRow("100000 on one thread") << 100'000 << 64 << "1"
                                              << "auto";
        QTest::newRow("100000 on two threads") << 100'000 << 64 << "2"
                                               << "auto";
        QTest::newRow("100000 through libcurl") << 100'000 << 64 << "auto"
                                                << "curl";
        QTest::newRow("7 through libcurl on two threads") << 7 << 3 << "2"
                                                          << "curl";
    }
    void exactlyAsManyRequestsAsAskedFor()
    {
        QFETCH(int, requests);
        QFETCH(int, connections);
        QFETCH(QString, threads);
        QFETCH(QString, transport);
        const qint64 before = m_server->answered();
        const CliEnd end =
            m_place.run({"load", m_server->url("/"), "-n", QString::number(requests), "-c",
                         QString::number(connections), "-t", threads, "--transport", transport, "--json", "-"});
        QVERIFY2(end.code == 0, end.err);
        const QJsonObject trial = end.json();
        QCOMPARE(number(trial, "requests", "ok"), double(requests));
        QCOMPARE(number(trial, "requests", "sent"), double(requests));
        QCOMPARE(number(trial, "requests", "failed"), 0.0);
        QCOMPARE(m_server->answered() - before, qint64(requests));
        QCOMPARE(trial["transport"].toString(), transport == "curl" ? QString("curl") : QString("keep-alive"));
        double inSeconds = 0;
        for (const QJsonValue second : trial["seconds"].toArray())
            inSeconds += second["ok"].toDouble();
        QCOMPARE(inSeconds, double(requests));
        QCOMPARE(number(trial, "status", "200"), double(requests));
    }

    void aDurationEndsInTime()
    {
        QElapsedTimer wall;
        wall.start();
        const CliEnd end = m_place.run({"load", m_server->url("/"), "-d", "1s", "-c", "16", "--json", "-"});
        QVERIFY2(end.code == 0, end.err);
        QVERIFY2(wall.elapsed() >= 1000 && wall.elapsed() < 5000, QByteArray::number(wall.elapsed()));
        const QJsonObject trial = end.json();
        const double length = trial["duration_s"].toDouble();
        QVERIFY2(length >= 0.99 && length < 1.3, QByteArray::number(length));
        const double ok = number(trial, "requests", "ok");
        QVERIFY(ok > 100);
        QVERIFY(qAbs(trial["rps"].toDouble() - ok / length) <= 0.001 * ok / length);
        double inSeconds = 0;
        for (const QJsonValue second : trial["seconds"].toArray())
            inSeconds += second["ok"].toDouble();
        QCOMPARE(inSeconds, ok);
        const double inFlight = trial["rps"].toDouble() * number(trial, "latency_us", "mean") / 1e6;
        QVERIFY2(inFlight > 16 * 0.9 && inFlight < 16 * 1.1, QByteArray::number(inFlight));
    }

    void aWarmupIsNotCounted()
    {
        const qint64 before = m_server->answered();
        const CliEnd end = m_place.run({"load", m_server->url("/"), "-w", "500", "-n", "1k", "-c", "4", "--json", "-"});
        QVERIFY2(end.code == 0, end.err);
        QCOMPARE(number(end.json(), "requests", "ok"), 1000.0);
        QVERIFY(m_server->answered() - before >= 1500);
    }

    void aRateIsKeptAndItsLatencyCountsFromWhenItWasDue()
    {
        const CliEnd end = m_place.run({"load", m_server->url("/"), "-d", "1s", "-r", "1k", "-c", "10", "--json", "-"});
        QVERIFY2(end.code == 0, end.err);
        const QJsonObject trial = end.json();
        QCOMPARE(number(trial, "requests", "sent"), 1000.0);
        QCOMPARE(number(trial, "level", "rate"), 1000.0);
        QCOMPARE(number(trial, "service_us", "count"), number(trial, "requests", "ok"));
        QVERIFY(trial["generator"].toObject()["schedule_lag_us"].toObject()["p99"].toDouble(-1) > 0);
    }

    void aRampLastsAsLongAsItSays()
    {
        const CliEnd end = m_place.run({"load", m_server->url("/"), "--steps", "100,300/300ms", "--json", "-"});
        QVERIFY2(end.code == 0, end.err);
        QCOMPARE(number(end.json(), "requests", "sent"), 120.0);
        QCOMPARE(end.json()["duration_s"].toDouble(), 0.6);
    }

    void ratesThatMakeNoSenseAreRefused_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("two ways") << QStringList{"-r", "10", "--ramp", "1..2/1s"}
                                  << QByteArray("more than one of rate");
        QTest::newRow("no time") << QStringList{"--ramp", "1..2"} << QByteArray("--ramp: \"1..2\" says no time");
        QTest::newRow("no ramp") << QStringList{"--ramp", "1,2/1s"} << QByteArray("is no ramp");
        QTest::newRow("no rate") << QStringList{"--steps", "0,2/1s"} << QByteArray("is no rate");
        QTest::newRow("no whole rate") << QStringList{"-r", "0.5"} << QByteArray("0.5");
    }
    void ratesThatMakeNoSenseAreRefused()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, said);
        const CliEnd end = m_place.run(QStringList{"load", m_server->url("/")} + options);
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.contains(said), end.err);
        QCOMPARE(end.err.trimmed().count('\n'), 0);
    }

    void theLoadIsWarmedUpUntilItIsSteady()
    {
        const CliEnd end =
            m_place.run({"load", m_server->url("/"), "-w", "auto", "-r", "500", "-d", "300ms", "--json", "-"});
        QVERIFY2(end.code == 0, end.err);
        const QJsonObject steady = end.json()["steady"].toObject();
        QVERIFY(steady.contains("after_s"));
        QVERIFY(steady["warmup_s"].toDouble() >= 3);
        QCOMPARE(end.json()["duration_s"].toDouble(), 0.3);
    }

    void wrongStatusesAreFailuresAndKept()
    {
        const CliEnd end = m_place.run({"load", m_server->url("/status/500"), "-n", "100", "-c", "4", "--json", "-"});
        QCOMPARE(end.code, 1);
        QVERIFY2(end.err.contains("nothing could be measured"), end.err);
        const QJsonObject trial = end.json();
        QCOMPARE(number(trial, "requests", "failed"), 100.0);
        QCOMPARE(number(trial, "requests", "ok"), 0.0);
        QCOMPARE(number(trial, "status", "500"), 100.0);
        QCOMPARE(trial["errors"].toArray()[0].toObject()["kind"].toString(), QString("unexpected_status"));
        const CliEnd expected = m_place.run(
            {"load", m_server->url("/status/500"), "-n", "100", "-c", "4", "--expect-status", "500", "--json", "-"});
        QCOMPARE(expected.code, 0);
        QCOMPARE(number(expected.json(), "requests", "ok"), 100.0);
    }

    void aBodyOfTheWrongLengthIsAFailedCheck()
    {
        const CliEnd end =
            m_place.run({"load", m_server->url("/"), "-n", "10", "-c", "1", "--expect-bytes", "13", "--json", "-"});
        QCOMPARE(end.code, 1);
        QCOMPARE(end.json()["errors"].toArray()[0].toObject()["kind"].toString(), QString("failed_check"));
    }

    void theBodyIsSent()
    {
        const QString file = m_place.write("body", QByteArray(3000, 'x'));
        const CliEnd end = m_place.run({"load", m_server->url("/echo"), "-X", "POST", "--body-file", file, "-n", "20",
                                        "-c", "2", "--expect-bytes", "3000", "--json", "-"});
        QVERIFY2(end.code == 0, end.err);
        QCOMPARE(number(end.json(), "bytes", "body_received"), 60'000.0);
    }

    void aServerThatIsNotThereIsToldInJsonToo()
    {
        const QString file = m_place.write("old.json", "old");
        const CliEnd end = m_place.run({"load", "http://127.0.0.1:1/", "-n", "10", "-c", "2", "--json", file});
        QCOMPARE(end.code, 1);
        const QJsonObject trial = QJsonDocument::fromJson(CliPlace::read(file)).object();
        QCOMPARE(trial["outcome"].toString(), QString("failed"));
        QVERIFY(CliPlace::read(file).contains("connect_refused"));
        QCOMPARE(end.err, QByteArray("lapbench-cli: nothing could be measured: no connection could be opened: "
                                     "connect_refused (Connection refused)\n"));
    }

    void peopleGetABlockOfFigures()
    {
        const CliEnd end = m_place.run(
            {"load", m_server->url("/"), "-n", "1000", "-c", "2", "--pid", QString::number(m_server->pid())});
        QVERIFY2(end.code == 0, end.err);
        QVERIFY2(end.out.contains("1000 right, 0 failed") && end.out.contains("Requests/s") && end.out.contains("p99"),
                 end.out);
        const CliEnd quiet = m_place.run({"load", m_server->url("/"), "-n", "10", "-c", "2", "--quiet"});
        QVERIFY(quiet.code == 0 && quiet.out.isEmpty() && quiet.err.isEmpty());
    }

    void theServersProcessIsWatched()
    {
        const CliEnd end = m_place.run({"load", m_server->url("/"), "-d", "1s", "-c", "4", "--pid",
                                        QString::number(m_server->pid()), "--json", "-"});
        QVERIFY2(end.code == 0, end.err);
        const QJsonObject server = end.json()["server"].toObject();
        QVERIFY(server["cpu_cores_mean"].toDouble() > 0.01);
        QVERIFY(server["rss_bytes_peak"].toDouble() > 1e6);
        QVERIFY(!server.contains("startup_ms"));
    }

    void ctrlCKeepsWhatWasMeasured()
    {
        const QString file = m_place.path("interrupted.json");
        const qint64 before = m_server->answered();
        QProcess process;
        m_place.prepare(process);
        process.setArguments({"load", m_server->url("/"), "-d", "60s", "-c", "4", "--json", file});
        process.start();
        QTRY_VERIFY_WITH_TIMEOUT(m_server->answered() > before + 100, 20'000);
        ::kill(pid_t(process.processId()), SIGINT);
        QCOMPARE(CliPlace::finish(process).code, 130);
        const QJsonObject trial = QJsonDocument::fromJson(CliPlace::read(file)).object();
        QCOMPARE(trial["outcome"].toString(), QString("interrupted"));
        QVERIFY(number(trial, "requests", "ok") > 0);
    }

    void aHangUpThatIsIgnoredStaysIgnored()
    {
        const qint64 before = m_server->answered();
        QProcess shell;
        m_place.prepare(shell);
        shell.setProgram("sh");
        shell.setArguments(
            {"-c", "trap '' HUP; exec \"$0\" load \"$1\" -d 1500ms -c 2 --quiet", LAPBENCH_CLI, m_server->url("/")});
        shell.start();
        QTRY_VERIFY_WITH_TIMEOUT(m_server->answered() > before + 10, 20'000);
        ::kill(pid_t(shell.processId()), SIGHUP);
        QCOMPARE(CliPlace::finish(shell).code, 0);
    }

    void figuresThatCannotBePrintedAreAnError_data()
    {
        QTest::addColumn<QStringList>("more");
        QTest::newRow("for people") << QStringList();
        QTest::newRow("as JSON") << QStringList({"--json", "-"});
    }
    void figuresThatCannotBePrintedAreAnError()
    {
        QFETCH(QStringList, more);
        QProcess process;
        m_place.prepare(process);
        process.setArguments(QStringList({"load", m_server->url("/"), "-n", "10", "-c", "2"}) + more);
        process.setStandardOutputFile("/dev/full");
        process.start();
        const CliEnd end = CliPlace::finish(process);
        QCOMPARE(end.code, 4);
        QVERIFY2(end.err.contains("stdout: cannot be written"), end.err);
    }

private:
    CliPlace m_place;
    std::unique_ptr<ServeProcess> m_server;
};

QTEST_GUILESS_MAIN(TestCliLoad)
#include "tst_cli_load.moc"
