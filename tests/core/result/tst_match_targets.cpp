#include "core/result/match_targets.h"

#include <QTest>

using namespace lapbench;

class TestMatchTargets : public QObject {
    Q_OBJECT

private slots:
    void targetsAreMatched_data()
    {
        using Names = std::vector<std::vector<std::string>>;
        using Rows = std::vector<MatchedTargets>;
        const std::optional<std::string> none;
        QTest::addColumn<Names>("targets");
        QTest::addColumn<Rows>("rows");
        QTest::newRow("the same") << Names{{"a", "b"}, {"b", "a"}} << Rows{{"a", "a"}, {"b", "b"}};
        QTest::newRow("one more in the second") << Names{{"a"}, {"a", "b"}} << Rows{{"a", "a"}, {none, "b"}};
        QTest::newRow("others in each of three") << Names{{"a"}, {"b"}, {"c"}} << Rows{{"a", "b", "c"}};
        QTest::newRow("two others against the first") << Names{{"a"}, {"b", "c"}} << Rows{{"a", "b"}, {"a", "c"}};
        QTest::newRow("others that match each other")
            << Names{{"a"}, {"b", "c"}, {"c", "b"}} << Rows{{"a", "b", "b"}, {"a", "c", "c"}};
        QTest::newRow("the third is a stranger") << Names{{"a"}, {"a"}, {"b"}} << Rows{{"a", "a", "b"}};
        QTest::newRow("nothing in the first") << Names{{}, {"b"}} << Rows{};
    }
    void targetsAreMatched()
    {
        QFETCH(std::vector<std::vector<std::string>>, targets);
        QFETCH(std::vector<MatchedTargets>, rows);
        QVERIFY(matchTargets(targets) == rows);
    }
};

QTEST_APPLESS_MAIN(TestMatchTargets)
#include "tst_match_targets.moc"
