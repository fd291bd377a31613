#include "core/plan/williams.h"

#include <QTest>

#include <map>
#include <set>

using namespace lapbench;

class TestWilliams : public QObject {
    Q_OBJECT

private slots:
    void placesAndPredecessorsAreBalanced_data()
    {
        QTest::addColumn<int>("count");
        for (int count = 2; count <= 12; ++count)
            QTest::addRow("%d things", count) << count;
    }
    void placesAndPredecessorsAreBalanced()
    {
        QFETCH(int, count);
        const auto things = static_cast<std::size_t>(count);
        const auto orders = williamsOrders(things);
        const std::size_t expected = things % 2 == 0 ? things : 2 * things;
        QCOMPARE(orders.size(), expected);
        std::map<std::pair<std::size_t, std::size_t>, std::size_t> placed, followed;
        for (const auto& order : orders) {
            QCOMPARE(std::set<std::size_t>(order.begin(), order.end()).size(), things);
            for (std::size_t place = 0; place < things; ++place) {
                ++placed[{order[place], place}];
                if (place > 0)
                    ++followed[{order[place - 1], order[place]}];
            }
        }
        QCOMPARE(placed.size(), things * things);
        for (const auto& [where, times] : placed)
            QCOMPARE(times, expected / things);
        QCOMPARE(followed.size(), things * (things - 1));
        for (const auto& [pair, times] : followed)
            QCOMPARE(times, expected / things);
    }

    void fourThingsAreThoseOfTheTextbook()
    {
        const std::vector<std::vector<std::size_t>> expected = {{0, 1, 3, 2}, {1, 2, 0, 3}, {2, 3, 1, 0}, {3, 0, 2, 1}};
        QCOMPARE(williamsOrders(4), expected);
    }

    void oneThingHasOneOrder()
    {
        QCOMPARE(williamsOrders(1), (std::vector<std::vector<std::size_t>>{{0}}));
        QCOMPARE(williamsOrders(0), (std::vector<std::vector<std::size_t>>{{}}));
    }
};

QTEST_APPLESS_MAIN(TestWilliams)
#include "tst_williams.moc"
