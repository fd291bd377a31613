#include "core/result/import/foreign_file.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace lapbench;

namespace {

ForeignFile fileOf(const std::string& bytes)
{
    auto file = foreignFileOf("name", bytes);
    return file ? std::move(file).value() : ForeignFile{};
}

std::string problemOf(const std::string& bytes)
{
    const auto file = foreignFileOf("name", bytes);
    return file ? std::string() : file.problem().message;
}

} // namespace

class TestForeignFile : public QObject {
    Q_OBJECT

private slots:
    void everyWayOfWritingTextIsReadTheSame_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("plain") << QByteArray("a\nb µ\n");
        QTest::newRow("Windows line ends") << QByteArray("a\r\nb µ\r\n");
        QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf"
                                                       "a\nb µ\n");
        QTest::newRow("UTF-16, little end first") << QByteArray("\xff\xfe"
                                                                "a\0\n\0b\0 \0\xb5\0\n\0",
                                                                14);
        QTest::newRow("UTF-16, big end first") << QByteArray("\xfe\xff"
                                                             "\0a\0\n\0b\0 \0\xb5\0\n",
                                                             14);
        QTest::newRow("terminal colours") << QByteArray("\x1b[32ma\x1b[0m\nb µ\x1b[K\n");
        QTest::newRow("a progress line") << QByteArray("a\rb µ\n");
    }
    void everyWayOfWritingTextIsReadTheSame()
    {
        QFETCH(QByteArray, bytes);
        QCOMPARE(fileOf(bytes.toStdString()).text, std::string("a\nb µ\n"));
    }

    void jsonIsFoundWhereverItBeginsALine_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("documents");
        QTest::newRow("the whole file") << QByteArray("{\"a\": [1, {\"b\": \"}\"}]}") << 1;
        QTest::newRow("after a banner") << QByteArray("Bombarding http://x\n[==>]\n{\"a\": 1}\nDone!\n") << 1;
        QTest::newRow("one a line") << QByteArray("{\"a\": 1}\n{\"a\": 2}\n") << 2;
        QTest::newRow("one after another, over lines") << QByteArray("{\n\"a\": 1\n}\n{\n\"a\": 2\n}") << 2;
        QTest::newRow("in a Markdown fence") << QByteArray("# Run\n```json\n{\"a\": 1}\n```\n") << 1;
        QTest::newRow("none") << QByteArray("requests: {many}\n") << 0;
        QTest::newRow("bare NaN") << QByteArray("{\"a\": NaN, \"b\": -Infinity}") << 1;
        QTest::newRow("escapes of Go") << QByteArray("{\"a\": \"\\x1f\\a\\v\\'\"}") << 1;
    }
    void jsonIsFoundWhereverItBeginsALine()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, documents);
        const ForeignFile file = fileOf(bytes.toStdString());
        QCOMPARE(static_cast<int>(file.documents.size()), documents);
        QVERIFY(!file.jsonProblem);
    }

    void escapesOfGoAreTheCharactersTheyMean()
    {
        const ForeignFile file = fileOf("{\"a\": \"1\\x1f2\\a3\"}");
        QCOMPARE(file.documents.at(0).value["a"].get<std::string>(), std::string("1\x1f"
                                                                                 "2\a3"));
    }

    void brokenJsonSaysWhere()
    {
        const ForeignFile cut = fileOf("\n{\"a\": 1,\n \"b\": [1, 2");
        QVERIFY(cut.documents.empty());
        QVERIFY(cut.jsonProblem);
        QCOMPARE(cut.jsonProblem->message,
                 std::string("begins as JSON in line 2, and is broken: it ends before the last bracket is closed"));
        const ForeignFile wrong = fileOf("{\"a\": ...}");
        QVERIFY(wrong.jsonProblem && wrong.jsonProblem->message.find("line 1, column 7") != std::string::npos);
    }

    void whatIsNoTextIsRefused()
    {
        QCOMPARE(problemOf(""), std::string("is empty"));
        QCOMPARE(problemOf(" \r\n\t\n"), std::string("is empty"));
        QVERIFY(problemOf(std::string("ELF\0\0", 5)).find("is no text") != std::string::npos);
    }

    void whatIsNoFileIsRefused()
    {
        const QTemporaryDir folder;
        const auto problem = [](const std::filesystem::path& path) {
            const auto file = readForeignFile(path);
            return file ? std::string() : file.problem().message;
        };
        QCOMPARE(problem(folder.filePath("none").toStdString()), std::string("does not exist"));
        QCOMPARE(problem(folder.path().toStdString()), std::string("is no regular file"));
        QCOMPARE(problem("/dev/zero"), std::string("is no regular file"));
        const std::filesystem::path huge = folder.filePath("huge").toStdString();
        std::ofstream(huge) << "x";
        std::filesystem::resize_file(huge, std::uintmax_t{3} << 30); // sparse
        QCOMPARE(problem(huge), std::string("holds 3072 MiB, and at most 128 MiB are read"));
    }

    void bracketsWithoutEndAreGivenUpSoon()
    {
        std::string text;
        for (int i = 0; i < 300'000; ++i)
            text += "[{\"a\n";
        QElapsedTimer timer;
        timer.start();
        QVERIFY(fileOf(text).documents.empty());
        QVERIFY2(timer.elapsed() < 10'000, "looks through the same text again and again");
    }
};

QTEST_GUILESS_MAIN(TestForeignFile)
#include "tst_foreign_file.moc"
