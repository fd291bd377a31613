#include "app/cli/result_place.h"
#include "core/result/result_json.h"
#include "tests/cli/cli_process.h"
#include "tests/support/made_results.h"

#include <QDir>
#include <QJsonArray>

#include <set>

using namespace lapbench;
using namespace lapbench::test;

namespace {

QByteArray saved(const std::string& id, const std::string& target)
{
    SessionResult result = test::resultOf("x", {{target, {1000}}}).result;
    result.id = id;
    return QByteArray::fromStdString(formatResult(result));
}

/// A library of two results and a broken file; the trash is beside it.
struct Shelf {
    CliPlace place;

    Shelf()
    {
        QDir().mkpath(place.home() + "/results");
        place.write("home/results/one.lapbench.json", saved("aaaa1111", "node"));
        place.write("home/results/two.lapbench.json", saved("bbbb2222", "bun"));
        place.write("home/results/broken.lapbench.json", "{");
        qputenv("XDG_DATA_HOME", place.path("data").toLocal8Bit());
    }
    QJsonArray list(const QStringList& more = {}) const
    {
        const CliEnd end = place.run(QStringList{"results", "list", "--format", "json"} + more);
        return QJsonDocument::fromJson(end.out).array();
    }
};

} // namespace

/// `results` as a user calls it.
class TestCliResults : public QObject {
    Q_OBJECT

private slots:
    void aloneItLists()
    {
        const Shelf shelf;
        const CliEnd end = shelf.place.run({"results"});
        QVERIFY2(end.code == 0 && end.err.isEmpty(), end.err);
        for (const char* word : {"one", "two", "Node.js 22", "Bun 1.1", "Cannot be read:\nbroken.lapbench.json: "})
            QVERIFY2(end.out.contains(word), end.out);
        QCOMPARE(shelf.list().size(), 3);
        QCOMPARE(shelf.list({"bun"})[0].toObject()["id"].toString(), "bbbb2222");
        QCOMPARE(shelf.list({"one", "--runtime", "node", "--since", "2023-11-14", "--until", "2023-11-14"}).size(), 1);
        QCOMPARE(shelf.list({"one", "--since", "2023-11-15"}).size(), 0);
        const CliEnd csv = shelf.place.run({"results", "list", "--format", "csv"});
        QVERIFY2(csv.out.startsWith("created_utc,name,id,") && csv.out.count('\n') == 4, csv.out);
        const CliEnd bad = shelf.place.run({"results", "list", "--since", "yesterday"});
        QCOMPARE(bad.code, 2);
        QVERIFY2(bad.err.contains("--since: \"yesterday\" is no date"), bad.err);
        const CliEnd none = CliPlace().run({"results"});
        QVERIFY2(none.code == 0 && none.err.contains("there is no result in "), none.err);
    }

    void resultsAreTaggedNotedAndRenamed()
    {
        const Shelf shelf;
        QCOMPARE(shelf.place.run({"results", "tag", "one", "a", "b"}).code, 0);
        QCOMPARE(shelf.place.run({"results", "tag", "aaaa", "a", "--remove"}).code, 0);
        QCOMPARE(shelf.place.run({"results", "note", "one", "a quiet night"}).code, 0);
        QCOMPARE(shelf.place.run({"results", "rename", "one", "first"}).code, 0);
        const QJsonObject entry = shelf.list({"first", "--tag", "b"})[0].toObject();
        QCOMPARE(entry["tags"].toArray(), QJsonArray{"b"});
        QCOMPARE(entry["notes"].toString(), "a quiet night");
        const CliEnd shown = shelf.place.run({"show", shelf.place.path("home/results/first.lapbench.json")});
        QVERIFY2(shown.code == 0 && !shown.out.contains("changed after"), shown.out);

        const CliEnd taken = shelf.place.run({"results", "rename", "first", "two"});
        QCOMPARE(taken.code, 2);
        QVERIFY2(taken.err.contains("is there already"), taken.err);
        for (const QStringList& wrong : {QStringList{"tag", "none", "x"}, QStringList{"note", "broken", "x"},
                                         QStringList{"tag", "first", "a,b"}, QStringList{"delete", "none"}}) {
            const CliEnd end = shelf.place.run(QStringList{"results"} + wrong);
            QCOMPARE(end.code, 2);
            QCOMPARE(end.err.count('\n'), 1);
        }
    }

    void deletingGoesToTheTrashOrForGood()
    {
        const Shelf shelf;
        CliEnd end = shelf.place.run({"results", "delete", "one", "broken"});
        QVERIFY2(end.code == 0, end.err);
        QVERIFY(QFile::exists(shelf.place.path("data/Trash/files/one.lapbench.json")));
        QVERIFY(QFile::exists(shelf.place.path("data/Trash/info/broken.lapbench.json.trashinfo")));
        end = shelf.place.run({"results", "delete", "two", "none"});
        QCOMPARE(end.code, 2); // one is not there: none goes
        QCOMPARE(shelf.list().size(), 1);
        QCOMPARE(shelf.place.run({"results", "delete", "two", "--permanently"}).code, 0);
        QCOMPARE(shelf.list().size(), 0);
        QVERIFY(!QFile::exists(shelf.place.path("data/Trash/files/two.lapbench.json")));
    }

    void twoThatBeginInTheSameSecondHavePlacesOfTheirOwn()
    {
        const CliPlace place;
        const std::filesystem::path home = place.home().toStdString();
        std::set<std::filesystem::path> paths;
        {
            std::vector<NewPlace> places;
            for (int i = 0; i < 5; ++i) {
                places.push_back(newResultPlace("p", home));
                paths.insert(places.back().path());
            }
            QCOMPARE(paths.size(), std::size_t(5));
        }
        QVERIFY(std::filesystem::is_empty(home / "results")); // nothing is left of the claims

        // The program itself, three at once.
        const QString plan = place.write("p.json", planOf(QByteArray(R"({"name": "a", "builtin": true})"),
                                                          R"("measure": {"duration": "50ms"}, "rounds": 1)"));
        QProcess runs[3];
        for (QProcess& run : runs) {
            place.prepare(run);
            run.setArguments({"run", plan, "--progress", "none"});
            run.start();
        }
        for (QProcess& run : runs) {
            const CliEnd end = CliPlace::finish(run);
            QVERIFY2(end.code == 0, end.err);
        }
        const QStringList files = QDir(place.home() + "/results").entryList(QDir::Files | QDir::Hidden);
        QVERIFY2(files.size() == 3, qPrintable(files.join(' ')));
    }
};

QTEST_GUILESS_MAIN(TestCliResults)
#include "tst_cli_results.moc"
