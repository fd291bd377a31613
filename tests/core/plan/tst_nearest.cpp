#include "core/plan/nearest.h"

#include <QTest>

#include <array>

using namespace lapbench;

class TestNearest : public QObject {
    Q_OBJECT

private slots:
    void editsAreCounted()
    {
        QCOMPARE(editDistance("kitten", "sitting"), std::size_t(3));
        QCOMPARE(editDistance("", "abc"), std::size_t(3));
        QCOMPARE(editDistance("duraton", "duration"), std::size_t(1));
        QCOMPARE(editDistance("raods", "roads"), std::size_t(1));
        QCOMPARE(editDistance("URL", "url"), std::size_t(0));
    }

    void theClosestWordIsNamed()
    {
        constexpr std::array<std::string_view, 3> known = {"connections", "connect_timeout", "timeout"};
        QCOMPARE(suggest("conections", known), std::string("did you mean \"connections\"?"));
        QCOMPARE(suggest("time_out", known), std::string("did you mean \"timeout\"?"));
        QCOMPARE(suggest("xyz", known), std::string("known here: connections, connect_timeout, timeout"));
        QCOMPARE(suggest("xyz", {}), std::string("there is none"));
    }

    void aHugeWordIsNoSlip()
    {
        constexpr std::array<std::string_view, 1> known = {"name"};
        QCOMPARE(nearest(std::string(1'000'000, 'n'), known), std::string_view());
    }
};

QTEST_APPLESS_MAIN(TestNearest)
#include "tst_nearest.moc"
