#include "core/base/atomic_file.h"
#include "core/base/trash.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace lapbench;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& path, const std::string& content)
{
    QVERIFY(writeFileAtomically(path, content).ok());
}

} // namespace

/// The trash of the freedesktop.org specification, version 1.0.
class TestTrash : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    fs::path m_folder, m_trash;

private slots:
    void init()
    {
        m_folder = fs::path(m_dir.filePath(QTest::currentTestFunction()).toStdString());
        fs::create_directories(m_folder);
        m_trash = m_folder / "data/Trash";
        qputenv("XDG_DATA_HOME", (m_folder / "data").c_str());
    }

    void aFileGoesThereWithWhatPutsItBack()
    {
        const fs::path file = m_folder / "a b%.json";
        put(file, "content");
        const QDateTime before = QDateTime::currentDateTime().addSecs(-1);
        const auto moved = moveToTrash(file);
        QVERIFY2(moved.ok(), moved ? "" : format(moved.problem()).c_str());
        QVERIFY(!fs::exists(file));
        QCOMPARE(moved.value(), m_trash / "files/a b%.json");
        QCOMPARE(readFile(moved.value()).value(), std::string("content"));
        const QStringList info =
            QString::fromStdString(readFile(m_trash / "info/a b%.json.trashinfo").value()).split('\n');
        QCOMPARE(info.size(), 4);
        QCOMPARE(info[0], "[Trash Info]");
        const QString escaped = QString::fromStdString(m_folder.string()) + "/a%20b%25.json";
        QCOMPARE(info[1], "Path=" + escaped);
        const QDateTime deleted = QDateTime::fromString(info[2].mid(QString("DeletionDate=").size()), Qt::ISODate);
        QVERIFY2(deleted >= before && deleted <= QDateTime::currentDateTime(), qPrintable(info[2]));
        struct stat status {};
        QCOMPARE(::stat(m_trash.c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0700U);
    }

    void nothingInTheTrashIsReplaced()
    {
        for (const char* content : {"1", "2", "3"}) {
            put(m_folder / "x.lapbench.json", content);
            QVERIFY(moveToTrash(m_folder / "x.lapbench.json").ok());
        }
        QCOMPARE(readFile(m_trash / "files/x.lapbench.json").value(), std::string("1"));
        QCOMPARE(readFile(m_trash / "files/x.lapbench.2.json").value(), std::string("2"));
        QCOMPARE(readFile(m_trash / "files/x.lapbench.3.json").value(), std::string("3"));
        // A file there whose info was lost keeps its name, too.
        fs::remove(m_trash / "info/x.lapbench.2.json.trashinfo");
        put(m_folder / "x.lapbench.json", "4");
        QCOMPARE(moveToTrash(m_folder / "x.lapbench.json").value(), m_trash / "files/x.lapbench.4.json");
        QCOMPARE(readFile(m_trash / "files/x.lapbench.2.json").value(), std::string("2"));
        QVERIFY(!fs::exists(m_trash / "info/x.lapbench.2.json.trashinfo"));
    }

    void aLinkGoesAndNotWhatItNames()
    {
        put(m_folder / "real", "content");
        fs::create_symlink(m_folder / "real", m_folder / "link");
        QVERIFY(moveToTrash(m_folder / "link").ok());
        QVERIFY(fs::exists(m_folder / "real"));
        QVERIFY(!fs::exists(fs::symlink_status(m_folder / "link")));
    }

    void withoutAPlaceItStays()
    {
        put(m_folder / "data", "a file where the folder is to be");
        put(m_folder / "x", "content");
        const auto moved = moveToTrash(m_folder / "x");
        QVERIFY(!moved.ok());
        QVERIFY2(format(moved.problem()).find("--permanently") != std::string::npos, format(moved.problem()).c_str());
        QCOMPARE(readFile(m_folder / "x").value(), std::string("content"));
        QVERIFY(!moveToTrash(m_folder / "not there").ok());
    }

    /// /dev/shm is a file system of its own on Linux.
    void onAnotherFileSystemItStaysOnThat()
    {
        struct stat here {
        }, there{};
        if (::stat(m_folder.c_str(), &here) != 0 || ::stat("/dev/shm", &there) != 0 || here.st_dev == there.st_dev)
            QSKIP("there is no other file system");
        QTemporaryDir other("/dev/shm/lapbench-XXXXXX");
        if (!other.isValid())
            QSKIP("/dev/shm is not writable");
        const fs::path file = fs::path(other.path().toStdString()) / "x.json";
        const fs::path top = "/dev/shm/.Trash-" + std::to_string(::getuid());
        const bool wasThere = fs::exists(top);
        put(file, "content");
        const auto moved = moveToTrash(file);
        QVERIFY2(moved.ok(), moved ? "" : format(moved.problem()).c_str());
        const fs::path info = top / "info" / (moved.value().filename().string() + ".trashinfo");
        const std::string text = readFile(info).value();
        QVERIFY2(text.find("\nPath=" + fs::path(other.path().toStdString()).filename().string() + "/x.json\n") !=
                     std::string::npos,
                 text.c_str());
        QCOMPARE(moved.value().parent_path(), top / "files");
        fs::remove(moved.value());
        fs::remove(info);
        if (!wasThere)
            fs::remove_all(top);
    }
};

QTEST_APPLESS_MAIN(TestTrash)
#include "tst_trash.moc"
