#include "core/workload/request_mix.h"

#include <QTest>

#include <map>
#include <set>

using namespace lapbench;

namespace {

QString kindsOf(const RequestMix& mix, std::uint64_t seed, int from, int to)
{
    RequestMix::Cycle cycle(mix);
    QString row;
    for (int number = from; number < to; ++number)
        row += QString::number(mix.turn(seed, std::uint64_t(number), cycle).kind);
    return row;
}

} // namespace

class TestRequestMix : public QObject {
    Q_OBJECT

private slots:
    /// Worked out with Python's whole numbers: Fisher and Yates from the end, the i-th swap drawn from output i of
    /// output CYCLE of SplitMix64 of the complement of the seed.
    void shufflesEachCycleByTheSeedAndItsNumber()
    {
        QCOMPARE(kindsOf(RequestMix({2, 1, 1}), 1, 0, 16), "0210021001200102");
        QVERIFY(kindsOf(RequestMix({2, 1, 1}), 2, 0, 400) != kindsOf(RequestMix({2, 1, 1}), 1, 0, 400));
    }

    /// 70 and 30 are 7 and 3 after division by 10: ten requests a cycle.
    void sharesAreExactInEveryCycle()
    {
        const RequestMix mix({70, 30});
        for (int cycle = 0; cycle < 50; ++cycle) {
            const QString kinds = kindsOf(mix, 9, cycle * 10, cycle * 10 + 10);
            QCOMPARE(kinds.count('0'), 7);
            QCOMPARE(kinds.count('1'), 3);
        }
    }

    void occurrencesCountEachKindWithoutGapsWhereverTheCountStops()
    {
        const RequestMix mix({5, 2, 1});
        RequestMix::Cycle cycle(mix);
        std::map<std::uint32_t, std::uint64_t> next;
        for (std::uint64_t number = 0; number < 1003; ++number) {
            const auto turn = mix.turn(3, number, cycle);
            QCOMPARE(turn.occurrence, next[turn.kind]++);
        }
        QCOMPARE(next[0] + next[1] + next[2], 1003u);
    }

    void aTurnDoesNotDependOnWhatWasAskedBefore()
    {
        const RequestMix mix({3, 4});
        RequestMix::Cycle forward(mix), backward(mix);
        std::vector<RequestMix::Turn> turns;
        for (std::uint64_t number = 0; number < 100; ++number)
            turns.push_back(mix.turn(5, number, forward));
        for (std::uint64_t number = 100; number-- > 0;)
            QVERIFY(mix.turn(5, number, backward) == turns[number]);
    }

    /// In each of 6,000 cycles of three kinds all 6 orders are equally likely. Chi-square, 5 degrees of freedom: below
    /// 20.52 with a probability of 0.999.
    void allOrdersAreEquallyLikely()
    {
        const RequestMix mix({1, 1, 1});
        std::map<QString, int> orders;
        for (int cycle = 0; cycle < 6000; ++cycle)
            ++orders[kindsOf(mix, 1, cycle * 3, cycle * 3 + 3)];
        QCOMPARE(orders.size(), 6u);
        double chiSquare = 0;
        for (const auto& [order, count] : orders)
            chiSquare += (count - 1000) * (count - 1000) / 1000.0;
        QVERIFY2(chiSquare < 20.52, qPrintable(QString::number(chiSquare)));
    }

    void oneKindIsEveryRequest()
    {
        const RequestMix mix;
        RequestMix::Cycle cycle(mix);
        QVERIFY((mix.turn(1, 12345, cycle) == RequestMix::Turn{0, 12345}));
    }
};

QTEST_APPLESS_MAIN(TestRequestMix)
#include "tst_request_mix.moc"
