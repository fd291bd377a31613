#include "core/stats/stalls.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace lapbench;

namespace {

/// `count` answers spread evenly over the quantiles of a lognormal distribution.
void addLognormal(LoadFigures& load, unsigned count, double medianSeconds, double sigma)
{
    // Quantiles by Box-Muller's half: sqrt(-2 ln u) cos(2 pi v) over a grid of u and v is standard normal.
    const auto side = static_cast<unsigned>(std::sqrt(count));
    for (unsigned i = 0; i < side; ++i)
        for (unsigned j = 0; j < side; ++j) {
            const double u = (i + 0.5) / side, v = (j + 0.5) / side;
            const double z = std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
            load.histogram.record(std::llround(medianSeconds * std::exp(sigma * z) * 1e9));
        }
    load.ok = load.histogram.total();
}

void addCrowd(LoadFigures& load, unsigned count, double atSeconds)
{
    for (unsigned i = 0; i < count; ++i)
        load.histogram.record(std::llround(atSeconds * (1 + 0.05 * i / count) * 1e9));
    load.ok = load.histogram.total();
}

QStringList namesOf(const LoadFigures& load)
{
    QStringList names;
    for (const Stall& stall : findStalls(load))
        names += QString::fromStdString(stall.name);
    return names;
}

} // namespace

class TestStalls : public QObject {
    Q_OBJECT

private slots:
    void aCrowdIsNamed_data()
    {
        QTest::addColumn<double>("at");
        QTest::addColumn<QString>("name");
        QTest::newRow("delayed acknowledgement") << 0.040 << "40ms";
        QTest::newRow("sent again") << 0.201 << "200ms";
        QTest::newRow("a lost SYN") << 1.002 << "1s";
        QTest::newRow("two lost SYNs") << 3.01 << "3s";
    }
    void aCrowdIsNamed()
    {
        QFETCH(double, at);
        QFETCH(QString, name);
        LoadFigures load;
        addLognormal(load, 10'000, 0.001, 0.5);
        addCrowd(load, 50, at);
        QCOMPARE(namesOf(load), QStringList{name});
        const Stall stall = findStalls(load).front();
        QCOMPARE(stall.count, std::uint64_t(50));
        QVERIFY(std::abs(stall.share - 50.0 / 10'050) < 1e-6);
        QVERIFY(!stall.explanation.empty());
    }

    void aSmoothDistributionHasNone_data()
    {
        QTest::addColumn<double>("median");
        QTest::addColumn<double>("sigma");
        for (const double median : {0.0005, 0.005, 0.03, 0.04, 0.05, 0.2, 0.9, 1.0, 2.5, 3.0})
            for (const double sigma : {0.3, 0.5, 1.0, 2.0})
                QTest::addRow("median %g s, sigma %g", median, sigma) << median << sigma;
    }
    void aSmoothDistributionHasNone()
    {
        QFETCH(double, median);
        QFETCH(double, sigma);
        LoadFigures load;
        addLognormal(load, 40'000, median, sigma);
        QCOMPARE(namesOf(load), QStringList());
    }

    void aCrowdElsewhereIsNone()
    {
        LoadFigures load;
        addLognormal(load, 10'000, 0.001, 0.5);
        for (const double at : {0.02, 0.05, 0.1, 0.15, 0.3, 0.5, 0.8, 1.5, 2.0, 5.0})
            addCrowd(load, 50, at);
        QCOMPARE(namesOf(load), QStringList());
    }

    void aFewAreNone()
    {
        LoadFigures few;
        addLognormal(few, 1000, 0.001, 0.5);
        addCrowd(few, 19, 0.04);
        QCOMPARE(namesOf(few), QStringList());
        addCrowd(few, 1, 0.04);
        QCOMPARE(namesOf(few), QStringList{"40ms"});
        LoadFigures rare; // 90,000 answers: a thousandth is 90
        addLognormal(rare, 90'000, 0.001, 0.5);
        addCrowd(rare, 80, 0.04);
        QCOMPARE(namesOf(rare), QStringList());
        addCrowd(rare, 20, 0.04);
        QCOMPARE(namesOf(rare), QStringList{"40ms"});
    }

    void requestsThatTimeOutAreNamed()
    {
        LoadFigures load;
        addLognormal(load, 10'000, 0.001, 0.5);
        load.failed = 20;
        load.errors = {{ErrorKind::timeout, Phase::waitHead, 19, 0, {}, {}},
                       {ErrorKind::reset, Phase::send, 1, 0, {}, {}}};
        QCOMPARE(namesOf(load), QStringList());
        load.errors.front().count = 20;
        QCOMPARE(namesOf(load), QStringList{"timeout"});
        QCOMPARE(findStalls(load).front().count, std::uint64_t(20));
    }

    void nothingMeasuredHasNone() { QVERIFY(findStalls({}).empty()); }
};

QTEST_APPLESS_MAIN(TestStalls)
#include "tst_stalls.moc"
