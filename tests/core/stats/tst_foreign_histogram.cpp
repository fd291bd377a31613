#include "core/stats/foreign_histogram.h"
#include "core/stats/hdr_bytes.h"

#include <QTest>

using namespace lapbench;

namespace {

std::string deflatedAs(std::uint32_t cookie, const std::string& plain)
{
    std::string whole;
    hdr::putBig(whole, cookie, 4);
    const std::string packed = hdr::deflated(plain);
    hdr::putBig(whole, packed.size(), 4);
    return hdr::toBase64(whole + packed);
}

/// The header that V1 and V2 share.
std::string header(std::uint32_t cookie, std::uint64_t bytes, int digits, std::uint64_t lowest,
                   std::uint64_t offset = 0)
{
    std::string plain;
    hdr::putBig(plain, cookie, 4);
    hdr::putBig(plain, bytes, 4);
    hdr::putBig(plain, offset, 4);
    hdr::putBig(plain, static_cast<std::uint64_t>(digits), 4);
    hdr::putBig(plain, lowest, 8);
    hdr::putBig(plain, 60'000'000, 8);
    hdr::putBig(plain, 0x3ff0000000000000, 8);
    return plain;
}

/// Two digits need 256 counters of width one, then 128 for each further power of two: counter 384 holds 512 to 515.
std::string words(std::size_t counters, int size)
{
    std::string text;
    for (std::size_t index = 0; index < counters; ++index)
        hdr::putBig(text, index == 5 ? 3 : index == 384 ? 2 : 0, size);
    return text;
}

void holdsFiveAndFiveHundredTwelve(const Result<ForeignHistogram>& read)
{
    QVERIFY2(read.ok(), read.ok() ? "" : format(read.problem()).c_str());
    const auto& buckets = read.value().buckets;
    QCOMPARE(buckets.size(), std::size_t(2));
    QCOMPARE(buckets[0].lowest, std::uint64_t(5));
    QCOMPARE(buckets[0].highest, std::uint64_t(5));
    QCOMPARE(buckets[0].count, std::uint64_t(3));
    QCOMPARE(buckets[1].lowest, std::uint64_t(512));
    QCOMPARE(buckets[1].highest, std::uint64_t(515));
    QCOMPARE(buckets[1].count, std::uint64_t(2));
}

} // namespace

class TestForeignHistogram : public QObject {
    Q_OBJECT

private slots:
    void theOldestEncodingIsRead()
    {
        std::string plain;
        hdr::putBig(plain, hdr::kPlainV0 | 0x80, 4); // counters of 8 bytes
        hdr::putBig(plain, 2, 4);
        hdr::putBig(plain, 1, 8);
        hdr::putBig(plain, 60'000'000, 8);
        hdr::putBig(plain, 5, 8);
        holdsFiveAndFiveHundredTwelve(decodeForeign(deflatedAs(hdr::kDeflatedV0 | 0x80, plain + words(400, 8))));
    }

    void countersOfAnySizeAreRead_data()
    {
        QTest::addColumn<int>("size");
        QTest::newRow("two bytes") << 2;
        QTest::newRow("four bytes") << 4;
        QTest::newRow("eight bytes") << 8;
    }
    void countersOfAnySizeAreRead()
    {
        QFETCH(int, size);
        const auto word = static_cast<std::uint32_t>(size) << 4;
        const std::string counters = words(400, size);
        holdsFiveAndFiveHundredTwelve(decodeForeign(
            deflatedAs(hdr::kDeflatedV1 | word, header(hdr::kPlainV1 | word, counters.size(), 2, 1) + counters)));
    }

    void aCoarserUnitWidensTheBuckets()
    {
        // From 1000 on the smallest difference is 512, the power of two below; three digits need 2048 of them.
        std::string counters;
        hdr::putZigZag(counters, -3);
        hdr::putZigZag(counters, 7);
        const auto read = decodeForeign(
            deflatedAs(hdr::kDeflatedV2 | 0x10, header(hdr::kPlainV2 | 0x10, counters.size(), 3, 1000) + counters));
        QVERIFY(read.ok());
        QCOMPARE(read.value().buckets.size(), std::size_t(1));
        QCOMPARE(read.value().buckets[0].lowest, std::uint64_t(1536));
        QCOMPARE(read.value().buckets[0].highest, std::uint64_t(2047));
    }

    void anOwnHistogramIsReadUnchanged()
    {
        Histogram histogram;
        for (std::int64_t value = 1; value <= 3000; ++value)
            histogram.record(value * value * value);
        histogram.record(hdr::kHighestNs);
        std::uint64_t clamped = 0;
        const SparseHistogram read = decodeForeign(histogram.encodeV2()).value().inNanoseconds(1, clamped);
        QCOMPARE(read.counts, histogram.sparse().counts);
        QCOMPARE(clamped, std::uint64_t(0));
    }

    void anotherUnitAndWhatIsLongerThanAnHour()
    {
        ForeignHistogram foreign;
        foreign.buckets = {{812, 812, 4}, {3'600'001'000, 3'600'002'000, 1}};
        std::uint64_t clamped = 0;
        const SparseHistogram read = foreign.inNanoseconds(1000, clamped);
        QCOMPARE(read.total(), std::uint64_t(5));
        QCOMPARE(clamped, std::uint64_t(1));
        // 812,000 ns lie in a bucket 512 wide that begins at a multiple of it: 1585 * 512 + 511.
        QCOMPARE(*read.percentileNs(0.5), std::int64_t(812'031));
    }

    void whatMakesNoSenseIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char* name, const std::string& text, const char* why) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(why);
        };
        const std::uint32_t v2 = hdr::kDeflatedV2 | 0x10, plainV2 = hdr::kPlainV2 | 0x10;
        row("nothing", "", "not a deflated encoding");
        row("no base64", "HIST!", "not base64");
        row("a histogram of decimal numbers", "DHISTwAAAAMAAAAC", "not a deflated encoding");
        row("a short header", deflatedAs(v2, "abc"), "cut short");
        row("another encoding", deflatedAs(v2, std::string(48, '\x01')), "encoding is not known");
        row("nine digits", deflatedAs(v2, header(plainV2, 0, 9, 1)), "makes no sense");
        row("a unit of nothing", deflatedAs(v2, header(plainV2, 0, 3, 0)), "makes no sense");
        row("shifted counters", deflatedAs(v2, header(plainV2, 0, 3, 1, 9)), "shifted");
        row("fewer bytes than it says", deflatedAs(v2, header(plainV2, 9, 3, 1)), "cut short");
        row("half a counter", deflatedAs(v2, header(plainV2, 1, 3, 1) + '\xff'), "counter is cut short");
        std::string far;
        hdr::putZigZag(far, -70'000);
        hdr::putZigZag(far, 1);
        row("a value past all", deflatedAs(v2, header(plainV2, far.size(), 3, 1) + far), "too large");
        row("counters of no size",
            deflatedAs(hdr::kDeflatedV1 | 0x30, header(hdr::kPlainV1 | 0x30, 6, 2, 1) + "abcdef"), "no known size");
        row("a bomb", deflatedAs(v2, std::string(64 << 20, '\0')), "more counters");
    }
    void whatMakesNoSenseIsRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, why);
        const auto read = decodeForeign(text.toStdString());
        QVERIFY(!read.ok());
        QVERIFY2(read.problem().message.find(why.toStdString()) != std::string::npos, read.problem().message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestForeignHistogram)
#include "tst_foreign_histogram.moc"
