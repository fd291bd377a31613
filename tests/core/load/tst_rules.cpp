#include "core/load/error_book.h"
#include "core/load/pacer.h"
#include "core/load/request_budget.h"
#include "core/load/stop_rule.h"

#include <QTest>

#include <algorithm>
#include <thread>
#include <vector>

using namespace lapbench;

class TestRules : public QObject {
    Q_OBJECT

private slots:
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

    void aBudgetGivesEveryNumberOnceWhateverTheWorkers()
    {
        for (const std::uint64_t requests : {1ULL, 7ULL, 401ULL, 100'000ULL}) {
            RequestBudget budget;
            budget.skip(17);
            budget.fill(requests, 4);
            std::vector<std::vector<NumberRange>> taken(4);
            std::vector<std::thread> threads;
            for (std::vector<NumberRange>& mine : taken)
                threads.emplace_back([&budget, &mine] {
                    for (NumberRange range = budget.claim(); !range.empty(); range = budget.claim())
                        mine.push_back(range);
                });
            for (std::thread& thread : threads)
                thread.join();
            std::vector<NumberRange> ranges;
            for (const auto& mine : taken)
                ranges.insert(ranges.end(), mine.begin(), mine.end());
            std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.next < b.next; });
            std::uint64_t next = 17;
            for (const NumberRange& range : ranges) {
                QCOMPARE(range.next, next);
                next = range.end;
            }
            QCOMPARE(next, 17 + requests);
            QVERIFY(budget.exhausted());
        }
    }

    void batchesShrinkTowardsTheEnd()
    {
        QCOMPARE(RequestBudget::batchOf(0, 2), std::uint64_t(0));
        QCOMPARE(RequestBudget::batchOf(1, 2), std::uint64_t(1));
        QCOMPARE(RequestBudget::batchOf(160, 2), std::uint64_t(10));
        QCOMPARE(RequestBudget::batchOf(1'000'000, 2), std::uint64_t(64));
    }

    void arrivalsOfAConstantRateAreEvenlySpaced()
    {
        Arrivals arrivals(constantRate(1000), 500);
        QCOMPARE(arrivals.dueNs(0), std::int64_t(500));
        QCOMPARE(arrivals.dueNs(1), std::int64_t(1'000'500));
        QCOMPARE(arrivals.dueNs(90'000'000), std::int64_t(90'000'000'000'500)); // a day and an hour, without drift
        QCOMPARE(arrivals.dueBefore(500), std::uint64_t(0));
        QCOMPARE(arrivals.dueBefore(501), std::uint64_t(1));
        QCOMPARE(arrivals.dueBefore(1'000'500), std::uint64_t(1));
        QCOMPARE(arrivals.dueBefore(1'000'501), std::uint64_t(2));
    }

    void aRampFollowsTheIntegralOfItsRate()
    {
        // 100 to 300 a second in 2 s: 100 t + 50 t^2 arrivals, so 150 in the first second, 400 in all, then 300 a
        // second.
        Arrivals arrivals(parseRamp("100..300/2s").value(), 0);
        arrivals.setOpening(0);
        QCOMPARE(arrivals.dueNs(150), std::int64_t(1'000'000'000));
        QCOMPARE(arrivals.dueNs(400), std::int64_t(2'000'000'000));
        QCOMPARE(arrivals.dueNs(700), std::int64_t(3'000'000'000));
        QCOMPARE(arrivals.dueBefore(1'000'000'000), std::uint64_t(150));
        QCOMPARE(arrivals.dueBefore(2'000'000'001), std::uint64_t(401));
        Arrivals down(parseRamp("300..100/2s").value(), 0);
        down.setOpening(0);
        QCOMPARE(down.dueNs(250), std::int64_t(1'000'000'000));
        QCOMPARE(down.dueNs(400), std::int64_t(2'000'000'000));
    }

    void stepsFollowEachOther()
    {
        Arrivals arrivals(parseSteps("10,20,5/1s").value(), 0);
        arrivals.setOpening(0);
        QCOMPARE(arrivals.dueNs(9), std::int64_t(900'000'000));
        QCOMPARE(arrivals.dueNs(10), std::int64_t(1'000'000'000));
        QCOMPARE(arrivals.dueNs(11), std::int64_t(1'050'000'000));
        QCOMPARE(arrivals.dueNs(30), std::int64_t(2'000'000'000));
        QCOMPARE(arrivals.dueNs(31), std::int64_t(2'200'000'000));
        QCOMPARE(arrivals.dueNs(40), std::int64_t(4'000'000'000)); // the last rate stays
    }

    void aCourseHasItsMeanOverAnyLength()
    {
        using namespace std::chrono_literals;
        QCOMPARE(meanRate(constantRate(70), 3s).value(), 70.0);
        QCOMPARE(meanRate(parseSteps("10,20,60/1s").value(), 3s).value(), 30.0);
        QCOMPARE(meanRate(parseSteps("10,20,60/1s").value(), 1500ms).value(), (10 + 20 / 2.0) / 1.5);
        QCOMPARE(meanRate(parseSteps("10,20/1s").value(), 4s).value(), 70 / 4.0); // the last rate stays
        QCOMPARE(meanRate(parseRamp("10..30/2s").value(), 2s).value(), 20.0);
        QCOMPARE(meanRate(parseRamp("10..30/2s").value(), 1s).value(), 15.0);
        QVERIFY(!meanRate({}, 1s));
        QVERIFY(!meanRate(constantRate(1), 0s));
    }

    void theCourseBeginsWithTheWindowAndNothingIsLostBefore()
    {
        // Opened in the middle of a gap: the arrivals before keep the first rate, the course starts at the opening.
        Arrivals arrivals(parseSteps("10,20/1s").value(), 0);
        QCOMPARE(arrivals.dueNs(5), std::int64_t(500'000'000));
        arrivals.setOpening(450'000'000);
        QCOMPARE(arrivals.dueNs(4), std::int64_t(400'000'000));
        QCOMPARE(arrivals.dueNs(5), std::int64_t(450'000'000));
        QCOMPARE(arrivals.dueNs(15), std::int64_t(1'450'000'000));
        QCOMPARE(arrivals.dueNs(16), std::int64_t(1'500'000'000));
        QCOMPARE(arrivals.dueBefore(450'000'000), std::uint64_t(5));
        QCOMPARE(arrivals.dueBefore(1'450'000'001), std::uint64_t(16));
    }

    void theSharesOfAllWorkersMakeTheWhole()
    {
        for (const std::uint64_t count : {0ULL, 1ULL, 2ULL, 3ULL, 10ULL, 11ULL})
            QCOMPARE(shareOf(count, 0, 3) + shareOf(count, 1, 3) + shareOf(count, 2, 3), count);
        QCOMPARE(shareOf(10, 0, 3), std::uint64_t(4));
        QCOMPARE(shareOf(10, 1, 3), std::uint64_t(3));
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
