#include "core/result/journal.h"
#include "core/result/result_json.h"

#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

namespace {

const QString kSample = QStringLiteral(LAPBENCH_SOURCE_DIR "/resources/samples/json-api.lapbench.json");

struct Ran {
    int exitCode = -1;
    QStringList lines;
    QString errors;
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("no such file");
}

} // namespace

/// `lapbench --export-charts` as it is called from a shell, without a display.
class TestExportCharts : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_number = 0;

    QString newFolder() { return m_folder.filePath(QStringLiteral("charts%1").arg(++m_number)); }

    static QProcessEnvironment bare()
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QLatin1String(name));
        return environment;
    }

    static Ran run(const QStringList& arguments, const QProcessEnvironment& environment = bare())
    {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(LAPBENCH_GUI), QStringList{QStringLiteral("--export-charts")} + arguments);
        if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
            return {};
        const QString output = QString::fromUtf8(process.readAllStandardOutput());
        return {process.exitCode(), output.split(u'\n', Qt::SkipEmptyParts),
                QString::fromUtf8(process.readAllStandardError())};
    }

    static QStringList namesIn(const QString& folder)
    {
        return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
    }

private slots:
    void everyChartIsWrittenInEachFormatWithItsFiguresBeside()
    {
        const QString folder = newFolder() + QStringLiteral("/made/for/it");
        const Ran ran = run({kSample, "--format", "svg,png,pdf", "--scale", "2", "-o", folder});
        QVERIFY2(ran.exitCode == 0, qPrintable(ran.errors));
        QVERIFY(ran.lines.size() >= 8 && ran.lines.size() % 4 == 0);
        QCOMPARE(ran.lines[0], folder + QStringLiteral("/json-api-rps.svg"));
        QCOMPARE(ran.lines[1], folder + QStringLiteral("/json-api-rps@2x.png"));
        QCOMPARE(ran.lines[2], folder + QStringLiteral("/json-api-rps.pdf"));
        QCOMPARE(ran.lines[3], folder + QStringLiteral("/json-api-rps.csv"));
        QStringList written;
        for (const QString& line : ran.lines)
            written << QFileInfo(line).fileName();
        written.sort();
        QCOMPARE(namesIn(folder), written);
        for (const QString& line : ran.lines) {
            QVERIFY2(QFileInfo(line).size() > 0, qPrintable(line));
            QVERIFY(QFile::permissions(line).testFlag(QFile::ReadOther));
            if (line.endsWith(QStringLiteral(".png")))
                QCOMPARE(QImage(line).size(), QSize(2400, 1350));
            if (!line.endsWith(QStringLiteral(".svg")))
                continue;
            QXmlStreamReader reader(contentOf(line));
            QString text;
            while (!reader.atEnd())
                text += reader.readNext() == QXmlStreamReader::Characters ? reader.text().toString() : QString();
            QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
            for (const char* label :
                 {"Node.js 22 http", "Node.js 22 + Fastify 5", "Deno 2 Deno.serve", "Bun 1.1 Bun.serve"})
                QVERIFY2(text.contains(QLatin1String(label)), qPrintable(line + u' ' + QLatin1String(label)));
        }
        QVERIFY(contentOf(ran.lines[3]).startsWith("series,"));
    }

    void twoProcessesWriteTheSameBytesWhateverTheUserHas()
    {
        QProcessEnvironment strange = bare();
        strange.remove(QStringLiteral("HOME"));
        strange.remove(QStringLiteral("XDG_CACHE_HOME"));
        strange.insert(QStringLiteral("LC_ALL"), QStringLiteral("de_DE.UTF-8"));
        strange.insert(QStringLiteral("LANG"), QStringLiteral("de_DE.UTF-8"));
        strange.insert(QStringLiteral("TZ"), QStringLiteral("Asia/Kolkata"));
        strange.insert(QStringLiteral("QT_SCALE_FACTOR"), QStringLiteral("1.5"));
        strange.insert(QStringLiteral("QT_FONT_DPI"), QStringLiteral("144"));
        strange.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
        const QString one = newFolder(), two = newFolder();
        const QStringList arguments{kSample, "--format", "svg,png,pdf", "--size", "square", "--theme", "dark", "-o"};
        QCOMPARE(run(arguments + QStringList{one}).exitCode, 0);
        const Ran ran = run(arguments + QStringList{two}, strange);
        QVERIFY2(ran.exitCode == 0, qPrintable(ran.errors));
        QCOMPARE(namesIn(one), namesIn(two));
        QVERIFY(namesIn(one).contains(QStringLiteral("json-api-rps-dark.png")));
        const QStringList names = namesIn(one);
        for (const QString& name : names)
            QVERIFY2(contentOf(one + u'/' + name) == contentOf(two + u'/' + name), qPrintable(name));
        QCOMPARE(QImage(two + QStringLiteral("/json-api-rps-dark.png")).size(), QSize(1080, 1080));
    }

    void aPictureGivesTheSameChartsAgain()
    {
        const QString first = newFolder(), again = newFolder();
        QCOMPARE(run({kSample, "--format", "png", "--chart", "rps", "-o", first}).exitCode, 0);
        const Ran ran = run({first + QStringLiteral("/json-api-rps.png"), "--chart", "rps", "-o", again});
        QVERIFY2(ran.exitCode == 0, qPrintable(ran.errors));
        QCOMPARE(namesIn(again), QStringList({"json-api-rps-rps.csv", "json-api-rps-rps.svg"}));
        QCOMPARE(contentOf(again + QStringLiteral("/json-api-rps-rps.csv")),
                 contentOf(first + QStringLiteral("/json-api-rps.csv")));
    }

    void aJournalIsDrawnToo()
    {
        const auto sample = lapbench::readResultOrJournal(kSample.toStdString());
        QVERIFY(sample.ok());
        lapbench::SessionResult head = sample.value();
        head.trials.clear();
        const std::filesystem::path result = m_folder.filePath(QStringLiteral("half.lapbench.json")).toStdString();
        auto journal = lapbench::Journal::create(result, head);
        QVERIFY(journal.ok());
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY(journal.value().append(sample.value().trials[i]).ok());
        const QString folder = newFolder();
        const Ran ran =
            run({QString::fromStdString(lapbench::Journal::pathFor(result).string()), "--chart", "rps", "-o", folder});
        QVERIFY2(ran.exitCode == 0, qPrintable(ran.errors));
        QCOMPARE(namesIn(folder), QStringList({"half-rps.csv", "half-rps.svg"}));
    }

    void theOutputOfAnotherToolIsDrawnToo()
    {
        const QString folder = newFolder();
        const Ran ran =
            run({QStringLiteral(LAPBENCH_TEST_DATA "/import/wrk/latency.txt"), "--chart", "rps", "-o", folder});
        QVERIFY2(ran.exitCode == 0, qPrintable(ran.errors));
        QCOMPARE(namesIn(folder), QStringList({"latency-rps.csv", "latency-rps.svg"}));
        // What wrk printed.
        const QByteArray figure = "59023.44";
        QVERIFY2(contentOf(folder + QStringLiteral("/latency-rps.csv")).contains(',' + figure + ','),
                 contentOf(folder + QStringLiteral("/latency-rps.csv")));
    }

    void aPictureWithoutAResultIsRefused()
    {
        const QString plain = m_folder.filePath(QStringLiteral("plain.png"));
        QVERIFY(QImage(20, 20, QImage::Format_RGB32).save(plain));
        const QString folder = newFolder();
        const Ran ran = run({plain, "-o", folder});
        QCOMPARE(ran.exitCode, 2);
        QVERIFY2(ran.errors.contains(QStringLiteral("carries no result")), qPrintable(ran.errors));
        QVERIFY(!QFileInfo::exists(folder));
    }

    void resultsOfTheSameNameAreToldApartAndNamesAreSafe()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("a")) && QDir(m_folder.path()).mkpath(QStringLiteral("b")));
        const QString one = m_folder.filePath(QStringLiteral("a/Same.lapbench.json"));
        const QString two = m_folder.filePath(QStringLiteral("b/same.lapbench.json"));
        const QString odd = m_folder.filePath(QStringLiteral("-- $(x) 日本; ..\n.lapbench.json"));
        const QString hidden = m_folder.filePath(QStringLiteral(".lapbench.json"));
        for (const QString& copy : {one, two, odd, hidden})
            QVERIFY(QFile::copy(kSample, copy));
        const QString folder = newFolder();
        const Ran ran = run({one, two, odd, hidden, "--chart", "rps", "-o", folder});
        QVERIFY2(ran.exitCode == 0, qPrintable(ran.errors));
        QStringList names;
        for (const QString& line : ran.lines)
            names << QFileInfo(line).fileName();
        QCOMPARE(names, QStringList({"Same-rps.svg", "Same-rps.csv", "same-2-rps.svg", "same-2-rps.csv", "x-rps.svg",
                                     "x-rps.csv", "lapbench-rps.svg", "lapbench-rps.csv"}));
    }

    void whatIsThereIsReplacedOnlyWhenTold()
    {
        const QString folder = newFolder();
        const QStringList arguments{kSample, "--format", "svg", "--chart", "rps", "-o", folder};
        QCOMPARE(run(arguments).exitCode, 0);
        const QString svg = folder + QStringLiteral("/json-api-rps.svg"),
                      csv = folder + QStringLiteral("/json-api-rps.csv");
        const QByteArray drawn = contentOf(svg);
        for (const QString& path : {svg, csv}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        }
        const Ran refused = run(arguments);
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.errors.contains(QStringLiteral("--yes")) && refused.errors.contains(svg),
                 qPrintable(refused.errors));
        QVERIFY(refused.lines.isEmpty());
        QCOMPARE(contentOf(svg), QByteArray("mine"));
        const Ran beside = run(arguments + QStringList{"--theme", "dark"});
        QCOMPARE(beside.exitCode, 2); // the figures beside it were changed
        QCOMPARE(namesIn(folder).size(), 2);
        QCOMPARE(run(arguments + QStringList{"--yes"}).exitCode, 0);
        QCOMPARE(contentOf(svg), drawn);
        const Ran dark = run(arguments + QStringList{"--theme", "dark"});
        QVERIFY2(dark.exitCode == 0, qPrintable(dark.errors));
        QCOMPARE(namesIn(folder), QStringList({"json-api-rps-dark.svg", "json-api-rps.csv", "json-api-rps.svg"}));
    }

    void aFolderThatCannotBeWrittenIsExitCodeFour()
    {
        const Ran ran = run({kSample, "-o", kSample + QStringLiteral("/charts")});
        QCOMPARE(ran.exitCode, 4);
        QVERIFY(ran.lines.isEmpty());
        QVERIFY2(ran.errors.contains(QStringLiteral("cannot be written")), qPrintable(ran.errors));
    }

    void aChartThatCannotBeWrittenLeavesNoneOfThem()
    {
        const QString folder = newFolder();
        // The third of the four files has a folder in its way.
        QVERIFY(QDir().mkpath(folder + QStringLiteral("/json-api-p99.svg")));
        const Ran ran = run({kSample, "--chart", "rps,p99", "--yes", "-o", folder});
        QCOMPARE(ran.exitCode, 4);
        QVERIFY2(ran.errors.contains(QStringLiteral("p99.svg")), qPrintable(ran.errors));
        QCOMPARE(namesIn(folder), QStringList("json-api-p99.svg"));
    }

    void onAFullDiskNothingIsLeft()
    {
        const QString folder = newFolder();
        // What does not fit on the disk is stood for by what the process may write: the figures fit, the picture does
        // not.
        QProcess process;
        process.setProcessEnvironment(bare());
        process.start(QStringLiteral("/bin/sh"),
                      {"-c",
                       "ulimit -f 16; trap '' XFSZ; exec \"$0\" --export-charts \"$1\" --format png,svg -o \"$2\"",
                       QStringLiteral(LAPBENCH_GUI), kSample, folder});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 4);
        QVERIFY(process.readAllStandardError().contains("cannot be written: File too large"));
        QVERIFY(process.readAllStandardOutput().isEmpty());
        QVERIFY(!QDir(folder).exists());
    }

    void wrongUsageIsOneSentenceAndExitCodeTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        const QString bad = m_folder.filePath(QStringLiteral("bad.lapbench.json"));
        QFile file(bad);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{}") == 2);
        file.close();
        QTest::newRow("a format") << QStringList{kSample, "--format", "svg,bmp"} << QStringLiteral("bmp");
        QTest::newRow("no format") << QStringList{kSample, "--format", ""} << QStringLiteral("--format");
        QTest::newRow("a theme") << QStringList{kSample, "--theme", "system"} << QStringLiteral("--theme");
        QTest::newRow("a size") << QStringList{kSample, "--size", "1280x800"} << QStringLiteral("--size");
        QTest::newRow("a scale") << QStringList{kSample, "--scale", "4"} << QStringLiteral("--scale");
        QTest::newRow("a chart") << QStringList{kSample, "--chart", "rps,moon"} << QStringLiteral("moon");
        QTest::newRow("an option") << QStringList{kSample, "--colour"} << QStringLiteral("colour");
        QTest::newRow("no result") << QStringList{} << QStringLiteral("needs a result");
        QTest::newRow("a result that is not there")
            << QStringList{"no-such.lapbench.json"} << QStringLiteral("no-such.lapbench.json");
        QTest::newRow("a result that is none") << QStringList{kSample, bad} << QStringLiteral("bad.lapbench.json");
    }
    void wrongUsageIsOneSentenceAndExitCodeTwo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        const QString folder = newFolder();
        const Ran ran = run(arguments + QStringList{"-o", folder});
        QCOMPARE(ran.exitCode, 2);
        QVERIFY2(ran.errors.contains(said), qPrintable(ran.errors));
        QCOMPARE(ran.errors.count(QStringLiteral("lapbench: ")), 1);
        QVERIFY(ran.lines.isEmpty() && !QFileInfo::exists(folder));
    }

    void withoutAFolderOneIsAskedFor()
    {
        const Ran ran = run({kSample});
        QCOMPARE(ran.exitCode, 2);
        QVERIFY2(ran.errors.contains(QStringLiteral("-o DIR")), qPrintable(ran.errors));
    }
};

QTEST_GUILESS_MAIN(TestExportCharts)
#include "tst_export_charts.moc"
