#include "tests/cli/cli_process.h"

#include <QJsonArray>

using namespace lapbench::test;

namespace {

QJsonObject firstError(const CliEnd& end)
{
    return end.json()["errors"].toArray()[0].toObject();
}

} // namespace

class TestCliWorkload : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_server = std::make_unique<ServeProcess>(m_place);
        QVERIFY(m_server->answered() >= 0);
    }
    void cleanupTestCase() { m_server.reset(); }

    /// The built-in server answers /users/ID with {"id": ID, ..}.
    void answersAreHeldAgainstAJsonValue_data()
    {
        QTest::addColumn<QString>("transport");
        QTest::newRow("keep-alive") << "keep-alive";
        QTest::newRow("curl") << "curl";
    }
    void answersAreHeldAgainstAJsonValue()
    {
        QFETCH(QString, transport);
        const QStringList common = {"-n", "20", "-c", "2", "--transport", transport, "--json", "-"};
        const CliEnd right =
            m_place.run(QStringList{"load", m_server->url("/users/42"), "--expect-json", "/id=42"} + common);
        QVERIFY2(right.code == 0, right.err);
        const CliEnd wrong =
            m_place.run(QStringList{"load", m_server->url("/users/42"), "--expect-json", "/id=43"} + common);
        QCOMPARE(wrong.code, 1);
        QCOMPARE(firstError(wrong)["kind"].toString(), QString("failed_check"));
        QCOMPARE(firstError(wrong)["count"].toInt(), 20);
        QCOMPARE(firstError(wrong)["first"].toObject()["message"].toString(),
                 QString("the body has \"42\" at /id, not \"43\""));
    }

    /// One user of two is asked for, evenly: about half of 400 answers fail the check. 400 draws stray from 200 by more
    /// than 60 once in a thousand million.
    void placeholdersStandInTheUrl()
    {
        const CliEnd end = m_place.run({"load", m_server->url("/users/{{random_int 1 2}}"), "-n", "400", "-c", "4",
                                        "--expect-json", "/id=1", "--json", "-"});
        QVERIFY2(end.code == 0, end.err);
        const int failed = firstError(end)["count"].toInt();
        QVERIFY2(failed > 140 && failed < 260, qPrintable(QString::number(failed)));
        const CliEnd again = m_place.run({"load", m_server->url("/users/{{random_int 1 2}}"), "-n", "400", "-c", "3",
                                          "--expect-json", "/id=1", "--json", "-"});
        QCOMPARE(firstError(again)["count"].toInt(), failed);
    }

    void bodiesHoldPlaceholdersAndAreChecked()
    {
        const CliEnd end =
            m_place.run({"load", m_server->url("/echo"), "-X", "POST", "-b", "{\"n\":{{sequence}}}", "-n", "50", "-c",
                         "2", "--expect-contains", "{\"n\":", "--expect-json", "/n=7", "--json", "-"});
        QVERIFY2(end.code == 0, end.err);
        QCOMPARE(end.json()["requests"].toObject()["ok"].toInt(), 1);
        QCOMPARE(firstError(end)["count"].toInt(), 49);
    }

    void badTemplatesAreWrongUsage_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("in the path") << QStringList{m_server->url("/{{uid}}")}
                                     << QByteArray("path: there is no placeholder {{uid}}; did you mean \"uuid\"?");
        QTest::newRow("in a header") << QStringList{m_server->url("/"), "-H", "X-Id: {{uuid"}
                                     << QByteArray("headers.X-Id: the placeholder \"{{uuid\" is not closed");
        QTest::newRow("a body that is not there")
            << QStringList{m_server->url("/"), "--body-file", "/no/such/file"}
            << QByteArray("--body-file: the file \"/no/such/file\" cannot be read");
    }
    void badTemplatesAreWrongUsage()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, says);
        const CliEnd end = m_place.run(QStringList{"load"} + options);
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.contains(says), end.err);
    }

    void checkTellsAllMistakesOfTheWorkloadsAtOnce()
    {
        m_place.write("ids.csv", "id\n1\n");
        const QString plan = m_place.write(
            "bad.plan.json", planOf(R"({"name": "a", "builtin": true})",
                                    R"("measure": {"requests": 10}, "workloads": [{"name": "w", "requests": [)"
                                    R"({"name": "r", "path": "/{{csv ids.csv nr}}", "headers": {"X": "{{choice}}"}},)"
                                    R"({"name": "r", "body": "{{sequense}}", "expect_json": {"a": "1"}}]}])"));
        const CliEnd end = m_place.run({"check", plan});
        QCOMPARE(end.code, 2);
        for (const char* says :
             {"workloads[0].requests[0].path: the data file \"ids.csv\" has no column \"nr\"",
              "workloads[0].requests[0].headers.X: {{choice}} takes at least one word",
              "workloads[0].requests[1].name: \"r\" stands twice",
              "workloads[0].requests[1].body: there is no placeholder {{sequense}}; did you mean \"sequence\"?",
              "workloads[0].requests[1].expect_json: \"a\" is no JSON pointer"})
            QVERIFY2(end.err.contains(says), end.err);
        QCOMPARE(m_place.run({"run", plan, "--yes", "--progress", "none"}).code, 2);
    }

    void aPlanRunsAMixWithAFeedBesideIt()
    {
        m_place.write("ids.csv", "id\n11\n12\n");
        const QString plan = m_place.write(
            "mix.plan.json",
            planOf(
                R"({"name": "a", "builtin": true})",
                R"("measure": {"requests": 100}, "rounds": 1, "workloads": [{"name": "w", "requests": [)"
                R"({"name": "read", "weight": 3, "path": "/users/{{csv ids.csv id}}", "expect_json": {"/id": "11"}},)"
                R"({"name": "home", "weight": 1, "path": "/", "expect_bytes": 12}]}])"));
        const QString result = m_place.path("mix.lapbench.json");
        const CliEnd end = m_place.run({"run", plan, "-o", result, "--yes", "--progress", "none"});
        QVERIFY2(end.code == 0, end.err);
        const QJsonObject trial =
            QJsonDocument::fromJson(CliPlace::read(result)).object()["trials"].toArray()[0].toObject();
        // 75 reads take the rows in turn, beginning with 11: 38 of them find it.
        QCOMPARE(trial["requests"].toObject()["ok"].toInt(), 25 + 38);
        QCOMPARE(trial["requests"].toObject()["failed"].toInt(), 37);
    }

private:
    CliPlace m_place;
    std::unique_ptr<ServeProcess> m_server;
};

QTEST_GUILESS_MAIN(TestCliWorkload)
#include "tst_cli_workload.moc"
