#include "core/workload/request.h"
#include "tests/core/load/load_task.h"

using namespace lapbench;
using namespace lapbench::test;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(lapbench::test::Odd)
Q_DECLARE_METATYPE(lapbench::ErrorKind)
Q_DECLARE_METATYPE(lapbench::Phase)

namespace {

constexpr TransportKind kKinds[] = {TransportKind::keepAlive, TransportKind::curl};

const char* nameOf(TransportKind kind)
{
    return kind == TransportKind::curl ? "curl" : "keep-alive";
}

/// Elapsed seconds of one call.
template <typename Call>
double secondsOf(const Call& call)
{
    const std::int64_t before = steadyNs();
    call();
    return static_cast<double>(steadyNs() - before) / 1e9;
}

} // namespace

class TestOddAnswers : public QObject {
    Q_OBJECT

private slots:
    void lawfulOdditiesAreNoErrors_data()
    {
        QTest::addColumn<int>("transport");
        QTest::addColumn<Odd>("how");
        QTest::addColumn<int>("amount");
        QTest::addColumn<QString>("method");
        QTest::addColumn<bool>("keeps");
        const auto rows = [](const char* name, Odd how, int amount, const char* method, bool keeps) {
            for (const TransportKind kind : kKinds)
                QTest::addRow("%s, %s", name, nameOf(kind))
                    << static_cast<int>(kind) << how << amount << method << keeps;
        };
        rows("announced close", Odd::close, 0, "GET", false);
        rows("close without a word", Odd::quietClose, 0, "GET", false);
        rows("HTTP/1.0", Odd::http10, 0, "GET", false);
        rows("no length", Odd::noLength, 0, "GET", false);
        rows("three a connection", Odd::limit, 3, "GET", false);
        rows("204 with a length", Odd::noContent, 0, "GET", true);
        rows("304 with a length", Odd::notModified, 0, "GET", true);
        rows("HEAD", Odd::headOnly, 0, "HEAD", true);
        rows("a trailer", Odd::trailers, 0, "GET", true);
        rows("103 before the answer", Odd::early, 0, "GET", true);
        rows("a redirect", Odd::status, 302, "GET", true);
        rows("a header of 90 KB", Odd::bigHeader, 90, "GET", true);
    }
    void lawfulOdditiesAreNoErrors()
    {
        QFETCH(int, transport);
        QFETCH(Odd, how);
        QFETCH(int, amount);
        QFETCH(QString, method);
        QFETCH(bool, keeps);
        const OddServer server(how, amount);
        LoadTask task = countedTask(server.url(), 4, 120, static_cast<TransportKind>(transport));
        task.workload.method = method.toStdString();
        const LoadReport report = runOf(task);
        QCOMPARE(report.figures.ok, std::uint64_t(120));
        QCOMPARE(report.figures.failed, std::uint64_t(0));
        QVERIFY(report.figures.errors.empty());
        QCOMPARE(server.requests(), std::uint64_t(120));
        const bool probes = report.transport == TransportKind::curl;
        QCOMPARE(server.connections(), report.figures.connectionsOpened + report.figures.reconnects + (probes ? 1 : 0));
        if (keeps)
            QCOMPARE(report.figures.reconnects, std::uint64_t(0));
        else
            QVERIFY(report.figures.reconnects >= 120U / (how == Odd::limit ? 3 : 1) - 4);
        QVERIFY(*report.figures.latency.maxUs < 5e6);
    }

    void manyKeptConnectionsClosedInTurnAreNoErrors_data() { addTransports(); }
    void manyKeptConnectionsClosedInTurnAreNoErrors()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::onceEach);
        const LoadReport report = runOf(countedTask(server.url(), 16, 3000, static_cast<TransportKind>(transport)));
        QCOMPARE(report.figures.ok, std::uint64_t(3000));
        QVERIFY(report.figures.errors.empty());
        QVERIFY(server.requests() > 3000);
    }

    void brokenAnswersFailInTheirKindAndPhase_data()
    {
        QTest::addColumn<int>("transport");
        QTest::addColumn<Odd>("how");
        QTest::addColumn<int>("amount");
        QTest::addColumn<ErrorKind>("kind");
        QTest::addColumn<Phase>("phase");
        QTest::addColumn<int>("status");
        const auto rows = [](const char* name, Odd how, int amount, ErrorKind kind, Phase phase, int status) {
            for (const TransportKind each : kKinds)
                QTest::addRow("%s, %s", name, nameOf(each))
                    << static_cast<int>(each) << how << amount << kind << phase << status;
        };
        rows("no byte", Odd::empty, 0, ErrorKind::closedEarly, Phase::waitHead, 0);
        rows("no HTTP", Odd::garbage, 0, ErrorKind::malformed, Phase::waitHead, 0);
        rows("no last chunk", Odd::chunkCut, 0, ErrorKind::closedEarly, Phase::readBody, 0);
        rows("half a body", Odd::shortBody, 0, ErrorKind::closedEarly, Phase::readBody, 0);
        rows("reset in the body", Odd::resetBody, 0, ErrorKind::reset, Phase::readBody, 0);
        rows("a header of 350 KB", Odd::bigHeader, 350, ErrorKind::tooLarge, Phase::waitHead, 0);
        rows("headers of 400 KB", Odd::manyHeaders, 8000, ErrorKind::tooLarge, Phase::waitHead, 0);
        rows("status 500", Odd::status, 500, ErrorKind::unexpectedStatus, Phase::check, 500);
        rows("status 404", Odd::status, 404, ErrorKind::unexpectedStatus, Phase::check, 404);
        QTest::newRow("bytes after the answer, keep-alive") << static_cast<int>(TransportKind::keepAlive) << Odd::extra
                                                            << 0 << ErrorKind::malformed << Phase::readBody << 0;
    }
    void brokenAnswersFailInTheirKindAndPhase()
    {
        QFETCH(int, transport);
        QFETCH(Odd, how);
        QFETCH(int, amount);
        QFETCH(ErrorKind, kind);
        QFETCH(Phase, phase);
        QFETCH(int, status);
        const OddServer server(how, amount);
        LoadReport report;
        const double took = secondsOf(
            [&] { report = runOf(timedTask(server.url(), 4, 300ms, static_cast<TransportKind>(transport))); });
        QVERIFY2(took < 3, qPrintable(QString::number(took)));
        QCOMPARE(report.figures.ok, std::uint64_t(0));
        QVERIFY(report.figures.failed > 0);
        QCOMPARE(report.figures.errors.size(), std::size_t(1));
        const ErrorCount& error = report.figures.errors[0];
        QVERIFY2(error.kind == kind, std::string(errorKindName(error.kind)).c_str());
        QVERIFY2(error.phase == phase, std::string(phaseName(error.phase)).c_str());
        QCOMPARE(error.count, report.figures.failed);
        QVERIFY(!error.firstMessage.empty());
        QVERIFY(error.firstAtSeconds >= 0 && error.firstAtSeconds < 0.3);
        QVERIFY(error.firstResponseHead.size() <= 512);
        QCOMPARE(error.firstResponseHead.starts_with("HTTP/1.1 "), how != Odd::empty && how != Odd::garbage);
        if (status != 0)
            QCOMPARE(report.figures.status.at(status), report.figures.failed);
        QVERIFY(report.figures.histogram.empty() && !report.figures.latency.meanUs);
        QCOMPARE(report.figures.failedLatency.count, report.figures.failed);
        // Requests that reached the server are those that failed, and at the end those under way.
        QVERIFY(server.requests() >= report.figures.failed);
        QVERIFY(server.requests() <= report.figures.failed + 4);
    }

    void aBodyOfAnotherLengthFailsTheCheck_data() { addTransports(); }
    void aBodyOfAnotherLengthFailsTheCheck()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::ok);
        LoadTask task = countedTask(server.url(), 2, 50, static_cast<TransportKind>(transport));
        task.workload.expectBytes = 6;
        const LoadFigures figures = runOf(task).figures;
        QCOMPARE(figures.failed, std::uint64_t(50));
        QVERIFY(figures.errors.at(0).kind == ErrorKind::failedCheck && figures.errors[0].phase == Phase::check);
        QCOMPARE(figures.status.at(200), std::uint64_t(50));
        QCOMPARE(figures.connectionsOpened, 2U);
        QCOMPARE(figures.reconnects, std::uint64_t(0));
    }

    void aHangShowsWhole_data() { addTransports(); }
    void aHangShowsWhole()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::hang);
        LoadReport report;
        const double took = secondsOf(
            [&] { report = runOf(timedTask(server.url(), 12, 500ms, static_cast<TransportKind>(transport))); });
        QVERIFY2(took < 2.5, qPrintable(QString::number(took)));
        QCOMPARE(report.figures.unfinished, std::uint64_t(12));
        QCOMPARE(report.figures.sent(), std::uint64_t(12));
        QCOMPARE(report.figures.connectionsOpened, 12U);
        QCOMPARE(*report.figures.rps, 0.0);
        for (const auto& percentile : report.figures.latency.percentiles) {
            QVERIFY(percentile && percentile->atLeast);
            QVERIFY(percentile->us <= 500'000 && percentile->us > 250'000);
        }
        QVERIFY(!report.figures.latency.meanUs);
        QCOMPARE(report.figures.seconds.size(), std::size_t(1));
        QVERIFY2(*report.figures.generatorCpuCores < 0.3, "waiting must not cost a core");
    }

    void everySecondRequestUnansweredIsFoundAtTheEnd()
    {
        const OddServer server(Odd::half);
        const LoadReport report = runOf(timedTask(server.url(), 6, 400ms));
        QCOMPARE(report.figures.unfinished, server.requests() - report.figures.ok);
        QCOMPARE(report.figures.unfinished, std::uint64_t(6));
    }

    void timeoutsAreErrorsAndStandInTheTail_data() { addTransports(); }
    void timeoutsAreErrorsAndStandInTheTail()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::hang);
        LoadTask task = timedTask(server.url(), 8, 1s, static_cast<TransportKind>(transport));
        task.timeout = 200ms;
        const LoadFigures figures = runOf(task).figures;
        QVERIFY2(figures.failed >= 8 && figures.failed <= 40, qPrintable(QString::number(figures.failed)));
        QCOMPARE(figures.errors.size(), std::size_t(1));
        QVERIFY(figures.errors[0].kind == ErrorKind::timeout && figures.errors[0].phase == Phase::waitHead);
        QCOMPARE(figures.censored.total(), figures.failed + figures.unfinished);
        QCOMPARE(figures.failedLatency.count, std::uint64_t(0));
        const Quantile p50 = figures.latency.percentile("p50").value();
        QVERIFY(p50.atLeast && p50.us > 199'000 && p50.us <= 200'000);
        QTRY_COMPARE(server.requests(), figures.sent());
    }

    void aDrippingAnswerTimesOutAsAWhole_data() { addTransports(); }
    void aDrippingAnswerTimesOutAsAWhole()
    {
        QFETCH(int, transport);
        const OddServer server(Odd::drip, 50);
        LoadTask task = timedTask(server.url(), 3, 700ms, static_cast<TransportKind>(transport));
        task.timeout = 200ms;
        const LoadFigures figures = runOf(task).figures;
        QCOMPARE(figures.ok, std::uint64_t(0));
        QVERIFY(figures.failed >= 3);
        QVERIFY(figures.errors.at(0).kind == ErrorKind::timeout && figures.errors[0].phase == Phase::waitHead);
        // libcurl hands a head on line by line, and here no line is ever complete.
        if (static_cast<TransportKind>(transport) == TransportKind::keepAlive)
            QVERIFY(figures.errors[0].firstResponseHead.starts_with("HT"));
    }

    void aLargeBodyIsNotCopiedForEachConnection()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a sanitizer keeps memory of its own");
#endif
        const OddServer server(Odd::noRead);
        LoadTask task = timedTask(server.url(), 12, 300ms);
        task.workload.method = "POST";
        task.workload.body = std::string(40'000'000, 'b');
        const LoadReport report = runOf(task);
        // The body in the workload, its copy in the message and this program: twelve more would be 480 MB.
        QVERIFY(report.figures.generatorPeakRssBytes.has_value());
        QVERIFY2(*report.figures.generatorPeakRssBytes < 400'000'000,
                 std::to_string(*report.figures.generatorPeakRssBytes).c_str());
    }

    void aRequestThatIsNotReadTimesOutWhileSending()
    {
        const OddServer server(Odd::noRead);
        LoadTask task = timedTask(server.url(), 2, 700ms);
        task.timeout = 200ms;
        task.workload.method = "POST";
        task.workload.body = std::string(16'000'000, 'b');
        const LoadFigures figures = runOf(task).figures;
        QVERIFY(figures.failed >= 2);
        QVERIFY(figures.errors.at(0).kind == ErrorKind::timeout && figures.errors[0].phase == Phase::send);
    }
};

QTEST_APPLESS_MAIN(TestOddAnswers)
#include "tst_odd_answers.moc"
