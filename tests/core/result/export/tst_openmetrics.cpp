#include "core/result/export/openmetrics.h"
#include "tests/support/made_session.h"
#include "tests/support/other_locale.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

namespace {

/// What Prometheus' own parser reads; qFatal where it refuses the text.
QList<QJsonObject> parsed(const std::string& text)
{
    QProcess python;
    python.start(LAPBENCH_PYTHON, {LAPBENCH_SOURCE_DIR "/tests/core/result/export/read_openmetrics.py"});
    python.write(QByteArray::fromStdString(text));
    python.closeWriteChannel();
    if (!python.waitForFinished(30'000) || python.exitCode() != 0)
        qFatal("%s", python.readAllStandardError().constData());
    QList<QJsonObject> samples;
    for (const QByteArray& line : python.readAllStandardOutput().split('\n'))
        if (!line.isEmpty())
            samples.append(QJsonDocument::fromJson(line).object());
    return samples;
}

/// The sample of that name whose labels have all of these.
QJsonObject sampleOf(const QList<QJsonObject>& samples, const QString& name, const QVariantMap& labels)
{
    for (const QJsonObject& sample : samples) {
        const QVariantMap have = sample["labels"].toObject().toVariantMap();
        bool all = sample["name"] == name;
        for (auto label = labels.begin(); label != labels.end(); ++label)
            all = all && have.value(label.key()) == label.value();
        if (all)
            return sample;
    }
    return {};
}

SessionResult with(Trial trial)
{
    SessionResult result;
    result.trials = {std::move(trial)};
    return result;
}

} // namespace

class TestOpenMetrics : public QObject {
    Q_OBJECT

private slots:
    void prometheusReadsTheFigures()
    {
        const auto samples = parsed(formatOpenMetrics(with(madeOpenTrial("node", 2, 18123.25))));
        struct Row {
            const char* name;
            QVariantMap labels;
            double value;
        };
        const QList<Row> rows = {
            {"lapbench_requests_total", {{"outcome", "ok"}}, 3},
            {"lapbench_requests_total", {{"outcome", "unfinished"}}, 1},
            {"lapbench_requests_per_second", {}, 18123.25},
            {"lapbench_window_seconds", {}, 2},
            {"lapbench_latency_seconds", {{"quantile", "0.5"}}, 0.002},
            {"lapbench_latency_seconds_count", {}, 3},
            {"lapbench_latency_at_least_seconds", {{"quantile", "0.99"}}, 2},
            {"lapbench_latency_max_seconds", {}, 0.004},
            {"lapbench_service_time_seconds", {{"quantile", "0.5"}}, 0.0015},
            {"lapbench_answers_total", {{"code", "500"}}, 2},
            {"lapbench_errors_total", {{"kind", "unexpected_status"}, {"phase", "check"}}, 2},
            {"lapbench_received_bytes_total", {}, 500},
            {"lapbench_server_rss_peak_bytes", {}, 64'000'000},
            {"lapbench_server_startup_seconds", {}, 0.0455},
            {"lapbench_host_steal_ratio", {}, 0.01},
            {"lapbench_trial_info", {{"transport", "keep-alive"}, {"outcome", "done"}}, 1},
        };
        for (const Row& row : rows) {
            QVariantMap labels = row.labels;
            labels.insert(
                {{"target", "node"}, {"workload", "user"}, {"connections", "64"}, {"rate", "5000"}, {"round", "2"}});
            const QJsonObject sample = sampleOf(samples, row.name, labels);
            QVERIFY2(!sample.isEmpty(), row.name);
            QVERIFY2(qFuzzyCompare(sample["value"].toDouble(), row.value), row.name);
            // It began at 1700000000.123 and its window took 2 s.
            QCOMPARE(sample["time"].toDouble(), 1700000002.123);
        }
        QCOMPARE(sampleOf(samples, "lapbench_latency_seconds_sum", {})["value"].toDouble(), 3 * 0.0023333);
        QCOMPARE(sampleOf(samples, "lapbench_latency_seconds_count", {})["type"].toString(), QString("summary"));
        QCOMPARE(sampleOf(samples, "lapbench_window_seconds", {})["unit"].toString(), QString("seconds"));
        QVERIFY(sampleOf(samples, "lapbench_latency_seconds", {{"quantile", "0.99"}}).isEmpty());
    }

    void namesComeThroughWhateverIsInThem()
    {
        const QString name = "a \"quoted\" \\ {x=\"1\"} # EOF";
        Trial trial = madeTrial(name.toStdString() + "\n", 1, 10);
        const auto samples = parsed(formatOpenMetrics(with(trial)));
        QVERIFY(!sampleOf(samples, "lapbench_requests_total", {{"target", name + " "}}).isEmpty());
    }

    void whatIsNotKnownHasNoSample()
    {
        Trial trial;
        trial.target = "site";
        trial.level.connections = 0;
        trial.load.rps = 1234;
        trial.imported = ImportedTrial{};
        trial.imported->semantics.tool = "wrk";
        const auto samples = parsed(formatOpenMetrics(with(trial)));
        QCOMPARE(samples.size(), 2); // the rate, and the trial itself
        QVERIFY(!sampleOf(samples, "lapbench_requests_per_second", {{"target", "site"}})["labels"].toObject().contains(
            "connections"));
        QVERIFY(samples[0]["time"].isNull());
        QCOMPARE(sampleOf(samples, "lapbench_trial_info", {})["labels"].toObject()["tool"].toString(), QString("wrk"));
    }

    void noTwoSamplesHaveTheSameLabels()
    {
        SessionResult result = madeSession();
        result.trials.push_back(result.trials.front());
        result.trials.back().index = 6;
        Trial superseded = result.trials.front();
        superseded.superseded = true;
        superseded.load.rps = 7;
        result.trials.push_back(superseded);
        const auto samples = parsed(formatOpenMetrics(result));
        QVERIFY(!sampleOf(samples, "lapbench_requests_per_second", {{"trial", "7"}}).isEmpty());
        for (const QJsonObject& sample : samples)
            QVERIFY(sample["value"].toDouble() != 7);
    }

    void oneTrialWithoutATimeTakesItFromAll()
    {
        SessionResult result = madeSession();
        result.trials[1].started = UtcTime{};
        for (const QJsonObject& sample : parsed(formatOpenMetrics(result)))
            QVERIFY(sample["time"].isNull());
    }

    void aFileChangedByHandIsStillOpenMetrics()
    {
        Trial trial = madeTrial("node", 1, -5);
        trial.load.latency.percentiles[1] = Quantile{-1, false};
        trial.load.latency.meanUs = -3;
        const auto samples = parsed(formatOpenMetrics(with(trial)));
        QVERIFY(sampleOf(samples, "lapbench_latency_seconds", {{"quantile", "0.5"}}).isEmpty());
        QCOMPARE(sampleOf(samples, "lapbench_requests_per_second", {})["value"].toDouble(), -5.0);
    }

    void nothingIsAnEmptyExposition() { QCOMPARE(formatOpenMetrics({}), std::string("# EOF\n")); }

    void numbersHaveAPointWhereTheUserWritesAComma()
    {
        const SessionResult result = madeSession();
        const std::string text = formatOpenMetrics(result);
        const CommaLocale comma;
        QCOMPARE(formatOpenMetrics(result), text);
    }
};

QTEST_GUILESS_MAIN(TestOpenMetrics)
#include "tst_openmetrics.moc"
