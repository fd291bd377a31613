#include "core/result/export/trials_csv.h"
#include "tests/support/csv_table.h"
#include "tests/support/made_trials.h"
#include "tests/support/other_locale.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

namespace {

SessionResult resultOf(std::vector<Trial> trials)
{
    SessionResult result;
    result.planJson = R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p",
        "targets": [{"name": "node", "label": "=Node, 22", "url": "http://127.0.0.1:1"}]})";
    result.trials = std::move(trials);
    return result;
}

} // namespace

class TestTrialsCsv : public QObject {
    Q_OBJECT

private slots:
    void everyFigureOfATrialIsInItsRow()
    {
        const CsvTable csv(trialsAsCsv(resultOf({madeOpenTrial("node", 2, 18123.25)})));
        QCOMPARE(csv.rows(), std::size_t(1));
        const std::vector<std::pair<std::string, std::string>> wanted = {{"target", "node"},
                                                                         {"label", "'=Node, 22"},
                                                                         {"workload", "user"},
                                                                         {"connections", "64"},
                                                                         {"rate", "5000"},
                                                                         {"round", "2"},
                                                                         {"attempt", "1"},
                                                                         {"superseded", "false"},
                                                                         {"outcome", "done"},
                                                                         {"transport", "keep-alive"},
                                                                         {"sent", "6"},
                                                                         {"completed", "5"},
                                                                         {"ok", "3"},
                                                                         {"failed", "2"},
                                                                         {"unfinished", "1"},
                                                                         {"duration_s", "2"},
                                                                         {"rps", "18123.25"},
                                                                         {"latency_mean_us", "2333.3"},
                                                                         {"latency_p50_us", "2000"},
                                                                         {"latency_p99_us", ">=2000000"},
                                                                         {"latency_p25_us", ""},
                                                                         {"service_p50_us", "1500"},
                                                                         {"schedule_lag_p99_us", "900"},
                                                                         {"own_lag_max_us", "60"},
                                                                         {"steady_after_s", "3.5"},
                                                                         {"server_rss_bytes_peak", "64000000"},
                                                                         {"server_startup_ms", "45.5"},
                                                                         {"bytes_received", "500"},
                                                                         {"host_steal", "0.01"},
                                                                         {"status", "200: 3; 500: 2"},
                                                                         {"errors", "unexpected_status (check): 2"},
                                                                         {"warnings", "example"},
                                                                         {"started_utc", "2023-11-14T22:13:20.123Z"}};
        for (const auto& [column, value] : wanted)
            QVERIFY2(csv.at(0, column) == value, (column + ": " + csv.at(0, column)).c_str());
        QVERIFY(!csv.has("semantics_correction"));
    }

    void whatIsNotKnownIsEmpty()
    {
        Trial failed;
        failed.target = "node";
        failed.outcome = Outcome::failed;
        failed.failure = TrialFailure{"start", "ended", {}};
        const CsvTable csv(trialsAsCsv(resultOf({failed})));
        QCOMPARE(csv.at(0, "failure_message"), std::string("ended"));
        for (const char* column : {"rps", "latency_p50_us", "server_cpu_cores_mean", "server_startup_ms", "rate"})
            QVERIFY2(csv.at(0, column).empty(), column);
    }

    void aSecondHasARow()
    {
        const CsvTable csv(secondsAsCsv(resultOf({madeTrial("node", 1, 10)})));
        QCOMPARE(csv.rows(), std::size_t(1));
        QCOMPARE(csv.at(0, "t"), std::string("0"));
        QCOMPARE(csv.at(0, "ok"), std::string("3"));
        QCOMPARE(csv.at(0, "failed"), std::string("2"));
        // 1, 2 and 4 ms with three significant digits: the bucket of 2,000,000 ns ends at 2,000,895.
        QCOMPARE(csv.at(0, "p50_us"), std::string("2000.895"));
        QCOMPARE(csv.at(0, "server_rss_bytes"), std::string("61000000"));
        QCOMPARE(csv.at(0, "noise"), std::string("0.12"));
        QCOMPARE(csv.at(0, "listen_overflows"), std::string("0"));
    }

    void linesEndAsTheStandardSays()
    {
        const std::string text = trialsAsCsv(resultOf({madeTrial("node", 1, 10), madeTrial("node", 2, 10)}));
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t(3));
        QCOMPARE(std::count(text.begin(), text.end(), '\r'), std::ptrdiff_t(3));
        QVERIFY(text.ends_with("\r\n"));
    }

    void numbersHaveAPointWhereTheUserWritesAComma()
    {
        const SessionResult result = resultOf({madeTrial("node", 1, 18123.25)});
        const std::string trials = trialsAsCsv(result), seconds = secondsAsCsv(result);
        const CommaLocale comma;
        QCOMPARE(trialsAsCsv(result), trials);
        QCOMPARE(secondsAsCsv(result), seconds);
        QVERIFY(trials.find(",18123.25,") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestTrialsCsv)
#include "tst_trials_csv.moc"
