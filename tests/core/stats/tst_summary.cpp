#include "core/stats/rounds.h"
#include "core/stats/summary.h"

#include <QTest>

using namespace lapbench;

namespace {

// Values below 2048 have counters of their own, so that these come back exactly.
Histogram of(std::initializer_list<int> values)
{
    Histogram histogram;
    for (const int value : values)
        histogram.record(value);
    return histogram;
}

double ns(const std::optional<Quantile>& quantile)
{
    return quantile.value().us * 1000;
}

} // namespace

class TestSummary : public QObject {
    Q_OBJECT

private slots:
    void theProductLimitCurveIsThatOfTheTextbook()
    {
        // Remission under 6-MP in weeks (Freireich 1963; Kaplan-Meier in every survey of survival analysis):
        // S(6) .857, S(7) .807, S(10) .753, S(13) .690, S(16) .627, S(22) .538, S(23) .448, and no further.
        const Histogram events = of({6, 6, 6, 7, 10, 13, 16, 22, 23});
        const Histogram censored = of({6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35});
        const auto at = [&](double p) { return censoredPercentile(events, censored, p); };
        QCOMPARE(ns(at(0.14)), 6.0);
        QCOMPARE(ns(at(0.15)), 7.0);
        QCOMPARE(ns(at(0.24)), 10.0);
        QCOMPARE(ns(at(0.25)), 13.0);
        QCOMPARE(ns(at(0.50)), 23.0);
        QVERIFY(!at(0.55)->atLeast);
        QVERIFY(at(0.56)->atLeast);
        QCOMPARE(ns(at(0.75)), 35.0);
    }

    void eventsComeBeforeCensoringsAtEqualValues()
    {
        // Four at risk at 10: S = 3/4, then one leaves; at 20 two are at risk: S = 3/8.
        const Histogram events = of({10, 20}), censored = of({10, 30});
        QCOMPARE(ns(censoredPercentile(events, censored, 0.25)), 10.0);
        QCOMPARE(ns(censoredPercentile(events, censored, 0.62)), 20.0);
        QCOMPARE(*censoredPercentile(events, censored, 0.63), (Quantile{0.030, true}));
    }

    void withoutCensoredValuesItIsTheNearestRank()
    {
        Histogram events;
        for (int i = 1; i <= 1000; ++i)
            events.record(i);
        for (const double p : {0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999}) {
            QCOMPARE(ns(censoredPercentile(events, {}, p)), p * 1000);
            // One left open at age 0 says nothing about the others.
            QCOMPARE(ns(censoredPercentile(events, of({0}), p)), p * 1000);
        }
        QVERIFY(!censoredPercentile({}, {}, 0.5));
    }

    void aHangShowsAsAtLeastItsAge()
    {
        Histogram censored;
        censored.record(2'000'000'000, 50);
        const auto p50 = censoredPercentile({}, censored, 0.5);
        QVERIFY(p50->atLeast);
        QVERIFY(p50->us <= 2e6 && p50->us > 1.998e6);
    }

    /// An answer and what was left open share the last bucket: 30 % are answered within it, the others later.
    void whatLiesBeyondABucketIsNotBelowIt()
    {
        Histogram events, censored;
        events.record(2'000'000'000, 3);
        censored.record(2'000'000'000, 7);
        const auto p25 = censoredPercentile(events, censored, 0.25), p50 = censoredPercentile(events, censored, 0.5);
        QVERIFY(!p25->atLeast && p50->atLeast);
        QVERIFY(p25->us <= p50->us);
    }

    void meanAndDeviationAreExact()
    {
        // 2, 4, 4, 4, 5, 5, 7, 9 ms: mean 5, sum of squares 32, sample deviation sqrt(32/7) = 2.138089935...
        Moments moments, first, second;
        Histogram events;
        int i = 0;
        for (const int ms : {2, 4, 4, 4, 5, 5, 7, 9}) {
            moments.record(ms * 1'000'000);
            (i++ < 3 ? first : second).record(ms * 1'000'000);
            events.record(ms * 1'000'000);
        }
        first.add(second);
        first.add({});
        for (const Moments& each : {moments, first}) {
            const LatencySummary summary = summarizeLatency(events, each, {});
            QCOMPARE(summary.count, std::uint64_t(8));
            QCOMPARE(*summary.meanUs, 5000.0);
            QVERIFY(std::abs(*summary.stdevUs - 2138.0899352993947) < 1e-6);
            QCOMPARE(*summary.minUs, 2000.0);
            QCOMPARE(*summary.maxUs, 9000.0);
        }
    }

    void deviationsDoNotCancelFarFromZero()
    {
        Moments moments;
        for (int i = 0; i < 1'000'000; ++i)
            moments.record(3'000'000'000'000 + (i % 2)); // deviation 0.5 around an hour
        QVERIFY(std::abs(*moments.stdevNs() - 0.5) < 1e-5);
    }

    void whatIsNotKnownIsAbsent()
    {
        const LatencySummary summary = summarizeLatency({}, {}, {});
        QVERIFY(!summary.meanUs && !summary.stdevUs && !summary.minUs && !summary.maxUs && !summary.percentile("p50"));
        const ShortSummary shorter = summarizeShort({});
        QVERIFY(!shorter.p50Us && !shorter.p99Us && !shorter.maxUs);
        Moments one;
        one.record(5);
        QVERIFY(one.meanNs() && !one.stdevNs());
    }

    void namesAreReadBack()
    {
        for (std::size_t i = 1; i < kErrorKinds; ++i)
            QVERIFY(parseErrorKind(errorKindName(static_cast<ErrorKind>(i))) == static_cast<ErrorKind>(i));
        for (std::size_t i = 0; i < kPhases; ++i)
            QVERIFY(parsePhase(phaseName(static_cast<Phase>(i))) == static_cast<Phase>(i));
        QCOMPARE(errorKindName(ErrorKind::closedEarly), std::string_view("closed_early"));
        QCOMPARE(errorKindName(ErrorKind::tooLarge), std::string_view("too_large"));
        QCOMPARE(errorKindName(ErrorKind::tls), std::string_view("tls"));
        QCOMPARE(phaseName(Phase::waitHead), std::string_view("wait_head"));
        QVERIFY(!parseErrorKind("") && !parseErrorKind("other") && !parsePhase("other"));
    }

    void aThinPercentileHasFewerThanTwentyBeyondIt()
    {
        QVERIFY(!isThin(2000, 0.99));
        QVERIFY(isThin(1999, 0.99));
        QVERIFY(!isThin(20'000, 0.999));
        QVERIFY(isThin(19'999, 0.999));
    }

    void medianAndSpreadOverRounds()
    {
        QCOMPARE(*median({3, 1, 2}), 2.0);
        QCOMPARE(*median({4, 1, 2, 3}), 2.5);
        QVERIFY(!median({}));
        QCOMPARE(*spread({90, 100, 120}), 0.3);
        QVERIFY(!spread({5}) && !spread({-1, 0, 1}));
    }
};

QTEST_APPLESS_MAIN(TestSummary)
#include "tst_summary.moc"
