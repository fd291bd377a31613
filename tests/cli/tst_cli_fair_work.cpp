#include "tests/cli/cli_process.h"
#include "tests/support/odd_server.h"

#include <QJsonArray>

using namespace lapbench::test;

namespace {

const char* const kRounds = R"("measure": {"requests": 1200}, "rounds": 1)";

QByteArray urlTarget(const QByteArray& name, const OddServer& server)
{
    return "{\"name\": \"" + name + "\", \"url\": \"" + QByteArray::fromStdString(server.url()) + "\"}";
}

std::string answerOf(const std::string& body, const std::string& headers)
{
    return "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

const std::string kDate = "Date: Mon, 30 Nov 2026 11:20:31 GMT\r\n";
const std::string kBody(1200, 'b');

QJsonObject resultIn(const QString& file)
{
    return QJsonDocument::fromJson(CliPlace::read(file)).object();
}

QStringList codesOf(const QJsonArray& list)
{
    QStringList codes;
    for (const QJsonValue& each : list)
        codes << each.toObject()["code"].toString();
    return codes;
}

} // namespace

class TestCliFairWork : public QObject {
    Q_OBJECT

private slots:
    void targetsThatDoLessAreNamedBeforeTheTables()
    {
        // head -c 1200 /dev/zero | tr '\0' b | gzip -n
        const std::string gzipped =
            QByteArray::fromHex("1f8b08000000000000034b4a1a05a360148c82a101005a2f08beb0040000").toStdString();
        const OddServer whole(answerOf(kBody, kDate), false);
        const OddServer small(answerOf(std::string(1080, 'b'), kDate), false);
        const OddServer dateless(answerOf(kBody, ""), false);
        const OddServer gzips(answerOf(gzipped, kDate + "Content-Encoding: gzip\r\n"), false);
        const OddServer closes(answerOf(kBody, kDate), true);
        const CliPlace place;
        const QString plan =
            place.write("p.plan.json", planOf(urlTarget("whole", whole) + "," + urlTarget("small", small) + "," +
                                                  urlTarget("dateless", dateless) + "," + urlTarget("gzips", gzips) +
                                                  "," + urlTarget("closes", closes),
                                              kRounds));
        const QString file = place.path("r.lapbench.json");
        const CliEnd end = place.run({"run", plan, "-o", file, "--progress", "none"});
        QVERIFY2(end.code == 0, end.err);
        const QByteArray block = "Fair work: the targets did not do the same work\n\n"
                                 "error: small's answer to GET / is 1,080 bytes, whole's 1,200 (10 % smaller)\n";
        for (const QByteArray& sentence :
             {block, QByteArray("warning: dateless's answer to GET / has no Date, whole's has one\n"),
              QByteArray(
                  "warning: gzips's answer to GET / is compressed (gzip, 30 bytes), whole's not compressed (1,200 "
                  "bytes)\n"),
              QByteArray("warning: closes closes the connection after the answer to GET /, whole keeps it\n")})
            QVERIFY2(end.out.contains(sentence), end.out);
        QVERIFY2(end.out.indexOf(block) < end.out.indexOf("Workload default"), end.out);

        const QJsonObject result = resultIn(file);
        const QJsonObject work = result["fair_work"].toObject();
        QCOMPARE(work["verdict"].toString(), QString("differs"));
        QCOMPARE(work["probes"].toArray().size(), 5);
        QCOMPARE(work["probes"].toArray()[1].toObject()["body_bytes"].toInt(), 1080);
        const QStringList warned = codesOf(result["warnings"].toArray());
        QCOMPARE(warned.count("unequal_work"), 1);
        QCOMPARE(warned.count("bytes_per_answer"), 2); // small and gzips
        QCOMPARE(warned.count("connections_not_reused"), 1);

        QVERIFY(place.run({"show", file}).out.contains(block));
        const CliEnd markdown = place.run({"show", file, "--format", "markdown"});
        QVERIFY2(markdown.out.contains("## Fair work: the targets did not do the same work\n\n- error: small's"),
                 markdown.out);
    }

    void equalTargetsAreOneLineAndNoDoubt()
    {
        const CliPlace place;
        const QString plan = place.write("p.plan.json", planOf(kTwo, kRounds));
        const QString file = place.path("r.lapbench.json");
        const CliEnd end = place.run({"run", plan, "-o", file, "--progress", "none"});
        QVERIFY2(end.code == 0, end.err);
        QVERIFY2(end.out.contains("\n\nThe targets did the same work\n\n"), end.out);
        const QJsonObject result = resultIn(file);
        QCOMPARE(result["fair_work"].toObject()["verdict"].toString(), QString("equal"));
        const QStringList warned = codesOf(result["warnings"].toArray());
        QVERIFY(!warned.contains("unequal_work") && !warned.contains("bytes_per_answer"));
    }

    void whatThePlanIgnoresIsNotHeldAgainstATarget()
    {
        const OddServer whole(answerOf(kBody, kDate), false), small(answerOf("tiny", kDate), false);
        const CliPlace place;
        const QByteArray targets = urlTarget("whole", whole) + "," + urlTarget("small", small);
        const QString file = place.path("r.lapbench.json");
        const QString ignoring =
            place.write("i.plan.json", planOf(targets, QByteArray(kRounds) + R"(, "fair_work": {"ignore": ["body"]})"));
        QCOMPARE(place.run({"run", ignoring, "-o", file, "--progress", "none"}).code, 0);
        QCOMPARE(resultIn(file)["fair_work"].toObject()["verdict"].toString(), QString("equal"));
        QVERIFY(!codesOf(resultIn(file)["warnings"].toArray()).contains("bytes_per_answer"));

        const QString without =
            place.write("w.plan.json", planOf(targets, QByteArray(kRounds) + R"(, "fair_work": {"audit": false})"));
        QCOMPARE(place.run({"run", without, "-o", file, "--progress", "none", "--yes"}).code, 0);
        QVERIFY(!resultIn(file).contains("fair_work"));
    }

    void aTargetThatDoesNotStartIsNamedAndTheOthersRun()
    {
        const CliPlace place;
        const QString plan = place.write(
            "p.plan.json",
            planOf(R"({"name": "a", "builtin": true}, {"name": "gone", "command": ["/bin/false"]})", kRounds));
        const QString file = place.path("r.lapbench.json");
        const CliEnd end = place.run({"run", plan, "-o", file, "--progress", "none"});
        QVERIFY2(end.out.contains("error: gone gives no answer to GET / ("), end.out);
        QCOMPARE(resultIn(file)["fair_work"].toObject()["verdict"].toString(), QString("differs"));
        QCOMPARE(resultIn(file)["trials"].toArray().size(), 2);
    }
};

QTEST_APPLESS_MAIN(TestCliFairWork)
#include "tst_cli_fair_work.moc"
