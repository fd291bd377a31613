#include "core/result/export/export_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

using namespace lapbench;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
}

QStringList everythingIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

} // namespace

class TestExportFiles : public QObject {
    Q_OBJECT

private slots:
    void namesAreSafe_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("plain") << QByteArray("json-api_2.1") << QByteArray("json-api_2.1");
        QTest::newRow("a path out") << QByteArray("../../etc/passwd") << QByteArray("etc-passwd");
        QTest::newRow("absolute") << QByteArray("/etc/passwd") << QByteArray("etc-passwd");
        QTest::newRow("hidden") << QByteArray(".bashrc") << QByteArray("bashrc");
        QTest::newRow("an option") << QByteArray("-rf") << QByteArray("rf");
        QTest::newRow("blanks and signs") << QByteArray("a b & c;d") << QByteArray("a-b-c-d");
        QTest::newRow("a line break") << QByteArray("a\nb") << QByteArray("a-b");
        QTest::newRow("nothing left") << QByteArray("日本 ..") << QByteArray("result");
        QTest::newRow("empty") << QByteArray() << QByteArray("result");
        QTest::newRow("long") << QByteArray(300, 'x') << QByteArray(80, 'x');
    }
    void namesAreSafe()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, name);
        QCOMPARE(QByteArray::fromStdString(safeFileName(text.toStdString())), name);
    }

    void aResultIsNamedForItsFile()
    {
        QCOMPARE(resultName("x/json-api.lapbench.json"), std::string("json-api"));
        QCOMPARE(resultName("json-api.lapbench.json.journal"), std::string("json-api"));
        QCOMPARE(resultName("wrk.json"), std::string("wrk"));
        QCOMPARE(resultName("wrk.txt"), std::string("wrk.txt"));
    }

    void filesAndFoldersAreMade()
    {
        const QTemporaryDir dir;
        const QString folder = dir.filePath("a/b");
        QVERIFY(writeExportFiles(folder.toStdString(), {{"x.md", "one"}, {"charts/y.svg", "two"}}, 0640).ok());
        QCOMPARE(contentOf(folder + "/x.md"), QByteArray("one"));
        QCOMPARE(contentOf(folder + "/charts/y.svg"), QByteArray("two"));
        QCOMPARE(everythingIn(folder), QStringList({"charts", "x.md"}));
        struct stat status {};
        QCOMPARE(::stat(qPrintable(folder + "/x.md"), &status), 0);
        QCOMPARE(status.st_mode & 0777u, 0640u);
    }

    void whatIsInTheWayIsTold()
    {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        const std::vector<ExportFile> files = {{"a", ""}, {"b", ""}, {"c", ""}};
        QVERIFY(filesInTheWay(dir.filePath("none").toStdString(), files).value().empty());
        put(dir.filePath("b"), "mine");
        QFile::link(dir.filePath("nowhere"), dir.filePath("c"));
        QCOMPARE(filesInTheWay(folder, files).value(), (std::vector<std::string>{"b", "c"}));
        QCOMPARE(format(filesInTheWay(folder, {{"b/x.svg", ""}}).problem()),
                 folder + "/b: is in the way and no folder; choose another folder with -o");
        QVERIFY(QDir(dir.path()).mkdir("a"));
        QVERIFY(!filesInTheWay(folder, files).ok());
        QVERIFY(!filesInTheWay(dir.filePath("b").toStdString(), files).ok());
    }

    void whatCannotBeWrittenWholeLeavesNothing()
    {
        const QTemporaryDir dir;
        put(dir.filePath("a"), "before");
        QVERIFY(QDir(dir.path()).mkdir("c"));
        // A folder stands where the last file is to go.
        const auto written = writeExportFiles(dir.path().toStdString(), {{"new/x", "1"}, {"b", "2"}, {"c", "3"}});
        QVERIFY(!written.ok());
        QVERIFY(format(written.problem()).find("/c: cannot be written: ") != std::string::npos);
        QCOMPARE(everythingIn(dir.path()), QStringList({"a", "c"}));
        QCOMPARE(contentOf(dir.filePath("a")), QByteArray("before"));
    }

    void aFileWhereAFolderIsToBeCostsNoOtherFile()
    {
        const QTemporaryDir dir;
        put(dir.filePath("index.md"), "before");
        put(dir.filePath("charts"), "mine");
        QVERIFY(!writeExportFiles(dir.path().toStdString(), {{"index.md", "after"}, {"charts/x.svg", "1"}}).ok());
        QCOMPARE(everythingIn(dir.path()), QStringList({"charts", "index.md"}));
        QCOMPARE(contentOf(dir.filePath("index.md")), QByteArray("before"));
    }

    void aFullDiskLeavesWhatWasThere()
    {
        const QTemporaryDir dir;
        put(dir.filePath("a"), "before");
        // What does not fit on the disk is stood for by what the process may write.
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        rlimit small = before;
        small.rlim_cur = 4096;
        ::signal(SIGXFSZ, SIG_IGN);
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
        const auto written =
            writeExportFiles(dir.path().toStdString(), {{"a", "after"}, {"b", std::string(100'000, 'x')}});
        ::setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(!written.ok());
        QVERIFY2(format(written.problem()).find("/b: cannot be written: File too large") != std::string::npos,
                 format(written.problem()).c_str());
        QCOMPARE(everythingIn(dir.path()), QStringList({"a"}));
        QCOMPARE(contentOf(dir.filePath("a")), QByteArray("before"));
    }

    void nothingLeadsOutOfTheFolder()
    {
        const QTemporaryDir dir;
        for (const char* name : {"../x", "/x", "a/../../x", "", "a/", "./x"})
            QVERIFY2(!writeExportFiles(dir.filePath("in").toStdString(), {{name, "1"}}).ok(), name);
        QVERIFY(!writeExportFiles("", {{"x", "1"}}).ok());
        QVERIFY(everythingIn(dir.path()).isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestExportFiles)
#include "tst_export_files.moc"
