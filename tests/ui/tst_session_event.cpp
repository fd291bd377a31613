#include "ui/bridge/line_buffer.h"
#include "ui/bridge/session_event.h"

#include <QTest>

using namespace lapbench;

namespace {

/// The event of a line that must be read as a T.
template <typename T>
std::optional<T> read(const char* line)
{
    const auto event = parseSessionEvent(line);
    if (!event)
        return std::nullopt;
    const T* value = std::get_if<T>(&event.value());
    return value ? std::optional(*value) : std::nullopt;
}

} // namespace

class TestSessionEvent : public QObject {
    Q_OBJECT

private slots:
    void aSessionStarts()
    {
        const auto event = read<SessionStarted>(R"({"event":"session_started","trials":24,"estimate_s":190.5})");
        QVERIFY(event);
        QCOMPARE(event->trials, std::size_t(24));
        QCOMPARE(*event->estimateSeconds, 190.5);
        const auto unknown = read<SessionStarted>(R"({"event":"session_started","trials":1})");
        QVERIFY(unknown && !unknown->estimateSeconds);
    }

    void aTrialStarts()
    {
        const auto event = read<TrialStarted>(
            R"({"event":"trial_started","index":6,"target":"bun","workload":"user","level":{"connections":256},"round":2})");
        QVERIFY(event);
        QCOMPARE(event->index, std::size_t(6));
        QCOMPARE(event->target, QStringLiteral("bun"));
        QCOMPARE(event->workload, QStringLiteral("user"));
        QCOMPARE(event->level.connections, 256U);
        QCOMPARE(event->round, 2U);
        QCOMPARE(event->attempt, 1U);
        QCOMPARE(
            read<TrialStarted>(
                R"({"event":"trial_started","index":6,"target":"bun","level":{"connections":1},"round":2,"attempt":3})")
                ->attempt,
            3U);
    }

    void aRoundEndsWithWhatCanBeSaid()
    {
        const auto event = read<RoundFinished>(
            R"({"event":"round_finished","round":6,"comparisons":[{"workload":"user","level":{"connections":64},)"
            R"("metric":"rps","a":"node","b":"bun","ratio":1.34,"low":1.31,"high":1.37,"level_of_confidence":0.975,)"
            R"("rounds":6,"ratios":[1.33,null,1.35],"verdict":"faster","thin":false,"sign_flip_p":0.03125,)"
            R"("control":false,"rankable":true,"noise_floor":0.021,"sentence":"Bun serves more"}]})");
        QVERIFY(event);
        QCOMPARE(event->comparisons.size(), std::size_t(1));
        const Comparison& comparison = event->comparisons.front();
        QCOMPARE(comparison.b, std::string("bun"));
        QCOMPARE(comparison.level.connections, 64U);
        QCOMPARE(comparison.figures.ratio, 1.34);
        QCOMPARE(*comparison.figures.high, 1.37);
        QVERIFY(comparison.figures.verdict == Verdict::faster);
        QCOMPARE(comparison.confidence, 0.975);
        QCOMPARE(comparison.ratios.size(), std::size_t(3));
        QVERIFY(!comparison.ratios[1]);
        QCOMPARE(*comparison.noiseFloor, 0.021);
        QCOMPARE(comparison.sentence, std::string("Bun serves more"));
        QCOMPARE(read<RoundFinished>(R"({"event":"round_finished","round":1})")->comparisons.size(), std::size_t(0));
    }

    void aPhaseIsNamed()
    {
        const auto event = read<PhaseChanged>(R"({"event":"phase","name":"measure"})");
        QVERIFY(event);
        QCOMPARE(event->name, QStringLiteral("measure"));
    }

    void anIntervalKeepsWhatIsKnown()
    {
        const auto event = read<LiveInterval>(
            R"({"event":"interval","t":3.25,"ok":4530,"failed":2,"errors":2,"rps":18120,"p25_us":2900,"p50_us":3180,)"
            R"("p75_us":3600,"p99_us":13200,"max_us":20000,"server_cpu_cores":0.98,"server_rss_bytes":61400000,"noise":0.125})");
        QVERIFY(event);
        QCOMPARE(*event->noise, 0.125);
        QCOMPARE(event->t, 3.25);
        QCOMPARE(event->ok, std::uint64_t(4530));
        QCOMPARE(event->failed, std::uint64_t(2));
        QCOMPARE(*event->p99Us, 13200.0);
        QCOMPARE(*event->serverRssBytes, 61.4e6);
        QVERIFY(!event->generatorCpuCores);
    }

    void anIntervalOfNothingHasNoFigures()
    {
        const auto event = read<LiveInterval>(R"({"event":"interval","t":-1.5,"ok":0,"failed":0,"p50_us":null})");
        QVERIFY(event);
        QCOMPARE(event->t, -1.5);
        QVERIFY(!event->rps && !event->p50Us && !event->serverCpuCores);
    }

    void aTrialEndsWithItsFigures()
    {
        const auto event = read<TrialFinished>(
            R"({"event":"trial_finished","index":3,"trial":{"target":"deno","workload":"user",)"
            R"("level":{"connections":64},"round":1,"order":2,"transport":"keep-alive","outcome":"done",)"
            R"("requests":{"sent":100,"completed":99,"ok":98,"failed":1,"unfinished":1},"duration_s":2,"rps":49}})");
        QVERIFY(event);
        QCOMPARE(event->index, std::size_t(3));
        QCOMPARE(event->trial.index, std::size_t(3));
        QCOMPARE(event->trial.target, std::string("deno"));
        QCOMPARE(event->trial.level.connections, 64U);
        QCOMPARE(event->trial.load.ok, std::uint64_t(98));
        QCOMPARE(*event->trial.load.rps, 49.0);
    }

    void theOtherEventsAreRead()
    {
        QCOMPARE(read<RoundFinished>(R"({"event":"round_finished","round":2,"comparisons":[]})")->round, 2U);
        const auto warning = read<WarningRaised>(
            R"({"event":"warning","code":"generator_busy","severity":"warning","text":"The generator is busy","evidence":"0.95"})");
        QVERIFY(warning);
        QCOMPARE(warning->warning.code, std::string("generator_busy"));
        const auto log = read<LogLine>(R"({"event":"log","source":"bun","line":"listening on 127.0.0.1:4000"})");
        QVERIFY(log);
        QCOMPARE(log->source, QStringLiteral("bun"));
        QCOMPARE(read<SessionFinished>(R"({"event":"session_finished","result":"/r/a.lapbench.json"})")->result,
                 QStringLiteral("/r/a.lapbench.json"));
        QCOMPARE(read<SessionFailed>(R"({"event":"session_failed","message":"no server"})")->message,
                 QStringLiteral("no server"));
    }

    void anEventOfALaterVersionIsPassedOver()
    {
        const auto event = read<UnknownEvent>(R"({"event":"moon_phase","phase":"full"})");
        QVERIFY(event);
        QCOMPARE(event->name, QStringLiteral("moon_phase"));
    }

    void malformedLinesAreRefusedWithASentence_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("no JSON") << QByteArray("Segmentation fault");
        QTest::newRow("torn in the middle") << QByteArray(R"({"event":"interval","t":3.2)");
        QTest::newRow("an array") << QByteArray("[1,2,3]");
        QTest::newRow("no event name") << QByteArray(R"({"t":1})");
        QTest::newRow("an event name that is a number") << QByteArray(R"({"event":7})");
        QTest::newRow("trials missing") << QByteArray(R"({"event":"session_started"})");
        QTest::newRow("trials negative") << QByteArray(R"({"event":"session_started","trials":-1})");
        QTest::newRow("a trial without a level") << QByteArray(R"({"event":"trial_started","index":0,"target":"a"})");
        QTest::newRow("a time that is a text") << QByteArray(R"({"event":"interval","t":"now"})");
        QTest::newRow("a time beyond all numbers") << QByteArray(R"({"event":"interval","t":1e999})");
        QTest::newRow("a trial that is none") << QByteArray(R"({"event":"trial_finished","index":0,"trial":"done"})");
        QTest::newRow("a trial with a wrong count")
            << QByteArray(R"({"event":"trial_finished","index":0,"trial":{"target":3}})");
        QTest::newRow("a verdict that is none")
            << QByteArray(R"({"event":"round_finished","round":1,"comparisons":[{"verdict":"best"}]})");
        QTest::newRow("a comparison that is none")
            << QByteArray(R"({"event":"round_finished","round":1,"comparisons":[7]})");
        QTest::newRow("not UTF-8") << QByteArray("{\"event\":\"log\",\"line\":\"\xff\xfe\"}");
        QTest::newRow("a zero byte") << QByteArray("\0", 1);
        QTest::newRow("deeply nested") << QByteArray(5000, '[');
    }
    void malformedLinesAreRefusedWithASentence()
    {
        QFETCH(QByteArray, line);
        const auto event = parseSessionEvent(line);
        QVERIFY(!event.ok());
        QVERIFY(!event.problem().message.empty());
        QVERIFY(!event.problem().cure.empty());
    }

    void linesArePutTogetherAgain_data()
    {
        QTest::addColumn<int>("step");
        for (const int step : {1, 2, 3, 7, 1000})
            QTest::addRow("%d bytes at a time", step) << step;
    }
    void linesArePutTogetherAgain()
    {
        QFETCH(int, step);
        const QByteArray stream = "first\nsecond line\r\n\n\nthird\ntorn";
        LineBuffer buffer;
        QByteArrayList lines;
        for (qsizetype at = 0; at < stream.size(); at += step)
            lines += buffer.take(stream.mid(at, step));
        QCOMPARE(lines, QByteArrayList({"first", "second line", "third"}));
        QCOMPARE(buffer.rest(), QByteArray("torn"));
        QVERIFY(buffer.rest().isEmpty());
    }

    void anOverlongLineIsDroppedAndTheNextOneRead()
    {
        LineBuffer buffer(10);
        QCOMPARE(buffer.take("0123456789\n"), QByteArrayList({"0123456789"}));
        QCOMPARE(buffer.take("0123456"), QByteArrayList());
        QCOMPARE(buffer.take("789abc"), QByteArrayList());
        QCOMPARE(buffer.take("def\nnext\n"), QByteArrayList({"next"}));
        QCOMPARE(buffer.dropped(), 1);
    }
};

QTEST_GUILESS_MAIN(TestSessionEvent)
#include "tst_session_event.moc"
