#include "core/plan/fields.h"

#include <QTest>

#include <set>

using namespace lapbench;

namespace {

const Field& field(FieldScope scope, const char* key)
{
    const Field* found = findField(scope, key);
    if (!found)
        qFatal("no field %s", key);
    return *found;
}

} // namespace

class TestFields : public QObject {
    Q_OBJECT

private slots:
    void everyOptionIsComplete()
    {
        std::set<std::pair<FieldScope, std::string_view>> keys;
        for (const Field& option : allFields()) {
            QVERIFY(keys.insert({option.scope, option.key}).second);
            QVERIFY(option.assign && option.value);
            QVERIFY2(option.help.ends_with('.'), std::string(option.key).c_str());
            QCOMPARE(option.words.empty(), option.type != FieldType::word);
            QVERIFY(option.max == 0 || option.min <= option.max);
        }
    }

    void aValueGoesInAndComesOut()
    {
        Plan plan;
        const Field& threads = field(FieldScope::load, "threads");
        QVERIFY(threads.value(&plan.load) == FieldValue{});
        threads.assign(&plan.load, std::uint64_t(4));
        QCOMPARE(plan.load.threads.value(), 4u);
        QVERIFY(threads.value(&plan.load) == FieldValue(std::uint64_t(4)));
        threads.assign(&plan.load, FieldValue{});
        QVERIFY(!plan.load.threads);
        field(FieldScope::load, "transport").assign(&plan.load, std::string("keep-alive"));
        QVERIFY(plan.load.transport == TransportKind::keepAlive);
    }

    void defaultsAreThoseOfThePlan()
    {
        QCOMPARE(formatFieldValue(defaultOf(field(FieldScope::load, "connections"))), std::string("64"));
        QCOMPARE(formatFieldValue(defaultOf(field(FieldScope::load, "timeout"))), std::string("30s"));
        QCOMPARE(formatFieldValue(defaultOf(field(FieldScope::load, "connect_timeout"))), std::string("5s"));
        QCOMPARE(formatFieldValue(defaultOf(field(FieldScope::measure, "duration"))), std::string("10s"));
        QCOMPARE(formatFieldValue(defaultOf(field(FieldScope::plan, "equivalence"))), std::string("2%"));
        QCOMPARE(formatFieldValue(defaultOf(field(FieldScope::plan, "noise_limit"))), std::string("20%"));
        QCOMPARE(formatFieldValue(defaultOf(field(FieldScope::plan, "until_ci"))), std::string());
        QCOMPARE(formatFieldValue(defaultOf(field(FieldScope::find, "errors"))), std::string("0.1%"));
        QCOMPARE(formatFieldValue(defaultOf(field(FieldScope::affinity, "server"))), std::string());
        QCOMPARE(formatFieldValue(defaultOf(field(FieldScope::fairWork, "audit"))), std::string("true"));
        QCOMPARE(formatFieldValue(defaultOf(field(FieldScope::workload, "expect_status"))), std::string("200-399"));
    }

    void commandLineTextsAreRead()
    {
        const auto read = [](FieldScope scope, const char* key, std::vector<std::string> texts) {
            return fieldValueFromText(field(scope, key), texts);
        };
        QVERIFY(read(FieldScope::load, "connections", {"10", "50"}).value() ==
                FieldValue(std::vector<unsigned>{10, 50}));
        QVERIFY(read(FieldScope::load, "threads", {"auto"}).value() == FieldValue{});
        QVERIFY(read(FieldScope::measure, "requests", {"100k"}).value() == FieldValue(std::uint64_t(100'000)));
        QVERIFY(read(FieldScope::measure, "duration", {"1.5m"}).value() ==
                FieldValue(Nanoseconds(std::chrono::seconds(90))));
        QVERIFY(read(FieldScope::plan, "until_ci", {"2%"}).value() == FieldValue(0.02));
        QVERIFY(read(FieldScope::plan, "until_ci", {"0.02"}).value() == FieldValue(0.02));
        QVERIFY(read(FieldScope::plan, "budget", {"30m"}).value() == FieldValue(Nanoseconds(std::chrono::minutes(30))));
        QVERIFY(read(FieldScope::affinity, "server", {"0-2,5"}).value() ==
                FieldValue(std::vector<unsigned>{0, 1, 2, 5}));
        QVERIFY(read(FieldScope::workload, "headers", {"Accept: a/b", "X:y: z"}).value() ==
                FieldValue(TextMap{{"Accept", "a/b"}, {"X", "y: z"}}));
        QVERIFY(read(FieldScope::workload, "expect_status", {"200-299,304"}).value() ==
                FieldValue(StatusRanges{{200, 299}, {304, 304}}));
    }

    void wrongTextsAreRefusedWithTheRange_data()
    {
        QTest::addColumn<int>("scope");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("cure");
        const auto row = [](const char* name, FieldScope scope, const char* key, const char* text, const char* cure) {
            QTest::newRow(name) << int(scope) << QByteArray(key) << QByteArray(text) << QByteArray(cure);
        };
        row("no connections", FieldScope::load, "connections", "0", "1 to 1000000");
        row("connections in words", FieldScope::load, "connections", "many", "1 to 1000000");
        row("negative connections", FieldScope::load, "connections", "-1", "1 to 1000000");
        row("too many threads", FieldScope::load, "threads", "257", "1 to 256");
        row("threads in words", FieldScope::load, "threads", "all", "auto");
        row("negative duration", FieldScope::measure, "duration", "-5s", "0 or longer");
        row("no unit", FieldScope::measure, "duration", "5", "for example 10s");
        row("no window", FieldScope::measure, "duration", "0s", "1ms");
        row("no requests", FieldScope::measure, "requests", "0", "from 1");
        row("unknown transport", FieldScope::load, "transport", "curll", "\"curl\"");
        row("status of a range backwards", FieldScope::workload, "expect_status", "300-200", "200-299,304");
        row("status out of range", FieldScope::workload, "expect_status", "99", "100 to 599");
        row("an interval of nothing", FieldScope::plan, "until_ci", "0", "0.1% to 50%");
        row("a percentage without its sign", FieldScope::plan, "until_ci", "2", "2% is \"2%\" or 0.02");
        row("a share in words", FieldScope::plan, "equivalence", "two", "2%");
        row("a share below nothing", FieldScope::plan, "noise_limit", "-2%", "0 or more");
        row("a budget of nothing", FieldScope::plan, "budget", "0s", "from 1s");
        row("three repeats", FieldScope::plan, "noisy_repeats", "3", "0 to 2");
        row("processors backwards", FieldScope::affinity, "server", "3-1", "0-1,4");
        row("a processor out of range", FieldScope::affinity, "server", "4096", "0 to 4095");
        row("header without colon", FieldScope::workload, "headers", "Accept", "Name: value");
    }
    void wrongTextsAreRefusedWithTheRange()
    {
        QFETCH(int, scope);
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, cure);
        const auto value = fieldValueFromText(field(FieldScope(scope), key), {text.toStdString()});
        QVERIFY(!value.ok());
        QVERIFY2(value.problem().cure.find(cure.toStdString()) != std::string::npos, value.problem().cure.c_str());
    }

    void theReferenceHasEveryOption()
    {
        const std::string markdown = fieldsAsMarkdown();
        const std::string text = fieldsAsText();
        for (const Field& option : allFields()) {
            QVERIFY2(markdown.find("| `" + pathOf(option) + "` |") != std::string::npos, pathOf(option).c_str());
            QVERIFY(text.find(pathOf(option) + "  (") != std::string::npos);
        }
        QVERIFY(markdown.find("| `load.timeout` | duration | `30s` | 1ms to 1h | `--timeout` |") != std::string::npos);
        QVERIFY(markdown.find("| `until_ci` | share |  | 0.1% to 50% |") != std::string::npos);
        QVERIFY(markdown.find("| `load.find.p99` | duration |  | 0.01ms to 1h |") != std::string::npos);
        QVERIFY(markdown.find("| `affinity.server` | list of processors |  | 0 to 4095 |") != std::string::npos);
        QVERIFY(markdown.find("| `fair_work.ignore` | list of texts |") != std::string::npos);
        QVERIFY(markdown.find("| `warmup.until_steady` | true or false | `false` |") != std::string::npos);
        QVERIFY(markdown.find("| `load.threads` | whole number or auto | `auto` | 1 to 256 | `-t, --threads` |") !=
                std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestFields)
#include "tst_fields.moc"
