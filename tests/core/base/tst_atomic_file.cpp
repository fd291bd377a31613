#include "core/base/atomic_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>

using namespace lapbench;
namespace fs = std::filesystem;

class TestAtomicFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path at(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }
    std::size_t entries() const
    {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(m_folder.path().toStdString()), {}));
    }

private slots:
    void cleanup()
    {
        for (const auto& entry : fs::directory_iterator(m_folder.path().toStdString()))
            fs::remove_all(entry);
    }

    void contentIsReplacedAndReadBack()
    {
        QVERIFY(writeFileAtomically(at("a"), "one").ok());
        QVERIFY(writeFileAtomically(at("a"), std::string("two\0three", 9)).ok());
        QCOMPARE(readFile(at("a")).value(), std::string("two\0three", 9));
        QCOMPARE(entries(), std::size_t(1));
        struct stat status {};
        QCOMPARE(::stat(at("a").c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777, mode_t(0600));
    }

    void aFullDiskKeepsTheOldFile()
    {
        QVERIFY(writeFileAtomically(at("a"), "old").ok());
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
        rlimit small = before;
        small.rlim_cur = 100;
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
        const auto written = writeFileAtomically(at("a"), std::string(1000, 'x'));
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        QVERIFY(!written.ok());
        QCOMPARE(readFile(at("a")).value(), std::string("old"));
        QCOMPARE(entries(), std::size_t(1));
    }

    void destinationsThatCannotBeWrittenAreFoundBefore()
    {
        QVERIFY(checkDestination(at("new.json")).ok());
        QCOMPARE(entries(), std::size_t(0));
        QVERIFY(!checkDestination(at("no/such/folder/x.json")).ok());
        QVERIFY(checkDestination(at("made/x.json"), true).ok());
        QVERIFY(!checkDestination(m_folder.path().toStdString()).ok());
        QVERIFY(!checkDestination(at("made") / "").ok());
        QVERIFY(!checkDestination("/proc/lapbench.json").ok());
    }

    void onlyARegularFileIsReplaced()
    {
        QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
        fs::create_symlink("/dev/null", at("link"));
        for (const char* name : {"pipe", "link"}) {
            QVERIFY(!checkDestination(at(name)).ok());
            QVERIFY(!writeFileAtomically(at(name), "x").ok());
        }
        QVERIFY(fs::is_fifo(at("pipe")) && fs::is_symlink(at("link")));
        QCOMPARE(entries(), std::size_t(2));
    }

    void onlyRegularFilesOfBoundedSizeAreRead()
    {
        QVERIFY(!readFile(at("missing")).ok());
        QVERIFY(!readFile("/dev/zero").ok());
        QVERIFY(!readFile(m_folder.path().toStdString()).ok());
        QVERIFY(writeFileAtomically(at("a"), "12345").ok());
        QVERIFY(!readFile(at("a"), 4).ok());
        QVERIFY(readFile(at("a"), 5).ok());
    }
};

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "tst_atomic_file.moc"
