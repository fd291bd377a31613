#include "core/load/error_book.h"
#include "core/load/pacer.h"
#include "core/load/request_budget.h"
#include "core/load/stop_rule.h"

#include <QTest>

#include <numeric>
#include <thread>
#include <vector>

using namespace lapbench;

class TestRules : public QObject {
    Q_OBJECT

private slots:
    void aClosedLoopSendsAsSoonAsTheConnectionIsFree() { QCOMPARE(Pacer{}.dueNs(1234), std::int64_t(1234)); }

    void backOffDoublesFromTenMillisecondsToOneSecond()
    {
        QCOMPARE(backOffNs(0), std::int64_t(0));
        QCOMPARE(backOffNs(1), std::int64_t(10'000'000));
        QCOMPARE(backOffNs(2), std::int64_t(20'000'000));
        QCOMPARE(backOffNs(7), std::int64_t(640'000'000));
        QCOMPARE(backOffNs(8), std::int64_t(1'000'000'000));
        QCOMPARE(backOffNs(255), std::int64_t(1'000'000'000));
    }

    void theWindowTakesItsOpeningAndNotItsClose()
    {
        const Stage stage{true, false, false, 100, 200};
        QVERIFY(partOf(stage, 99) == Part::warmup);
        QVERIFY(partOf(stage, 100) == Part::window);
        QVERIFY(partOf(stage, 199) == Part::window);
        QVERIFY(partOf(stage, 200) == Part::after);
        QVERIFY(mayStart(stage, 199) && !mayStart(stage, 200));
        const Stage warmup{false, false, true, 0, 200};
        QVERIFY(partOf(warmup, 300) == Part::warmup);
    }

    void aTimedStageEndsOnTimeAndADrainingOneWhenAllIsAnswered()
    {
        const Stage timed{true, false, false, 0, 200};
        QVERIFY(!isOver(timed, 199, false, 0));
        QVERIFY(isOver(timed, 200, false, 5));
        const Stage draining{false, false, true, 0, 200};
        QVERIFY(!isOver(draining, 200, false, 5));
        QVERIFY(isOver(draining, 200, false, 0));
    }

    void aCountedStageEndsWithItsLastAnswer()
    {
        const Stage counted{true, true, false, 0, Stage::kNever};
        QVERIFY(!isOver(counted, 1000, false, 0));
        QVERIFY(!isOver(counted, 1000, true, 1));
        QVERIFY(isOver(counted, 1000, true, 0));
    }

    void aBudgetIsSpentExactlyWhateverTheWorkers()
    {
        for (const std::uint64_t requests : {1ULL, 7ULL, 401ULL, 100'000ULL}) {
            RequestBudget budget;
            budget.fill(requests, 4);
            std::vector<std::uint64_t> taken(4, 0);
            std::vector<std::thread> threads;
            for (std::uint64_t& mine : taken)
                threads.emplace_back([&budget, &mine] {
                    while (const std::uint64_t batch = budget.claim())
                        mine += batch;
                });
            for (std::thread& thread : threads)
                thread.join();
            QCOMPARE(std::accumulate(taken.begin(), taken.end(), std::uint64_t(0)), requests);
            QVERIFY(budget.empty());
        }
    }

    void batchesShrinkTowardsTheEnd()
    {
        QCOMPARE(RequestBudget::batchOf(0, 2), std::uint64_t(0));
        QCOMPARE(RequestBudget::batchOf(1, 2), std::uint64_t(1));
        QCOMPARE(RequestBudget::batchOf(160, 2), std::uint64_t(10));
        QCOMPARE(RequestBudget::batchOf(1'000'000, 2), std::uint64_t(64));
    }

    void theFirstErrorOfAKindIsKeptOverAllWorkers()
    {
        ErrorBook one, two;
        one.add(ErrorKind::reset, Phase::readBody, 3'000'000'000, "later", "HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody");
        one.add(ErrorKind::reset, Phase::readBody, 4'000'000'000, "latest", "");
        two.add(ErrorKind::reset, Phase::readBody, 2'000'000'000, "first", "HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody");
        two.add(ErrorKind::reset, Phase::waitHead, 2'500'000'000, "other phase", "");
        one.add(two);
        const auto counts = one.counts(1'000'000'000);
        QCOMPARE(counts.size(), std::size_t(2));
        QCOMPARE(counts[0].count, std::uint64_t(3));
        QCOMPARE(counts[0].firstAtSeconds, 1.0);
        QCOMPARE(counts[0].firstMessage, std::string("first"));
        QCOMPARE(counts[0].firstResponseHead, std::string("HTTP/1.1 200 OK\r\nA: b"));
        QCOMPARE(counts[1].count, std::uint64_t(1));
    }
};

QTEST_APPLESS_MAIN(TestRules)
#include "tst_rules.moc"
