#include "core/base/atomic_file.h"
#include "core/plan/plan_json.h"
#include "core/session/calibrate.h"
#include "core/session/session.h"
#include "tests/core/session/recorder.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>

using namespace lapbench;
namespace fs = std::filesystem;

namespace {

constexpr auto kKeepAlive = TransportKind::keepAlive;
constexpr auto kCurl = TransportKind::curl;

const MachineIdentity kHere{"A Processor", "Linux 6.1", "7.88.1", "0.1.0", 8};

CalibrationEntry entry(TransportKind transport, unsigned threads, unsigned connections, double rps)
{
    CalibrationEntry made;
    made.transport = transport;
    made.threads = threads;
    made.connections = connections;
    made.rps = rps;
    return made;
}

Calibration calibrationOf(std::vector<CalibrationEntry> entries)
{
    return {kHere, *parseUtc("2026-11-30T11:20:31.123Z"), std::move(entries)};
}

Trial trialOf(const char* transport, unsigned threads, unsigned connections, std::optional<double> rps)
{
    Trial trial;
    trial.transport = transport;
    trial.httpVersion = "1.1";
    trial.level.connections = connections;
    trial.load.threads = threads;
    trial.load.rps = rps;
    return trial;
}

/// Keeps what a session warns of.
class WarnedRecorder : public test::Recorder {
public:
    std::vector<Warning> warnings;
    void warning(const Warning& warning) override { warnings.push_back(warning); }
};

/// How many warnings are of this kind: what a session says of a busy machine is no matter of these tests.
std::size_t countOf(const std::string& code, const std::vector<Warning>& warnings)
{
    return std::size_t(
        std::count_if(warnings.begin(), warnings.end(), [&](const Warning& warning) { return warning.code == code; }));
}

} // namespace

class TestCalibration : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_number = 0;
    SessionPlaces m_places;

    void keep(const std::string& text) const
    {
        fs::create_directories(m_places.home);
        QVERIFY(writeFileAtomically(calibrationPlace(m_places.home), text).ok());
    }

    /// A short session on the built-in server.
    SessionResult runHello(WarnedRecorder& recorder,
                           const char* plan =
                               R"({"schema":"lapbench-plan","schema_version":1,"name":"t","targets":[{"name":"a",
                                   "builtin":true}],"load":{"connections":[4],"threads":1},
                                   "measure":{"duration":"200ms"},"rounds":1})") const
    {
        const PlanReading reading = parsePlan(plan, fs::current_path());
        SessionControl control;
        auto end = runSession(reading.plan, m_places, {m_places.home / "r.lapbench.json", false}, control, recorder);
        if (!end)
            qFatal("%s", format(end.problem()).c_str());
        return std::move(end).value().result;
    }

private slots:
    void init()
    {
        const fs::path home = fs::path(m_folder.path().toStdString()) / std::to_string(++m_number);
        m_places = {home, fs::path(LAPBENCH_SOURCE_DIR) / "resources", LAPBENCH_CLI};
    }

    void whatIsWrittenIsReadBack()
    {
        CalibrationEntry full = entry(kCurl, 2, 64, 61234.5);
        full.cpuUsPerRequest = 16.25;
        full.serverCpuCores = 1.875;
        full.serverThreads = 2;
        full.serverLimited = true;
        const Calibration written = calibrationOf({entry(kKeepAlive, 1, 16, 70000), full});
        const auto read = parseCalibration(formatCalibration(written));
        QVERIFY2(read.ok(), read.ok() ? "" : format(read.problem()).c_str());
        QVERIFY(read.value().machine == kHere);
        QVERIFY(read.value().created == written.created);
        QCOMPARE(read.value().entries.size(), std::size_t(2));
        const CalibrationEntry& plain = read.value().entries[0];
        QVERIFY(plain.transport == kKeepAlive && plain.threads == 1 && plain.connections == 16);
        QCOMPARE(plain.rps, 70000.0);
        QVERIFY(!plain.cpuUsPerRequest && !plain.serverCpuCores && !plain.serverLimited);
        const CalibrationEntry& back = read.value().entries[1];
        QVERIFY(back.transport == kCurl && back.threads == 2 && back.connections == 64 && back.serverThreads == 2);
        QCOMPARE(back.rps, 61234.5);
        QCOMPARE(*back.cpuUsPerRequest, 16.25);
        QCOMPARE(*back.serverCpuCores, 1.875);
        QVERIFY(back.serverLimited);
    }

    void aBrokenFileIsOneProblemWithItsName_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("says");
        QTest::newRow("cut off") << "\"entries\": ["
                                 << ""
                                 << "line";
        QTest::newRow("another schema") << "lapbench-calibration"
                                        << "lapbench-result"
                                        << "lapbench-calibration";
        QTest::newRow("a newer version") << "\"schema_version\": 1"
                                         << "\"schema_version\": 2"
                                         << "reads up to 1";
        QTest::newRow("an unknown transport") << "keep-alive"
                                              << "carrier"
                                              << "transport";
        QTest::newRow("no threads") << "\"threads\": 1"
                                    << "\"threads\": 0"
                                    << "threads";
        QTest::newRow("a ceiling of nothing") << "70000.0"
                                              << "0"
                                              << "rps";
        QTest::newRow("a ceiling in words") << "70000.0"
                                            << "\"many\""
                                            << "rps";
        QTest::newRow("entries that are none") << "\"entries\": ["
                                               << "\"entries\": 3, \"x\": ["
                                               << "entries";
        QTest::newRow("a time that is none") << "2026-11-30T"
                                             << "yesterday"
                                             << "created_utc";
    }
    void aBrokenFileIsOneProblemWithItsName()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, says);
        QString text = QString::fromStdString(formatCalibration(calibrationOf({entry(kKeepAlive, 1, 16, 70000)})));
        QVERIFY(text.contains(from));
        keep(text.replace(from, to).toStdString());
        const auto read = readCalibration(m_places.home);
        QVERIFY(!read.ok());
        const QString problem = QString::fromStdString(format(read.problem()));
        QVERIFY2(problem.startsWith(QString::fromStdString(calibrationPlace(m_places.home))), qPrintable(problem));
        QVERIFY2(problem.contains(says), qPrintable(problem));
        QVERIFY2(problem.contains("lapbench-cli calibrate"), qPrintable(problem));
    }

    void noFileIsNoCalibrationAndNoProblem()
    {
        const auto read = readCalibration(m_places.home);
        QVERIFY(read.ok() && !read.value());
    }

    void aMeasuredLevelIsItsOwnCeiling()
    {
        const Calibration made = calibrationOf({entry(kKeepAlive, 1, 16, 70000), entry(kKeepAlive, 1, 64, 80000),
                                                entry(kKeepAlive, 4, 64, 200000), entry(kCurl, 1, 64, 30000)});
        QCOMPARE(ceilingFor(made, kHere, kKeepAlive, 1, 64)->rps, 80000.0);
        QCOMPARE(ceilingFor(made, kHere, kKeepAlive, 4, 64)->rps, 200000.0);
        QCOMPARE(ceilingFor(made, kHere, kCurl, 1, 64)->rps, 30000.0);
        QVERIFY(!ceilingFor(calibrationOf({entry(kCurl, 1, 64, 30000)}), kHere, kKeepAlive, 1, 64));
    }

    void betweenLevelsTheCeilingFollowsTheLogarithmOfConnections()
    {
        // 1000 at 10, 3000 at 1000 connections: 100 lies in the middle of the logarithms, 32 at lg 3.2 = 0.50515 of
        // the first decade, so 1000 + 2000 x 0.50515 / 2 = 1505.15.
        const Calibration made = calibrationOf({entry(kKeepAlive, 1, 1000, 3000), entry(kKeepAlive, 1, 10, 1000)});
        QCOMPARE(ceilingFor(made, kHere, kKeepAlive, 1, 100)->rps, 2000.0);
        QVERIFY(std::abs(ceilingFor(made, kHere, kKeepAlive, 1, 32)->rps - 1505.15) < 0.01);
        QCOMPARE(ceilingFor(made, kHere, kKeepAlive, 1, 1)->rps, 1000.0);
        QCOMPARE(ceilingFor(made, kHere, kKeepAlive, 1, 9000)->rps, 3000.0);
    }

    void theNearestNumberOfThreadsCounts()
    {
        const Calibration made = calibrationOf({entry(kKeepAlive, 8, 64, 800), entry(kKeepAlive, 1, 64, 100),
                                                entry(kKeepAlive, 4, 64, 400), entry(kKeepAlive, 4, 16, 300)});
        QCOMPARE(ceilingFor(made, kHere, kKeepAlive, 2, 64)->rps, 100.0);
        QCOMPARE(ceilingFor(made, kHere, kKeepAlive, 3, 64)->rps, 400.0);
        QCOMPARE(ceilingFor(made, kHere, kKeepAlive, 6, 64)->rps, 400.0);
        QCOMPARE(ceilingFor(made, kHere, kKeepAlive, 64, 16)->rps, 800.0);
    }

    void aCeilingThatTheServerSetIsALowerBound()
    {
        CalibrationEntry served = entry(kKeepAlive, 1, 64, 3000);
        served.serverLimited = true;
        const Calibration made =
            calibrationOf({entry(kKeepAlive, 1, 16, 1000), served, entry(kKeepAlive, 1, 256, 3500)});
        QVERIFY(!ceilingFor(made, kHere, kKeepAlive, 1, 16)->atLeast);
        QVERIFY(ceilingFor(made, kHere, kKeepAlive, 1, 32)->atLeast);
        QVERIFY(ceilingFor(made, kHere, kKeepAlive, 1, 64)->atLeast);
        QVERIFY(!ceilingFor(made, kHere, kKeepAlive, 1, 1000)->atLeast);
    }

    void anotherMachinesCalibrationDoesNotCount_data()
    {
        QTest::addColumn<int>("changed");
        QTest::newRow("processor model") << 0;
        QTest::newRow("kernel") << 1;
        QTest::newRow("libcurl") << 2;
        QTest::newRow("version of Lapbench") << 3;
        QTest::newRow("number of processors") << 4;
    }
    void anotherMachinesCalibrationDoesNotCount()
    {
        QFETCH(int, changed);
        MachineIdentity other = kHere;
        const std::array<std::string*, 4> texts = {&other.cpuModel, &other.kernel, &other.libcurl, &other.tool};
        if (changed < 4)
            *texts.at(static_cast<std::size_t>(changed)) += "x";
        else
            other.processors = 2;
        const Calibration made = calibrationOf({entry(kKeepAlive, 1, 16, 1000)});
        QVERIFY(ceilingFor(made, kHere, kKeepAlive, 1, 16).has_value());
        QVERIFY(!ceilingFor(made, other, kKeepAlive, 1, 16).has_value());
        QVERIFY(!ceilingWarning(made, other, trialOf("keep-alive", 1, 16, 1000)).has_value());
        keep(formatCalibration(made));
        const DoctorFinding finding = examineCalibration(m_places.home, other);
        QCOMPARE(finding.severity, std::string("info"));
        QVERIFY2(finding.text.find(QTest::currentDataTag()) != std::string::npos, finding.text.c_str());
    }

    void nearMeansFifteenPercent()
    {
        QVERIFY(!nearCeiling(84'999, 100'000));
        QVERIFY(nearCeiling(85'000, 100'000));
        QVERIFY(nearCeiling(100'000, 100'000));
        QVERIFY(nearCeiling(130'000, 100'000));
    }

    void theServerWasTheLimitFromNinetyPercentAndWhereItWasTheBusier()
    {
        QVERIFY(!limitedByServer(0.899, 1, 0.5, 1));
        QVERIFY(limitedByServer(0.90, 1, 0.5, 1));
        QVERIFY(!limitedByServer(1.79, 2, 0.5, 1));
        QVERIFY(limitedByServer(1.81, 2, 0.5, 1));
        QVERIFY(!limitedByServer(0.95, 1, 0.96, 1));
        QVERIFY(limitedByServer(0.95, 1, 1.88, 2));
        QVERIFY(limitedByServer(0.95, 1, std::nullopt, 1));
        QVERIFY(!limitedByServer(std::nullopt, 1, 0.5, 1));
    }

    void aTrialNearItsCeilingIsWarnedOf()
    {
        const Calibration made = calibrationOf({entry(kKeepAlive, 1, 16, 80000)});
        const auto warning = ceilingWarning(made, kHere, trialOf("keep-alive", 1, 16, 76000));
        QVERIFY(warning.has_value());
        QCOMPARE(warning->code, std::string("near_generator_ceiling"));
        QCOMPARE(warning->severity, std::string("warning"));
        QCOMPARE(warning->evidence, std::string("rps 76000, ceiling 80000, share 0.950"));
        QVERIFY2(warning->text.find("95.0 %") != std::string::npos, warning->text.c_str());
        QVERIFY(!ceilingWarning(made, kHere, trialOf("keep-alive", 1, 16, 67'900)));
        QVERIFY(ceilingWarning(made, kHere, trialOf("keep-alive", 1, 16, 68'000)));
        QVERIFY(!ceilingWarning(made, kHere, trialOf("keep-alive", 1, 16, std::nullopt)));
        QVERIFY(!ceilingWarning(made, kHere, trialOf("curl", 1, 16, 76000)));
        QVERIFY(!ceilingWarning(made, kHere, trialOf("", 1, 16, 76000)));
        Trial multiplexed = trialOf("keep-alive", 1, 16, 76000);
        multiplexed.httpVersion = "2";
        QVERIFY(!ceilingWarning(made, kHere, multiplexed));
    }

    void nearALowerBoundIsOnlyAnInfoThatSaysAtLeast()
    {
        CalibrationEntry served = entry(kKeepAlive, 1, 16, 80000);
        served.serverLimited = true;
        const auto warning = ceilingWarning(calibrationOf({served}), kHere, trialOf("keep-alive", 1, 16, 76000));
        QVERIFY(warning.has_value());
        QCOMPARE(warning->severity, std::string("info"));
        QVERIFY2(warning->text.find("at least 80.0k") != std::string::npos, warning->text.c_str());
        QCOMPARE(warning->evidence, std::string("rps 76000, ceiling at least 80000, share at most 0.950"));
    }

    void aSessionMarksItsTrialsNearTheCeiling()
    {
        Calibration low{thisMachine(), std::chrono::system_clock::now(), {entry(kKeepAlive, 1, 4, 1)}};
        keep(formatCalibration(low));
        WarnedRecorder recorder;
        const SessionResult result = runHello(recorder);
        QCOMPARE(countOf("near_generator_ceiling", result.trials.at(0).warnings), std::size_t(1));
        QCOMPARE(countOf("near_generator_ceiling", recorder.warnings), std::size_t(1));
    }

    void aSessionWhoseTargetsMeetThereWarnsOfAPlateau()
    {
        const Calibration low{thisMachine(), std::chrono::system_clock::now(), {entry(kKeepAlive, 1, 4, 1)}};
        keep(formatCalibration(low));
        // An open loop brings them together; a machine that stands still for a moment may drive them apart again.
        std::size_t plateaus = 0;
        for (int attempt = 0; attempt < 5 && plateaus == 0; ++attempt) {
            WarnedRecorder recorder;
            const SessionResult result = runHello(recorder, R"({"schema":"lapbench-plan","schema_version":1,"name":"t",
                "targets":[{"name":"a","builtin":true},{"name":"b","builtin":true},{"name":"c","builtin":true}],
                "load":{"connections":[4],"threads":1,"rate":[1000]},"measure":{"duration":"400ms"},"rounds":1})");
            plateaus = countOf("plateau", result.warnings);
            QCOMPARE(countOf("plateau", recorder.warnings), plateaus);
        }
        QCOMPARE(plateaus, std::size_t(1));
    }

    void aSessionFarFromTheCeilingOrOnAnotherMachineIsNotMarked()
    {
        Calibration high{thisMachine(), std::chrono::system_clock::now(), {entry(kKeepAlive, 1, 4, 1e9)}};
        keep(formatCalibration(high));
        WarnedRecorder recorder;
        QCOMPARE(countOf("near_generator_ceiling", runHello(recorder).trials.at(0).warnings), std::size_t(0));
        high.entries[0].rps = 1;
        high.machine.cpuModel += " of somebody else";
        keep(formatCalibration(high));
        QCOMPARE(countOf("near_generator_ceiling", runHello(recorder).trials.at(0).warnings), std::size_t(0));
        QCOMPARE(countOf("near_generator_ceiling", recorder.warnings), std::size_t(0));
    }

    void aSessionRunsOnBesideABrokenCalibration()
    {
        keep("{\"schema\":");
        WarnedRecorder recorder;
        const SessionResult result = runHello(recorder);
        QVERIFY(result.trials.at(0).outcome == Outcome::done);
        QCOMPARE(countOf("calibration_unreadable", result.warnings), std::size_t(1));
        for (const Warning& warning : result.warnings)
            QVERIFY(warning.code != "calibration_unreadable" || warning.severity == "info");
        QCOMPARE(countOf("calibration_unreadable", recorder.warnings), std::size_t(1));
    }

    void doctorKnowsWhetherThereIsACalibration()
    {
        DoctorFinding finding = examineCalibration(m_places.home, kHere);
        QCOMPARE(finding.severity, std::string("info"));
        QVERIFY(finding.cure.find("lapbench-cli calibrate") != std::string::npos);
        keep("no JSON");
        finding = examineCalibration(m_places.home, kHere);
        QCOMPARE(finding.severity, std::string("warning"));
        keep(formatCalibration(calibrationOf({entry(kKeepAlive, 1, 16, 1000)})));
        finding = examineCalibration(m_places.home, kHere);
        QCOMPARE(finding.severity, std::string("ok"));
        QVERIFY(finding.cure.empty());
        QVERIFY2(finding.text.find("2026-11-30T11:20:31.123Z") != std::string::npos, finding.text.c_str());
    }
};

QTEST_APPLESS_MAIN(TestCalibration)
#include "tst_calibration.moc"
