#include "core/base/atomic_file.h"
#include "core/result/hlog.h"
#include "tests/support/made_trials.h"

#include <QTest>

#include <algorithm>

using namespace lapbench;

namespace {

std::string fromJs()
{
    return readFile(LAPBENCH_TEST_DATA "/hlog/js-2-digits.hlog").value();
}

/// A base64 histogram of one value.
std::string oneValue(std::int64_t value)
{
    Histogram histogram;
    histogram.record(value);
    return histogram.encodeV2();
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

Histogram added(const std::vector<HlogInterval>& intervals, const std::string& tag)
{
    Histogram histogram;
    for (const HlogInterval& interval : intervals)
        if (interval.tag == tag)
            histogram.add(interval.latency);
    return histogram;
}

/// What is refused, as one sentence; empty where nothing is.
std::string refusal(const std::string& text)
{
    const auto read = parseHlog(text);
    return read.ok() ? std::string() : format(read.problem());
}

} // namespace

class TestHlog : public QObject {
    Q_OBJECT

private slots:
    void anotherImplementationsLogIsRead_data()
    {
        // hdr-histogram-js 3.0.1: getValueAtPercentile in microseconds, see tests/data/hlog/README.md.
        QTest::addColumn<QString>("tag");
        QTest::addColumn<QList<int>>("percentilesUs");
        QTest::newRow("a tag") << "read" << QList<int>{891, 2047, 3183, 3695, 3999, 4047, 4047};
        QTest::newRow("another") << "write" << QList<int>{24063, 48895, 70655, 83455, 89599, 90111, 90111};
        QTest::newRow("none") << "" << QList<int>{935, 1911, 3151, 3679, 4015, 4063, 4063};
    }
    void anotherImplementationsLogIsRead()
    {
        QFETCH(QString, tag);
        QFETCH(QList<int>, percentilesUs);
        const auto read = parseHlog(fromJs());
        QVERIFY2(read.ok(), refusal(fromJs()).c_str());
        QCOMPARE(read.value().size(), std::size_t(9));
        const Histogram histogram = added(read.value(), tag.toStdString());
        QCOMPARE(histogram.total(), std::uint64_t(600));
        const QList<double> places = {0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1};
        for (qsizetype i = 0; i < places.size(); ++i) {
            const std::int64_t shouldNs = std::int64_t(percentilesUs[i]) * 1000;
            // The same counter: the resolution of 3 digits is finer than that of the log.
            QCOMPARE(hdr::indexOf(*histogram.percentileNs(places[i])), hdr::indexOf(shouldNs));
        }
    }

    void timesAreThoseOfTheLog()
    {
        const auto read = parseHlog(fromJs()).value();
        QCOMPARE(read[0].startSeconds, 1'700'000'000.0); // written relative to the start
        QCOMPARE(read[8].startSeconds, 1'700'000'002.0);
        QCOMPARE(read[8].lengthSeconds, 1.0);
        QCOMPARE(read[8].printedMax, 4.048);
        QCOMPARE(read[8].unitNs, 1000.0);
        QCOMPARE(read[8].line, std::size_t(14));

        const std::string line = "5.5,1,1," + oneValue(1'000'000) + "\n";
        QCOMPARE(parseHlog(line).value()[0].startSeconds, 5.5); // nothing says from when it counts
        QCOMPARE(parseHlog("#[BaseTime: 1600000000.5 (seconds since epoch)]\n" + line).value()[0].startSeconds,
                 1'600'000'006.0);
        QCOMPARE(parseHlog("#[StartTime: 1700000000 (seconds since epoch)]\n1700000003,1,1," + oneValue(1'000'000))
                     .value()[0]
                     .startSeconds,
                 1'700'000'003.0); // absolute already
    }

    void theUnitIsToldByTheMaximum_data()
    {
        QTest::addColumn<double>("printedMax");
        QTest::addColumn<double>("unitNs");
        QTest::newRow("nanoseconds, milliseconds printed") << 2.047 << 1.0;
        QTest::newRow("microseconds, milliseconds printed") << 2047.0 << 1000.0;
        QTest::newRow("milliseconds, printed as they are") << 2'047'000.0 << 1e6;
        QTest::newRow("nanoseconds, seconds printed") << 0.002 << 1.0;
        QTest::newRow("nothing printed") << 0.0 << 1.0;
    }
    void theUnitIsToldByTheMaximum()
    {
        QFETCH(double, printedMax);
        QFETCH(double, unitNs);
        const std::string line = "0,1," + std::to_string(printedMax) + "," + oneValue(2'047'000) + "\n";
        const auto read = parseHlog("0,1,0.000," + Histogram().encodeV2() + "\n" + line).value();
        QCOMPARE(read[1].unitNs, unitNs);
        QCOMPARE(read[0].unitNs, unitNs);
        // 2,047,000 lies in a bucket 1024 wide, which ends at 2000 * 1024 - 1.
        QCOMPARE(*read[1].latency.maxNs(), hdr::highestAt(hdr::indexOf(std::int64_t(2'047'999 * unitNs))));
    }

    void otherShapesOfTheSameAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, const std::string& text) {
            QTest::newRow(name) << QByteArray::fromStdString(text);
        };
        row("as it is", fromJs());
        row("line ends of Windows", replaced(fromJs(), "\n", "\r\n"));
        row("a byte order mark", "\xEF\xBB\xBF" + fromJs());
        row("no last line end", fromJs().substr(0, fromJs().size() - 1));
        row("blanks at the ends", replaced(fromJs(), "\n", "  \n"));
        row("comments and empty lines between", replaced(fromJs(), "\n", "\n\n# note, with a comma\n"));
        row("a shell around it", "$ cat x.hlog\n" + fromJs() + "$ exit\n\n");
        row("no head", fromJs().substr(fromJs().find("Tag=")));
    }
    void otherShapesOfTheSameAreRead()
    {
        QFETCH(QByteArray, text);
        const auto read = parseHlog(text.toStdString());
        QVERIFY2(read.ok(), refusal(text.toStdString()).c_str());
        QCOMPARE(read.value().size(), std::size_t(9));
        QCOMPARE(added(read.value(), "write").total(), std::uint64_t(600));
        QVERIFY(looksLikeHlog(text.toStdString()));
    }

    void whatCannotBeReadIsNamed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("sentence");
        const auto row = [](const char* name, const std::string& text, const char* sentence) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(sentence);
        };
        const std::string good = "0,1,1," + oneValue(1'000'000) + "\n";
        row("nothing", "", "there is no interval");
        row("only a head", fromJs().substr(0, fromJs().find("Tag=")), "there is no interval");
        row("another file", "Running 10s test @ http://127.0.0.1\n  2 threads\n", "there is no interval");
        row("a line cut short", good + "1,1,1\n", "line 2: is cut short");
        row("a histogram cut short", good + good.substr(0, good.size() - 9), "line 2: histogram cannot be read");
        row("no histogram", good + "1,1,1,hello\n", "line 2: histogram cannot be read");
        row("no number", good + "1,one,1,HIST\n", "line 2: has no start, length and maximum");
        row("a length below nothing", good + "1,-1,1,HIST\n", "line 2: has no start, length and maximum");
        row("a tag and nothing", good + "Tag=a\n", "line 2: is cut short");
        row("a stray line among them", good + "what is this\n" + good, "line 2: is no interval");
    }
    void whatCannotBeReadIsNamed()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, sentence);
        const std::string problem = refusal(text.toStdString());
        QVERIFY2(problem.starts_with(sentence.toStdString()), problem.c_str());
    }

    void whatIsNoLogDoesNotLookLikeOne()
    {
        QVERIFY(!looksLikeHlog(""));
        QVERIFY(!looksLikeHlog("0.1,0.2,0.3,200\n"));
        QVERIFY(!looksLikeHlog("#[Histogram log format version 1.3]\n"));
    }

    void aTrialIsWrittenSecondBySecond()
    {
        Trial trial = test::madeTrial("node", 2, 1000);
        trial.load.durationSeconds = 1.5;
        TrialSecond last;
        last.load.t = 1;
        trial.seconds.push_back(last);
        const std::string log = formatHlog(trial);
        QVERIFY2(
            log.find("#[Histogram log format version 1.3]\n"
                     "#[StartTime: 1700000000.123 (seconds since epoch), 2023-11-14T22:13:20.123Z]\n"
                     "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n") !=
                std::string::npos,
            log.c_str());
        // 4 ms lie in a bucket that ends at 4,001,791 ns.
        QVERIFY2(log.find("\nTag=node/user/64/2,1700000000.123,1.000,4.002,HISTFAAAA") != std::string::npos,
                 log.c_str());
        QVERIFY2(log.find("\nTag=node/user/64/2,1700000001.123,0.500,0.000,HISTFAAAA") != std::string::npos,
                 log.c_str());
        QVERIFY2(log.find("#node/user/64/2: 1 requests that timed out") != std::string::npos, log.c_str());

        const auto read = parseHlog(log).value();
        QCOMPARE(read.size(), std::size_t(2));
        QCOMPARE(read[0].latency.counts, trial.load.histogram.sparse().counts);
        QCOMPARE(read[0].unitNs, 1.0);
        QVERIFY(read[1].latency.counts.empty());
        QCOMPARE(read[1].lengthSeconds, 0.5);
    }

    void withoutWholeSecondsOneLineHoldsAll()
    {
        Trial trial = test::madeTrial("node", 1, 1000);
        trial.seconds[0].load.latency.counts.pop_back();
        for (const bool any : {true, false}) {
            if (!any)
                trial.seconds.clear();
            const auto read = parseHlog(formatHlog(trial)).value();
            QCOMPARE(read.size(), std::size_t(1));
            QCOMPARE(read[0].lengthSeconds, 2.0);
            QCOMPARE(read[0].latency.counts, trial.load.histogram.sparse().counts);
        }
    }

    void trialsOfASessionCanBeToldApart()
    {
        SessionResult result;
        result.trials = {test::madeTrial("node, old", 1, 1000), test::madeOpenTrial("bun", 1, 1000),
                         test::madeTrial("bun", 2, 1000), test::madeTrial("bun", 2, 1000)};
        result.trials[2].superseded = true;
        result.trials[3].attempt = 2;
        result.trials[0].started += std::chrono::seconds(10);
        result.trials.push_back({}); // one that failed has no answers
        const std::string log = formatHlog(result);
        const auto read = parseHlog(log).value();
        QCOMPARE(read.size(), std::size_t(3));
        QCOMPARE(read[0].tag, std::string("node__old/user/64/1"));
        QCOMPARE(read[1].tag, std::string("bun/user/64@5000/1"));
        QCOMPARE(read[2].tag, std::string("bun/user/64/2"));
        QVERIFY2(log.find("#[StartTime: 1700000000.123 ") != std::string::npos, log.c_str());
    }
};

QTEST_APPLESS_MAIN(TestHlog)
#include "tst_hlog.moc"
