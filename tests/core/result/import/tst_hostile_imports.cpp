#include "core/result/import/import_result.h"
#include "core/result/import/imported_trial.h"
#include "core/result/result_json.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <cmath>
#include <random>

using namespace lapbench;

namespace {

/// Every sample of a tool's output that the tests of the importers have.
QStringList samples()
{
    QStringList files;
    for (QDirIterator found(LAPBENCH_TEST_DATA "/import", QDir::Files, QDirIterator::Subdirectories); found.hasNext();)
        files << found.next();
    files.sort();
    return files;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// What is wrong with what is made of these bytes, whatever they are; empty where all is well: a problem in words, or
/// trials whose figures are possible ones and that come back from their JSON.
std::string fault(const std::string& bytes)
{
    const auto file = foreignFileOf("name", bytes);
    if (!file)
        return file.problem().message.empty() ? "a problem without words" : "";
    const auto runs = importRuns(file.value());
    if (!runs)
        return runs.problem().message.empty() ? "a problem without words" : "";
    if (runs.value().empty())
        return "neither a run nor a problem";
    for (const ImportedRun& run : runs.value()) {
        const Trial trial = trialOf(run);
        for (const std::string_view key : kCellFigures)
            if (const auto figure = trialFigure(trial, key); figure && !(std::isfinite(figure->us) && figure->us >= 0))
                return std::string(key) + " is " + std::to_string(figure->us);
        const Json json = trialToJson(trial);
        const auto read = trialFromJson(Json::parse(dumpJson(json)));
        if (!read)
            return "its JSON is not read: " + format(read.problem());
    }
    return {};
}

/// A file with pieces cut out, doubled, swapped for others and numbers made extreme.
std::string mutated(std::string bytes, std::mt19937& random)
{
    static const char* const kOdd[] = {"-1",  "1e999", "99999999999999999999",
                                       "nan", "-nan%", "\"",
                                       ",",   "{",     "}",
                                       "\n",  "[",     "0",
                                       ":",   "\t",    "ms",
                                       "%",   "null",  "\xff",
                                       "-",   "e",     "1,234,567.8"};
    const auto below = [&](std::size_t bound) { return bound == 0 ? 0 : random() % bound; };
    for (std::size_t changes = 1 + below(6); changes > 0 && !bytes.empty(); --changes) {
        const std::size_t at = below(bytes.size());
        switch (below(4)) {
        case 0:
            bytes.erase(at, below(40));
            break;
        case 1:
            bytes.insert(at, kOdd[below(std::size(kOdd))]);
            break;
        case 2:
            bytes.insert(at, bytes.substr(below(bytes.size()), below(200)));
            break;
        default:
            bytes.replace(at, 1, kOdd[below(std::size(kOdd))]);
        }
    }
    return bytes;
}

} // namespace

/// Bytes that nobody meant: the importers must neither crash nor make figures up.
class TestHostileImports : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(!samples().isEmpty()); }

    void aFileThatWasCutOffIsReadOrRefused()
    {
        for (const QString& path : samples()) {
            const std::string bytes = contentOf(path).toStdString();
            constexpr std::size_t kCuts = 40;
            for (std::size_t i = 0; i < kCuts; ++i) {
                const std::size_t length = bytes.size() * i / kCuts;
                const std::string wrong = fault(bytes.substr(0, length));
                QVERIFY2(wrong.empty(), qPrintable(QStringLiteral("%1 cut to %2: ").arg(path).arg(length) +
                                                   QString::fromStdString(wrong)));
            }
        }
    }

    void aFileWithAnythingWrongIsReadOrRefused()
    {
        std::mt19937 random(20261201);
        for (const QString& path : samples()) {
            const std::string bytes = contentOf(path).toStdString();
            if (bytes.size() > 200'000)
                continue;
            for (int i = 0; i < 60; ++i) {
                const std::string wrong = fault(mutated(bytes, random));
                QVERIFY2(wrong.empty(),
                         qPrintable(path + QStringLiteral(", change %1: ").arg(i) + QString::fromStdString(wrong)));
            }
        }
    }

    void aLargeFileOfNothingIsRefusedSoon_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("a log") << QByteArray("2026-01-01 12:00:00 INFO requests in flight: 12, latency 3.4 ms\n");
        QTest::newRow("numbers") << QByteArray("1,2,3,4,5,6,7,8,9,10,11,12\n");
        QTest::newRow("one long line") << QByteArray("Lorem ipsum dolor sit amet ");
        QTest::newRow("opened brackets") << QByteArray("[{\n");
    }
    void aLargeFileOfNothingIsRefusedSoon()
    {
        QFETCH(QByteArray, line);
        constexpr qsizetype kBytes = qsizetype{32} << 20;
        const std::string bytes = line.repeated(kBytes / line.size()).toStdString();
        QElapsedTimer timer;
        timer.start();
        const auto file = foreignFileOf("name", bytes);
        QVERIFY(file.ok());
        QVERIFY(!importRuns(file.value()).ok());
        qInfo("%lld ms", timer.elapsed());
        QVERIFY2(timer.elapsed() < 20'000, "a second is asked of a release build without sanitizers");
    }
};

QTEST_GUILESS_MAIN(TestHostileImports)
#include "tst_hostile_imports.moc"
