#include "core/base/processors.h"
#include "core/host/affinity.h"
#include "core/host/condition_findings.h"
#include "tests/core/host/fake_machine.h"

#include <QProcess>
#include <QTest>

#include <set>

using namespace lapbench;

class TestAffinity : public QObject {
    Q_OBJECT

    /// Four physical cores with two threads each, numbered as Intel does: 0 and 4 share one, 1 and 5, ..
    static Topology fourCores() { return {{{0, 4}, {1, 5}, {2, 6}, {3, 7}}}; }
    static std::vector<unsigned> upTo(unsigned count)
    {
        std::vector<unsigned> all;
        for (unsigned i = 0; i < count; ++i)
            all.push_back(i);
        return all;
    }

private slots:
    void siblingsAreReadAsOneCore()
    {
        const FakeMachine machine;
        machine.put("sys/devices/system/cpu/online", "0-3\n");
        for (const auto& [processor, siblings] : {std::pair{0, "0,2"}, {1, "1,3"}, {2, "0,2"}, {3, "1,3"}})
            machine.put("sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list",
                        std::string(siblings) + "\n");
        const Topology topology = readTopology(machine.sys());
        QCOMPARE(topology.cores, (std::vector<PhysicalCore>{{0, 2}, {1, 3}}));
        QCOMPARE(topology.processors(), upTo(4));
        QCOMPARE(topology.coreOf(3), 1u);
        QCOMPARE(topology.coreOf(9), 9u);
    }

    void aSiblingThatIsOffIsNotThere()
    {
        const FakeMachine machine;
        machine.put("sys/devices/system/cpu/online", "0-1\n");
        machine.put("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,2\n");
        machine.put("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1,3\n");
        QCOMPARE(readTopology(machine.sys()).cores, (std::vector<PhysicalCore>{{0}, {1}}));
    }

    void aMachineThatDoesNotTellHasACoreForEachProcessor()
    {
        const FakeMachine machine;
        QCOMPARE(readTopology(machine.sys()).processors(), allowedProcessors());
        QCOMPARE(readTopology(machine.sys()).cores.size(), allowedProcessors().size());
        machine.put("sys/devices/system/cpu/online", "0-2\n");
        QCOMPARE(readTopology(machine.sys()).cores, (std::vector<PhysicalCore>{{0}, {1}, {2}}));
    }

    void thisMachineHasTheCoresThatLscpuCounts()
    {
        QProcess lscpu;
        lscpu.start("lscpu", {"-p=CPU,CORE,SOCKET"});
        if (!lscpu.waitForFinished() || lscpu.exitCode() != 0)
            QSKIP("no lscpu");
        std::set<QByteArray> cores;
        std::size_t processors = 0;
        for (const QByteArray& line : lscpu.readAllStandardOutput().split('\n')) {
            if (line.isEmpty() || line.startsWith('#'))
                continue;
            ++processors;
            cores.insert(line.mid(line.indexOf(',')));
        }
        const Topology topology = readTopology();
        QCOMPARE(topology.processors().size(), processors);
        QCOMPARE(topology.cores.size(), cores.size());
    }

    void serverAndGeneratorGetPhysicalCoresOfTheirOwn_data()
    {
        QTest::addColumn<std::vector<PhysicalCore>>("cores");
        QTest::addColumn<std::vector<unsigned>>("allowed");
        QTest::addColumn<std::vector<unsigned>>("generator");
        QTest::addColumn<std::vector<unsigned>>("server");
        using Cores = std::vector<PhysicalCore>;
        using List = std::vector<unsigned>;
        QTest::newRow("two cores") << Cores{{0}, {1}} << List{0, 1} << List{0} << List{1};
        QTest::newRow("two threads each") << fourCores().cores << upTo(8) << List{0, 1} << List{2, 3};
        QTest::newRow("three cores: one more for the server")
            << Cores{{0}, {1}, {2}} << upTo(3) << List{0} << List{1, 2};
        QTest::newRow("some are not allowed") << fourCores().cores << List{1, 5, 6} << List{1} << List{6};
        QTest::newRow("siblings are never split") << fourCores().cores << List{1, 5} << List{} << List{};
        QTest::newRow("one core") << Cores{{0, 1}} << List{0, 1} << List{} << List{};
        QTest::newRow("nothing is known") << Cores{} << List{} << List{} << List{};
    }
    void serverAndGeneratorGetPhysicalCoresOfTheirOwn()
    {
        QFETCH(std::vector<PhysicalCore>, cores);
        QFETCH(std::vector<unsigned>, allowed);
        QFETCH(std::vector<unsigned>, generator);
        QFETCH(std::vector<unsigned>, server);
        const AffinityProposal proposal = proposeAffinity({cores}, allowed);
        QCOMPARE(proposal.generator, generator);
        QCOMPARE(proposal.server, server);
        QCOMPARE(proposal.apart(), !server.empty());
        const SharedCores shared = sharedCores(proposal.server, proposal.generator, {cores});
        QVERIFY(shared.processors.empty() && shared.siblings.empty());
    }

    void theGeneratorNeedsNoMoreThanEightCores()
    {
        Topology large;
        for (const unsigned processor : upTo(64))
            large.cores.push_back({processor});
        QCOMPARE(proposeAffinity(large, upTo(64)).generator, upTo(8));
        QCOMPARE(proposeAffinity(large, upTo(64)).server.size(), std::size_t(56));
    }

    void whatDoctorProposesCanBePutIntoAPlan()
    {
        const DoctorFinding apart = judgeAffinity(proposeAffinity(fourCores(), upTo(8)));
        QCOMPARE(apart.severity, std::string("info"));
        QCOMPARE(apart.cure,
                 std::string(R"(put it into the plan: "affinity": {"server": [2, 3], "generator": [0, 1]})"));
        const DoctorFinding together = judgeAffinity({});
        QCOMPARE(together.severity, std::string("warning"));
        QVERIFY(together.text.find("share") != std::string::npos);
    }

    void whatIsSharedIsFound_data()
    {
        QTest::addColumn<std::vector<unsigned>>("server");
        QTest::addColumn<std::vector<unsigned>>("generator");
        QTest::addColumn<std::vector<unsigned>>("shared");
        QTest::addColumn<QString>("siblings");
        using List = std::vector<unsigned>;
        QTest::newRow("nobody asked") << List{} << List{} << List{} << "";
        QTest::newRow("apart") << List{2, 6} << List{0, 1} << List{} << "";
        QTest::newRow("the same") << List{0, 1} << List{1, 2} << List{1} << "";
        QTest::newRow("siblings") << List{0, 1} << List{4, 2} << List{} << "0-4 ";
        QTest::newRow("both") << List{0, 5} << List{0, 1} << List{0} << "5-1 ";
        QTest::newRow("the server may run anywhere") << List{} << List{3} << List{3} << "";
        QTest::newRow("the generator takes what is left") << List{0, 4} << List{} << List{} << "";
        QTest::newRow("a sibling is left") << List{0} << List{} << List{} << "0-4 ";
        QTest::newRow("nothing is left") << upTo(8) << List{} << upTo(8) << "";
    }
    void whatIsSharedIsFound()
    {
        QFETCH(std::vector<unsigned>, server);
        QFETCH(std::vector<unsigned>, generator);
        QFETCH(std::vector<unsigned>, shared);
        QFETCH(QString, siblings);
        const SharedCores found = sharedCores(server, generator, fourCores());
        QCOMPARE(found.processors, shared);
        QString pairs;
        for (const auto& [theirs, mine] : found.siblings)
            pairs += QString::number(theirs) + "-" + QString::number(mine) + " ";
        QCOMPARE(pairs, siblings);
    }
};

QTEST_APPLESS_MAIN(TestAffinity)
#include "tst_affinity.moc"
