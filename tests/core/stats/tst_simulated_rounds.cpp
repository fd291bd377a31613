#include "core/stats/compare.h"

#include <QTest>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

using namespace lapbench;

namespace {

constexpr int kSessions = 2000;
constexpr int kRounds = 6;

/// Normal values that are the same with every standard library, whose own distributions are not.
class Normal {
public:
    explicit Normal(std::uint64_t seed) : m_random(seed) {}

    /// Box & Muller, Ann. Math. Stat. 29 (1958) 610.
    double operator()()
    {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

private:
    double uniform() { return (static_cast<double>(m_random() >> 11) + 0.5) * 0x1p-53; }
    std::mt19937_64 m_random;
};

/// Rounds of a first target and of others whose true ratio to it is `ratio`: what the machine does in a round moves
/// all of them alike by `noise` (standard deviation of the logarithm), and each by as much of its own.
struct Session {
    std::vector<double> first;
    std::vector<std::vector<double>> others;
};

Session simulate(Normal& normal, double noise, double ratio, std::size_t others)
{
    Session session;
    session.others.resize(others);
    for (int round = 0; round < kRounds; ++round) {
        const double shared = noise * normal();
        session.first.push_back(std::exp(shared + noise * normal()));
        for (auto& other : session.others)
            other.push_back(ratio * std::exp(shared + noise * normal()));
    }
    return session;
}

struct Tally {
    int faster = 0, slower = 0, equivalent = 0, covered = 0;

    double share(int count) const { return static_cast<double>(count) / kSessions; }
};

Tally runSessions(double noise, double ratio)
{
    Normal normal(20'260'000 + static_cast<std::uint64_t>(noise * 1000 + ratio * 100'000));
    Tally tally;
    for (int i = 0; i < kSessions; ++i) {
        const Session session = simulate(normal, noise, ratio, 1);
        const auto found = compareRounds(session.first, session.others[0]);
        tally.faster += found->verdict == Verdict::faster ? 1 : 0;
        tally.slower += found->verdict == Verdict::slower ? 1 : 0;
        tally.equivalent += found->verdict == Verdict::equivalent ? 1 : 0;
        tally.covered += *found->low <= ratio && ratio <= *found->high ? 1 : 0;
    }
    return tally;
}

/// Four standard errors of a share that is found in kSessions sessions.
double within(double share)
{
    return 4 * std::sqrt(share * (1 - share) / kSessions) + 1.0 / kSessions;
}

} // namespace

class TestSimulatedRounds : public QObject {
    Q_OBJECT

private slots:
    void verdictsComeAsOftenAsTheTheorySays_data()
    {
        QTest::addColumn<double>("noise");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<double>("slower");
        QTest::addColumn<double>("faster");
        // From R 4.2.2: t <- qt(0.975, 5), se <- sqrt(2) * noise / sqrt(6),
        //   slower <- pt(-t, 5, (log(ratio) - log(0.98)) / se)
        //   faster <- pt(t, 5, (log(ratio) - log(1.02)) / se, lower.tail = FALSE)
        const auto row = [](double noise, double ratio, double slower, double faster) {
            QTest::addRow("noise %g %%, true ratio %g", noise * 100, ratio) << noise << ratio << slower << faster;
        };
        row(0.02, 1.00, 0.0003, 0.0003);
        row(0.02, 0.95, 0.5820, 0.0000);
        row(0.02, 0.90, 0.9999, 0.0000);
        row(0.04, 1.00, 0.0035, 0.0037);
        row(0.04, 0.95, 0.1952, 0.0000);
        row(0.04, 0.90, 0.8350, 0.0000);
        row(0.07, 1.00, 0.0087, 0.0089);
        row(0.07, 0.95, 0.0924, 0.0003);
        row(0.07, 0.90, 0.4004, 0.0000);
    }
    void verdictsComeAsOftenAsTheTheorySays()
    {
        QFETCH(double, noise);
        QFETCH(double, ratio);
        QFETCH(double, slower);
        QFETCH(double, faster);
        const Tally tally = runSessions(noise, ratio);
        qInfo("noise %g %%, true ratio %g: slower %.2f %%, faster %.2f %%, equivalent %.1f %%, interval holds the true "
              "ratio %.1f %%",
              noise * 100, ratio, 100 * tally.share(tally.slower), 100 * tally.share(tally.faster),
              100 * tally.share(tally.equivalent), 100 * tally.share(tally.covered));
        QVERIFY(std::abs(tally.share(tally.slower) - slower) <= within(slower));
        QVERIFY(std::abs(tally.share(tally.faster) - faster) <= within(faster));
        QVERIFY(std::abs(tally.share(tally.covered) - 0.95) <= within(0.95));
        if (ratio == 1)
            QVERIFY(tally.share(tally.slower + tally.faster) <= 0.05);
    }

    void ofSeveralTargetsHardlyASessionHasAFalseVerdict_data()
    {
        QTest::addColumn<double>("noise");
        for (const double noise : {0.02, 0.04, 0.07})
            QTest::addRow("noise %g %%", noise * 100) << noise;
    }
    void ofSeveralTargetsHardlyASessionHasAFalseVerdict()
    {
        QFETCH(double, noise);
        constexpr std::size_t kOthers = 3;
        CompareRules shared;
        shared.comparisons = kOthers;
        CompareRules withoutZone = shared;
        withoutZone.zone = 0;
        Normal normal(7);
        int wrong = 0, missed = 0, apart = 0;
        for (int i = 0; i < kSessions; ++i) {
            const Session session = simulate(normal, noise, 1, kOthers);
            bool judged = false, outside = false, differs = false;
            for (const auto& other : session.others) {
                const auto found = compareRounds(session.first, other, shared);
                judged = judged || found->verdict == Verdict::faster || found->verdict == Verdict::slower;
                outside = outside || *found->low > 1 || *found->high < 1;
                const Verdict strict = compareRounds(session.first, other, withoutZone)->verdict;
                differs = differs || strict == Verdict::faster || strict == Verdict::slower;
            }
            wrong += judged ? 1 : 0;
            missed += outside ? 1 : 0;
            apart += differs ? 1 : 0;
        }
        qInfo("noise %g %%, three targets like the first: a false faster or slower in %.2f %% of the sessions, an "
              "interval without the true ratio in %.1f %%",
              noise * 100, 100.0 * wrong / kSessions, 100.0 * missed / kSessions);
        QVERIFY(wrong <= 0.05 * kSessions);
        // Bonferroni: at most 5 % in theory, also without the zone that makes false verdicts rarer still.
        QVERIFY(missed <= (0.05 + within(0.05)) * kSessions);
        QCOMPARE(apart, missed);
    }
};

QTEST_APPLESS_MAIN(TestSimulatedRounds)
#include "tst_simulated_rounds.moc"
