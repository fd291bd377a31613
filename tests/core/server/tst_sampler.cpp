#include "core/base/clock.h"
#include "core/server/process_tree.h"
#include "core/server/sample_history.h"
#include "core/server/sampler.h"
#include "core/server/subprocess.h"
#include "core/server/tree_account.h"
#include "tests/core/server/fake_proc.h"

#include <QTest>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <functional>

using namespace lapbench;

namespace {

constexpr std::int64_t kMs = 1'000'000;

bool eventually(const std::function<bool()>& holds)
{
    for (const std::int64_t start = steadyNs(); steadyNs() - start < 20'000 * kMs;)
        if (holds())
            return true;
    return false;
}

/// A child that is ended with the test.
class Child {
public:
    explicit Child(const std::string& script)
    {
        auto started = startProgram({{"sh", "-c", script}, {}, {}, -1, {}, false});
        if (started)
            m_pid = started.value();
    }
    ~Child()
    {
        if (m_pid > 0)
            endChildTree(m_pid);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    pid_t pid() const { return m_pid; }

private:
    pid_t m_pid = -1;
};

} // namespace

#define COMPARE_CLOSE(actual, expected)                                                                                \
    do {                                                                                                               \
        const double value = (actual);                                                                                 \
        QVERIFY2(std::abs(value - (expected)) < 1e-9, std::to_string(value).c_str());                                  \
    } while (false)

class TestSampler : public QObject {
    Q_OBJECT
private slots:
    void cpuCountsFromTheFirstLook()
    {
        FakeProc proc;
        proc.put(10, {1, 'S', 1000, 500, 70, 7, 100, 25});
        TreeAccount account(10, proc.root(), Watch::treeOfRoot);
        auto sample = account.look();
        QVERIFY(sample.has_value());
        COMPARE_CLOSE(sample->cpuSeconds, 0.0);
        QCOMPARE(sample->processes, 1u);
        QCOMPARE(sample->rssBytes, 25u * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
        proc.put(10, {1, 'S', 1030, 520, 70, 7, 100, 25});
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.5);
    }

    void eachLivingProcessTellsWhatItHasUsedByItself()
    {
        FakeProc proc;
        proc.put(10, {1, 'S', 1000, 500, 70, 7, 100, 25});
        proc.put(11, {10, 'R', 40, 10, 0, 0, 101, 5});
        proc.put(12, {10, 'Z', 90, 10, 0, 0, 102, 0});
        TreeAccount account(10, proc.root(), Watch::belowRoot);
        QVERIFY(account.processes().empty());
        account.look();
        QCOMPARE(account.processes().size(), std::size_t(1));
        QCOMPARE(account.processes().front().pid, pid_t(11));
        COMPARE_CLOSE(account.processes().front().cpuSeconds, 0.5);
        proc.put(11, {10, 'R', 80, 20, 0, 0, 101, 5});
        account.look();
        COMPARE_CLOSE(account.processes().front().cpuSeconds, 1.0);
    }

    void forksFoundLaterCountFromTheirBirth()
    {
        FakeProc proc;
        proc.put(10, {1});
        TreeAccount account(10, proc.root(), Watch::treeOfRoot);
        account.look();
        proc.put(11, {10, 'R', 20, 10, 0, 0, 200, 50});
        proc.put(12, {11, 'R', 5, 5, 0, 0, 201, 50});
        proc.put(13, {1, 'R', 500, 500, 0, 0, 202, 50});
        const auto sample = account.look();
        COMPARE_CLOSE(sample->cpuSeconds, 0.4);
        QCOMPARE(sample->processes, 3u);
    }

    void aChildThatEndedIsNeitherLostNorCountedTwice()
    {
        FakeProc proc;
        proc.put(10, {1});
        proc.put(11, {10, 'R', 100});
        TreeAccount account(10, proc.root(), Watch::treeOfRoot);
        account.look();
        proc.put(11, {10, 'R', 150});
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.5);
        // It used 20 ticks more, ended, and its parent inherited all its 170.
        proc.remove(11);
        proc.put(10, {1, 'S', 0, 0, 170});
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.7);
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.7);
    }

    void anInheritanceThatComesOneLookLaterIsNotCountedTwice()
    {
        FakeProc proc;
        proc.put(10, {1});
        proc.put(11, {10, 'R', 100});
        TreeAccount account(10, proc.root(), Watch::treeOfRoot);
        account.look();
        proc.remove(11);
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.0);
        proc.put(10, {1, 'S', 0, 0, 110});
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.1);
    }

    void aParentThatNeverInheritsKeepsTheSum()
    {
        FakeProc proc;
        proc.put(10, {1});
        proc.put(11, {10});
        TreeAccount account(10, proc.root(), Watch::treeOfRoot);
        account.look();
        proc.put(11, {10, 'R', 80});
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.8);
        proc.remove(11);
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.8);
        proc.put(10, {1, 'R', 30});
        COMPARE_CLOSE(account.look()->cpuSeconds, 1.1);
        // By now nothing is owed: what it inherits from a child no look has met is new.
        proc.put(10, {1, 'R', 30, 0, 25});
        COMPARE_CLOSE(account.look()->cpuSeconds, 1.35);
    }

    void aWholeBranchThatEndedIsInheritedOnce()
    {
        FakeProc proc;
        proc.put(10, {1});
        proc.put(11, {10, 'R', 10});
        proc.put(12, {11, 'R', 40});
        TreeAccount account(10, proc.root(), Watch::treeOfRoot);
        account.look();
        proc.remove(11);
        proc.remove(12);
        proc.put(10, {1, 'S', 0, 0, 55});
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.05);
    }

    void childrenTooShortLivedToBeMetAreCounted()
    {
        FakeProc proc;
        proc.put(10, {1, 'S', 0, 0, 1000});
        TreeAccount account(10, proc.root(), Watch::treeOfRoot);
        account.look();
        proc.put(10, {1, 'S', 0, 0, 1060});
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.6);
    }

    void aNumberThatIsUsedAgainIsAnotherProcess()
    {
        FakeProc proc;
        proc.put(10, {1});
        proc.put(11, {10, 'S', 500, 0, 0, 0, 200});
        TreeAccount account(10, proc.root(), Watch::treeOfRoot);
        account.look();
        proc.put(11, {10, 'S', 3, 0, 0, 0, 300});
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.03);
        proc.put(11, {1, 'S', 900, 0, 0, 0, 400});
        COMPARE_CLOSE(account.look()->cpuSeconds, 0.03);
        QCOMPARE(account.look()->processes, 1u);
    }

    void belowTheRootTheRootItselfDoesNotCountButWhatItInheritsDoes()
    {
        FakeProc proc;
        proc.put(10, {1, 'S', 50, 0, 0, 0, 100, 500});
        proc.put(11, {10, 'S', 10, 0, 0, 0, 200, 3});
        TreeAccount account(10, proc.root(), Watch::belowRoot);
        QCOMPARE(account.look()->processes, 1u);
        proc.put(10, {1, 'S', 90, 0, 0, 0, 100, 500});
        proc.put(11, {10, 'S', 30, 0, 0, 0, 200, 3});
        const auto sample = account.look();
        COMPARE_CLOSE(sample->cpuSeconds, 0.2);
        QCOMPARE(sample->rssBytes, 3u * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
        proc.remove(11);
        QVERIFY(!account.look());
    }

    void zombiesHoldNothingAndAGoneTreeIsNothing()
    {
        FakeProc proc;
        proc.put(10, {1});
        proc.put(11, {10, 'Z', 5});
        TreeAccount account(10, proc.root(), Watch::treeOfRoot);
        QCOMPARE(account.look()->processes, 1u);
        proc.put(10, {1, 'Z'});
        QVERIFY(!account.look());
        proc.remove(10);
        proc.remove(11);
        QVERIFY(!account.look());
    }

    void orphansOfAWatchedTreeStayInIt()
    {
        FakeProc proc;
        proc.put(10, {1});
        proc.put(11, {10});
        TreeAccount account(10, proc.root(), Watch::treeOfRoot);
        account.look();
        proc.remove(10);
        proc.put(11, {1, 'R', 50});
        proc.put(12, {11, 'R', 25, 0, 0, 0, 300});
        const auto sample = account.look();
        QVERIFY(sample.has_value());
        COMPARE_CLOSE(sample->cpuSeconds, 0.75);
        QCOMPARE(sample->processes, 2u);
    }

    void noSearchForNewProcessesWhileTheNewestIsTheSame()
    {
        FakeProc proc;
        const auto newest = [&](const char* pid) {
            std::ofstream(proc.root() / "loadavg") << "0.00 0.01 0.05 1/80 " << pid << '\n';
        };
        proc.put(10, {1});
        newest("10");
        TreeAccount account(10, proc.root(), Watch::treeOfRoot);
        account.look();
        account.look();
        proc.put(11, {10});
        QCOMPARE(account.look()->processes, 1u);
        newest("11");
        QCOMPARE(account.look()->processes, 2u);
        // Now and then all the same: a number may be known before its process.
        proc.put(12, {10});
        for (int i = 0; i < 9; ++i)
            account.look();
        QCOMPARE(account.look()->processes, 3u);
    }

    void aBusyTreeWithShortLivedChildrenIsMeasuredAsTheKernelDoes()
    {
        rusage before{}, after{};
        ::getrusage(RUSAGE_CHILDREN, &before);
        double measured = 0;
        {
            // A shell that burns, with children that burn for some 20 to 100 ms each and end.
            Child child("burn() { i=0; while [ $i -lt $1 ]; do i=$((i+1)); done; };"
                        "while :; do burn 20000; (burn 20000); (burn 100000; burn 1); done");
            QVERIFY(child.pid() > 0);
            Sampler sampler(child.pid());
            QVERIFY(eventually([&] { return sampler.latest() && sampler.latest()->cpuSeconds > 1.5; }));
            QVERIFY(sampler.recentCpuCores().has_value());
            QVERIFY(sampler.latest()->rssBytes > 100'000);
            measured = sampler.latest()->cpuSeconds;
        }
        ::getrusage(RUSAGE_CHILDREN, &after);
        const auto seconds = [](const rusage& use) {
            return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                   static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
        };
        const double kernel = seconds(after) - seconds(before);
        // The kernel's figure also holds what was used after the last sample: up to 100 ms and the ending of the tree.
        QVERIFY2(measured <= kernel + 0.15 && measured >= kernel - 1.0,
                 (std::to_string(measured) + " of " + std::to_string(kernel)).c_str());
    }

    void theLastSecondOfAStretchThatHasJustEndedIsWhole()
    {
        const Child child("while :; do :; done");
        const Sampler sampler(child.pid());
        const std::int64_t fromNs = steadyNs(), toNs = fromNs + 1000 * kMs;
        QVERIFY(eventually([&] { return steadyNs() >= toNs; }));
        sampler.awaitSampleAt(toNs);
        QVERIFY(sampler.latest()->atNs >= toNs);
        QVERIFY(sampler.use(fromNs, toNs).cpuCoresPeak.has_value());
    }

    void nobodyWaitsForATreeThatIsGone()
    {
        Child child("exec sleep 1000");
        const Sampler sampler(child.pid());
        ::kill(child.pid(), SIGKILL);
        QVERIFY(eventually([&] { return !sampler.latest(); }));
        const std::int64_t beginNs = steadyNs();
        sampler.awaitSampleAt(beginNs + 3'600'000 * kMs);
        QVERIFY(steadyNs() - beginNs < 400 * kMs);
    }

    void forksAreFoundAndTheEndOfTheTreeIsSeen()
    {
        Child child("sleep 1000 & sleep 1000 & wait");
        Sampler sampler(child.pid());
        QVERIFY(eventually([&] { return sampler.latest() && sampler.latest()->processes == 3; }));
        for (const pid_t pid : descendantsOf("/proc", child.pid()))
            ::kill(pid, SIGKILL);
        QVERIFY(eventually([&] { return !sampler.latest(); }));
        QVERIFY(!sampler.recentCpuCores());
    }
};

QTEST_APPLESS_MAIN(TestSampler)
#include "tst_sampler.moc"
