#include "core/base/clock.h"
#include "core/server/busy_processes.h"
#include "core/server/subprocess.h"
#include "tests/core/server/fake_proc.h"

#include <QTest>

#include <unistd.h>

#include <algorithm>
#include <functional>

using namespace lapbench;

namespace {

/// How a second goes in a made-up /proc: `change` is what happens in it.
std::vector<BusyProcess> overASecond(FakeProc& proc, const std::function<void()>& change,
                                     const std::vector<pid_t>& excluded = {}, std::size_t most = 5)
{
    ProcessSnapshot before = takeSnapshot(proc.root());
    change();
    ProcessSnapshot after = takeSnapshot(proc.root());
    before.atNs = 0;
    after.atNs = 1'000'000'000;
    return busiestOthers(before, after, excluded, most, proc.root());
}

/// Clock ticks in so many hundredths of a second.
int hundredths(int count)
{
    return count * static_cast<int>(::sysconf(_SC_CLK_TCK)) / 100;
}

} // namespace

class TestBusyProcesses : public QObject {
    Q_OBJECT

private slots:
    void theBusiestComeFirst()
    {
        FakeProc proc;
        proc.put(10, {.user = 500, .name = "idle"});
        proc.put(11, {.user = 100, .system = 100, .name = "make"});
        proc.put(12, {.user = 7, .name = "cc1 plus"});
        const auto busy = overASecond(proc, [&] {
            proc.put(11, {.user = 100 + hundredths(20), .system = 100 + hundredths(10), .name = "make"});
            proc.put(12, {.user = 7 + hundredths(90), .name = "cc1 plus"});
        });
        QCOMPARE(busy.size(), std::size_t(2));
        QVERIFY(busy[0].pid == 12 && busy[0].name == "cc1 plus" && qFuzzyCompare(busy[0].cores, 0.9));
        QVERIFY(busy[1].pid == 11 && busy[1].name == "make" && qFuzzyCompare(busy[1].cores, 0.3));
        QCOMPARE(formatBusy(busy), std::string("cc1 plus (12) 0.900, make (11) 0.300"));
        QCOMPARE(formatBusy({}), std::string());
    }

    void treesThatAreExcludedDoNotCount()
    {
        FakeProc proc;
        proc.put(10, {.name = "guard"});
        proc.put(11, {.parent = 10, .name = "server"});
        proc.put(12, {.parent = 11, .name = "worker"});
        proc.put(13, {.name = "other"});
        const auto busy = overASecond(proc,
                                      [&] {
                                          for (const int pid : {10, 11, 12})
                                              proc.put(pid, {.parent = pid - 1, .user = hundredths(50)});
                                          // It left the tree meanwhile, and another one was born in it.
                                          proc.put(12, {.parent = 1, .user = hundredths(50)});
                                          proc.put(14, {.parent = 11, .user = hundredths(50)});
                                          proc.put(13, {.user = hundredths(2), .name = "other"});
                                      },
                                      {10});
        QCOMPARE(busy.size(), std::size_t(1));
        QCOMPARE(busy[0].pid, 13);
    }

    void aNewProcessCountsFromItsBirthAndAnotherWithItsNumberToo()
    {
        FakeProc proc;
        proc.put(20, {.user = 900, .start = 100, .name = "old"});
        const auto busy = overASecond(proc, [&] {
            proc.put(20, {.user = hundredths(10), .start = 5000, .name = "young"});
            proc.put(21, {.user = hundredths(20), .start = 5000, .name = "new"});
        });
        QCOMPARE(formatBusy(busy), std::string("new (21) 0.200, young (20) 0.100"));
    }

    void noMoreThanAskedForAndNoneThatIsIdle()
    {
        FakeProc proc;
        for (int pid = 30; pid < 40; ++pid)
            proc.put(pid, {.name = "p"});
        const auto all = [&] {
            for (int pid = 30; pid < 40; ++pid)
                proc.put(pid, {.user = pid == 30 ? 0 : hundredths(pid), .name = "p"});
        };
        QCOMPARE(overASecond(proc, all, {}, 3).size(), std::size_t(3));
        QCOMPARE(overASecond(proc, [] {}).size(), std::size_t(0));
    }

    void aStretchThatIsTooShortSaysNothing()
    {
        ProcessSnapshot before, after;
        after.processes = {{.pid = 5, .ownTicks = 100}};
        after.atNs = 99'999'999;
        QVERIFY(busiestOthers(before, after, {}).empty());
        after.atNs = 100'000'000;
        QCOMPARE(busiestOthers(before, after, {}).size(), std::size_t(1));
    }

    void aBusyChildIsFoundOnThisMachine()
    {
        const auto child = startProgram({{"sh", "-c", "while :; do :; done"}, {}, {}, -1, {}, false});
        QVERIFY(child.ok());
        const ProcessSnapshot before = takeSnapshot();
        const auto ticksNow = [&] { return readProcessStat("/proc", child.value())->ownTicks; };
        const std::uint64_t ticks = ticksNow() + static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK)) / 5;
        for (const std::int64_t start = steadyNs(); ticksNow() < ticks && steadyNs() - start < 20'000'000'000;)
            ;
        const auto busy = busiestOthers(before, takeSnapshot(), {}, 1000);
        const auto others = busiestOthers(before, takeSnapshot(), {::getpid()}, 1000);
        endChildTree(child.value());
        const auto isChild = [&](const BusyProcess& process) { return process.pid == child.value(); };
        const auto found = std::find_if(busy.begin(), busy.end(), isChild);
        QVERIFY(found != busy.end());
        QCOMPARE(found->name, std::string("sh"));
        QVERIFY2(found->cores > 0.01 && found->cores < 1.2, QByteArray::number(found->cores));
        QVERIFY(std::none_of(others.begin(), others.end(), isChild));
    }
};

QTEST_APPLESS_MAIN(TestBusyProcesses)
#include "tst_busy_processes.moc"
