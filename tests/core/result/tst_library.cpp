#include "core/base/atomic_file.h"
#include "core/result/annotate.h"
#include "core/result/journal.h"
#include "core/result/library.h"
#include "core/result/result_json.h"
#include "tests/support/made_results.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <random>

using namespace lapbench;
namespace fs = std::filesystem;

namespace {

/// A result as large as those of short sessions, in few trials: it is to be read a thousand times.
SessionResult realSized()
{
    SessionResult result = test::resultOf("x", {{"node", {}}, {"bun", {}}}).result;
    std::mt19937_64 random(5);
    for (unsigned i = 0; i < 9; ++i) {
        Trial trial = test::madeTrial(i % 3 == 0 ? "bun" : "node", i / 3 + 1, 1000);
        trial.seconds.resize(3, trial.seconds.front());
        for (TrialSecond& second : trial.seconds) {
            Histogram histogram;
            for (int j = 0; j < 1600; ++j)
                histogram.record(50'000 + static_cast<std::int64_t>(random() % 5'000'000));
            second.load.latency = histogram.sparse();
            trial.load.histogram.add(histogram);
        }
        result.trials.push_back(std::move(trial));
    }
    return result;
}

SessionResult small(const std::string& id, const std::string& target = "node")
{
    SessionResult result = test::resultOf("x", {{target, {1000}}}).result;
    result.id = id;
    result.runtimes["r"] = {target, "", target == "bun" ? "1.1.30" : "22.9.0", ""};
    return result;
}

std::vector<std::string> namesOf(const std::vector<LibraryEntry>& entries)
{
    std::vector<std::string> names;
    for (const LibraryEntry& entry : entries)
        names.push_back(entry.name);
    return names;
}

using Names = std::vector<std::string>;

} // namespace

class TestLibrary : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_home;

    void save(const std::string& name, const SessionResult& result) const
    {
        QVERIFY(writeFileAtomically(m_home / "results" / (name + ".lapbench.json"), formatResult(result)).ok());
    }
    std::vector<LibraryEntry> list(std::size_t* read = nullptr) const
    {
        if (read != nullptr)
            *read = 0;
        auto entries = Library(m_home).list([&](std::size_t, std::size_t all) {
            if (read != nullptr)
                *read = all;
        });
        return entries ? std::move(entries).value() : std::vector<LibraryEntry>();
    }
    Names found(const LibraryQuery& query) const
    {
        auto entries = list();
        std::erase_if(entries, [&](const LibraryEntry& entry) { return !query.matches(entry); });
        return namesOf(entries);
    }
    fs::path index() const { return m_home / "cache/results-index.json"; }

private slots:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_home = m_dir->path().toStdString();
        fs::create_directories(m_home / "results");
        qputenv("XDG_DATA_HOME", (m_home / "data").c_str());
    }

    void aThousandResultsAreListedWithinASecond()
    {
        const std::string text = formatResult(realSized());
        QVERIFY2(text.size() > 60'000, QByteArray::number(qsizetype(text.size()))); // as those of real sessions are
        for (int i = 0; i < 1000; ++i)
            QVERIFY(writeFileAtomically(m_home / ("results/r" + std::to_string(i) + ".lapbench.json"), text).ok());
        std::size_t read = 0;
        QCOMPARE(list(&read).size(), std::size_t(1000));
        QCOMPARE(read, std::size_t(1000));
        qint64 best = 1'000'000;
        for (int i = 0; i < 5 && best >= 1000; ++i) { // a busy machine may have a bad moment
            QElapsedTimer timer;
            timer.start();
            QCOMPARE(list(&read).size(), std::size_t(1000));
            best = std::min(best, timer.elapsed());
            QCOMPARE(read, std::size_t(0)); // that nothing was read again is what makes it fast
        }
        QVERIFY2(best < 1000, QByteArray::number(best) + " ms");
        qInfo("listed again in %lld ms", static_cast<long long>(best));
    }

    void onlyWhatChangedIsReadAgain()
    {
        save("a", small("aaaa1"));
        save("b", small("bbbb1"));
        std::size_t read = 0;
        list(&read);
        QCOMPARE(read, std::size_t(2));
        SessionResult changed = small("bbbb1");
        changed.notes = "other";
        save("b", changed);
        QCOMPARE(list(&read)[1].notes, std::string("other"));
        QCOMPARE(read, std::size_t(1));
        fs::remove(m_home / "results/a.lapbench.json");
        QCOMPARE(namesOf(list(&read)), Names{"b"});
        QCOMPARE(read, std::size_t(0));
    }

    void theIndexMayBeLostOrDamaged_data()
    {
        QTest::addColumn<int>("kind");
        for (int kind = 0; kind < 5; ++kind)
            QTest::addRow("kind %d", kind) << kind;
    }
    void theIndexMayBeLostOrDamaged()
    {
        QFETCH(int, kind);
        save("a", small("aaaa1", "bun"));
        QCOMPARE(list()[0].targets, Names{"Bun 1.1"});
        const std::string good = readFile(index()).value();
        std::string bad = good;
        if (kind == 0)
            fs::remove(index());
        else if (kind == 1)
            bad.resize(bad.size() / 2);
        else if (kind == 2)
            bad = std::string(100, '\0');
        else if (kind == 3) // valid JSON, another content
            bad.replace(bad.find("Bun 1.1"), 7, "Bun 9.9");
        else
            bad = "{}";
        if (kind != 0)
            QVERIFY(writeFileAtomically(index(), bad).ok());
        QCOMPARE(list()[0].targets, Names{"Bun 1.1"});
        QCOMPARE(readFile(index()).value(), good);
    }

    void anIndexThatCannotBeSavedHindersNothing()
    {
        save("a", small("aaaa1"));
        QVERIFY(writeFileAtomically(m_home / "cache", "a file").ok());
        QCOMPARE(list().size(), std::size_t(1));
    }

    void whatCannotBeReadIsListedWithWhy()
    {
        save("good", small("aaaa1"));
        QVERIFY(writeFileAtomically(m_home / "results/half.lapbench.json", "{\"schema\": ").ok());
        QVERIFY(writeFileAtomically(m_home / "results/newer.lapbench.json",
                                    R"({"schema": "lapbench-result", "schema_version": 99})")
                    .ok());
        QVERIFY(writeFileAtomically(m_home / "results/.tmp.json", "half").ok());
        QVERIFY(writeFileAtomically(m_home / "results/notes.txt", "mine").ok());
        const auto entries = list();
        QCOMPARE(namesOf(entries), (Names{"good", "half", "newer"}));
        QVERIFY(!entries[1].problem.empty());
        QVERIFY2(entries[2].problem.find("newer Lapbench") != std::string::npos, entries[2].problem.c_str());
        QVERIFY(entries[2].problem.find("results/") == std::string::npos);
        LibraryQuery query;
        query.runtime = "deno";
        QCOMPARE(found(query), (Names{"half", "newer"}));
    }

    void aSessionThatDidNotEndIsThereToo()
    {
        const fs::path result = m_home / "results/torn.lapbench.json";
        {
            auto journal = Journal::create(result, small("jjjj1"));
            QVERIFY(journal.ok());
            QVERIFY(journal.value().append(test::madeTrial("node", 1, 1000)).ok());
            QVERIFY(!Library::remove(list()[0], true).ok()); // it runs
        }
        const auto entries = list();
        QCOMPARE(namesOf(entries), Names{"torn"});
        QVERIFY(!entries[0].complete);
        QVERIFY(!Library::tag(entries[0], {"x"}, false).ok());
        QVERIFY(!Library::rename(entries[0], "y").ok());
        QVERIFY(Library::remove(entries[0], true).ok());
        QVERIFY(list().empty());
    }

    void searching()
    {
        SessionResult a = small("aaaa1"), b = small("bbbb1", "bun"), c = small("cccc1");
        a.created = *parseUtc("2026-11-29T23:59:59Z");
        b.created = *parseUtc("2026-11-30T00:00:00Z");
        c.created = *parseUtc("2026-12-01T12:00:00Z");
        a.tags = {"Release"};
        c.notes = "After the upgrade of OpenSSL";
        save("first", a);
        save("second", b);
        save("third", c);
        QCOMPARE(found({}), (Names{"third", "second", "first"})); // the newest first
        LibraryQuery query;
        query.words = {"openssl", "NODE"};
        QCOMPARE(found(query), Names{"third"});
        query = {};
        query.words = {"sec"};
        QCOMPARE(found(query), Names{"second"});
        query = {};
        query.runtime = "Bun 1.1";
        QCOMPARE(found(query), Names{"second"});
        query.runtime = "22.9.0";
        QCOMPARE(found(query), (Names{"third", "first"}));
        query = {};
        query.tag = "release";
        QCOMPARE(found(query), Names{"first"});
        query.tag = "rel";
        QCOMPARE(found(query), Names());
        query = {};
        query.since = parseDay("2026-11-30", false);
        QCOMPARE(found(query), (Names{"third", "second"}));
        query.until = parseDay("2026-11-30", true);
        QCOMPARE(found(query), Names{"second"});
        QVERIFY(!parseDay("2026-13-01", false) && !parseDay("yesterday", false));
        QCOMPARE(parseDay("2026-11-30T11:20:31Z", true), parseUtc("2026-11-30T11:20:31Z"));
    }

    void aResultIsFoundByNamePathOrId()
    {
        save("one", small("abcd1234"));
        save("two", small("abce5678"));
        const Library library(m_home);
        QCOMPARE(library.find("one").value().id, std::string("abcd1234"));
        QCOMPARE(library.find("two.lapbench.json").value().id, std::string("abce5678"));
        QCOMPARE(library.find("abcd").value().name, std::string("one"));
        QCOMPARE(library.find((m_home / "results/two.lapbench.json").string()).value().id, std::string("abce5678"));
        QVERIFY(!library.find("abc").ok()); // too short for an id
        QVERIFY(format(library.find("three").problem()).find("no name or id") != std::string::npos);
        save("copy", small("abcd1234"));
        QVERIFY(format(library.find("abcd12").problem()).find("several results") != std::string::npos);
        // Nobody else's files.
        QVERIFY(writeFileAtomically(m_home / "mine.json", "{}").ok());
        QVERIFY(!library.find((m_home / "mine.json").string()).ok());
    }

    void tagsAndNotesKeepTheRestAndTheChecksum()
    {
        save("a", small("aaaa1"));
        const fs::path path = m_home / "results/a.lapbench.json";
        QCOMPARE(::chmod(path.c_str(), 0640), 0);
        const std::string before = readFile(path).value();
        const LibraryEntry entry = list()[0];
        QVERIFY(Library::tag(entry, {"x", " y ", "x"}, false).ok());
        QVERIFY(Library::note(entry, "two\nlines").ok());
        const auto read = readResultOrJournal(path);
        QVERIFY(read.ok());
        QCOMPARE(read.value().tags, (Names{"x", "y"}));
        QCOMPARE(read.value().notes, std::string("two\nlines"));
        QVERIFY(read.value().warnings.empty()); // no word of a change after it was written
        struct stat status {};
        QCOMPARE(::stat(path.c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0640U);
        QVERIFY(Library::tag(entry, {"x", "y"}, true).ok());
        QVERIFY(Library::note(entry, "").ok());
        QCOMPARE(readFile(path).value(), before);
        QVERIFY(!Library::tag(entry, {"x"}, true).ok());
        QVERIFY(!Library::tag(entry, {"a,b"}, false).ok());
        QVERIFY(!Library::tag(entry, {" "}, false).ok());
        QCOMPARE(readFile(path).value(), before);
    }

    void whatWasChangedByHandIsNotMadeToLookWhole()
    {
        save("a", small("aaaa1"));
        const fs::path path = m_home / "results/a.lapbench.json";
        std::string text = readFile(path).value();
        text.replace(text.find("\"rps\":1000"), 10, "\"rps\":9000");
        QVERIFY(writeFileAtomically(path, text).ok());
        const auto noted = Library::note(list()[0], "fast!");
        QVERIFY(!noted.ok());
        QVERIFY(format(noted.problem()).find("changed after Lapbench wrote it") != std::string::npos);
        QCOMPARE(readFile(path).value(), text);
    }

    void renamingNeverReplaces()
    {
        save("a", small("aaaa1"));
        save("b", small("bbbb1"));
        const Library library(m_home);
        const auto taken = Library::rename(library.find("a").value(), "b");
        QVERIFY(!taken.ok());
        QVERIFY(format(taken.problem()).find("is there already") != std::string::npos);
        QCOMPARE(library.find("b").value().id, std::string("bbbb1"));
        QCOMPARE(Library::rename(library.find("a").value(), "c d").value(), m_home / "results/c d.lapbench.json");
        QCOMPARE(library.find("c d").value().id, std::string("aaaa1"));
        QCOMPARE(Library::rename(library.find("c d").value(), "e.lapbench.json").value(),
                 m_home / "results/e.lapbench.json");
        for (const char* name : {"", "../x", ".x", "a\nb"})
            QVERIFY(!Library::rename(library.find("e").value(), name).ok());
        QCOMPARE(list().size(), std::size_t(2));
    }

    void deletingGoesToTheTrash()
    {
        save("a", small("aaaa1"));
        save("b", small("bbbb1"));
        const Library library(m_home);
        QVERIFY(Library::remove(library.find("a").value(), false).ok());
        QVERIFY(fs::exists(m_home / "data/Trash/files/a.lapbench.json"));
        QVERIFY(Library::remove(library.find("b").value(), true).ok());
        QVERIFY(!fs::exists(m_home / "data/Trash/files/b.lapbench.json"));
        QVERIFY(list().empty());
    }

    void anEmptyLibraryIsNoProblem()
    {
        fs::remove(m_home / "results");
        QVERIFY(Library(m_home).list().ok());
        QVERIFY(list().empty());
        QVERIFY(!fs::exists(index()));
    }
};

QTEST_APPLESS_MAIN(TestLibrary)
#include "tst_library.moc"
