#include "core/host/conditions.h"
#include "tests/core/host/fake_machine.h"

#include <QTest>

#include <unistd.h>

using namespace lapbench;

class TestConditions : public QObject {
    Q_OBJECT

    static Conditions of(const FakeMachine& machine) { return readConditions(machine.proc(), machine.sys()); }

private slots:
    void aMachineThatSaysNothingHasNoConditions()
    {
        const FakeMachine machine;
        QVERIFY(of(machine) == Conditions{});
    }

    void figuresAreReadFromTheirFiles()
    {
        const FakeMachine machine;
        machine.put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        machine.put("proc/loadavg", "1.25 0.50 0.25 1/200 4711\n");
        machine.put("proc/pressure/cpu", "some avg10=12.50 avg60=1.00 avg300=0.50 total=123\n");
        machine.put("proc/pressure/memory", "some avg10=0.25 avg60=0 avg300=0 total=1\nfull avg10=9.0 total=1\n");
        machine.put("proc/pressure/io", "some avg10=100.00 avg60=0 avg300=0 total=1\n");
        machine.put("proc/meminfo", "MemTotal: 2000 kB\nSwapCached: 7 kB\nSwapTotal: 1000 kB\nSwapFree: 400 kB\n");
        machine.put("proc/vmstat", "pgpgin 9\npswpin 12\npswpout 30\npswpin_other 5\n");
        machine.put("proc/net/snmp", "Ip: Forwarding DefaultTTL\nIp: 1 64\n"
                                     "Tcp: RtoAlgorithm MaxConn InSegs RetransSegs InErrs\nTcp: 1 -1 500 77 3\n");
        machine.put("proc/net/netstat",
                    "TcpExt: SyncookiesSent ListenOverflows ListenDrops TCPHPHits\nTcpExt: 0 5 6 999\n"
                    "IpExt: InNoRoutes ListenOverflows\nIpExt: 1 100\n");
        machine.put("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n");
        machine.put("sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count", "10\n");
        machine.put("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4\n");
        machine.put("proc/stat", "cpu  100 0 0 800 0 0 0 300 0 0\ncpu0 100 0 0 800 0 0 0 300 0 0\n");
        const Conditions now = of(machine);
        QCOMPARE(*now.governor, std::string("powersave"));
        QCOMPARE(*now.loadAverage, 1.25);
        QCOMPARE(*now.cpuPressure, 0.125);
        QCOMPARE(*now.memoryPressure, 0.0025);
        QCOMPARE(*now.ioPressure, 1.0);
        QCOMPARE(*now.swapUsedBytes, std::uint64_t(600 * 1024));
        QCOMPARE(*now.swappedPages, std::uint64_t(42));
        QCOMPARE(*now.tcpRetransmits, std::uint64_t(77));
        QCOMPARE(*now.listenOverflows, std::uint64_t(5));
        QCOMPARE(*now.listenDrops, std::uint64_t(6));
        QCOMPARE(*now.thermalThrottles, std::uint64_t(17));
        const double ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
        QCOMPARE(*now.stealSeconds, 300 / ticks);
        QCOMPARE(*now.processorSeconds, 1200 / ticks);
        QVERIFY(!now.turbo && !now.onBattery && !now.cpuQuotaCores && !now.memoryLimitBytes && !now.throttledPeriods);
    }

    void turboIsWhatTheDriverSays_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("turbo");
        QTest::newRow("Intel, not switched off") << "intel_pstate/no_turbo"
                                                 << "0\n"
                                                 << true;
        QTest::newRow("Intel, switched off") << "intel_pstate/no_turbo"
                                             << "1\n"
                                             << false;
        QTest::newRow("boost on") << "cpufreq/boost"
                                  << "1\n"
                                  << true;
        QTest::newRow("boost off") << "cpufreq/boost"
                                   << "0\n"
                                   << false;
    }
    void turboIsWhatTheDriverSays()
    {
        QFETCH(QString, file);
        QFETCH(QString, text);
        QFETCH(bool, turbo);
        const FakeMachine machine;
        machine.put("sys/devices/system/cpu/" + file.toStdString(), text.toStdString());
        QCOMPARE(of(machine).turbo, std::optional<bool>(turbo));
    }

    void aLaptopWithoutItsPlugRunsOnBattery_data()
    {
        QTest::addColumn<QString>("mains"); // what "online" holds; empty: no such supply
        QTest::addColumn<QString>("battery");
        QTest::addColumn<int>("expected"); // -1: not known
        QTest::newRow("nothing") << ""
                                 << "" << -1;
        QTest::newRow("a desktop that tells of its plug") << "1"
                                                          << "" << 0;
        QTest::newRow("plugged in, charging") << "1"
                                              << "Charging" << 0;
        QTest::newRow("plugged in, yet discharging") << "1"
                                                     << "Discharging" << 0;
        QTest::newRow("unplugged") << "0"
                                   << "Discharging" << 1;
        QTest::newRow("unplugged, the battery does not tell") << "0"
                                                              << "Unknown" << 1;
        QTest::newRow("a battery alone") << ""
                                         << "Discharging" << 1;
        QTest::newRow("a battery alone that is full") << ""
                                                      << "Full" << 0;
    }
    void aLaptopWithoutItsPlugRunsOnBattery()
    {
        QFETCH(QString, mains);
        QFETCH(QString, battery);
        QFETCH(int, expected);
        const FakeMachine machine;
        if (!mains.isEmpty()) {
            machine.put("sys/class/power_supply/AC/type", "Mains\n");
            machine.put("sys/class/power_supply/AC/online", mains.toStdString() + "\n");
        }
        if (!battery.isEmpty()) {
            machine.put("sys/class/power_supply/BAT0/type", "Battery\n");
            machine.put("sys/class/power_supply/BAT0/status", battery.toStdString() + "\n");
        }
        machine.put("sys/class/power_supply/mouse/type", "Battery\n");
        machine.put("sys/class/power_supply/mouse/scope", "Device\n");
        machine.put("sys/class/power_supply/mouse/status", "Discharging\n");
        const auto onBattery = of(machine).onBattery;
        QCOMPARE(onBattery ? static_cast<int>(*onBattery) : -1, expected);
    }

    void theTightestOfTheGroupsOfVersion2Counts()
    {
        const FakeMachine machine;
        machine.put("proc/self/cgroup", "0::/system.slice/lap.service\n");
        machine.put("proc/meminfo", "MemTotal: 4000000 kB\n");
        machine.put("sys/fs/cgroup/system.slice/cpu.max", "150000 100000\n");
        machine.put("sys/fs/cgroup/system.slice/cpu.stat", "usage_usec 5\nnr_periods 100\nnr_throttled 7\n");
        machine.put("sys/fs/cgroup/system.slice/memory.max", "max\n");
        machine.put("sys/fs/cgroup/system.slice/lap.service/cpu.max", "max 100000\n");
        machine.put("sys/fs/cgroup/system.slice/lap.service/cpu.stat", "nr_throttled 90\n");
        machine.put("sys/fs/cgroup/system.slice/lap.service/memory.max", "1000000\n");
        machine.put("sys/fs/cgroup/other.slice/cpu.max", "1000 100000\n");
        Conditions now = of(machine);
        QCOMPARE(*now.cpuQuotaCores, 1.5);
        QCOMPARE(*now.memoryLimitBytes, std::uint64_t(1'000'000));
        QCOMPARE(*now.throttledPeriods, std::uint64_t(7)); // of the group that has a quota
        machine.put("sys/fs/cgroup/system.slice/lap.service/cpu.max", "50000 100000\n");
        now = of(machine);
        QCOMPARE(*now.cpuQuotaCores, 0.5);
        QCOMPARE(*now.throttledPeriods, std::uint64_t(97));
    }

    void aContainerOfVersion2HasItsLimitsAtTheRoot()
    {
        const FakeMachine machine;
        machine.put("proc/self/cgroup", "0::/\n");
        machine.put("sys/fs/cgroup/cpu.max", "200000 100000\n");
        QCOMPARE(of(machine).cpuQuotaCores, std::optional<double>(2.0));
        QVERIFY(!of(machine).throttledPeriods);
    }

    void groupsOfVersion1AreFoundByTheirControllers_data()
    {
        QTest::addColumn<QString>("line");
        QTest::newRow("the path is the group's") << "4:cpu,cpuacct:/docker/abc";
        QTest::newRow("in a container the path is the host's") << "4:cpu,cpuacct:/on/the/host";
        QTest::newRow("another order") << "4:cpuacct,cpu:/docker/abc";
    }
    void groupsOfVersion1AreFoundByTheirControllers()
    {
        QFETCH(QString, line);
        const FakeMachine machine;
        machine.put("proc/self/cgroup", "9:name=systemd:/\n" + line.toStdString() + "\n5:memory:/docker/abc\n0::/\n");
        machine.put("proc/meminfo", "MemTotal: 4000000 kB\n");
        const std::string cpu = "sys/fs/cgroup/cpu,cpuacct/";
        machine.put(cpu + "cpu.cfs_quota_us", line.contains("host") ? "50000\n" : "-1\n");
        machine.put(cpu + "cpu.cfs_period_us", "100000\n");
        machine.put(cpu + "cpu.stat", "nr_periods 9\nnr_throttled 3\n");
        machine.put(cpu + "docker/abc/cpu.cfs_quota_us", "50000\n");
        machine.put(cpu + "docker/abc/cpu.cfs_period_us", "100000\n");
        machine.put(cpu + "docker/abc/cpu.stat", "nr_periods 9\nnr_throttled 3\n");
        machine.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        std::filesystem::create_directory_symlink("cpu,cpuacct", machine.sys() / "fs/cgroup/cpuacct");
        Conditions now = of(machine);
        QCOMPARE(now.cpuQuotaCores, std::optional<double>(0.5));
        QCOMPARE(now.throttledPeriods, std::optional<std::uint64_t>(3));
        QVERIFY(!now.memoryLimitBytes); // the kernel's word for none
        machine.put("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "268435456\n");
        QCOMPARE(of(machine).memoryLimitBytes, std::optional<std::uint64_t>(268'435'456));
    }

    void besideVersion1TheGroupsOfVersion2AreMountedApart()
    {
        const FakeMachine machine;
        machine.put("proc/self/cgroup", "1:cpu:/\n0::/a/b\n");
        machine.put("sys/fs/cgroup/unified/a/cpu.max", "300000 100000\n");
        QCOMPARE(of(machine).cpuQuotaCores, std::optional<double>(3.0));
    }

    void thisMachinesConditionsMakeSense()
    {
        const Conditions now = readConditions();
        QVERIFY(now.loadAverage && *now.loadAverage >= 0);
        QVERIFY(now.stealSeconds && now.processorSeconds && *now.processorSeconds > *now.stealSeconds);
        QVERIFY(now.tcpRetransmits && now.listenOverflows && now.listenDrops);
        QVERIFY(!now.cpuPressure || (*now.cpuPressure >= 0 && *now.cpuPressure <= 1));
        QVERIFY(!now.cpuQuotaCores || *now.cpuQuotaCores > 0);
        QVERIFY(*readConditions().processorSeconds >= *now.processorSeconds);
    }
};

QTEST_APPLESS_MAIN(TestConditions)
#include "tst_conditions.moc"
