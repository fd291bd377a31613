#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>
#include <QUuid>

namespace {

/// Every process that inherited the marker, found by its environment.
QStringList processesMarked(const QByteArray& marker)
{
    QStringList found;
    for (const QString& pid : QDir("/proc").entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile environment("/proc/" + pid + "/environ");
        if (!pid.at(0).isDigit() || !environment.open(QIODevice::ReadOnly) || !environment.readAll().contains(marker))
            continue;
        QFile command("/proc/" + pid + "/cmdline");
        if (command.open(QIODevice::ReadOnly))
            found << pid + " " + QString::fromLocal8Bit(command.readAll().replace('\0', ' '));
    }
    return found;
}

/// "trials.0.server.startup_ms"; undefined where there is none.
QJsonValue at(QJsonValue value, const QString& path)
{
    for (const QString& part : path.split('.'))
        value = value.isArray() ? value.toArray().at(part.toInt()) : value.toObject().value(part);
    return value;
}

} // namespace

/// The real Node.js, Fastify, Deno and Bun, installed from npm and run by the command line as a user would.
class TestRuntimesE2e : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void theCommandSaysDone();
    void theResultNamesTheExactRuntimes();
    void everyTargetIsMeasuredWithoutAFailedRequest_data();
    void everyTargetIsMeasuredWithoutAFailedRequest();
    void theCellsCompareWithTheFirstTarget();
    void nothingIsLeftOver();

private:
    QTemporaryDir m_dir;
    QByteArray m_marker = "LAPBENCH_E2E_MARK=" + QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    int m_exitCode = -1;
    QString m_output;
    QJsonObject m_result;
    QJsonArray m_trials; ///< those that count: a machine that does something else meanwhile has a round run again
};

void TestRuntimesE2e::initTestCase()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LAPBENCH_HOME", qEnvironmentVariable("LAPBENCH_TEST_HOME", LAPBENCH_DEFAULT_TEST_HOME));
    environment.insert("LAPBENCH_RESOURCES", LAPBENCH_SOURCE_DIR "/resources");
    const QList<QByteArray> mark = m_marker.split('=');
    environment.insert(mark[0], mark[1]);

    const QString file = m_dir.filePath("e2e.lapbench.json");
    QProcess cli;
    cli.setProcessEnvironment(environment);
    cli.start(LAPBENCH_CLI,
              {"run", "json-api", "--scale", "0.05", "--rounds", "1", "--yes", "--progress", "none", "-o", file});
    QVERIFY2(cli.waitForFinished(280'000), "lapbench-cli run did not end");
    m_exitCode = cli.exitCode();
    m_output = QString::fromUtf8(cli.readAllStandardOutput() + cli.readAllStandardError());

    QFile result(file);
    QVERIFY2(result.open(QIODevice::ReadOnly), qPrintable(m_output));
    m_result = QJsonDocument::fromJson(result.readAll()).object();
    for (const QJsonValue trial : m_result["trials"].toArray())
        if (!trial.toObject()["superseded"].toBool())
            m_trials.append(trial);
}

void TestRuntimesE2e::theCommandSaysDone()
{
    QVERIFY2(m_exitCode == 0, qPrintable(m_output));
    for (const char* label : {"Node.js 22 http", "Node.js 22 + Fastify 5", "Deno 2 Deno.serve", "Bun 1.1 Bun.serve"})
        QVERIFY2(m_output.contains(label), qPrintable(m_output));
}

void TestRuntimesE2e::theResultNamesTheExactRuntimes()
{
    QCOMPARE(m_result["schema"].toString(), "lapbench-result");
    QCOMPARE(m_result["scale"].toDouble(), 0.05);
    QCOMPARE(at(m_result, "plan.name").toString(), "json-api");
    QVERIFY(!m_result["published"].toObject().isEmpty());
    const QMap<QString, QString> versions = {{"node22", "22.9.0"}, {"deno2", "2.0.2"}, {"bun11", "1.1.30"}};
    for (auto version = versions.begin(); version != versions.end(); ++version) {
        const QJsonObject runtime = at(m_result, "runtimes." + version.key()).toObject();
        QCOMPARE(runtime["asked"].toString(), version.value());
        QCOMPARE(runtime["actual"].toString(), version.value());
        QCOMPARE(runtime["sha256"].toString().size(), 64);
    }
}

void TestRuntimesE2e::everyTargetIsMeasuredWithoutAFailedRequest_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<QString>("target");
    QTest::newRow("Node.js") << 0 << "node";
    QTest::newRow("Fastify") << 1 << "fastify";
    QTest::newRow("Deno") << 2 << "deno";
    QTest::newRow("Bun") << 3 << "bun";
}

void TestRuntimesE2e::everyTargetIsMeasuredWithoutAFailedRequest()
{
    QFETCH(int, index);
    QFETCH(QString, target);
    QCOMPARE(m_trials.size(), 4);
    const QJsonObject trial = m_trials.at(index).toObject();
    QCOMPARE(trial["target"].toString(), target);
    QCOMPARE(trial["outcome"].toString(), "done");
    QCOMPARE(at(trial, "level.connections").toInt(), 256);
    QCOMPARE(trial["transport"].toString(), "keep-alive");

    const QJsonObject requests = trial["requests"].toObject();
    const qint64 ok = requests["ok"].toInteger();
    QVERIFY(ok > 256);
    QCOMPARE(requests["failed"].toInteger(-1), 0);
    QCOMPARE(requests["completed"].toInteger(), ok);
    QCOMPARE(trial["status"].toObject(), QJsonObject({{"200", ok}}));
    // 1,230 bytes is the length of user 42 as JSON.stringify writes it.
    QCOMPARE(at(trial, "bytes.body_received").toInteger(), ok * 1230);
    QCOMPARE(at(trial, "connections.opened").toInt(), 256);

    qint64 inSeconds = 0;
    for (const QJsonValue second : trial["seconds"].toArray())
        inSeconds += second.toObject().value("ok").toInteger();
    QCOMPARE(inSeconds, ok);

    const QJsonObject latency = trial["latency_us"].toObject();
    double before = 0;
    for (const char* key : {"min", "p25", "p50", "p75", "p90", "p95", "p99"}) {
        QVERIFY2(latency[key].toDouble() >= before && latency[key].toDouble() > 0, key);
        before = latency[key].toDouble();
    }

    const QJsonObject server = trial["server"].toObject();
    QVERIFY(server["startup_ms"].toDouble() > 1);
    QVERIFY(server["cpu_cores_mean"].toDouble() > 0.05);
    QVERIFY(server["rss_bytes_peak"].toDouble() > 10e6);
    QVERIFY(server["rss_bytes_mean"].toDouble() <= server["rss_bytes_peak"].toDouble());
    QVERIFY(at(trial, "generator.cpu_cores").toDouble() > 0);
}

void TestRuntimesE2e::theCellsCompareWithTheFirstTarget()
{
    const QJsonArray cells = m_result["cells"].toArray();
    QCOMPARE(cells.size(), 4);
    const double first = at(cells[0], "rps.median").toDouble();
    for (int i = 0; i < 4; ++i) {
        QCOMPARE(at(cells[i], "rps.median").toDouble(), at(m_trials.at(i), "rps").toDouble());
        QCOMPARE(at(cells[i], "rps_ratio").toDouble(), at(cells[i], "rps.median").toDouble() / first);
    }
}

void TestRuntimesE2e::nothingIsLeftOver()
{
    const QDeadlineTimer deadline(2000);
    while (!processesMarked(m_marker).isEmpty() && !deadline.hasExpired())
        QTest::qWait(20);
    QCOMPARE(processesMarked(m_marker), QStringList());
    QCOMPARE(QDir(m_dir.path()).entryList(QDir::Files), QStringList("e2e.lapbench.json"));
}

QTEST_GUILESS_MAIN(TestRuntimesE2e)
#include "tst_runtimes_e2e.moc"
