#include "core/base/atomic_file.h"
#include "core/stats/histogram.h"
#include "core/stats/packed_histogram.h"

#include <QTest>

#include <limits>
#include <random>

using namespace lapbench;

namespace {

std::string saved(const char* name)
{
    std::string text = readFile(std::string(LAPBENCH_TEST_DATA "/hdr/") + name).value();
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

Histogram squares()
{
    Histogram histogram;
    for (std::int64_t i = 1; i <= 2000; ++i)
        histogram.record(i * i * 1000);
    return histogram;
}

} // namespace

class TestHistogram : public QObject {
    Q_OBJECT

private slots:
    void theSparseFormHasTheSamePercentiles()
    {
        Histogram histogram;
        for (std::int64_t value = 1; value <= 5000; ++value)
            histogram.record(value * value * 37);
        const SparseHistogram sparse = histogram.sparse();
        for (const double p : {0.0, 0.001, 0.25, 0.5, 0.75, 0.99, 0.999, 1.0})
            QCOMPARE(sparse.percentileNs(p), histogram.percentileNs(p));
        QCOMPARE(sparse.maxNs(), histogram.maxNs());
        QCOMPARE(SparseHistogram().percentileNs(0.5), std::optional<std::int64_t>());
        QCOMPARE(SparseHistogram().maxNs(), std::optional<std::int64_t>());
    }

    void theLayoutIsThatOfHdrHistogram_data()
    {
        // Reference: hdr-histogram-js 3.0.1, countsArrayIndex, lowestEquivalentValue and highestEquivalentValue.
        QTest::addColumn<qint64>("value");
        QTest::addColumn<quint64>("index");
        QTest::addColumn<qint64>("lowest");
        QTest::addColumn<qint64>("highest");
        QTest::newRow("zero") << qint64(0) << quint64(0) << qint64(0) << qint64(0);
        QTest::newRow("the last of width one") << qint64(2047) << quint64(2047) << qint64(2047) << qint64(2047);
        QTest::newRow("the first of width two") << qint64(2048) << quint64(2048) << qint64(2048) << qint64(2049);
        QTest::newRow("a hundred microseconds")
            << qint64(100'000) << quint64(7706) << qint64(99'968) << qint64(100'031);
        QTest::newRow("one hour") << qint64(3'600'000'000'000) << quint64(33420) << qint64(3'599'182'594'048)
                                  << qint64(3'601'330'077'695);
    }
    void theLayoutIsThatOfHdrHistogram()
    {
        QFETCH(qint64, value);
        QFETCH(quint64, index);
        QFETCH(qint64, lowest);
        QFETCH(qint64, highest);
        QCOMPARE(quint64(hdr::indexOf(value)), index);
        QCOMPARE(qint64(hdr::lowestAt(index)), lowest);
        QCOMPARE(qint64(hdr::highestAt(index)), highest);
    }

    void countersCoverEveryValueWithoutGapOrOverlap()
    {
        for (std::size_t index = 0; index + 1 < hdr::kCounters; ++index) {
            QCOMPARE(hdr::highestAt(index) + 1, hdr::lowestAt(index + 1));
            QVERIFY(hdr::highestAt(index) - hdr::lowestAt(index) <= hdr::lowestAt(index) / 1000);
        }
        QVERIFY(hdr::indexOf(hdr::kHighestNs) < hdr::kCounters);
    }

    void percentilesAreThoseOfTheReference()
    {
        // Reference: hdr-histogram-js 3.0.1, getValueAtPercentile of the same values.
        const Histogram histogram = squares();
        QCOMPARE(histogram.total(), std::uint64_t(2000));
        QCOMPARE(histogram.percentileNs(0.25).value(), std::int64_t(250'085'375));
        QCOMPARE(histogram.percentileNs(0.50).value(), std::int64_t(1'000'341'503));
        QCOMPARE(histogram.percentileNs(0.75).value(), std::int64_t(2'250'244'095));
        QCOMPARE(histogram.percentileNs(0.90).value(), std::int64_t(3'240'099'839));
        QCOMPARE(histogram.percentileNs(0.99).value(), std::int64_t(3'921'674'239));
        QCOMPARE(histogram.percentileNs(0.999).value(), std::int64_t(3'992'977'407));
        QCOMPARE(histogram.percentileNs(1).value(), std::int64_t(4'001'366'015));
        QCOMPARE(histogram.maxNs().value(), std::int64_t(4'001'366'015));
        QCOMPARE(histogram.minNs().value(), std::int64_t(1000));
    }

    void anEmptyOneHasNoFigures()
    {
        const Histogram histogram;
        QVERIFY(!histogram.percentileNs(0.5) && !histogram.maxNs() && !histogram.minNs());
        QVERIFY(Histogram::decodeV2(histogram.encodeV2()).value() == histogram);
    }

    void largerValuesClampAndAreCounted()
    {
        Histogram histogram;
        histogram.record(hdr::kHighestNs + 1, 2);
        histogram.record(-5);
        QCOMPARE(histogram.total(), std::uint64_t(3));
        QCOMPARE(histogram.clamped(), std::uint64_t(2));
        QCOMPARE(histogram.maxNs().value(), std::int64_t(3'601'330'077'695));
        QCOMPARE(histogram.minNs().value(), std::int64_t(0));
    }

    void whatAnotherImplementationWroteIsRead()
    {
        QVERIFY(Histogram::decodeV2(saved("squares.txt")).value() == squares());
        Histogram dense;
        for (std::int64_t value = 0; value < 2048; ++value)
            if (value % 7 != 0)
                dense.record(value, static_cast<std::uint64_t>(value % 7));
        QVERIFY(Histogram::decodeV2(saved("dense.txt")).value() == dense);
        Histogram edges;
        edges.record(1000, 5);
        edges.record(2047);
        edges.record(2048, 7'000'000'000);
        edges.record(hdr::kHighestNs, 3);
        QVERIFY(Histogram::decodeV2(saved("edges.txt")).value() == edges);
    }

    void whatIsWrittenReadsBack()
    {
        for (const char* name : {"squares.txt", "dense.txt", "edges.txt"}) {
            const Histogram histogram = Histogram::decodeV2(saved(name)).value();
            QVERIFY(Histogram::decodeV2(histogram.encodeV2()).value() == histogram);
            QCOMPARE(encodeV2(histogram.sparse()), histogram.encodeV2());
            QVERIFY(histogram.encodeV2().starts_with("HISTFAAAA"));
        }
    }

    void damagedTextIsRefusedWithoutHarm()
    {
        const std::string good = squares().encodeV2();
        QVERIFY(!Histogram::decodeV2("").ok());
        QVERIFY(!Histogram::decodeV2("not a histogram!").ok());
        for (std::size_t length = 0; length + 4 < good.size(); length += 7)
            QVERIFY(!Histogram::decodeV2(std::string_view(good).substr(0, length)).ok());
        std::mt19937 random(7);
        for (int i = 0; i < 2000; ++i) {
            std::string bad = good;
            bad[random() % bad.size()] = static_cast<char>('A' + random() % 26);
            const auto read = Histogram::decodeV2(bad);
            QVERIFY(read.ok() || !read.problem().cure.empty());
        }
    }

    void mergingEqualsConcatenating()
    {
        std::mt19937_64 random(42);
        Histogram whole, first, second;
        for (int i = 0; i < 20'000; ++i) {
            const auto value = static_cast<std::int64_t>(random() >> (random() % 44 + 20));
            whole.record(value);
            (i % 3 == 0 ? first : second).record(value);
        }
        Histogram merged = first;
        merged.add(second);
        QVERIFY(merged == whole);
        Histogram fromSparse = first;
        fromSparse.add(second.sparse());
        QVERIFY(fromSparse.sparse().counts == whole.sparse().counts);
        QCOMPARE(second.sparse().total(), second.total());
    }

    void packingLosesNothingAndIsSmall()
    {
        std::mt19937_64 random(11);
        Histogram histogram;
        for (int i = 0; i < 3000; ++i)
            histogram.record(50'000 + static_cast<std::int64_t>(random() % 100'000));
        histogram.addAt(hdr::kCounters - 1, std::numeric_limits<std::uint64_t>::max() / 2);
        histogram.addAt(0, 1);
        const SparseHistogram sparse = histogram.sparse();
        const PackedHistogram packed(sparse);
        QVERIFY(packed.unpacked().counts == sparse.counts);
        QCOMPARE(packed.total(), sparse.total());
        QVERIFY2(packed.bytes() < 3 * sparse.counts.size(), QByteArray::number(int(packed.bytes())));
        QVERIFY(PackedHistogram().unpacked().counts.empty());
    }
};

QTEST_APPLESS_MAIN(TestHistogram)
#include "tst_histogram.moc"
