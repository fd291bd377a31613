#include "core/workload/data_feed.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lapbench;

namespace {

/// All values, a row a line, with | between them; or the problem.
QString shown(const Result<DataFeed>& feed)
{
    if (!feed)
        return "problem: " + QString::fromStdString(feed.problem().message);
    QStringList lines;
    const auto toText = [](std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); };
    QStringList names;
    for (const std::string_view name : feed.value().columns())
        names.append(toText(name));
    lines.append(names.join('|'));
    for (std::size_t row = 0; row < feed.value().rows(); ++row) {
        QStringList values;
        for (std::size_t column = 0; column < feed.value().columns().size(); ++column)
            values.append(toText(feed.value().value(row, column)));
        lines.append(values.join('|'));
    }
    return lines.join('/');
}

} // namespace

class TestDataFeed : public QObject {
    Q_OBJECT

private slots:
    void readsRfc4180_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("table");
        QTest::newRow("lines that end in LF") << QByteArray("id,name\n1,a\n2,b\n") << "id|name/1|a/2|b";
        QTest::newRow("lines that end in CRLF") << QByteArray("id,name\r\n1,a\r\n2,b\r\n") << "id|name/1|a/2|b";
        QTest::newRow("a last line without an end") << QByteArray("id,name\n1,a\n2,b") << "id|name/1|a/2|b";
        QTest::newRow("a byte order mark") << QByteArray("\xef\xbb\xbfid,name\n1,a\n") << "id|name/1|a";
        QTest::newRow("a comma in quotes") << QByteArray("id,name\n1,\"a,b\"\n") << "id|name/1|a,b";
        QTest::newRow("quotes in quotes") << QByteArray("id,name\n\"\"\"1\"\"\",\"a\"\"b\"\n") << "id|name/\"1\"|a\"b";
        QTest::newRow("a line break in quotes") << QByteArray("id,name\n1,\"a\nb\"\n2,c\n") << "id|name/1|a\nb/2|c";
        QTest::newRow("quoted names") << QByteArray("\"id\",\"first name\"\n1,a\n") << "id|first name/1|a";
        QTest::newRow("empty values") << QByteArray("a,b,c\n,,\n\"\",x,\n") << "a|b|c/||/|x|";
        QTest::newRow("blank lines") << QByteArray("\nid\n\n1\n\r\n2\n\n") << "id/1/2";
        QTest::newRow("an empty value of one column is quoted") << QByteArray("id\n\"\"\n") << "id/";
        QTest::newRow("blanks belong to values") << QByteArray("id,name\n 1, a \n") << "id|name/ 1| a ";
        QTest::newRow("non-ASCII text") << QByteArray("id\nZ\xc3\xbcrich\n") << QString::fromUtf8("id/Z\xc3\xbcrich");
        QTest::newRow("a lone CR is no line end") << QByteArray("id\na\rb\n") << "id/a\rb";
    }
    void readsRfc4180()
    {
        QFETCH(QByteArray, text);
        QTEST(shown(DataFeed::parse(text.toStdString())), "table");
    }

    void saysWhatIsWrongAndWhere_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("problem");
        QTest::newRow("an empty file") << QByteArray("") << "it is empty";
        QTest::newRow("only a mark") << QByteArray("\xef\xbb\xbf\n") << "it is empty";
        QTest::newRow("only a header") << QByteArray("id,name\n") << "it has no rows";
        QTest::newRow("a short row") << QByteArray("id,name\n1,a\n2\n") << "line 3 has 1 value, the first line has 2";
        QTest::newRow("a long row behind a broken line")
            << QByteArray("id,name\n1,\"a\n\nb\"\n1,2,3\n") << "line 5 has 3 values, the first line has 2";
        QTest::newRow("an open quote") << QByteArray("id\n1\n\"2\n3\n")
                                       << "the quote that opens in line 3 is not closed";
        QTest::newRow("a quote inside") << QByteArray("id\n1\nab\"c\n")
                                        << "line 3 has a quote in the middle of a value";
        QTest::newRow("text behind a quote")
            << QByteArray("id\n\"ab\"c\n") << "line 2 has a quote in the middle of a value";
        QTest::newRow("a name twice") << QByteArray("id,id\n1,2\n")
                                      << "the column \"id\" stands twice in its first line";
    }
    void saysWhatIsWrongAndWhere()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, problem);
        const auto feed = DataFeed::parse(text.toStdString());
        QCOMPARE(shown(feed), "problem: " + problem);
        QVERIFY(!feed.problem().cure.empty());
    }

    void findsColumnsByName()
    {
        const auto feed = DataFeed::parse("id,name\n1,a\n");
        QVERIFY(feed.ok());
        QCOMPARE(feed.value().column("name"), std::optional<std::size_t>(1));
        QVERIFY(!feed.value().column("Name"));
    }

    void aFileIsReadOnceAndFoundBesideThePlan()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("users.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("id\n7\n") == 5);
        file.close();
        FeedShelf shelf(folder.path().toStdString());
        const auto first = shelf.feed("users.csv");
        QVERIFY(first.ok());
        QVERIFY(file.remove());
        QVERIFY(shelf.feed("users.csv").value() == first.value());
        QCOMPARE(first.value()->value(0, 0), std::string_view("7"));

        const auto missing = shelf.feed("user.csv");
        QVERIFY(!missing);
        QVERIFY(missing.problem().message.find("user.csv\": cannot be read: No such file") != std::string::npos);
    }

    /// A sparse file: 256 MiB and one byte that cost no disk.
    void refusesAFileThatIsTooLarge()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("big.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize((256 << 20) + 1));
        const auto feed = DataFeed::read(file.fileName().toStdString());
        QVERIFY(!feed);
        QVERIFY(feed.problem().message.find("256 MiB") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestDataFeed)
#include "tst_data_feed.moc"
