#include "core/stats/bottleneck.h"

#include <QTest>

using namespace lapbench;

namespace {

/// A trial about which everything is known and in which nothing but waiting was the limit.
BottleneckEvidence calm()
{
    BottleneckEvidence evidence;
    evidence.completed = 10'000;
    evidence.failed = 100;
    evidence.connectionsAsked = 64;
    evidence.peakOpen = 64;
    evidence.busiestWorkerCores = 0.90;
    evidence.rps = 8499;
    evidence.ceilingRps = 10'000;
    evidence.lagP99Us = 100;
    evidence.latencyP50Us = 1000;
    evidence.noisySeconds = 0.20;
    evidence.stoodStillShare = 0.01;
    evidence.rateAsked = 9000;
    evidence.rateMade = 8599;
    evidence.busiestProcessCores = 0.899;
    evidence.serverCores = 1.799;
    evidence.serverAllowedCores = 2;
    return evidence;
}

using Change = void (*)(BottleneckEvidence&);

} // namespace

Q_DECLARE_METATYPE(Change)

class TestBottleneck : public QObject {
    Q_OBJECT

private slots:
    void onTheCalmSideOfEveryBoundTheServerWaits()
    {
        const Bottleneck found = findBottleneck(calm());
        QCOMPARE(limitName(found.limit), limitName(Limit::server));
        QVERIFY(found.rankable);
        QVERIFY2(found.reason.starts_with("waiting, not CPU"), found.reason.c_str());
    }

    void justBeyondABoundItsRuleHolds_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("limit");
        QTest::addColumn<bool>("rankable");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, Change change, const char* limit, bool rankable, const char* reason) {
            QTest::newRow(name) << change << QString(limit) << rankable << QString(reason);
        };
        row(
            "failures", [](BottleneckEvidence& e) { e.failed = 101; }, "errors", false,
            "1.01 % of the requests failed");
        row(
            "a count given up", [](BottleneckEvidence& e) { e.gaveUp = true; }, "errors", false,
            "not all requests were made");
        row(
            "connections", [](BottleneckEvidence& e) { e.peakOpen = 63; }, "client_limit", false,
            "63 of 64 connections");
        row(
            "a worker", [](BottleneckEvidence& e) { e.busiestWorkerCores = 0.901; }, "generator", false,
            "0.901 of a core");
        row(
            "a stop", [](BottleneckEvidence& e) { e.stoodStillShare = 0.011; }, "generator", false,
            "stood still for 1.10 % of the window");
        row(
            "the ceiling", [](BottleneckEvidence& e) { e.rps = 8500; }, "generator", false, "85.0 % of the most");
        row(
            "the lag", [](BottleneckEvidence& e) { e.lagP99Us = 100.1; }, "generator", false, "after it was due");
        row(
            "noise", [](BottleneckEvidence& e) { e.noisySeconds = 0.21; }, "noise", true, "21.0 % of the seconds");
        row(
            "the rate, from below", [](BottleneckEvidence& e) { e.rateAsked = 8599 / 0.9951; }, "rate", true, "8.60k");
        row(
            "the rate, from above", [](BottleneckEvidence& e) { e.rateAsked = 8599 / 1.0049; }, "rate", true, "8.60k");
        row(
            "a process", [](BottleneckEvidence& e) { e.busiestProcessCores = 0.90; }, "server", true,
            "busiest process");
        row(
            "the tree", [](BottleneckEvidence& e) { e.serverCores = 1.80; }, "server", true, "1.80 of the 2.00 cores");
    }
    void justBeyondABoundItsRuleHolds()
    {
        QFETCH(Change, change);
        QFETCH(QString, limit);
        QFETCH(bool, rankable);
        QFETCH(QString, reason);
        BottleneckEvidence evidence = calm();
        change(evidence);
        const Bottleneck found = findBottleneck(evidence);
        QCOMPARE(QString::fromUtf8(limitName(found.limit).data()), limit);
        QCOMPARE(found.rankable, rankable);
        QVERIFY2(QString::fromStdString(found.reason).contains(reason), found.reason.c_str());
    }

    void theFirstRuleInOrderHolds()
    {
        BottleneckEvidence evidence = calm();
        evidence.busiestProcessCores = 1;
        evidence.rateAsked = evidence.rateMade;
        QVERIFY(findBottleneck(evidence).limit == Limit::rate);
        evidence.noisySeconds = 1;
        QVERIFY(findBottleneck(evidence).limit == Limit::noise);
        evidence.busiestWorkerCores = 1;
        QVERIFY(findBottleneck(evidence).limit == Limit::generator);
        evidence.peakOpen = 1;
        QVERIFY(findBottleneck(evidence).limit == Limit::clientLimit);
        evidence.failed = evidence.completed;
        QVERIFY(findBottleneck(evidence).limit == Limit::errors);
    }

    void withoutEvidenceRulesArePassedOver()
    {
        const Bottleneck found = findBottleneck({});
        QVERIFY(found.limit == Limit::unknown);
        QVERIFY(found.rankable);
        BottleneckEvidence url; // a server that is only a URL, under a rate that it cannot reach
        url.completed = 10;
        url.rateMade = 50;
        url.rateAsked = 100;
        QVERIFY(findBottleneck(url).limit == Limit::unknown);
        url.rateMade = 100;
        QVERIFY(findBottleneck(url).limit == Limit::rate);
    }

    void limitsHaveTheirNames()
    {
        for (const char* name : {"errors", "client_limit", "generator", "noise", "rate", "server", "unknown"})
            QCOMPARE(limitName(parseLimit(name).value()), std::string_view(name));
        QVERIFY(!parseLimit("network"));
        QCOMPARE(limitInWords(Limit::clientLimit), std::string_view("what this machine may open"));
        QCOMPARE(limitInWords(Limit::generator), std::string_view("the generator"));
        QCOMPARE(limitInWords(Limit::errors), std::string_view("errors"));
    }
};

QTEST_APPLESS_MAIN(TestBottleneck)
#include "tst_bottleneck.moc"
