#include "tests/cli/cli_process.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <signal.h>

using namespace lapbench::test;

class TestCliCalibrate : public QObject {
    Q_OBJECT

    static QString kept(const CliPlace& place) { return place.home() + "/calibration.json"; }

    static QByteArray withCeilings(QJsonObject calibration, double rps)
    {
        QJsonArray entries = calibration["entries"].toArray();
        for (QJsonValueRef value : entries) {
            QJsonObject entry = value.toObject();
            entry["rps"] = rps;
            entry.remove("limited_by");
            value = entry;
        }
        calibration["entries"] = entries;
        return QJsonDocument(calibration).toJson();
    }

private slots:
    void oneRunIsKeptAndReadByTheOthers()
    {
        const CliPlace place;
        const QString copy = place.path("copy.json");
        QVERIFY(place.run({"doctor"}).out.contains("lapbench-cli calibrate"));
        CliEnd end = place.run({"calibrate", "--quick", "--duration", "60ms", "--json", copy});
        QVERIFY2(end.code == 0, end.err);
        QVERIFY2(end.out.contains("keep-alive") && end.out.contains("curl") && end.out.contains("req/s"), end.out);
        QCOMPARE(CliPlace::read(copy), CliPlace::read(kept(place)));
        const QJsonObject calibration = QJsonDocument::fromJson(CliPlace::read(copy)).object();
        QCOMPARE(calibration["schema"].toString(), QString("lapbench-calibration"));
        QCOMPARE(calibration["schema_version"].toInt(), 1);
        QVERIFY(calibration["machine"].toObject()["processors"].toInt() >= 1);
        QVERIFY(!calibration["entries"].toArray().isEmpty());
        QVERIFY(place.mark().goneWithin(std::chrono::seconds(10)));
        QVERIFY(!place.run({"doctor"}).out.contains("lapbench-cli calibrate"));

        const ServeProcess server(place);
        const QStringList load = {"load", server.url("/"), "-d", "200ms", "-c", "64", "-t", "1"};
        place.write("home/calibration.json", withCeilings(calibration, 1));
        end = place.run(load + QStringList{"--json", "-"});
        QCOMPARE(end.code, 0);
        const QJsonArray warnings = end.json()["warnings"].toArray();
        QCOMPARE(warnings.size(), 1);
        QCOMPARE(warnings[0].toObject()["code"].toString(), QString("near_generator_ceiling"));
        QVERIFY(place.run(load).out.contains("Warning"));

        place.write("home/calibration.json", withCeilings(calibration, 1e9));
        QVERIFY(place.run(load + QStringList{"--json", "-"}).json()["warnings"].toArray().isEmpty());
    }

    void jsonOnStdoutStandsThereAlone()
    {
        const CliPlace place;
        const CliEnd end = place.run({"calibrate", "--quick", "--duration", "50ms", "--json", "-"});
        QCOMPARE(end.code, 0);
        QCOMPARE(end.out, CliPlace::read(kept(place)));
        QVERIFY(!end.json().isEmpty());
    }

    void aBrokenCalibrationIsOneSentenceForLoad()
    {
        const CliPlace place;
        QVERIFY(QDir().mkpath(place.home()));
        place.write("home/calibration.json", "{\"schema\": ");
        const ServeProcess server(place);
        const CliEnd end = place.run({"load", server.url("/"), "-n", "100", "-c", "2", "--json", "-"});
        QCOMPARE(end.code, 0);
        QVERIFY2(end.err.count('\n') == 1 && end.err.contains("calibration.json"), end.err);
        QCOMPARE(end.json()["requests"].toObject()["ok"].toInt(), 100);
        QVERIFY(place.run({"doctor"}).out.contains("calibration.json"));
        const CliEnd run = place.run({"run", "hello", "--scale", "0.01", "--rounds", "1", "-o",
                                      place.path("r.lapbench.json"), "--progress", "none"});
        QVERIFY2(run.code == 0, run.err);
        const QJsonObject result = QJsonDocument::fromJson(CliPlace::read(place.path("r.lapbench.json"))).object();
        const QJsonObject told = result["warnings"].toArray().at(0).toObject();
        QCOMPARE(told["code"].toString(), QString("calibration_unreadable"));
        QCOMPARE(told["severity"].toString(), QString("info"));
    }

    void badInputEndsWithTwo_data()
    {
        QTest::addColumn<QString>("duration");
        QTest::newRow("no unit") << "2";
        QTest::newRow("too short") << "49ms";
        QTest::newRow("too long") << "11m";
    }
    void badInputEndsWithTwo()
    {
        QFETCH(QString, duration);
        const CliPlace place;
        const CliEnd end = place.run({"calibrate", "--duration", duration});
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.count('\n') == 1 && end.err.contains("--duration"), end.err);
        QVERIFY(!QDir(place.home()).exists());
    }

    void aPlaceThatCannotBeWrittenIsFoundBeforeTheRun()
    {
        const CliPlace place;
        CliEnd end = place.run({"calibrate", "--quick", "--json", place.path("no/such/folder/c.json")});
        QCOMPARE(end.code, 4);
        QVERIFY2(end.err.count('\n') == 1, end.err);
        QVERIFY(!QFile::exists(kept(place)));
        place.write("home", "a file where the folder should be");
        end = place.run({"calibrate", "--quick"});
        QCOMPARE(end.code, 4);
        QVERIFY2(end.err.count('\n') == 1, end.err);
    }

    void ctrlCLeavesWhatWasThere()
    {
        const CliPlace place;
        QVERIFY(QDir().mkpath(place.home()));
        place.write("home/calibration.json", "as it was");
        QProcess process;
        place.prepare(process);
        process.setArguments({"calibrate", "--duration", "60s"});
        process.start();
        // Itself, the guard, and the built-in server.
        QTRY_VERIFY_WITH_TIMEOUT(place.mark().living().size() >= 3, 20'000);
        ::kill(pid_t(process.processId()), SIGINT);
        const CliEnd end = CliPlace::finish(process);
        QCOMPARE(end.code, 130);
        QCOMPARE(CliPlace::read(kept(place)), QByteArray("as it was"));
        QCOMPARE(QDir(place.home()).entryList(QDir::Files | QDir::Hidden), QStringList{"calibration.json"});
        QVERIFY(place.mark().goneWithin(std::chrono::seconds(10)));
    }
};

QTEST_GUILESS_MAIN(TestCliCalibrate)
#include "tst_cli_calibrate.moc"
