#include "core/result/hlog.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <random>

using namespace lapbench;

namespace {

constexpr const char* kSource = LAPBENCH_SOURCE_DIR "/tests/e2e/hlog/";

/// What a program printed; its complaints where it failed.
QByteArray outputOf(const QString& program, const QStringList& arguments, const QString& folder, bool& worked)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    worked =
        process.waitForFinished(120'000) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
    return worked ? process.readAllStandardOutput() : process.readAllStandardError() + process.errorString().toUtf8();
}

/// 20,000 answers over five seconds: every percentile asked for has a whole rank, where nobody has to round.
Trial manyAnswers(const std::string& target, unsigned seed)
{
    Trial trial;
    trial.target = target;
    trial.workload = "user";
    trial.level.connections = 64;
    trial.transport = "keep-alive";
    trial.started = UtcTime{std::chrono::milliseconds(1'700'000'000'250)};
    trial.load.durationSeconds = 4.5;
    std::mt19937_64 random(seed);
    for (unsigned t = 0; t < 5; ++t) {
        Histogram second;
        for (int i = 0; i < 4000; ++i)
            second.record(static_cast<std::int64_t>(random() >> (random() % 30 + 25)));
        trial.load.histogram.add(second);
        TrialSecond made;
        made.load.t = t;
        made.load.latency = second.sparse();
        trial.seconds.push_back(made);
    }
    return trial;
}

} // namespace

/// What is written as .hlog is read by npm's hdr-histogram-js.
class TestHlogNpm : public QObject {
    Q_OBJECT

private slots:
    /// The package is installed once, into the folder that all build trees share.
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("LAPBENCH_OFFLINE"))
            QSKIP("LAPBENCH_OFFLINE is set");
        m_folder = qEnvironmentVariable("LAPBENCH_TEST_HOME", LAPBENCH_DEFAULT_TEST_HOME) + "/hdr-histogram-js";
        QVERIFY(QDir().mkpath(m_folder));
        for (const char* name : {"package.json", "package-lock.json", "read.mjs"}) {
            QFile::remove(m_folder + "/" + name);
            QVERIFY(QFile::copy(kSource + QString(name), m_folder + "/" + name));
        }
        if (QFile::exists(m_folder + "/node_modules/hdr-histogram-js/package.json"))
            return;
        bool worked = false;
        const QByteArray said =
            outputOf("npm", {"ci", "--ignore-scripts", "--no-audit", "--no-fund"}, m_folder, worked);
        QVERIFY2(worked, said.constData());
    }

    void anotherLibraryFindsTheSamePercentiles()
    {
        SessionResult result;
        result.trials = {manyAnswers("node", 1), manyAnswers("bun", 2)};
        const QTemporaryDir place;
        const QString file = place.filePath("x.hlog");
        std::ofstream(file.toStdString()) << formatHlog(result);

        const QStringList percentiles = {"25", "50", "75", "90", "95", "99", "99.9", "99.99", "100"};
        bool worked = false;
        const QByteArray said = outputOf("node", QStringList{"read.mjs", file} + percentiles, m_folder, worked);
        QVERIFY2(worked, said.constData());
        const QJsonObject read = QJsonDocument::fromJson(said).object();
        QCOMPARE(read["tags"].toObject().size(), 2);
        for (const Trial& trial : result.trials) {
            const QJsonObject found = read["tags"].toObject()[QString::fromStdString(hlogTag(trial))].toObject();
            QCOMPARE(found["count"].toInteger(), 20'000);
            const QJsonArray values = found["percentiles"].toArray();
            QCOMPARE(values.size(), percentiles.size());
            for (qsizetype i = 0; i < percentiles.size(); ++i)
                QCOMPARE(values[i].toInteger(), *trial.load.histogram.percentileNs(percentiles[i].toDouble() / 100));
        }
        const QJsonArray intervals = read["intervals"].toArray();
        QCOMPARE(intervals.size(), 10);
        QCOMPARE(intervals[0].toObject()["start_ms"].toDouble(), 1'700'000'000'250.0);
        QCOMPARE(intervals[4].toObject()["end_ms"].toDouble(), 1'700'000'004'750.0);
    }

private:
    QString m_folder;
};

QTEST_GUILESS_MAIN(TestHlogNpm)
#include "tst_hlog_npm.moc"
