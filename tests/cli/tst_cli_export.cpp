#include "core/result/comparisons.h"
#include "core/result/journal.h"
#include "core/result/result_json.h"
#include "tests/cli/cli_process.h"
#include "tests/support/made_trials.h"

#include <QDir>

using namespace lapbench;
using namespace lapbench::test;

namespace {

/// Bun serves twice as much as Node in each of three rounds.
SessionResult madeResult()
{
    SessionResult result;
    result.id = newResultId();
    result.created = UtcTime{std::chrono::seconds(1700000000)};
    result.tool.version = "0.1.0";
    result.planJson = planOf("{\"name\": \"node\", \"label\": \"Node.js 22\", \"builtin\": true},"
                             "{\"name\": \"bun\", \"label\": \"Bun 1.1\", \"builtin\": true}",
                             "\"rounds\": 3")
                          .toStdString();
    for (unsigned round = 1; round <= 3; ++round)
        for (const char* target : {"node", "bun"}) {
            result.trials.push_back(madeTrial(target, round, (target[0] == 'b' ? 2.0 : 1.0) * (1000 + round)));
            result.trials.back().load.failed = 0;
            result.trials.back().index = result.trials.size() - 1;
        }
    const ComparisonRules rules = comparisonRulesOf(result);
    result.comparisons = makeComparisons(result.trials, rules);
    result.cells = makeCells(result.trials, rules.targets);
    return result;
}

QByteArray textOf(const SessionResult& result)
{
    return QByteArray::fromStdString(formatResult(result));
}

/// With a result written as x.lapbench.json.
class ExportPlace : public CliPlace {
public:
    ExportPlace() : m_result(write("x.lapbench.json", textOf(madeResult()))) {}

    const QString& result() const { return m_result; }
    QString folder() const { return path("out"); }
    QString out(const QString& name) const { return folder() + "/" + name; }
    CliEnd exported(const QString& formats, const QStringList& more = {}) const
    {
        return run(QStringList{"export", m_result, "--format", formats, "-o", folder()} + more);
    }
    QStringList files() const { return QDir(folder()).entryList(QDir::Files | QDir::Hidden, QDir::Name); }

private:
    QString m_result;
};

} // namespace

class TestCliExport : public QObject {
    Q_OBJECT

private slots:
    void eachFormatIsAFile()
    {
        const ExportPlace place;
        const CliEnd end = place.exported("markdown,csv,json");
        QVERIFY2(end.code == 0, end.err);
        QCOMPARE(place.files(), QStringList({"x-seconds.csv", "x-trials.csv", "x.lapbench.json", "x.md"}));
        QCOMPARE(end.out.count('\n'), 4);
        QVERIFY(end.out.contains("Wrote " + place.out("x.md").toUtf8() + "\n"));
        QCOMPARE(CliPlace::read(place.out("x.lapbench.json")), CliPlace::read(place.result()));
        QVERIFY(CliPlace::read(place.out("x-trials.csv")).count('\n') == 1 + 6);
    }

    void markdownIsWhatShowPrints()
    {
        const ExportPlace place;
        QCOMPARE(place.exported("markdown").code, 0);
        const CliEnd shown = place.run({"show", place.result(), "--format", "markdown"});
        QCOMPARE(CliPlace::read(place.out("x.md")), shown.out);
        QVERIFY(shown.out.contains("| Bun 1.1 | 2.00k |"));
    }

    void jsonIsReadAgainToTheSameCells()
    {
        const ExportPlace place;
        QCOMPARE(place.exported("json").code, 0);
        const auto before = readResultOrJournal(place.result().toStdString()),
                   after = readResultOrJournal(place.out("x.lapbench.json").toStdString());
        QVERIFY(before.ok() && after.ok());
        QCOMPARE(after.value().cells.size(), std::size_t(2));
        for (std::size_t i = 0; i < 2; ++i)
            QCOMPARE(cellToJson(after.value().cells[i]).dump(), cellToJson(before.value().cells[i]).dump());
    }

    void aJournalIsExportedAsTheResultItWouldHaveBecome()
    {
        const ExportPlace place;
        SessionResult result = madeResult();
        auto journal = Journal::create(place.path("j.lapbench.json").toStdString(), result);
        QVERIFY(journal.ok());
        for (const Trial& trial : result.trials)
            QVERIFY(journal.value().append(trial).ok());
        const CliEnd end = place.run(
            {"export", place.path("j.lapbench.json.journal"), "--format", "json,markdown", "-o", place.folder()});
        QVERIFY2(end.code == 0, end.err);
        QCOMPARE(place.files(), QStringList({"j.lapbench.json", "j.md"}));
        QVERIFY(CliPlace::read(place.out("j.md")).contains("did not end"));
        const auto read = readResultOrJournal(place.out("j.lapbench.json").toStdString());
        QVERIFY(read.ok());
        QCOMPARE(read.value().trials.size(), std::size_t(6));
    }

    void whatIsThereIsNotOverwrittenSilently()
    {
        const ExportPlace place;
        QVERIFY(QDir().mkpath(place.folder()));
        const QByteArray mine = "a letter to a friend\n";
        place.write("out/x.md", mine);
        const CliEnd refused = place.exported("csv,markdown");
        QCOMPARE(refused.code, 2);
        QCOMPARE(refused.err, "lapbench-cli: " + place.out("x.md").toUtf8() +
                                  ": is there already; give --yes to replace what is there, or another -o\n");
        QCOMPARE(place.files(), QStringList({"x.md"}));
        QCOMPARE(CliPlace::read(place.out("x.md")), mine);
        QCOMPARE(place.exported("csv,markdown", {"--yes"}).code, 0);
        QVERIFY(CliPlace::read(place.out("x.md")).startsWith("# p\n"));
    }

    void theResultIsNotReplacedByItsExport()
    {
        const ExportPlace place;
        const QByteArray before = CliPlace::read(place.result());
        const CliEnd end =
            place.run({"export", place.result(), "--format", "json", "-o", QFileInfo(place.result()).path(), "--yes"});
        QCOMPARE(end.code, 2);
        QVERIFY(end.err.contains("is the result itself"));
        QCOMPARE(CliPlace::read(place.result()), before);
    }

    void whatIsWrongIsOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no folder") << QStringList{"x.lapbench.json", "--format", "csv"} << 2
                                   << QByteArray("--output is required");
        QTest::newRow("an unknown format")
            << QStringList{"x.lapbench.json", "--format", "xml", "-o", "out"} << 2 << QByteArray("xml not in");
        QTest::newRow("no result") << QStringList{"none.json", "--format", "csv", "-o", "out"} << 2
                                   << QByteArray("none.json: cannot be read");
        QTest::newRow("no name for the folder")
            << QStringList{"x.lapbench.json", "--format", "csv", "-o", ""} << 4 << QByteArray("it has no name");
        QTest::newRow("a file in place of the folder")
            << QStringList{"x.lapbench.json", "--format", "csv", "-o", "x.lapbench.json"} << 4
            << QByteArray("x.lapbench.json: is no folder");
        QTest::newRow("a folder that nobody can make")
            << QStringList{"x.lapbench.json", "--format", "csv", "-o", "/proc/none/out"} << 4
            << QByteArray("/proc/none: cannot be written");
    }
    void whatIsWrongIsOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QByteArray, said);
        const ExportPlace place;
        QProcess process;
        place.prepare(process);
        process.setWorkingDirectory(QFileInfo(place.result()).path());
        process.setArguments(QStringList{"export"} + arguments);
        process.start();
        const CliEnd end = CliPlace::finish(process);
        QCOMPARE(end.code, code);
        QVERIFY2(end.err.contains(said), end.err);
        QCOMPARE(end.err.count('\n'), 1);
        QVERIFY(end.out.isEmpty());
        QVERIFY(!QDir(place.folder()).exists());
    }
};

QTEST_GUILESS_MAIN(TestCliExport)
#include "tst_cli_export.moc"
