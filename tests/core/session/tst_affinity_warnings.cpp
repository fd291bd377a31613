#include "core/session/affinity_warnings.h"

#include <QTest>

using namespace lapbench;

class TestAffinityWarnings : public QObject {
    Q_OBJECT

    static Topology twoCores() { return {{{0, 2}, {1, 3}}}; }

private slots:
    void processorsThatAreApartGiveNoWarning()
    {
        QVERIFY(affinityWarnings({}, twoCores()).empty());
        QVERIFY(affinityWarnings({{1, 3}, {0}}, twoCores()).empty());
    }

    void sharedProcessorsAreAWarning()
    {
        const auto warnings = affinityWarnings({{0, 1}, {1}}, {{{0}, {1}}});
        QCOMPARE(warnings.size(), std::size_t(1));
        QCOMPARE(warnings[0].code, std::string("cores_shared"));
        QCOMPARE(warnings[0].severity, std::string("warning"));
        QCOMPARE(warnings[0].evidence, std::string("server on 0-1, generator on 1, shared: 1"));
    }

    void sharedPhysicalCoresAreAWarning()
    {
        const auto warnings = affinityWarnings({{0, 1}, {2, 3}}, twoCores());
        QCOMPARE(warnings.size(), std::size_t(1));
        QCOMPARE(warnings[0].code, std::string("siblings_shared"));
        QCOMPARE(warnings[0].evidence, std::string("server on 0-1, generator on 2-3, on one core: 0 with 2, 1 with 3"));
    }

    void aServerThatMayRunAnywhereMeetsTheGenerator()
    {
        const auto warnings = affinityWarnings({{}, {0}}, {{{0}, {1}}});
        QCOMPARE(warnings.size(), std::size_t(1));
        QCOMPARE(warnings[0].evidence, std::string("server on any, generator on 0, shared: 0"));
    }
};

QTEST_APPLESS_MAIN(TestAffinityWarnings)
#include "tst_affinity_warnings.moc"
