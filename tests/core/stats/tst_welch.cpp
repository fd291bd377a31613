#include "core/stats/welch.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace lapbench;
using Values = std::vector<double>;

namespace {

bool near(double value, double expected)
{
    return std::abs(value - expected) <= 1e-9;
}

} // namespace

class TestWelch : public QObject {
    Q_OBJECT

private slots:
    void ratioIntervalAndDegreesAreThoseOfR_data()
    {
        QTest::addColumn<Values>("a");
        QTest::addColumn<Values>("b");
        QTest::addColumn<int>("comparisons");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<double>("degrees");
        QTest::addColumn<int>("verdict");
        const auto row = [](const char* name, const Values& a, const Values& b, int comparisons, double ratio,
                            double low, double high, double degrees, Verdict verdict) {
            QTest::newRow(name) << a << b << comparisons << ratio << low << high << degrees
                                << static_cast<int>(verdict);
        };
        // exp() of t.test(log(b), log(a), conf.level = 1 - 0.05/comparisons) of R 4.2.2.
        const Values node = {2941, 2964, 3103}, bun = {4072, 4045, 4304}, deno = {2816, 2844, 2875};
        row("Bun over Node", node, bun, 1, 1.378736224237, 1.282401989126, 1.482307101941, 3.899149066662,
            Verdict::faster);
        row("Deno over Node", node, deno, 1, 0.947723604194, 0.889476431627, 1.009785080313, 2.504313964010,
            Verdict::cannotTell);
        row("the level shared by two", node, deno, 2, 0.947723604194, 0.869387866598, 1.033117742327, 2.504313964010,
            Verdict::cannotTell);
        const Values quiet = {100.2, 101.1, 99.7, 100.6, 98.9, 100.4}, noisy = {110.3, 118.2, 104.9, 121.7, 109.1};
        row("other numbers of rounds, other noise", quiet, noisy, 1, 1.125061917621, 1.043408468193, 1.213105276664,
            4.105726998837, Verdict::faster);
        row("the level shared by three", quiet, noisy, 3, 1.125061917621, 1.010938875098, 1.252068101900,
            4.105726998837, Verdict::cannotTell);
        row("the same within 2 %", {1000, 1004, 998, 1001, 1003, 999}, {1002, 1001, 1000, 1003, 998, 1005}, 1,
            1.000665892147, 0.997618269359, 1.003722825115, 9.978047079574, Verdict::equivalent);
        row("two rounds and three", {10, 11}, {20, 26, 23}, 1, 2.180456284258, 1.636877965598, 2.904547380736,
            2.966620026020, Verdict::faster);
    }
    void ratioIntervalAndDegreesAreThoseOfR()
    {
        QFETCH(Values, a);
        QFETCH(Values, b);
        QFETCH(int, comparisons);
        QFETCH(double, ratio);
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(double, degrees);
        QFETCH(int, verdict);
        CompareRules rules;
        rules.comparisons = static_cast<std::size_t>(comparisons);
        const auto found = compareUnpaired(a, b, rules);
        QVERIFY(found && found->low && found->high && found->degrees);
        QVERIFY(near(found->ratio, ratio));
        QVERIFY(near(*found->low, low));
        QVERIFY(near(*found->high, high));
        QVERIFY(near(*found->degrees, degrees));
        QCOMPARE(static_cast<int>(found->verdict), verdict);
        QCOMPARE(found->roundsA, a.size());
        QCOMPARE(found->roundsB, b.size());
    }

    void theSleepDataGiveTheIntervalOfTheTextbooks()
    {
        // Student's sleep data (Biometrika 6 (1908)), as in the help page of R's t.test:
        // 95 percent confidence interval -3.3654832 0.2054832, df = 17.776.
        Values first, second;
        for (const double hours : {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0})
            first.push_back(std::exp(hours));
        for (const double hours : {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4})
            second.push_back(std::exp(hours));
        const auto found = compareUnpaired(second, first);
        QVERIFY(found);
        QVERIFY(std::abs(std::log(*found->low) - -3.3654832) < 5e-8);
        QVERIFY(std::abs(std::log(*found->high) - 0.2054832) < 5e-8);
        QVERIFY(std::abs(*found->degrees - 17.776) < 5e-4);
    }

    void oneRoundGivesARatioAndNoMore()
    {
        const auto found = compareUnpaired(Values{100, 101, 102}, Values{200});
        QVERIFY(found);
        QVERIFY(std::abs(found->ratio - 1.98) < 0.001);
        QVERIFY(!found->low && !found->high && !found->degrees);
        QCOMPARE(found->verdict, Verdict::cannotTell);
        QVERIFY(found->thin);
    }

    void underSixRoundsOfEitherIsThin()
    {
        const Values five(5, 10), six(6, 10);
        QVERIFY(compareUnpaired(five, six)->thin);
        QVERIFY(compareUnpaired(six, five)->thin);
        QVERIFY(!compareUnpaired(six, six)->thin);
    }

    void roundsThatAreAllTheSameHaveAnIntervalOfNoWidth()
    {
        const auto found = compareUnpaired(Values(6, 10), Values(6, 12));
        QVERIFY(found && found->low);
        QVERIFY(near(*found->low, 1.2) && near(*found->high, 1.2));
        QVERIFY(!found->degrees);
        QCOMPARE(found->verdict, Verdict::faster);
    }

    void onlyOneOfTwoVaries()
    {
        const auto found = compareUnpaired(Values(6, 10), Values{12, 13, 12, 12, 13, 12});
        QVERIFY(found && found->degrees);
        QVERIFY(near(*found->degrees, 5));
    }

    void whatIsNotAboveZeroIsNotCompared()
    {
        QVERIFY(!compareUnpaired(Values{1, 0}, Values{1, 2}));
        QVERIFY(!compareUnpaired(Values{1, 2}, Values{1, std::nan("")}));
        QVERIFY(!compareUnpaired(Values{}, Values{1, 2}));
    }

    void ofLatencyLessIsBetter()
    {
        CompareRules rules;
        rules.moreIsBetter = false;
        QCOMPARE(compareUnpaired(Values{100, 101}, Values{200, 201}, rules)->verdict, Verdict::slower);
    }
};

QTEST_APPLESS_MAIN(TestWelch)
#include "tst_welch.moc"
