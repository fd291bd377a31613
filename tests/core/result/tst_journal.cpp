#include "core/base/atomic_file.h"
#include "core/result/journal.h"
#include "core/result/result_json.h"
#include "tests/support/made_trials.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <optional>

using namespace lapbench;
using lapbench::test::madeTrial;
namespace fs = std::filesystem;

class TestJournal : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path m_result;
    SessionResult m_head;

    fs::path journal() const { return Journal::pathFor(m_result); }
    Trial numbered(std::size_t index) const
    {
        Trial trial = madeTrial("node", 1 + static_cast<unsigned>(index), 100.0 + static_cast<double>(index));
        trial.index = index;
        return trial;
    }

private slots:
    void init()
    {
        m_result = fs::path(m_folder.path().toStdString()) / "x.lapbench.json";
        m_head.id = newResultId();
        m_head.planJson = "{}";
        fs::remove(journal());
    }

    void everyTrialIsReadableAsSoonAsItIsAppended()
    {
        auto writing = Journal::create(m_result, m_head);
        QVERIFY(writing.ok());
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(writing.value().append(numbered(i)).ok());
            const auto read = readResultOrJournal(journal());
            QVERIFY(read.ok());
            QVERIFY(!read.value().complete);
            QCOMPARE(read.value().trials.size(), i + 1);
            QCOMPARE(*read.value().trials[i].load.rps, 100.0 + static_cast<double>(i));
            QCOMPARE(read.value().id, m_head.id);
        }
        writing.value().discard();
        QVERIFY(!fs::exists(journal()));
    }

    void aTornLastLineLosesOnlyThatTrial()
    {
        {
            auto writing = Journal::create(m_result, m_head);
            QVERIFY(writing.value().append(numbered(0)).ok());
            QVERIFY(writing.value().append(numbered(1)).ok());
        }
        const std::string whole = readFile(journal()).value();
        const std::size_t lastLine = whole.rfind('\n', whole.size() - 2) + 1;
        for (std::size_t length = lastLine; length < whole.size(); length += 101) {
            QVERIFY(writeFileAtomically(journal(), whole.substr(0, length)).ok());
            const auto read = readResultOrJournal(journal());
            QVERIFY(read.ok());
            QCOMPARE(read.value().trials.size(), std::size_t(1));
        }
    }

    void aReopenedJournalGoesOnAfterATornLine()
    {
        {
            auto writing = Journal::create(m_result, m_head);
            QVERIFY(writing.value().append(numbered(0)).ok());
        }
        const std::string whole = readFile(journal()).value();
        QVERIFY(writeFileAtomically(journal(), whole + "{\"index\":1,\"tri").ok());
        {
            auto again = Journal::reopen(m_result);
            QVERIFY(again.ok());
            QVERIFY(again.value().append(numbered(1)).ok());
        }
        QCOMPARE(readResultOrJournal(journal()).value().trials.size(), std::size_t(2));
    }

    void aTrialThatStandsTwiceCountsOnce()
    {
        auto writing = Journal::create(m_result, m_head);
        Trial broken = numbered(0);
        broken.outcome = Outcome::interrupted;
        QVERIFY(writing.value().append(broken).ok());
        QVERIFY(writing.value().append(numbered(0)).ok());
        const auto read = readResultOrJournal(journal());
        QCOMPARE(read.value().trials.size(), std::size_t(1));
        QVERIFY(read.value().trials[0].outcome == Outcome::done);
    }

    void whatBecomesKnownLaterHoldsFromThenOn()
    {
        auto writing = Journal::create(m_result, m_head);
        QVERIFY(writing.value().append(numbered(0), std::chrono::milliseconds(1500)).ok());
        SessionResult later = m_head;
        later.coldStarts = {{"node", {42.5, 40}, 41.25, 42.5, ""}, {"bun", {}, {}, {}, "no luck"}};
        later.warnings = {{"round_repeated", "info", "round 1 is run again", "why"}};
        QVERIFY(writing.value().appendHead(later).ok());
        const SessionResult read = readResultOrJournal(journal()).value();
        QCOMPARE(read.id, m_head.id);
        QCOMPARE(read.trials.size(), std::size_t(1));
        QCOMPARE(read.elapsedSeconds.value(), 1.5);
        QCOMPARE(read.coldStarts.size(), std::size_t(2));
        QCOMPARE(read.coldStarts[0].ms, (std::vector<double>{42.5, 40}));
        QCOMPARE(read.coldStarts[0].p95Ms.value(), 42.5);
        QCOMPARE(read.coldStarts[1].failure, std::string("no luck"));
        QCOMPARE(read.warnings.size(), std::size_t(1));
        QCOMPARE(read.warnings[0].evidence, std::string("why"));
    }

    void aLeftoverJournalIsNotOverwritten()
    {
        QVERIFY(Journal::create(m_result, m_head).ok());
        const auto again = Journal::create(m_result, m_head);
        QVERIFY(!again.ok());
        QVERIFY(again.problem().cure.find("--resume") != std::string::npos);
        QVERIFY(again.problem().cure.find("remove") != std::string::npos);
        QVERIFY(fs::exists(journal()));
    }

    void aJournalInUseIsItsSessionsAlone()
    {
        std::optional<Journal> first(Journal::create(m_result, m_head).value());
        QVERIFY(Journal::inUse(m_result));
        const auto tells = [](const Result<Journal>& second) {
            return !second.ok() && second.problem().message.find("is running") != std::string::npos;
        };
        QVERIFY(tells(Journal::reopen(m_result)));
        QVERIFY(tells(Journal::create(m_result, m_head)));
        first.reset();
        QVERIFY(!Journal::inUse(m_result));
        QVERIFY(Journal::reopen(m_result).ok());
    }

    void aFullDiskIsAProblemNotASilence()
    {
        auto writing = Journal::create(m_result, m_head);
        QVERIFY(writing.ok());
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
        rlimit small = before;
        small.rlim_cur = fs::file_size(journal()) + 100;
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
        const auto appended = writing.value().append(numbered(0));
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        QVERIFY(!appended.ok());
        QCOMPARE(readResultOrJournal(journal()).value().trials.size(), std::size_t(0));
    }
};

QTEST_APPLESS_MAIN(TestJournal)
#include "tst_journal.moc"
