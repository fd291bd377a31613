#include "core/result/result_json.h"
#include "tests/cli/cli_process.h"
#include "tests/support/made_trials.h"

#include <QJsonArray>

using namespace lapbench;
using namespace lapbench::test;

namespace {

QByteArray part(const std::string& planSha256)
{
    SessionResult result;
    result.id = newResultId();
    result.created = UtcTime{std::chrono::seconds(1'700'000'000)};
    result.planJson = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p", "targets": []})";
    result.planSha256 = planSha256;
    result.trials = {madeTrial("node", 1, 1000)};
    return QByteArray::fromStdString(formatResult(result));
}

} // namespace

/// `merge` as a user calls it.
class TestCliMerge : public QObject {
    Q_OBJECT

private slots:
    void partsAreAddedUpAndSaved()
    {
        const CliPlace place;
        const QString a = place.write("a.json", part("1")), b = place.write("b.json", part("1"));
        const QString file = place.path("whole.lapbench.json");
        const CliEnd end = place.run({"merge", a, b, "-o", file});
        QVERIFY2(end.code == 0, end.err);
        QVERIFY(end.out.contains("Saved " + file.toUtf8()));
        const QJsonObject whole = QJsonDocument::fromJson(CliPlace::read(file)).object();
        const QJsonObject trial = whole["trials"].toArray()[0].toObject();
        QCOMPARE(trial["requests"].toObject()["ok"].toInt(), 6);
        QCOMPARE(trial["rps"].toDouble(), 3.0);
        QCOMPARE(trial["latency_us"].toObject()["count"].toInt(), 6);
        QCOMPARE(whole["parts"].toArray().size(), 2);
        QVERIFY(place.run({"show", file}).code == 0);
    }

    void anExistingResultIsNotReplacedUnasked()
    {
        const CliPlace place;
        const QString a = place.write("a.json", part("1")), b = place.write("b.json", part("1"));
        const QString file = place.write("whole.json", "mine");
        CliEnd end = place.run({"merge", a, b, "-o", file});
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.contains("is there already; give --yes"), end.err);
        QCOMPARE(CliPlace::read(file), QByteArray("mine"));
        QCOMPARE(place.run({"merge", a, b, "-o", file, "--yes"}).code, 0);
        QVERIFY(CliPlace::read(file).startsWith("{\"schema\":\"lapbench-result\""));
    }

    void whatDoesNotFitIsOneSentence()
    {
        const CliPlace place;
        const QString a = place.write("a.json", part("1")), b = place.write("b.json", part("2"));
        const QString file = place.path("whole.json");
        const auto refused = [&](const QStringList& parts, int code, const QByteArray& sentence) {
            const CliEnd end = place.run(QStringList{"merge"} + parts + QStringList{"-o", file});
            QCOMPARE(end.code, code);
            QVERIFY2(end.err.contains(sentence) && end.err.count('\n') == 1, end.err);
            QVERIFY(!QFile::exists(file));
        };
        refused({a, b}, 2, "b.json: ran another plan than ");
        refused({a, a}, 2, "a.json: holds the same part as ");
        refused({a}, 2, "merge needs two parts or more");
        refused({a, place.path("none.json")}, 2, "none.json: cannot be read");
        const CliEnd end = place.run({"merge", a, place.write("c.json", part("1")), "-o", place.path("no/x.json")});
        QCOMPARE(end.code, 4);
        QVERIFY2(end.err.contains("cannot be written"), end.err);
    }
};

QTEST_GUILESS_MAIN(TestCliMerge)
#include "tst_cli_merge.moc"
