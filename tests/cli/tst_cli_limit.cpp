#include "tests/cli/cli_process.h"

#include <QJsonArray>

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

using namespace lapbench::test;

namespace {

/// Keeps more than a tenth of the machine busy until it goes.
class BusyMachine {
public:
    BusyMachine()
    {
        for (unsigned i = 0; i < std::thread::hardware_concurrency() / 4 + 1; ++i) {
            m_processes.push_back(std::make_unique<QProcess>());
            m_processes.back()->start("sha256sum", {"/dev/zero"});
            if (!m_processes.back()->waitForStarted())
                qFatal("sha256sum cannot be started");
        }
    }
    ~BusyMachine()
    {
        for (const auto& process : m_processes) {
            process->kill();
            process->waitForFinished(10'000);
        }
    }

private:
    std::vector<std::unique_ptr<QProcess>> m_processes;
};

bool warnsOf(const QJsonObject& trial, const QString& code, const QString& evidence)
{
    const QJsonArray warnings = trial["warnings"].toArray();
    return std::any_of(warnings.begin(), warnings.end(), [&](const QJsonValue& warning) {
        return warning["code"].toString() == code && warning["evidence"].toString().contains(evidence);
    });
}

} // namespace

/// What `load` says was the limit, on a machine whose noise nobody controls.
class TestCliLimit : public QObject {
    Q_OBJECT

private slots:
    void aServerThatWaitsIsTheLimitAndNotItsProcessor()
    {
        QString kind;
        for (int attempt = 0; attempt < 5 && kind != "server"; ++attempt) {
            const QJsonObject trial = load({"-d", "1100ms", "-c", "10", "--pid", QString::number(m_server.pid())});
            const QJsonObject bottleneck = trial["bottleneck"].toObject();
            kind = bottleneck["kind"].toString();
            QVERIFY2(kind == "server" || kind == "noise", qPrintable(kind + bottleneck["reason"].toString()));
            QVERIFY(bottleneck["rankable"].toBool());
            QVERIFY(kind == "noise" || bottleneck["reason"].toString().startsWith("waiting, not CPU"));
            QVERIFY(trial["host"].toObject().contains("noisy_seconds"));
            QVERIFY(trial["seconds"][0].toObject().contains("noise"));
            QVERIFY(!trial["seconds"][1].toObject().contains("noise")); // no whole second
        }
    }

    void othersOnTheMachineAreNoiseAndNamed()
    {
        const BusyMachine busy;
        const QJsonObject trial = load({"-d", "2100ms", "-c", "10", "--pid", QString::number(m_server.pid())});
        QCOMPARE(trial["bottleneck"].toObject()["kind"].toString(), QString("noise"));
        QVERIFY(trial["host"].toObject()["others_cpu_cores_mean"].toDouble() > 0.2);
        QVERIFY(warnsOf(trial, "noisy", "sha256sum ("));
    }

    void aSessionKeepsWhoElseWasBusy()
    {
        const BusyMachine busy;
        const QString plan =
            m_place.write("busy.plan.json", R"({"schema": "lapbench-plan", "schema_version": 1, "name": "busy",
            "targets": [{"name": "a", "builtin": true}], "measure": {"duration": "300ms"}, "rounds": 1, "cold_starts": 2,
            "noisy_repeats": 0})");
        const QString result = m_place.path("busy.lapbench.json");
        const CliEnd end = m_place.run({"run", plan, "-o", result, "--progress", "none"});
        QVERIFY2(end.code == 0, end.err);
        const QJsonObject conditions =
            QJsonDocument::fromJson(CliPlace::read(result)).object()["conditions"].toObject();
        bool named = false;
        for (const QJsonValue process : conditions["after"]["busiest_processes"].toArray())
            named = named || process.toString().startsWith("sha256sum (");
        QVERIFY2(named, QJsonDocument(conditions).toJson());
    }

    void withoutTheServersProcessOthersCannotBeTold()
    {
        const QJsonObject trial = load({"-d", "1100ms", "-c", "10"});
        QCOMPARE(trial["bottleneck"].toObject()["kind"].toString(), QString("unknown"));
        QVERIFY(!trial["host"].toObject().contains("others_cpu_cores_mean"));
        QVERIFY(!trial["host"].toObject().contains("noisy_seconds"));
        QVERIFY(!trial["seconds"][0].toObject().contains("noise"));
    }

    void peopleAreToldTheLimit()
    {
        const CliEnd end = m_place.run(
            {"load", m_server.url("/delay/5"), "-d", "300ms", "-c", "2", "--pid", QString::number(m_server.pid())});
        QCOMPARE(end.code, 0);
        QVERIFY2(end.out.contains("\nLimited by the server: waiting, not CPU"), end.out);
        QVERIFY2(end.out.contains("\nEfficiency "), end.out);
    }

private:
    QJsonObject load(const QStringList& options) const
    {
        const CliEnd end =
            m_place.run(QStringList{"load", m_server.url("/delay/5"), "--quiet", "--json", "-"} + options);
        return end.json();
    }

    CliPlace m_place;
    const ServeProcess m_server{m_place};
};

QTEST_GUILESS_MAIN(TestCliLimit)
#include "tst_cli_limit.moc"
