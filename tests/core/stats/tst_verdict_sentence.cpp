#include "core/stats/verdict_sentence.h"

#include <QTest>

using namespace lapbench;

namespace {

PairedRatio figures(double ratio, double low, double high, Verdict verdict, std::size_t rounds = 6)
{
    PairedRatio made;
    made.ratio = ratio;
    made.low = low;
    made.high = high;
    made.verdict = verdict;
    made.rounds = rounds;
    made.thin = rounds < PairedRatio::kFewestRounds;
    return made;
}

SentenceTerms terms(std::string a, std::string b, std::string_view metric = "rps")
{
    SentenceTerms made;
    made.a = std::move(a);
    made.b = std::move(b);
    made.metric = metric;
    return made;
}

} // namespace

class TestVerdictSentence : public QObject {
    Q_OBJECT

private slots:
    void fasterAndSlowerSayHowManyTimes()
    {
        QCOMPARE(verdictSentence(figures(1.63, 1.59, 1.66, Verdict::faster), terms("Node", "Bun")),
                 std::string("Bun serves 1.63 times as many requests as Node (95 % interval 1.59-1.66, 6 rounds)"));
        QCOMPARE(verdictSentence(figures(0.826, 0.793, 0.86, Verdict::slower), terms("Node", "Deno")),
                 std::string("Deno serves 0.83 times as many requests as Node (95 % interval 0.79-0.86, 6 rounds)"));
    }

    void whatCannotBeToldIsSaidWithTheNoiseFloorWhereItIsKnown()
    {
        const PairedRatio open = figures(0.97, 0.93, 1.02, Verdict::cannotTell);
        SentenceTerms words = terms("Node", "Deno");
        QCOMPARE(verdictSentence(open, words),
                 std::string("no difference can be shown between Node and Deno: 0.97 (0.93-1.02)"));
        words.noiseFloor = 0.021;
        QCOMPARE(verdictSentence(open, words),
                 std::string(
                     "no difference can be shown between Node and Deno: 0.97 (0.93-1.02); the noise floor is 2.1 %"));
    }

    void whatIsTheSameIsSaidWithTheZone()
    {
        const PairedRatio same = figures(1.002, 0.991, 1.013, Verdict::equivalent);
        SentenceTerms words = terms("Node", "Bun");
        QCOMPARE(verdictSentence(same, words),
                 std::string("Bun and Node serve the same number of requests within 2 %: 1.00 (0.99-1.01, 6 rounds)"));
        words.zone = 0.025;
        QVERIFY(verdictSentence(same, words).find("within 2.5 %: ") != std::string::npos);
    }

    void aSharedLevelIsNamed()
    {
        SentenceTerms words = terms("Node", "Bun");
        words.confidence = 1 - 0.05 / 2;
        QCOMPARE(verdictSentence(figures(1.63, 1.59, 1.66, Verdict::faster), words),
                 std::string("Bun serves 1.63 times as many requests as Node (97.5 % interval 1.59-1.66, 6 rounds)"));
        words.confidence = 1 - 0.05 / 3;
        QCOMPARE(verdictSentence(figures(0.97, 0.93, 1.02, Verdict::cannotTell), words),
                 std::string("no difference can be shown between Node and Bun: 0.97 (98.33 % interval 0.93-1.02)"));
        QCOMPARE(verdictSentence(figures(1, 0.99, 1.01, Verdict::equivalent), words),
                 std::string("Bun and Node serve the same number of requests within 2 %: 1.00 (98.33 % interval "
                             "0.99-1.01, 6 rounds)"));
    }

    void underSixRoundsItIsSaidWhatTheVerdictRestsOn()
    {
        QCOMPARE(
            verdictSentence(figures(1.38, 1.34, 1.42, Verdict::faster, 3), terms("Node", "Bun")),
            std::string("Bun serves 1.38 times as many requests as Node (95 % interval 1.34-1.42) (3 rounds; rests "
                        "on normal rounds, run 6 or more)"));
        SentenceTerms words = terms("Node", "Deno");
        words.noiseFloor = 0.021;
        QCOMPARE(
            verdictSentence(figures(0.97, 0.93, 1.02, Verdict::cannotTell, 5), words),
            std::string("no difference can be shown between Node and Deno: 0.97 (0.93-1.02); the noise floor is 2.1 "
                        "% (5 rounds; rests on normal rounds, run 6 or more)"));
        QVERIFY(verdictSentence(figures(1.63, 1.59, 1.66, Verdict::faster, 6), terms("Node", "Bun"))
                    .ends_with("6 rounds)"));
    }

    void oneRoundShowsNothing()
    {
        PairedRatio one;
        one.ratio = 1.5;
        one.rounds = 1;
        QCOMPARE(verdictSentence(one, terms("Node", "Bun")),
                 std::string("Bun served 1.50 times as many requests as Node in a single round, which shows nothing"));
        QCOMPARE(verdictSentence(one, terms("Node", "Bun", "p99")),
                 std::string("Bun's p99 was 1.50 times Node's in a single round, which shows nothing"));
    }

    void latencyIsSaidByItsPercentile()
    {
        QCOMPARE(verdictSentence(figures(0.61, 0.57, 0.66, Verdict::faster), terms("Node", "Bun", "p99")),
                 std::string("Bun's p99 is 0.61 times Node's (95 % interval 0.57-0.66, 6 rounds)"));
        QCOMPARE(verdictSentence(figures(0.97, 0.93, 1.02, Verdict::cannotTell), terms("Node", "Deno", "p50")),
                 std::string("no difference in p50 can be shown between Node and Deno: 0.97 (0.93-1.02)"));
        QCOMPARE(verdictSentence(figures(1, 0.99, 1.01, Verdict::equivalent), terms("Node", "Bun", "p50")),
                 std::string("Bun's and Node's p50 are the same within 2 %: 1.00 (0.99-1.01, 6 rounds)"));
    }

    void ratiosHaveTwoDecimalsOrThreeDigits_data()
    {
        QTest::addColumn<double>("ratio");
        QTest::addColumn<std::string>("text");
        QTest::newRow("in the middle") << 1.6345 << std::string("1.63");
        QTest::newRow("a tenth") << 0.1 << std::string("0.10");
        QTest::newRow("below a tenth") << 0.012345 << std::string("0.0123");
        QTest::newRow("just below ten") << 9.994 << std::string("9.99");
        QTest::newRow("ten") << 10.0 << std::string("10.0");
        QTest::newRow("a ten-thousandth") << 0.0001 << std::string("0.000100");
        QTest::newRow("less than that") << 5.8712e-56 << std::string("5.87e-56");
        QTest::newRow("hundreds of thousands") << 123456.0 << std::string("123000");
        QTest::newRow("millions") << 1.22e55 << std::string("1.22e+55");
        QTest::newRow("none") << 0.0 << std::string("0.00");
        QTest::newRow("hundreds") << 123.45 << std::string("123");
    }
    void ratiosHaveTwoDecimalsOrThreeDigits()
    {
        QFETCH(double, ratio);
        QFETCH(std::string, text);
        QCOMPARE(formatRatio(ratio), text);
    }
};

QTEST_APPLESS_MAIN(TestVerdictSentence)
#include "tst_verdict_sentence.moc"
