#include "core/runtimes/catalog.h"
#include "core/server/builtin_server.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <iostream>

using namespace lapbench;

namespace {

constexpr int kTimeoutMs = 60'000;

QByteArray outputOf(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(kTimeoutMs) || process.exitCode() != 0)
        return {};
    return process.readAllStandardOutput();
}

/// The groups of the first match, without the whole; none where there is no match.
QStringList found(const QByteArray& text, const char* pattern)
{
    const auto match = QRegularExpression(QString::fromLatin1(pattern), QRegularExpression::MultilineOption)
                           .match(QString::fromUtf8(text));
    return match.hasMatch() ? match.capturedTexts().mid(1) : QStringList();
}

/// "1.25ms" in microseconds, as these tools print times of a second and less.
double us(const QString& text)
{
    const double factor = text.endsWith("us") ? 1 : text.endsWith("ms") ? 1e3 : 1e6;
    return QString(text).remove(QRegularExpression("[a-z]+$")).toDouble() * factor;
}

} // namespace

/// The real tools against the built-in server: every figure that one prints is the one that its import holds. What was
/// printed is read here by other means than the importers'.
class TestOtherTools : public QObject {
    Q_OBJECT

private:
    QString url() const { return QStringLiteral("http://127.0.0.1:%1/").arg(m_server->port()); }

    /// The trial that `lapbench-cli import` makes of an output.
    QJsonObject imported(const QByteArray& output)
    {
        const QString file = m_folder.filePath("output"), result = m_folder.filePath("imported.lapbench.json");
        QFile written(file);
        if (!written.open(QIODevice::WriteOnly | QIODevice::Truncate) || written.write(output) != output.size())
            return {};
        written.close();
        QProcess cli;
        cli.start(LAPBENCH_CLI, {"import", file, "-o", result, "--yes"});
        if (!cli.waitForFinished(kTimeoutMs) || cli.exitCode() != 0) {
            qWarning("%s", cli.readAllStandardError().constData());
            return {};
        }
        QFile read(result);
        if (!read.open(QIODevice::ReadOnly))
            return {};
        return QJsonDocument::fromJson(read.readAll()).object()["trials"].toArray().at(0).toObject();
    }

    QTemporaryDir m_folder;
    std::unique_ptr<BuiltinServer> m_server;

private slots:
    void initTestCase()
    {
        auto server = BuiltinServer::start(0);
        QVERIFY(server.ok());
        m_server = std::move(server).value();
    }

    void whatWrkPrintsIsWhatItsImportHolds()
    {
        const QByteArray text = outputOf("wrk", {"-t", "1", "-c", "4", "-d", "1s", "--latency", url()});
        QVERIFY2(!text.isEmpty(), "wrk is needed (Debian's package wrk) and could not be run");
        const QJsonObject trial = imported(text);
        const QJsonObject latency = trial["latency_us"].toObject();
        const QStringList line = found(text, R"(^ +Latency +(\S+) +(\S+) +(\S+))");
        const QStringList counts = found(text, R"((\d+) requests in ([\d.]+)s)");
        QCOMPARE(line.size(), 3);
        QCOMPARE(counts.size(), 2);
        QCOMPARE(trial["requests"].toObject()["completed"].toDouble(), counts[0].toDouble());
        QCOMPARE(trial["duration_s"].toDouble(), counts[1].toDouble());
        QCOMPARE(trial["rps"].toDouble(), found(text, R"(^Requests/sec: +([\d.]+))").value(0).toDouble());
        QCOMPARE(latency["mean"].toDouble(), us(line[0]));
        QCOMPARE(latency["stdev"].toDouble(), us(line[1]));
        QCOMPARE(latency["max"].toDouble(), us(line[2]));
        for (const char* percentile : {"50", "75", "90", "99"})
            QCOMPARE(latency[QLatin1Char('p') + QLatin1String(percentile)].toDouble(),
                     us(found(text, ("^ +" + QByteArray(percentile) + R"(% +(\S+))").constData()).value(0)));
        QCOMPARE(trial["semantics"].toObject()["tool"].toString(), QString("wrk"));
        QCOMPARE(trial["level"].toObject()["connections"].toInt(), 4);
        QVERIFY(!latency.contains("p95"));
    }

    void whatAbPrintsIsWhatItsImportHolds()
    {
        const QByteArray text = outputOf("ab", {"-k", "-n", "2000", "-c", "4", url()});
        QVERIFY2(!text.isEmpty(), "ab is needed (Debian's package apache2-utils) and could not be run");
        const QJsonObject trial = imported(text);
        const QJsonObject latency = trial["latency_us"].toObject();
        const auto number = [&](const char* pattern) { return found(text, pattern).value(0).toDouble(); };
        QCOMPARE(trial["requests"].toObject()["completed"].toDouble(), 2000.0);
        QCOMPARE(trial["requests"].toObject()["failed"].toDouble(), number(R"(^Failed requests: +(\d+))"));
        QCOMPARE(trial["duration_s"].toDouble(), number(R"(^Time taken for tests: +([\d.]+))"));
        QCOMPARE(trial["rps"].toDouble(), number(R"(^Requests per second: +([\d.]+))"));
        QCOMPARE(trial["bytes"].toObject()["received"].toDouble(), number(R"(^Total transferred: +(\d+))"));
        const QStringList total = found(text, R"(^Total: +\d+ +([\d.]+) +([\d.]+))");
        QCOMPARE(total.size(), 2);
        QCOMPARE(latency["stdev"].toDouble(), total[1].toDouble() * 1000);
        for (const char* percentile : {"50", "75", "90", "95", "99"})
            QCOMPARE(latency[QLatin1Char('p') + QLatin1String(percentile)].toDouble(),
                     number(("^ +" + QByteArray(percentile) + R"(% +(\d+))").constData()) * 1000);
        QCOMPARE(latency["max"].toDouble(), number(R"(^ 100% +(\d+))") * 1000);
    }

    void whatH2loadPrintsIsWhatItsImportHolds()
    {
        const QByteArray text = outputOf("h2load", {"--h1", "-n", "2000", "-c", "4", "-t", "1", url()});
        QVERIFY2(!text.isEmpty(), "h2load is needed (Debian's package nghttp2-client) and could not be run");
        const QJsonObject trial = imported(text);
        const QJsonObject latency = trial["latency_us"].toObject();
        const QStringList finished = found(text, R"(^finished in (\S+), ([\d.]+) req/s)");
        const QStringList times = found(text, R"(^time for request: +(\S+) +(\S+) +(\S+) +(\S+))");
        QCOMPARE(finished.size(), 2);
        QCOMPARE(times.size(), 4);
        QVERIFY(std::abs(trial["duration_s"].toDouble() - us(finished[0]) / 1e6) < 1e-9);
        QCOMPARE(trial["rps"].toDouble(), finished[1].toDouble());
        QCOMPARE(trial["requests"].toObject()["completed"].toDouble(), 2000.0);
        const char* const keys[] = {"min", "max", "mean", "stdev"};
        for (int i = 0; i < 4; ++i)
            QCOMPARE(latency[QLatin1String(keys[i])].toDouble(), us(times[i]));
        QVERIFY(!latency.contains("p50"));
    }

    void whatAutocannonPrintsIsWhatItsImportHolds()
    {
        if (qEnvironmentVariableIsSet("LAPBENCH_OFFLINE"))
            QSKIP("LAPBENCH_OFFLINE is set");
        const QString node = QStandardPaths::findExecutable("node");
        QVERIFY2(!node.isEmpty(), "node is needed: Debian's package npm brings it");
        NpmStore store(qEnvironmentVariable("LAPBENCH_TEST_HOME", LAPBENCH_DEFAULT_TEST_HOME).toStdString());
        const auto folder = store.prepareApp(LAPBENCH_SOURCE_DIR "/tests/e2e/autocannon",
                                             [](const std::string& line) { std::cout << line << std::endl; });
        QVERIFY2(folder.ok(), folder ? "" : format(folder.problem()).c_str());
        const QString program =
            QString::fromStdString((folder.value() / "node_modules/autocannon/autocannon.js").string());
        const QByteArray text = outputOf(node, {program, "-j", "-c", "4", "-d", "2", url()});
        const QJsonObject printed = QJsonDocument::fromJson(text).object();
        QVERIFY2(!printed.isEmpty(), text.constData());
        const QJsonObject trial = imported(text);
        const QJsonObject latency = trial["latency_us"].toObject();
        const QJsonObject ms = printed["latency"].toObject();
        QCOMPARE(trial["requests"].toObject()["completed"].toDouble(),
                 printed["requests"].toObject()["total"].toDouble());
        QCOMPARE(trial["duration_s"].toDouble(), printed["duration"].toDouble());
        QCOMPARE(trial["rps"].toDouble(), printed["requests"].toObject()["average"].toDouble());
        QCOMPARE(trial["bytes"].toObject()["received"].toDouble(),
                 printed["throughput"].toObject()["total"].toDouble());
        const std::pair<const char*, const char*> keys[] = {{"mean", "average"}, {"stdev", "stddev"}, {"p50", "p50"},
                                                            {"p75", "p75"},      {"p90", "p90"},      {"p99", "p99"},
                                                            {"p99_9", "p99_9"},  {"max", "max"}};
        for (const auto& [key, name] : keys)
            QCOMPARE(latency[QLatin1String(key)].toDouble(), ms[QLatin1String(name)].toDouble() * 1000);
        QVERIFY(!latency.contains("p95"));
    }
};

QTEST_GUILESS_MAIN(TestOtherTools)
#include "tst_other_tools.moc"
