#include "core/host/host_facts.h"
#include "core/host/host_info.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <fstream>

using namespace lapbench;
namespace fs = std::filesystem;

class TestHostInfo : public QObject {
    Q_OBJECT

    static HostFacts goodMachine()
    {
        HostFacts facts;
        facts.descriptorsSoft = 1024;
        facts.descriptorsHard = 1'048'576;
        facts.governor = "performance";
        facts.loadAverage = 0.1;
        facts.cpus = 8;
        facts.memoryBytes = 16'000'000'000;
        facts.freeMemoryBytes = 9'000'000'000;
        facts.firstPort = 32768;
        facts.lastPort = 60999;
        return facts;
    }
    static DoctorFinding findingOf(const HostFacts& facts, const std::string& code)
    {
        for (const DoctorFinding& finding : judgeHost(facts))
            if (finding.code == code)
                return finding;
        return {};
    }
    static std::string outputOf(const QString& program, const QStringList& arguments)
    {
        QProcess process;
        process.start(program, arguments);
        process.waitForFinished();
        return process.readAllStandardOutput().trimmed().toStdString();
    }

private slots:
    void aGoodMachineIsInOrder()
    {
        const auto findings = judgeHost(goodMachine());
        QCOMPARE(findings.size(), std::size_t(5));
        for (const DoctorFinding& finding : findings) {
            QVERIFY2(finding.severity == "ok", finding.text.c_str());
            QVERIFY(finding.cure.empty());
        }
        QCOMPARE(findings[4].text,
                 std::string("28232 local ports (32768 to 60999) are there for outgoing connections"));
        QCOMPARE(findings[3].text, std::string("9.00 GB of 16.0 GB of memory are free"));
        QCOMPARE(findings[2].text, std::string("the load average of the last minute is 0.100 on 8 processors"));
    }

    void whatSpoilsAMeasurementIsToldWithACure_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("severity");
        QTest::newRow("descriptors for 10,000 connections") << "descriptors" << 10'500.0 << "ok";
        QTest::newRow("a few descriptors less") << "descriptors" << 10'499.0 << "warning";
        QTest::newRow("descriptors for 1000 connections") << "descriptors" << 1100.0 << "warning";
        QTest::newRow("hardly any descriptors") << "descriptors" << 1024.0 << "error";
        QTest::newRow("quiet") << "load" << 1.99 << "ok";
        QTest::newRow("busy") << "load" << 2.0 << "warning";
        QTest::newRow("overloaded") << "load" << 8.0 << "error";
        QTest::newRow("enough memory") << "memory" << 1e9 << "ok";
        QTest::newRow("little memory") << "memory" << 999e6 << "warning";
        QTest::newRow("too little memory") << "memory" << 299e6 << "error";
        QTest::newRow("enough ports") << "ports" << 42'767.0 << "ok";
        QTest::newRow("few ports") << "ports" << 42'766.0 << "warning";
    }
    void whatSpoilsAMeasurementIsToldWithACure()
    {
        QFETCH(QString, code);
        QFETCH(double, value);
        QFETCH(QString, severity);
        HostFacts facts = goodMachine();
        if (code == "descriptors")
            facts.descriptorsHard = static_cast<std::uint64_t>(value);
        else if (code == "load")
            facts.loadAverage = value;
        else if (code == "memory")
            facts.freeMemoryBytes = static_cast<std::uint64_t>(value);
        else
            facts.lastPort = static_cast<unsigned>(value);
        const DoctorFinding finding = findingOf(facts, code.toStdString());
        QCOMPARE(QString::fromStdString(finding.severity), severity);
        QCOMPARE(finding.cure.empty(), severity == "ok");
    }

    void aSavingGovernorIsAWarning()
    {
        HostFacts facts = goodMachine();
        facts.governor = "powersave";
        QCOMPARE(findingOf(facts, "governor").severity, std::string("warning"));
        QVERIFY(findingOf(facts, "governor").text.find("powersave") != std::string::npos);
    }

    void whatIsNotKnownIsSaidAsInformation()
    {
        for (const DoctorFinding& finding : judgeHost({})) {
            QCOMPARE(finding.severity, std::string("info"));
            QVERIFY(finding.text.find("not known") != std::string::npos);
            QVERIFY(finding.cure.empty());
        }
    }

    void factsAreReadFromTheirFiles()
    {
        QTemporaryDir folder;
        const fs::path proc = fs::path(folder.path().toStdString()) / "proc", sys = proc.parent_path() / "sys";
        const fs::path cpufreq = sys / "devices/system/cpu/cpu0/cpufreq", net = proc / "sys/net/ipv4";
        HostFacts facts = readHostFacts(proc, sys);
        QVERIFY(!facts.governor && !facts.loadAverage && !facts.memoryBytes && !facts.firstPort);
        fs::create_directories(cpufreq);
        fs::create_directories(net);
        std::ofstream(cpufreq / "scaling_governor") << "schedutil\n";
        std::ofstream(net / "ip_local_port_range") << "32768\t60999\n";
        std::ofstream(proc / "loadavg") << "1.50 0.50 0.25 1/200 4711\n";
        std::ofstream(proc / "meminfo") << "MemTotal:       2000 kB\nMemFree:  10 kB\nMemAvailable:   1000 kB\n";
        facts = readHostFacts(proc, sys);
        QCOMPARE(*facts.governor, std::string("schedutil"));
        QCOMPARE(*facts.loadAverage, 1.5);
        QCOMPARE(*facts.memoryBytes, std::uint64_t(2'048'000));
        QCOMPARE(*facts.freeMemoryBytes, std::uint64_t(1'024'000));
        QCOMPARE(*facts.firstPort, 32768u);
        QCOMPARE(*facts.lastPort, 60999u);
    }

    void thisMachineIsDescribedAsItsOwnToolsDo()
    {
        const HostInfo info = readHostInfo();
        QCOMPARE(info.hostname, outputOf("uname", {"-n"}));
        QCOMPARE(info.kernel, outputOf("uname", {"-sr"}));
        QCOMPARE(info.architecture, outputOf("uname", {"-m"}));
        QCOMPARE(std::to_string(info.cpus.value_or(0)), outputOf("nproc", {}));
        QCOMPARE(info.root, outputOf("id", {"-u"}) == "0");
        QVERIFY(info.memoryBytes.value_or(0) > 100'000'000);
    }

    void thisMachineIsExaminedInTheOrderThatIsWritten()
    {
        const std::vector<std::string> order = {"descriptors",  "governor", "load",    "memory",
                                                "ports",        "turbo",    "battery", "cpu_quota",
                                                "memory_limit", "pressure", "swap",    "affinity"};
        std::size_t at = 0;
        for (const DoctorFinding& finding : examineHost()) {
            while (at < order.size() && order[at] != finding.code)
                ++at;
            QVERIFY2(at < order.size(), finding.code.c_str());
            QVERIFY(!finding.text.empty());
        }
        QCOMPARE(order[at], std::string("affinity"));
    }

    void theDescriptorLimitIsRaisedToTheHardOne()
    {
        rlimit before{};
        ::getrlimit(RLIMIT_NOFILE, &before);
        const rlimit low{256, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &low), 0);
        QCOMPARE(raiseDescriptorLimit(), std::uint64_t(before.rlim_max));
        rlimit after{};
        ::getrlimit(RLIMIT_NOFILE, &after);
        QCOMPARE(after.rlim_cur, before.rlim_max);
        ::setrlimit(RLIMIT_NOFILE, &before);
    }
};

QTEST_APPLESS_MAIN(TestHostInfo)
#include "tst_host_info.moc"
