#include "core/result/journal.h"
#include "core/result/result_json.h"
#include "tests/cli/cli_process.h"
#include "tests/support/made_trials.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <cmath>

using namespace lapbench;
using namespace lapbench::test;

namespace {

using Rounds = std::vector<double>;

/// One comparison as a format tells it.
struct Told {
    double ratio = 0, low = 0, high = 0;
    QString verdict;
};

/// A result with one target, requests a second as given; latencies follow from them.
QByteArray resultOf(const std::string& target, const Rounds& rounds, unsigned connections = 64)
{
    SessionResult result;
    result.id = newResultId();
    result.created = UtcTime{std::chrono::seconds(1'700'000'000)};
    result.tool.version = "0.1.0";
    result.planJson = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p", "targets": [{"name": ")" +
                      target + R"(", "url": "http://127.0.0.1:1"}]})";
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        Trial trial = madeTrial(target, static_cast<unsigned>(i + 1), rounds[i]);
        trial.level.connections = connections;
        trial.load.latency.percentiles[1] = Quantile{3e6 / rounds[i], false};
        result.trials.push_back(std::move(trial));
    }
    return QByteArray::fromStdString(formatResult(result));
}

const Rounds kBefore = {2941, 2964, 3103, 3001, 2990, 3050}, kAfter = {4072, 4045, 4304, 4100, 4150, 4011};

QList<QByteArray> splitTable(const QByteArray& line, bool markdown)
{
    QList<QByteArray> cells;
    const QString text = QString::fromUtf8(line).trimmed();
    const auto parts =
        markdown ? text.mid(1, text.size() - 2).split('|') : text.split(QRegularExpression("  +"), Qt::SkipEmptyParts);
    for (const QString& part : parts)
        cells.append(part.trimmed().toUtf8());
    return cells;
}

/// Of a table's row "target, figure, before, after, ratio, interval, verdict, rounds".
Told fromTable(const QByteArray& text, const QByteArray& figure, bool markdown)
{
    for (const QByteArray& line : text.split('\n')) {
        const auto cells = splitTable(line, markdown);
        if (cells.size() != 8 || cells[1] != figure)
            continue;
        const auto bounds = cells[5].split('-');
        return {cells[4].toDouble(), bounds.value(0).toDouble(), bounds.value(1).toDouble(),
                QString::fromUtf8(cells[6]).replace(' ', '_')};
    }
    return {};
}

/// Of a CSV whose quoted last column is left alone.
Told fromCsv(const QByteArray& text, const QByteArray& metric)
{
    const auto lines = text.split('\n');
    const auto header = lines.first().split(',');
    for (const QByteArray& line : lines) {
        const auto cells = line.split(',');
        const auto at = [&](const char* name) { return cells.value(header.indexOf(name)); };
        if (at("metric") == metric)
            return {at("ratio").toDouble(), at("low").toDouble(), at("high").toDouble(), at("verdict")};
    }
    return {};
}

Told fromJson(const QByteArray& text, const QString& metric)
{
    for (const auto& item : QJsonDocument::fromJson(text).object()["comparisons"].toArray()) {
        const QJsonObject one = item.toObject();
        if (one["metric"] == metric)
            return {one["ratio"].toDouble(), one["low"].toDouble(), one["high"].toDouble(), one["verdict"].toString()};
    }
    return {};
}

/// Three significant digits of the same number.
bool rounded(double value, double exact)
{
    return std::abs(value - exact) <= 0.0051 * std::abs(exact);
}

} // namespace

class TestCliCompare : public QObject {
    Q_OBJECT

private slots:
    void allFormatsTellTheSameNumbers_data()
    {
        QTest::addColumn<QByteArray>("metric");
        QTest::addColumn<QByteArray>("figure");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        // exp() of t.test(log(after), log(before)) of R 4.2.2; p50 is 3 / rps.
        QTest::newRow("requests a second")
            << QByteArray("rps") << QByteArray("req/s") << 1.367356811677 << 1.327953074865 << 1.407929757329;
        QTest::newRow("p50") << QByteArray("p50") << QByteArray("p50") << 0.731338002971 << 0.710262706498
                             << 0.753038656958;
    }
    void allFormatsTellTheSameNumbers()
    {
        QFETCH(QByteArray, metric);
        QFETCH(QByteArray, figure);
        QFETCH(double, ratio);
        QFETCH(double, low);
        QFETCH(double, high);
        const CliPlace place;
        const QStringList files = {place.write("before.lapbench.json", resultOf("node", kBefore)),
                                   place.write("after.lapbench.json", resultOf("node", kAfter))};
        const auto out = [&](const char* format) {
            const CliEnd end = place.run(QStringList{"compare"} + files + QStringList{"--format", format});
            return end.code == 0 && end.err.isEmpty() ? end.out : QByteArray();
        };
        const Told json = fromJson(out("json"), metric), csv = fromCsv(out("csv"), metric);
        const Told table = fromTable(out("table"), figure, false), markdown = fromTable(out("markdown"), figure, true);
        QVERIFY(std::abs(json.ratio - ratio) < 1e-9);
        QVERIFY(std::abs(json.low - low) < 1e-9);
        QVERIFY(std::abs(json.high - high) < 1e-9);
        QCOMPARE(csv.ratio, json.ratio);
        QCOMPARE(csv.low, json.low);
        QCOMPARE(csv.high, json.high);
        for (const Told& told : {table, markdown}) {
            QVERIFY(rounded(told.ratio, ratio));
            QVERIFY(rounded(told.low, low));
            QVERIFY(rounded(told.high, high));
        }
        for (const Told& told : {json, csv, table, markdown})
            QCOMPARE(told.verdict, QString("faster"));
    }

    void aBoundIsShownAndNotCompared()
    {
        const CliPlace place;
        const QStringList files = {place.write("before.lapbench.json", resultOf("node", kBefore)),
                                   place.write("after.lapbench.json", resultOf("node", kAfter))};
        const CliEnd table = place.run(QStringList{"compare"} + files);
        QVERIFY2(table.out.contains(">= 2.00 s  >= 2.00 s"), table.out);
        QVERIFY2(table.out.contains("not compared"), table.out);
        QVERIFY2(table.out.contains("node, p99 not compared; p99 in before is only known as \"at least\" in 6 of 6"),
                 table.out);
        const CliEnd json = place.run(QStringList{"compare"} + files + QStringList{"--format", "json"});
        const QJsonObject p99 = json.json()["comparisons"].toArray()[2].toObject();
        QVERIFY(!p99.contains("ratio") && !p99.contains("verdict"));
        QVERIFY(p99["not_compared"].toString().contains("at least"));
        const CliEnd csv = place.run(QStringList{"compare"} + files + QStringList{"--format", "csv"});
        QVERIFY2(csv.out.contains(",>=2000000,>=2000000,,,,,,,,,,"), csv.out);
    }

    void otherLevelsAreListedAndNotCompared()
    {
        const CliPlace place;
        const QStringList files = {place.write("a.lapbench.json", resultOf("node", kBefore, 64)),
                                   place.write("b.lapbench.json", resultOf("node", kAfter, 128))};
        const CliEnd json = place.run(QStringList{"compare"} + files + QStringList{"--format", "json"});
        QCOMPARE(json.code, 0);
        QVERIFY(json.json()["comparisons"].toArray().isEmpty());
        QCOMPARE(json.json()["unmatched"].toArray().size(), 2);
        const CliEnd csv = place.run(QStringList{"compare"} + files + QStringList{"--format", "csv"});
        QCOMPARE(csv.out.count("no such level in"), 6);
        const CliEnd table = place.run(QStringList{"compare"} + files);
        QVERIFY2(table.out.contains("no such level in b"), table.out);
    }

    void columnsStandInTheOrderOfTheFiles()
    {
        const CliPlace place;
        const QString one = place.write("one.lapbench.json", resultOf("node", kBefore));
        const QString two = place.write("two.lapbench.json", resultOf("bun", kAfter));
        const QString three = place.write("three.lapbench.json", resultOf("deno", kAfter));
        const CliEnd table = place.run({"compare", three, one, two});
        QCOMPARE(table.code, 0);
        QVERIFY2(QString::fromUtf8(table.out).contains(QRegularExpression("figure +three +one +two\n")), table.out);
        const CliEnd json = place.run({"compare", three, one, two, "--format", "json"});
        QStringList names;
        for (const auto& result : json.json()["results"].toArray())
            names << result.toObject()["name"].toString();
        QCOMPARE(names, (QStringList{"three", "one", "two"}));
        QCOMPARE(json.json()["comparisons"].toArray().size(), 6);
    }

    void filesOfTheSameNameAreToldApart()
    {
        const CliPlace place;
        QVERIFY(QDir().mkpath(place.path("x")) && QDir().mkpath(place.path("y")));
        const QString one = place.write("x/r.lapbench.json", resultOf("node", kBefore));
        const QString two = place.write("y/r.lapbench.json", resultOf("node", kAfter));
        const QJsonArray results =
            place.run({"compare", one, two, two, "--format", "json"}).json()["results"].toArray();
        QCOMPARE(results[0].toObject()["name"].toString(), one);
        QCOMPARE(results[1].toObject()["name"].toString(), two);
        QCOMPARE(results[2].toObject()["name"].toString(), two + " (2)");
    }

    void aNewerFileIsRefused()
    {
        const CliPlace place;
        QByteArray newer = resultOf("node", kAfter);
        newer.replace("\"schema_version\":1", "\"schema_version\":99");
        const QString one = place.write("one.lapbench.json", resultOf("node", kBefore));
        const CliEnd end = place.run({"compare", one, place.write("newer.lapbench.json", newer)});
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.contains("newer.lapbench.json") && end.err.contains("newer Lapbench"), end.err);
        QCOMPARE(end.err.count('\n'), 1);
        QVERIFY(end.out.isEmpty());
    }

    void aSessionOfItsOwnAndItsJournal()
    {
        const CliPlace place;
        // At full speed the generator may well be the limit, and what that made is not compared.
        const QString plan =
            place.write("p.plan.json", planOf(R"({"name": "a", "builtin": true})",
                                              R"("workloads": [{"path": "/delay/5"}], "measure": {"requests": 200},
                                                   "rounds": 2)"));
        const QString result = place.path("r.lapbench.json");
        QCOMPARE(place.run({"run", plan, "-o", result, "--yes", "--progress", "none"}).code, 0);
        const auto read = readResultOrJournal(result.toStdString());
        QVERIFY(read);
        const std::string copy = place.path("j.lapbench.json").toStdString();
        auto journal = Journal::create(copy, read.value());
        QVERIFY(journal);
        for (const Trial& trial : read.value().trials)
            QVERIFY(journal.value().append(trial));
        const CliEnd end =
            place.run({"compare", result, QString::fromStdString(Journal::pathFor(copy).string()), "--format", "json"});
        QVERIFY2(end.code == 0, end.err);
        QVERIFY2(fromJson(end.out, "rps").ratio == 1.0, end.out);
        QVERIFY2(end.out.contains("j: the session did not end"), end.out);
        QVERIFY2(end.out.contains("are the same session"), end.out);
    }
};

QTEST_GUILESS_MAIN(TestCliCompare)
#include "tst_cli_compare.moc"
