#include "core/result/merge.h"
#include "core/result/result_json.h"
#include "tests/support/made_results.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace lapbench;

namespace {

/// What one generator, or all together, saw: its figures are made from the answers, as the engine makes them.
struct Answers {
    Histogram latency, censored;
    Moments moments;
    std::map<unsigned, Histogram> seconds;
    std::map<int, std::uint64_t> status;
    std::uint64_t failed = 0, bytes = 0;

    void answer(std::int64_t ns, unsigned second)
    {
        latency.record(ns);
        moments.record(ns);
        seconds[second].record(ns);
        ++status[200];
        bytes += 100 + static_cast<std::uint64_t>(ns % 7);
    }
    void error(std::int64_t ns)
    {
        censored.record(ns);
        ++failed;
        ++status[503];
    }

    Trial trial() const
    {
        Trial trial = test::madeTrial("node", 1, 1);
        trial.load.ok = latency.total();
        trial.load.failed = failed;
        trial.load.durationSeconds = 5;
        trial.load.rps = static_cast<double>(latency.total()) / 5;
        trial.load.histogram = latency;
        trial.load.censored = censored;
        trial.load.latency = summarizeLatency(latency, moments, censored);
        trial.load.status = status;
        trial.load.bytesReceived = bytes;
        trial.seconds.clear();
        for (const auto& [t, histogram] : seconds) {
            TrialSecond second;
            second.load.t = t;
            second.load.ok = histogram.total();
            second.load.latency = histogram.sparse();
            trial.seconds.push_back(second);
        }
        return trial;
    }
};

bool near(std::optional<double> a, std::optional<double> b)
{
    return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) <= 1e-9 * std::abs(*b));
}

NamedResult partOf(const std::string& name, double rps)
{
    NamedResult part = test::resultOf(name, {{"node", {rps, rps}}, {"bun", {2 * rps, 2 * rps}}});
    part.result.id = name;
    part.result.planSha256 = "abc";
    return part;
}

std::string refusal(const std::vector<NamedResult>& parts)
{
    const auto merged = mergeResults(parts);
    return merged.ok() ? std::string() : format(merged.problem());
}

} // namespace

class TestMerge : public QObject {
    Q_OBJECT

private slots:
    void mergedEqualsConcatenated_data()
    {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<std::size_t>("parts");
        for (unsigned seed = 1; seed <= 12; ++seed)
            QTest::addRow("seed %u", seed) << seed << std::size_t(2 + seed % 5);
    }
    void mergedEqualsConcatenated()
    {
        QFETCH(unsigned, seed);
        QFETCH(std::size_t, parts);
        std::mt19937_64 random(seed);
        Answers whole;
        std::vector<Answers> split(parts);
        const std::size_t count = random() % 20'000;
        for (std::size_t i = 0; i < count; ++i) {
            // A part may have few answers or none.
            Answers& part = split[std::min<std::size_t>(random() % parts, random() % parts)];
            const auto ns = static_cast<std::int64_t>(random() >> (random() % 30 + 24));
            if (random() % 50 == 0) {
                whole.error(ns);
                part.error(ns);
                continue;
            }
            const auto second = static_cast<unsigned>(random() % 5);
            whole.answer(ns, second);
            part.answer(ns, second);
        }
        const Trial should = whole.trial();
        std::vector<Trial> trials;
        for (const Answers& part : split)
            trials.push_back(part.trial());
        std::vector<const Trial*> pointers;
        for (const Trial& trial : trials)
            pointers.push_back(&trial);
        const Trial merged = mergeTrials(pointers);

        QVERIFY(merged.load.histogram == should.load.histogram);
        QVERIFY(merged.load.censored == should.load.censored);
        QCOMPARE(merged.load.ok, should.load.ok);
        QCOMPARE(merged.load.failed, should.load.failed);
        QCOMPARE(merged.load.status, should.load.status);
        QCOMPARE(merged.load.bytesReceived, should.load.bytesReceived);
        QCOMPARE(*merged.load.rps, *should.load.rps);
        const LatencySummary &one = merged.load.latency, &other = should.load.latency;
        QCOMPARE(one.count, other.count);
        QCOMPARE(one.censored, other.censored);
        QCOMPARE(one.minUs, other.minUs);
        QCOMPARE(one.maxUs, other.maxUs);
        QVERIFY(near(one.meanUs, other.meanUs));
        QVERIFY(near(one.stdevUs, other.stdevUs));
        QCOMPARE(one.percentiles, other.percentiles);
        QCOMPARE(merged.seconds.size(), should.seconds.size());
        for (std::size_t i = 0; i < should.seconds.size(); ++i) {
            QCOMPARE(merged.seconds[i].load.t, should.seconds[i].load.t);
            QCOMPARE(merged.seconds[i].load.ok, should.seconds[i].load.ok);
            QCOMPARE(merged.seconds[i].load.latency.counts, should.seconds[i].load.latency.counts);
        }
    }

    void momentsArePooledAsByHand()
    {
        // {1, 2, 3} and {10, 20}: mean 36 / 5 = 7.2; squares around it 38.44 + 27.04 + 17.64 + 7.84 + 163.84 = 254.8.
        Answers first, second;
        for (const int us : {1, 2, 3})
            first.answer(us * 1000, 0);
        for (const int us : {10, 20})
            second.answer(us * 1000, 1);
        const Trial a = first.trial(), b = second.trial();
        const LatencySummary merged = mergeTrials({&a, &b}).load.latency;
        QVERIFY(near(merged.meanUs, 7.2));
        QVERIFY(near(merged.stdevUs, std::sqrt(254.8 / 4)));
        QCOMPARE(*merged.minUs, 1.0);
        QCOMPARE(*merged.maxUs, 20.0);
    }

    void whatAddsUpAndWhatDoesNot()
    {
        Trial a = test::madeOpenTrial("node", 1, 1000), b = test::madeOpenTrial("node", 1, 1000);
        b.load.durationSeconds = 4;
        b.load.connectTime = {4, 70, 100, 900};
        b.load.errors.front().firstAtSeconds = 0.125;
        b.load.errors.push_back({ErrorKind::timeout, Phase::waitHead, 1, 1, "late", ""});
        b.server.cpuCoresMean = 5;
        b.seconds[0].serverCpuCores = 5;
        const Trial merged = mergeTrials({&a, &b});
        QCOMPARE(merged.load.unfinished, std::uint64_t(2));
        QCOMPARE(*merged.load.rps, 1.5); // six answers in the longer window of four seconds
        QCOMPARE(merged.load.connectionsAsked, 8u);
        QCOMPARE(merged.load.reconnects, std::uint64_t(2));
        QCOMPARE(merged.load.threads, 4u);
        QCOMPARE(*merged.load.generatorCpuCores, 0.82);
        QCOMPARE(*merged.load.generatorCpuUsPerRequest, 9.5);
        QCOMPARE(*merged.load.busiestWorkerCores, 0.25);
        QCOMPARE(*merged.server.cpuCoresMean, 0.97); // the first part's: it is the same server
        QCOMPARE(*merged.seconds[0].serverCpuCores, 0.98);
        QCOMPARE(*merged.seconds[0].load.generatorCpuCores, 0.8);
        QCOMPARE(merged.seconds[0].load.failed, std::uint64_t(4));
        QCOMPARE(merged.load.errors.size(), std::size_t(2));
        QCOMPARE(merged.load.errors[0].count, std::uint64_t(4));
        QCOMPARE(merged.load.errors[0].firstAtSeconds, 0.125);
        QCOMPARE(*merged.load.connectTime.maxUs, 900.0);
        QVERIFY(!merged.load.connectTime.p50Us && !merged.load.connectTime.p99Us);
        QCOMPARE(merged.load.service->count, std::uint64_t(6));
        QVERIFY(!merged.load.service->percentile("p50"));
        QVERIFY(merged.load.latency.percentile("p50"));
        QCOMPARE(merged.warnings.size(), std::size_t(1)); // the same twice
    }

    void withoutAWholeHistogramThereAreNoPercentiles()
    {
        Trial a = test::madeTrial("node", 1, 1000), b = test::madeTrial("node", 1, 1000);
        b.load.histogram = {};
        const Trial merged = mergeTrials({&a, &b});
        QVERIFY(!merged.load.latency.percentile("p50"));
        QVERIFY(near(merged.load.latency.meanUs, 2333.3));
    }

    void theWorstOutcomeCounts()
    {
        Trial a = test::madeTrial("node", 1, 1000), b = a, c = a;
        b.outcome = Outcome::interrupted;
        c.outcome = Outcome::failed;
        c.failure = TrialFailure{"start", "did not come up", {}};
        a.bottleneck = Bottleneck{Limit::server, "busy", true};
        b.bottleneck = Bottleneck{Limit::generator, "a worker was full", false};
        const Trial merged = mergeTrials({&a, &b, &c});
        QVERIFY(merged.outcome == Outcome::failed);
        QCOMPARE(merged.failure->message, std::string("did not come up"));
        QVERIFY(merged.bottleneck->limit == Limit::generator);
        QVERIFY(!merged.bottleneck->rankable);
    }

    void partsBecomeOneResult()
    {
        NamedResult a = partOf("a", 1000), b = partOf("b", 1000);
        a.result.tags = {"x"};
        b.result.tags = {"x", "y"};
        b.result.created -= std::chrono::seconds(5);
        const auto merged = mergeResults({a, b});
        QVERIFY2(merged.ok(), refusal({a, b}).c_str());
        const SessionResult& result = merged.value();
        QCOMPARE(result.trials.size(), std::size_t(4));
        QCOMPARE(result.tags, (std::vector<std::string>{"x", "y"}));
        QVERIFY(result.created == b.result.created);
        QVERIFY(result.id != "a" && result.id.size() == 32);
        QVERIFY(result.warnings.empty());
        // Three answers a part in two seconds.
        QCOMPARE(*result.cells[0].figures.at("rps").median, 3.0);
        QCOMPARE(result.cells[0].merged.total(), std::uint64_t(12));
        QVERIFY(!result.comparisons.empty());

        const auto read = parseResult(formatResult(result));
        QVERIFY2(read.ok(), read.ok() ? "" : format(read.problem()).c_str());
        QVERIFY(read.value().warnings.empty());
        QCOMPARE(*read.value().trials[0].load.connectTime.maxUs, 130.0);
        // Neither a part again nor the whole again.
        QCOMPARE(refusal({{"ab", read.value()}, b}), "b: holds the same part as ab; name each part once");
        QCOMPARE(mergeResults({{"ab", read.value()}, partOf("c", 1000)}).value().trials[0].load.ok, std::uint64_t(9));
    }

    void aTrialOfOnePartIsKeptAndWarnedOf()
    {
        NamedResult a = partOf("a", 1000), b = partOf("b", 1000);
        b.result.trials.erase(b.result.trials.begin());
        const SessionResult result = mergeResults({a, b}).value();
        QCOMPARE(result.trials.size(), std::size_t(4));
        QCOMPARE(result.trials[0].load.ok, std::uint64_t(3));
        QCOMPARE(result.trials[1].load.ok, std::uint64_t(6));
        QCOMPARE(result.warnings.size(), std::size_t(1));
        QCOMPARE(result.warnings[0].code, std::string("part_missing"));
        QCOMPARE(result.warnings[0].evidence, std::string("node, user, 64 connections, round 1: only in a"));
    }

    void partsThatDidNotRunTogetherAreWarnedOf()
    {
        NamedResult a = partOf("a", 1000), b = partOf("b", 1000);
        b.result.trials[0].started += std::chrono::seconds(3);
        const SessionResult result = mergeResults({a, b}).value();
        QCOMPARE(result.warnings.size(), std::size_t(1));
        QCOMPARE(result.warnings[0].code, std::string("not_together"));
    }

    void whatCannotBeMergedIsRefused()
    {
        const NamedResult a = partOf("a", 1000), b = partOf("b", 1000);
        QVERIFY(refusal({a}).starts_with("a: is all there is"));
        QCOMPARE(refusal({a, b, a}), "a: holds the same part as a; name each part once");
        NamedResult other = b;
        other.result.planSha256 = "def";
        QVERIFY(refusal({a, other}).starts_with("b: ran another plan than a"));
        other.result.planSha256.clear();
        QVERIFY(refusal({a, other}).starts_with("b: has no plan"));
        other = b;
        other.result.scale = 0.5;
        QVERIFY(refusal({a, other}).starts_with("b: ran at another scale"));
        other = b;
        other.result.schemaVersion = 2;
        QVERIFY(refusal({a, other}).starts_with("b: is of version 2 of the format, and a of version 1"));
        other = b;
        other.result.complete = false;
        QVERIFY(refusal({a, other}).starts_with("b: is of a session that did not end"));
        other = b;
        other.result.trials[0].imported.emplace();
        QVERIFY(refusal({a, other}).starts_with("b: has trials of another tool"));
        other = b;
        other.result.trials[0].search.emplace();
        QVERIFY(refusal({a, other}).starts_with("b: searched for a rate"));
    }
};

QTEST_APPLESS_MAIN(TestMerge)
#include "tst_merge.moc"
