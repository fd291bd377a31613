#include "core/stats/timeline.h"

#include <QTest>

using namespace lapbench;

namespace {

PackedHistogram packed(decltype(SparseHistogram::counts) counts)
{
    return PackedHistogram(SparseHistogram{std::move(counts)});
}

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT

private slots:
    void sharesOfOneSecondAddUp()
    {
        Timeline timeline;
        timeline.add({0, 3, 1, packed({{5, 2}, {9, 1}}), 0.5});
        timeline.add({0, 2, 0, packed({{7, 1}, {9, 1}}), 0.25});
        const auto seconds = timeline.takeSeconds(1);
        QCOMPARE(seconds.size(), std::size_t(1));
        QCOMPARE(seconds[0].ok, std::uint64_t(5));
        QCOMPARE(seconds[0].failed, std::uint64_t(1));
        QCOMPARE(*seconds[0].generatorCpuCores, 0.75);
        const decltype(SparseHistogram::counts) expected = {{5, 2}, {7, 1}, {9, 2}};
        QVERIFY(seconds[0].latency.counts == expected);
    }

    void aGapStaysAGap()
    {
        Timeline timeline;
        timeline.add({0, 1, 0, packed({{1, 1}}), 0.1});
        timeline.add({2, 1, 0, packed({{1, 1}}), 0.1});
        const auto seconds = timeline.takeSeconds(3.5);
        QCOMPARE(seconds.size(), std::size_t(4));
        QCOMPARE(seconds[1].t, 1U);
        QCOMPARE(seconds[1].ok, std::uint64_t(0));
        QVERIFY(!seconds[1].generatorCpuCores);
        QCOMPARE(seconds[2].ok, std::uint64_t(1));
        QCOMPARE(seconds[3].ok, std::uint64_t(0));
    }

    void whatEndsOnTheLastEdgeIsKeptAndAnEmptyShareBehindItIsNot()
    {
        Timeline timeline;
        timeline.add({2, 1, 0, packed({{1, 1}}), 0.1});
        timeline.add({3, 0, 0, {}, 0.1});
        QCOMPARE(timeline.takeSeconds(3).size(), std::size_t(3));
        timeline.add({3, 0, 1, {}, 0.1});
        const auto seconds = timeline.takeSeconds(3);
        QCOMPARE(seconds.size(), std::size_t(4));
        QCOMPARE(seconds[3].failed, std::uint64_t(1));
    }

    void aWindowOfNothingHasNoSeconds() { QVERIFY(Timeline().takeSeconds(0).empty()); }
};

QTEST_APPLESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
