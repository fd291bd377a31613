#include "core/base/atomic_file.h"
#include "core/result/result_json.h"
#include "tests/support/made_results.h"
#include "ui/models/library_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lapbench;
namespace fs = std::filesystem;

/// The library as the window has it.
class TestLibraryModel : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_home;
    std::unique_ptr<LibraryModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;

    void save(const std::string& name, const std::string& target, int day) const
    {
        SessionResult result = test::resultOf(name, {{target, {1000, 1100}}}).result;
        result.id = name;
        result.created += std::chrono::hours(24 * day);
        QVERIFY(writeFileAtomically(m_home / "results" / (name + ".lapbench.json"), formatResult(result)).ok());
    }
    QString at(int row, int column, int role = Qt::DisplayRole) const
    {
        return m_model->index(row, column).data(role).toString();
    }

private slots:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_home = m_dir->path().toStdString();
        fs::create_directories(m_home / "results");
        qputenv("XDG_DATA_HOME", (m_home / "data").c_str());
        save("older", "node", 0);
        save("newer", "bun", 1);
        QVERIFY(writeFileAtomically(m_home / "results/broken.json", "{").ok());
        m_model = std::make_unique<LibraryModel>(m_home);
        m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get());
        m_model->refresh();
    }
    void cleanup()
    {
        m_tester.reset();
        m_model.reset();
    }

    void everyFileHasARow()
    {
        QCOMPARE(m_model->rowCount(), 3);
        QCOMPARE(at(0, LibraryModel::Name), "newer");
        QCOMPARE(at(0, LibraryModel::Targets), "Bun 1.1");
        QCOMPARE(at(0, LibraryModel::Trials), "2");
        QCOMPARE(at(1, LibraryModel::Name), "older");
        QVERIFY(at(1, 0, LibraryModel::PathRole).endsWith("results/older.lapbench.json"));
        QCOMPARE(at(2, LibraryModel::Name), "broken");
        QVERIFY(!at(2, LibraryModel::Note).isEmpty());
        QCOMPARE(at(2, LibraryModel::Note), at(2, 0, LibraryModel::ProblemRole));
        QVERIFY(!(m_model->flags(m_model->index(2, LibraryModel::Name)) & Qt::ItemIsEditable));
    }

    void aSearchNarrowsIt()
    {
        LibraryQuery query;
        query.words = {"bun"};
        m_model->setQuery(query);
        QCOMPARE(m_model->rowCount(), 1);
        QCOMPARE(at(0, LibraryModel::Name), "newer");
        m_model->setQuery({});
        QCOMPARE(m_model->rowCount(), 3);
    }

    void cellsEditTheFile()
    {
        QSignalSpy failed(m_model.get(), &LibraryModel::failed);
        QVERIFY(m_model->setData(m_model->index(1, LibraryModel::Tags), "a, b"));
        QCOMPARE(at(1, LibraryModel::Tags), "a, b");
        QVERIFY(m_model->setData(m_model->index(1, LibraryModel::Tags), "b, c"));
        QVERIFY(m_model->setData(m_model->index(1, LibraryModel::Note), "first\nsecond"));
        QCOMPARE(at(1, LibraryModel::Note), "first second");
        QCOMPARE(at(1, LibraryModel::Note, Qt::EditRole), "first\nsecond");
        QVERIFY(m_model->setData(m_model->index(1, LibraryModel::Name), "renamed"));
        const auto read = readResultOrJournal(m_home / "results/renamed.lapbench.json");
        QVERIFY(read.ok());
        QCOMPARE(read.value().tags, (std::vector<std::string>{"b", "c"}));
        QCOMPARE(read.value().notes, std::string("first\nsecond"));
        QVERIFY(read.value().warnings.empty());
        QCOMPARE(failed.count(), 0);
    }

    void whatDoesNotWorkIsToldAndChangesNothing()
    {
        QSignalSpy failed(m_model.get(), &LibraryModel::failed);
        QVERIFY(!m_model->setData(m_model->index(1, LibraryModel::Name), "newer"));
        QCOMPARE(failed.count(), 1);
        QVERIFY2(failed[0][0].toString().contains("is there already"), qPrintable(failed[0][0].toString()));
        QCOMPARE(at(1, LibraryModel::Name), "older");
        QVERIFY(!m_model->setData(m_model->index(1, LibraryModel::Targets), "x"));
    }

    void aRemovedRowIsInTheTrash()
    {
        LibraryQuery query;
        query.words = {"older"};
        m_model->setQuery(query);
        QVERIFY(m_model->removeResult(0, false));
        QCOMPARE(m_model->rowCount(), 0);
        QVERIFY(fs::exists(m_home / "data/Trash/files/older.lapbench.json"));
        m_model->setQuery({});
        QCOMPARE(at(0, LibraryModel::Name), "newer");
        QCOMPARE(m_model->rowCount(), 2);
    }
};

QTEST_GUILESS_MAIN(TestLibraryModel)
#include "tst_library_model.moc"
