#include "app/cli/field_args.h"

#include <QTest>

using namespace lapbench;

namespace {

struct Parsed {
    Plan plan;
    Result<void> applied;
};

Parsed parse(std::vector<std::string> words)
{
    CLI::App app;
    const FieldArgs args(app);
    std::reverse(words.begin(), words.end());
    app.parse(words);
    Plan plan;
    auto applied = args.apply(plan);
    return {std::move(plan), std::move(applied)};
}

} // namespace

class TestFieldArgs : public QObject {
    Q_OBJECT

private slots:
    void everyFlagOfTheTableIsTaken()
    {
        const auto [plan, applied] = parse({"-c",
                                            "256",
                                            "-t",
                                            "2",
                                            "-n",
                                            "100k",
                                            "-w",
                                            "1k",
                                            "-X",
                                            "POST",
                                            "-H",
                                            "A: b",
                                            "--header",
                                            "C:d",
                                            "-b",
                                            "{}",
                                            "--timeout",
                                            "2s",
                                            "--connect-timeout",
                                            "1s",
                                            "--transport",
                                            "curl",
                                            "--new-connections",
                                            "--expect-status",
                                            "200,404",
                                            "--expect-bytes",
                                            "12"});
        QVERIFY2(applied.ok(), applied.ok() ? "" : format(applied.problem()).c_str());
        QVERIFY(plan.load.connections == std::vector<unsigned>{256} && plan.load.threads == 2u);
        QVERIFY(plan.measure == (Extent{std::nullopt, 100'000}) && plan.warmup == (Extent{std::nullopt, 1000}));
        const Workload& workload = plan.workloads.front();
        QVERIFY(workload.method == "POST" && workload.body == "{}" && workload.expectBytes == 12u);
        QVERIFY((workload.headers == TextMap{{"A", "b"}, {"C", "d"}}));
        QVERIFY((workload.expectStatus == StatusRanges{{200, 200}, {404, 404}}));
        QVERIFY(plan.load.transport == TransportKind::curl && plan.load.newConnections);
        QVERIFY(plan.load.timeout == std::chrono::seconds(2) && plan.load.connectTimeout == std::chrono::seconds(1));
    }

    void nothingGivenLeavesTheDefaults()
    {
        const auto [plan, applied] = parse({});
        QVERIFY(applied.ok());
        QVERIFY(plan.load.connections == std::vector<unsigned>{64});
        QVERIFY(plan.measure == (Extent{std::chrono::seconds(10), std::nullopt}));
    }

    void aWarmupIsATimeOrANumber()
    {
        QVERIFY(parse({"-w", "2s"}).plan.warmup == (Extent{std::chrono::seconds(2), std::nullopt}));
        QVERIFY(parse({"-w", "50"}).plan.warmup == (Extent{std::nullopt, 50}));
        const auto wrong = parse({"-w", "soon"}).applied;
        QVERIFY(!wrong.ok() && wrong.problem().path == "--warmup");
    }

    void aDurationAndACountExcludeEachOther()
    {
        const auto wrong = parse({"-d", "2s", "-n", "5"}).applied;
        QVERIFY(!wrong.ok() && wrong.problem().path == "--requests");
    }

    void wrongValuesNameTheirFlag()
    {
        const auto wrong = parse({"-d", "-2s"}).applied;
        QVERIFY(!wrong.ok());
        QCOMPARE(wrong.problem().path, std::string("--duration"));
        QCOMPARE(wrong.problem().message, std::string("\"-2s\" is negative"));
    }
};

QTEST_APPLESS_MAIN(TestFieldArgs)
#include "tst_field_args.moc"
