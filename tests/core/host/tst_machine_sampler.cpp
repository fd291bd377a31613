#include "core/base/clock.h"
#include "core/host/machine_history.h"
#include "core/host/machine_sampler.h"
#include "core/host/system_files.h"
#include "tests/core/host/fake_machine.h"

#include <QTest>

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

using namespace lapbench;

namespace {

constexpr std::int64_t kMs = 1'000'000, kS = 1'000'000'000;

bool near(const std::optional<double>& value, double expected, double by = 1e-9)
{
    return value && std::abs(*value - expected) <= by;
}

bool eventually(const std::function<bool()>& holds)
{
    for (const std::int64_t start = steadyNs(); steadyNs() - start < 20 * kS;) {
        if (holds())
            return true;
        std::this_thread::yield();
    }
    return false;
}

/// One sample each 100 ms: `busy` cores are busy, a tenth of that goes to interrupts, a twentieth is stolen.
MachineHistory evenHistory(double busy, int samples)
{
    MachineHistory history;
    for (int i = 0; i < samples; ++i)
        history.add({i * 100 * kMs, busy * i * 0.1, busy * i * 0.01, busy * i * 0.005});
    return history;
}

} // namespace

class TestMachineSampler : public QObject {
    Q_OBJECT

private slots:
    void theFirstLineOfStatIsReadWithoutCountingGuestsTwice()
    {
        const FakeMachine machine;
        // user nice system idle iowait irq softirq steal guest guest_nice, in ticks (proc(5)).
        machine.put("proc/stat", "cpu  1000 200 300 5000 700 40 60 80 900 100\n"
                                 "cpu0 500 100 150 2500 350 20 30 40 450 50\n"
                                 "cpu1 500 100 150 2500 350 20 30 40 450 50\nintr 12 0\ncpus 3\n");
        const auto times = readProcessorTimes(machine.proc());
        const double tick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
        QVERIFY(times.has_value());
        QVERIFY(near(times->busy, 1500 * tick));
        QVERIFY(near(times->interrupts, 100 * tick));
        QVERIFY(near(times->steal, 80 * tick));
        QVERIFY(near(times->all, 7380 * tick));
        QCOMPARE(times->processors, 2u);
    }

    void aFileThatIsNoStatIsNotRead()
    {
        const FakeMachine machine;
        QVERIFY(!readProcessorTimes(machine.proc()));
        for (const char* text : {"", "cpu 1 2 3\n", "intr 1 2 3 4 5 6 7 8 9\n"}) {
            machine.put("proc/stat", text);
            QVERIFY2(!readProcessorTimes(machine.proc()), text);
        }
    }

    void theMeanOfAStretchIsTheRiseOverIt()
    {
        const MachineHistory history = evenHistory(1.5, 41);
        for (const auto& [from, to] :
             {std::pair{0 * kMs, 4000 * kMs}, {1000 * kMs, 1100 * kMs}, {1234 * kMs, 2345 * kMs}}) {
            const MachineUse use = history.use(from, to);
            QVERIFY(near(use.busyCores, 1.5) && near(use.irqCores, 0.15) && near(use.stealCores, 0.075));
        }
    }

    void whatIsTooShortOrWasNotWatchedIsNotKnown()
    {
        const MachineHistory history = evenHistory(1, 21); // watched for two seconds
        QVERIFY(!history.use(500 * kMs, 599 * kMs).busyCores);
        QVERIFY(history.use(500 * kMs, 600 * kMs).busyCores.has_value());
        QVERIFY(!history.use(3000 * kMs, 4000 * kMs).busyCores);
        QVERIFY(!history.use(1500 * kMs, 2501 * kMs).busyCores); // a little less than half of it
        QVERIFY(near(history.use(1500 * kMs, 2500 * kMs).busyCores, 1));
        QVERIFY(!MachineHistory().use(0, kS).busyCores && !MachineHistory().recent().busyCores);
        QVERIFY(!evenHistory(1, 5).recent().busyCores);
        QVERIFY(near(evenHistory(1, 6).recent().busyCores, 1));
    }

    void secondsAreCountedFromTheStartOfTheStretch()
    {
        MachineHistory history;
        // Busy with one core in the first second, with none in the second, with two from then on.
        for (int i = 0; i <= 40; ++i) {
            const double at = i * 0.1;
            history.add({i * 100 * kMs, at <= 1 ? at : at <= 2 ? 1 : 1 + 2 * (at - 2), 0, 0});
        }
        auto seconds = history.seconds(0, 3500 * kMs);
        QCOMPARE(seconds.size(), std::size_t(4));
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY2(near(seconds[i].busyCores, i == 0 ? 1 : i == 1 ? 0 : 2, 1e-6), QByteArray::number(int(i)));
        QCOMPARE(history.seconds(0, 3499 * kMs).size(), std::size_t(3));
        seconds = history.seconds(500 * kMs, 2500 * kMs);
        QCOMPARE(seconds.size(), std::size_t(2));
        QVERIFY(near(seconds[0].busyCores, 0.5, 1e-6) && near(seconds[1].busyCores, 1.0, 1e-6));
        // A second of which nothing was watched has no figure, and the others keep their places.
        seconds = history.seconds(2000 * kMs, 6000 * kMs);
        QCOMPARE(seconds.size(), std::size_t(4));
        QVERIFY(seconds[1].busyCores && !seconds[2].busyCores && !seconds[3].busyCores);
    }

    void whatTcpCountedInASecondIsToldAndAddsUp()
    {
        MachineHistory history = evenHistory(1, 31);
        QVERIFY(!history.seconds(0, 3 * kS)[0].tcpRetransmits);
        // Seven segments were sent again in the second second, and one at its end; two connections lost in the third.
        for (int i = 0; i <= 30; ++i)
            history.add(TcpSample{i * 100 * kMs, 100.0 + (i >= 12 ? 7 : 0) + (i >= 20 ? 1 : 0), i >= 25 ? 2.0 : 0.0});
        const auto seconds = history.seconds(0, 3 * kS);
        QCOMPARE(seconds.size(), std::size_t(3));
        QCOMPARE(seconds[0].tcpRetransmits.value(), std::uint64_t(0));
        QCOMPARE(seconds[1].tcpRetransmits.value(), std::uint64_t(8));
        QCOMPARE(seconds[2].tcpRetransmits.value(), std::uint64_t(0));
        QCOMPARE(seconds[1].listenOverflows.value(), std::uint64_t(0));
        QCOMPARE(seconds[2].listenOverflows.value(), std::uint64_t(2));
        QCOMPARE(history.seconds(2 * kS, 3 * kS)[0].listenOverflows.value(), std::uint64_t(2));
    }

    void stolenTimeThatTheKernelTakesBackIsNone()
    {
        MachineHistory history;
        history.add({0, 0, 0, 5});
        history.add({kS, 1, 0, 4.99});
        QCOMPARE(*history.use(0, kS).stealCores, 0.0);
    }

    void theSamplerFollowsTheFile()
    {
        const FakeMachine machine;
        machine.put("proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n");
        const std::int64_t start = steadyNs();
        const MachineSampler sampler(machine.proc());
        QCOMPARE(sampler.processors(), 1u);
        QVERIFY(!sampler.recent().busyCores);
        const double ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
        // A machine that is busy with one and a half processors as long as this loop runs.
        const auto follow = [&] {
            const double used = static_cast<double>(steadyNs() - start) / 1e9 * ticks;
            machine.put("proc/stat", "cpu  " + std::to_string(static_cast<long>(used)) + " 0 " +
                                         std::to_string(static_cast<long>(used / 2)) + " 0 0 0 0 0 0 0\n" +
                                         "cpu0 0 0 0 0\ncpu1 0 0 0 0\n");
            return sampler.recent().busyCores && steadyNs() - start > 1500 * kMs;
        };
        QVERIFY(eventually(follow));
        QVERIFY2(near(sampler.recent().busyCores, 1.5, 0.4), QByteArray::number(*sampler.recent().busyCores));
        QCOMPARE(sampler.processors(), 2u);
        QVERIFY(near(sampler.use(start, steadyNs()).busyCores, 1.5, 0.4));
        QVERIFY(!sampler.use(start - 10 * kS, start).busyCores);
    }

    void aMachineWithoutTheFileHasNoFigures()
    {
        const FakeMachine machine;
        const MachineSampler sampler(machine.proc());
        QCOMPARE(sampler.processors(), 0u);
        QVERIFY(!sampler.recent().busyCores && !sampler.use(steadyNs() - kS, steadyNs()).busyCores);
    }

    void whatThisProcessUsesIsAmongWhatTheMachineDid()
    {
        const MachineSampler sampler;
        const std::int64_t start = steadyNs();
        const auto ownSeconds = [] {
            rusage used{};
            ::getrusage(RUSAGE_SELF, &used);
            return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                   static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
        };
        const double before = ownSeconds();
        std::atomic<bool> reading{true};
        std::thread reader([&] {
            while (reading)
                sampler.seconds(start, steadyNs());
        });
        // Until this process has used most of a second of processor time.
        QVERIFY(eventually([&] { return ownSeconds() - before > 0.8; }));
        reading = false;
        reader.join();
        const std::int64_t end = steadyNs();
        const double own = (ownSeconds() - before) * 1e9 / static_cast<double>(end - start);
        QVERIFY(eventually([&] { return near(sampler.use(end, end + 100 * kMs).busyCores, 1, 1000); }));
        const MachineUse use = sampler.use(start, end);
        QVERIFY(use.busyCores && use.irqCores && use.stealCores);
        // Two counters of 10 ms ticks, and an interrupt may be counted apart from the process it met.
        QVERIFY2(*use.busyCores + *use.irqCores > own - 0.15,
                 QByteArray::number(*use.busyCores) + " of " + QByteArray::number(own));
        QVERIFY(*use.busyCores <= sampler.processors() + 0.2);
    }
};

QTEST_APPLESS_MAIN(TestMachineSampler)
#include "tst_machine_sampler.moc"
