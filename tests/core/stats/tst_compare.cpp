#include "core/stats/compare.h"
#include "core/stats/student_t.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace lapbench;

namespace {

bool near(double value, double expected, double tolerance)
{
    return std::abs(value - expected) <= tolerance;
}

} // namespace

class TestCompare : public QObject {
    Q_OBJECT

private slots:
    void quantilesAreThoseOfTheTables_data()
    {
        QTest::addColumn<double>("p");
        QTest::addColumn<double>("degrees");
        QTest::addColumn<double>("t");
        // Percentage points of the t distribution as in any table, and qt() of R 4.2 where there are more digits.
        QTest::newRow("one degree") << 0.975 << 1.0 << 12.7062047362;
        QTest::newRow("two degrees") << 0.975 << 2.0 << 4.3026527297;
        QTest::newRow("five degrees") << 0.975 << 5.0 << 2.5705818356;
        QTest::newRow("nine degrees, 99 %") << 0.995 << 9.0 << 3.2498355416;
        QTest::newRow("thirty degrees") << 0.975 << 30.0 << 2.0422724563;
        QTest::newRow("one tenth below") << 0.05 << 10.0 << -1.8124611228;
        QTest::newRow("the middle") << 0.5 << 4.0 << 0.0;
        QTest::newRow("a million degrees, near the normal") << 0.975 << 1e6 << 1.9599663;
    }
    void quantilesAreThoseOfTheTables()
    {
        QFETCH(double, p);
        QFETCH(double, degrees);
        QFETCH(double, t);
        QVERIFY2(near(studentTQuantile(p, degrees), t, 2e-6), std::to_string(studentTQuantile(p, degrees)).c_str());
        QVERIFY(near(studentTCdf(studentTQuantile(p, degrees), degrees), p, 1e-12));
    }

    void twoDegreesHaveAClosedForm()
    {
        // F(t) = 1/2 + t / (2 sqrt(2 + t^2)) for two degrees of freedom.
        for (const double t : {-30.0, -2.5, -0.1, 0.0, 0.7, 3.0, 100.0})
            QVERIFY(near(studentTCdf(t, 2), 0.5 + t / (2 * std::sqrt(2 + t * t)), 1e-12));
    }

    void thePublishedRoundsGiveThePublishedJudgement_data()
    {
        QTest::addColumn<std::vector<double>>("node");
        QTest::addColumn<std::vector<double>>("other");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<int>("verdict");
        QTest::newRow("Bun on read") << std::vector<double>{2941, 2964, 3103} << std::vector<double>{4072, 4045, 4304}
                                     << 1.335 << 1.423 << static_cast<int>(Verdict::faster);
        QTest::newRow("Deno on read") << std::vector<double>{2941, 2964, 3103} << std::vector<double>{2816, 2844, 2875}
                                      << 0.883 << 1.017 << static_cast<int>(Verdict::cannotTell);
        QTest::newRow("Bun on write") << std::vector<double>{3628, 3733, 3687} << std::vector<double>{4880, 4985, 5155}
                                      << 1.244 << 1.485 << static_cast<int>(Verdict::faster);
        QTest::newRow("Deno on write") << std::vector<double>{3628, 3733, 3687} << std::vector<double>{3500, 3525, 3616}
                                       << 0.9 << 1.031 << static_cast<int>(Verdict::cannotTell);
        QTest::newRow("Bun on mixed") << std::vector<double>{2943, 3119, 3009} << std::vector<double>{4081, 3999, 4216}
                                      << 1.139 << 1.613 << static_cast<int>(Verdict::faster);
        QTest::newRow("Deno on mixed") << std::vector<double>{2943, 3119, 3009} << std::vector<double>{2854, 2910, 2937}
                                       << 0.879 << 1.047 << static_cast<int>(Verdict::cannotTell);
        QTest::newRow("Bun on json") << std::vector<double>{7153, 7271, 7182}
                                     << std::vector<double>{11692, 11358, 11802} << 1.46 << 1.782
                                     << static_cast<int>(Verdict::faster);
        QTest::newRow("Deno on json") << std::vector<double>{7153, 7271, 7182} << std::vector<double>{5944, 5926, 5973}
                                      << 0.793 << 0.86 << static_cast<int>(Verdict::slower);
    }
    void thePublishedRoundsGiveThePublishedJudgement()
    {
        QFETCH(std::vector<double>, node);
        QFETCH(std::vector<double>, other);
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(int, verdict);
        CompareRules rules;
        rules.comparisons = 2; // Deno and Bun, each against Node
        const auto found = compareRounds(node, other, rules);
        QVERIFY(found.has_value());
        QVERIFY2(near(*found->low, low, 6e-4), std::to_string(*found->low).c_str());
        QVERIFY2(near(*found->high, high, 6e-4), std::to_string(*found->high).c_str());
        QCOMPARE(static_cast<int>(found->verdict), verdict);
        QVERIFY(found->thin);
        QVERIFY(*found->signFlipP >= 0.25); // three rounds cannot give less: 2 of 8
    }

    void aloneTheIntervalIsNarrower()
    {
        const std::vector<double> node = {2941, 2964, 3103}, deno = {2816, 2844, 2875};
        const auto found = compareRounds(node, deno);
        QVERIFY(near(found->ratio, 0.948, 6e-4));
        QVERIFY(near(*found->low, 0.903, 6e-4));
        QVERIFY(near(*found->high, 0.995, 6e-4));
    }

    void aSmallDifferenceWithinTheZoneIsEquivalent()
    {
        const std::vector<double> a = {100, 101, 99, 100, 100.5, 99.5};
        std::vector<double> b;
        for (const double value : a)
            b.push_back(value * 1.005 * (b.size() % 2 == 0 ? 1.001 : 0.999));
        const auto found = compareRounds(a, b);
        QCOMPARE(found->verdict, Verdict::equivalent);
        QVERIFY(!found->thin);
        CompareRules strict;
        strict.zone = 0.001;
        QCOMPARE(compareRounds(a, b, strict)->verdict, Verdict::faster);
    }

    void forLatencyMoreIsSlower()
    {
        const std::vector<double> a = {100, 101, 99, 100, 100, 100}, b = {150, 151, 149, 150, 151, 150};
        CompareRules rules;
        rules.moreIsBetter = false;
        QCOMPARE(compareRounds(a, b, rules)->verdict, Verdict::slower);
        QCOMPARE(compareRounds(b, a, rules)->verdict, Verdict::faster);
        QCOMPARE(compareRounds(a, b)->verdict, Verdict::faster);
    }

    void turningTheTwoAroundTurnsTheRatio()
    {
        const std::vector<double> a = {3.1, 2.9, 3.3}, b = {4.0, 4.4, 3.9};
        const auto one = compareRounds(a, b), other = compareRounds(b, a);
        QVERIFY(near(one->ratio * other->ratio, 1, 1e-12));
        QVERIFY(near(*one->low * *other->high, 1, 1e-12));
        QCOMPARE(*one->signFlipP, *other->signFlipP);
    }

    void aSingleRoundHasNoInterval()
    {
        const std::vector<double> a = {2}, b = {3};
        const auto found = compareRounds(a, b);
        QCOMPARE(found->ratio, 1.5);
        QVERIFY(!found->low && !found->high);
        QCOMPARE(found->verdict, Verdict::cannotTell);
        QCOMPARE(*found->signFlipP, 1.0);
    }

    void roundsThatCannotBePairedGiveNothing()
    {
        const std::vector<double> none, one = {1}, two = {1, 2}, zero = {0}, unknown = {std::nan("")};
        QVERIFY(!compareRounds(none, none));
        QVERIFY(!compareRounds(one, two));
        QVERIFY(!compareRounds(one, zero));
        QVERIFY(!compareRounds(unknown, one));
    }

    void signsAreFlippedInEveryWay()
    {
        // Of the 8 signs of 1, 2, 3 only +++ and --- reach 6; of those of 1, 1, -1 six reach 1 and all do.
        QCOMPARE(*signFlipP(std::vector<double>{1, 2, 3}), 0.25);
        QCOMPARE(*signFlipP(std::vector<double>{1, 1, -1}), 1.0);
        // 0.1, 0.2, 0.3: the sums that are equal on paper must be equal here. +-: 0.1 + 0.2 - 0.3 = 0.
        QCOMPARE(*signFlipP(std::vector<double>{0.1, 0.2, -0.3}), 1.0);
        // Six rounds of one sign: 2 of 64.
        QCOMPARE(*signFlipP(std::vector<double>{1, 2, 3, 4, 5, 6}), 2.0 / 64);
        QVERIFY(!signFlipP({}));
        QVERIFY(!signFlipP(std::vector<double>(21, 1.0)));
    }

    void verdictsHaveTheirNames()
    {
        for (const Verdict verdict : {Verdict::faster, Verdict::slower, Verdict::equivalent, Verdict::cannotTell})
            QCOMPARE(parseVerdict(verdictName(verdict)), std::optional(verdict));
        QVERIFY(!parseVerdict("quicker"));
    }
};

QTEST_APPLESS_MAIN(TestCompare)
#include "tst_compare.moc"
