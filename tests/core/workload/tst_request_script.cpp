#include "core/workload/request_cursor.h"
#include "core/workload/request_script.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace lapbench;

class TestRequestScript : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_place = {"example.test:81", "", m_folder->path().toStdString(), 1};
    }

    void aRequestWithoutPlaceholdersIsPreparedOnce()
    {
        Workload workload;
        workload.path = R"(/a\{{b)";
        const RequestScript script = compiled(workload);
        QVERIFY(script.kinds().front().constant);
        RequestCursor cursor(script);
        const std::string_view message = cursor.message(5);
        QVERIFY(message.starts_with("GET /a{{b HTTP/1.1\r\nHost: example.test:81\r\nUser-Agent: lapbench/"));
        QVERIFY(message.data() == script.kinds().front().prepared.bytes.data());
        QVERIFY(&cursor.parts(5) == &script.kinds().front().prepared);
    }

    /// The numbers were worked out with Python: seed 7, request 1, places 0, 2 and 3.
    void aRequestIsRenderedAsItWouldBePrepared()
    {
        Workload workload;
        workload.method = "POST";
        workload.path = "/users/{{random_int 100 999}}?x={{sequence}}";
        workload.headers = {{"X-Id", "id {{random_int 100 999}}"}, {"User-Agent", "mine"}};
        workload.body = R"({"n":{{random_int 1 20}},"s":{{sequence}}})";
        m_place.basePath = "/api";
        m_place.seed = 7;
        const RequestScript script = compiled(workload);
        QVERIFY(!script.kinds().front().constant);
        RequestCursor cursor(script);
        const std::string message(cursor.message(1));

        RequestTemplate same;
        same.method = "POST";
        same.path = "/users/917?x=2";
        same.headers = {{"X-Id", "id 308"}, {"User-Agent", "mine"}};
        same.body = R"({"n":11,"s":2})";
        const PreparedRequest prepared = prepareRequest(same, "example.test:81", "/api").value();
        QCOMPARE(message, prepared.bytes);

        const PreparedRequest& parts = cursor.parts(1);
        QCOMPARE(parts.method, prepared.method);
        QCOMPARE(parts.target, prepared.target);
        QVERIFY(parts.headers == prepared.headers);
        QCOMPARE(parts.body, prepared.body);
        QCOMPARE(parts.bytes, std::string());
    }

    void anEmptyValueKeepsTheLengthOfTheBody()
    {
        Workload workload;
        workload.body = R"({{choice ""}})";
        const RequestScript script = compiled(workload);
        QVERIFY(RequestCursor(script).message(0).ends_with("\r\nContent-Length: 0\r\n\r\n"));
    }

    void theFolderIsWhereFilesAreLookedFor()
    {
        write("body.bin", QByteArray("{{uuid}}\0\r\n", 11));
        write("ids.csv", "id\n7\n8\n");
        Workload workload;
        workload.bodyFile = "body.bin";
        workload.path = "/{{csv ids.csv id}}";
        RequestScript script = compiled(workload);
        RequestCursor cursor(script);
        const std::string body("{{uuid}}\0\r\n", 11);
        QVERIFY(cursor.message(1).starts_with("GET /8 HTTP/1.1\r\n"));
        QVERIFY(cursor.message(1).ends_with("\r\nContent-Length: 11\r\n\r\n" + body));
        QCOMPARE(cursor.parts(1).body, body);
        workload.path = "/";
        script = compiled(workload);
        QVERIFY(script.kinds().front().constant);
        QCOMPARE(script.kinds().front().prepared.body, body);
    }

    void aMixHasAKindForEachRequest()
    {
        Workload workload;
        workload.requests.resize(2);
        workload.requests[0].name = "read";
        workload.requests[0].weight = 3;
        workload.requests[1].name = "probe";
        workload.requests[1].method = "HEAD";
        workload.requests[1].path = "/{{uuid}}";
        workload.requests[1].expectStatus = {{204, 204}};
        const RequestScript script = compiled(workload);
        QCOMPARE(script.kinds().size(), 2u);
        QCOMPARE(script.kinds()[0].name, std::string("read"));
        QVERIFY(script.kinds()[0].constant && !script.kinds()[1].constant);
        QVERIFY(!script.kinds()[0].head && script.kinds()[1].head);
        QVERIFY(script.kinds()[1].check.isRightStatus(204) && !script.kinds()[1].check.isRightStatus(200));
        RequestCursor cursor(script);
        int probes = 0;
        for (std::uint64_t number = 0; number < 400; ++number) {
            const bool isProbe = cursor.message(number).starts_with("HEAD ");
            QCOMPARE(cursor.kindOf(number), isProbe ? 1u : 0u);
            probes += isProbe;
        }
        QCOMPARE(probes, 100);
    }

    void saysWhatCannotBeSentAndWhere_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("message");
        QTest::newRow("an unknown placeholder in the path") << "path"
                                                            << "/{{nix}}"
                                                            << "path"
                                                            << "{{nix}}";
        QTest::newRow("one in a header") << "header"
                                         << "{{nix}}"
                                         << "headers.X"
                                         << "{{nix}}";
        QTest::newRow("one in the body") << "body"
                                         << "{{nix}}"
                                         << "body"
                                         << "{{nix}}";
        QTest::newRow("a blank beside one") << "path"
                                            << "/a b{{uuid}}"
                                            << "path"
                                            << "is no path";
        QTest::newRow("a path of numbers") << "path"
                                           << "{{sequence}}"
                                           << "path"
                                           << "does not begin with / for all";
        QTest::newRow("a path of words") << "path"
                                         << "{{choice /a b}}"
                                         << "path"
                                         << "does not begin with / for all";
        QTest::newRow("a line break beside one") << "header"
                                                 << "a\r\n{{uuid}}"
                                                 << "headers.X"
                                                 << "holds a line break";
        QTest::newRow("a body that is not there") << "file"
                                                  << "none"
                                                  << "body_file"
                                                  << "cannot be read: No such file";
        QTest::newRow("a body that is a folder") << "file"
                                                 << "."
                                                 << "body_file"
                                                 << "cannot be read";
    }
    void saysWhatCannotBeSentAndWhere()
    {
        QFETCH(QString, key);
        QFETCH(QString, text);
        QFETCH(QString, path);
        QFETCH(QString, message);
        Workload workload;
        if (key == "path")
            workload.path = text.toStdString();
        else if (key == "header")
            workload.headers = {{"X", text.toStdString()}};
        else if (key == "body")
            workload.body = text.toStdString();
        else
            workload.bodyFile = text.toStdString();
        const auto script = RequestScript::compile(workload, m_place);
        QVERIFY(!script);
        QCOMPARE(QString::fromStdString(script.problem().path), path);
        QVERIFY2(QString::fromStdString(script.problem().message).contains(message), script.problem().message.c_str());
        QVERIFY(!script.problem().cure.empty());

        Workload mix;
        mix.requests = {RequestTemplate{}, workload};
        QCOMPARE(RequestScript::compile(mix, m_place).problem().path, "requests[1]." + path.toStdString());
    }

    void aBodyIsATextOrAFile()
    {
        write("body", "x");
        Workload workload;
        workload.body = "y";
        workload.bodyFile = "body";
        const auto script = RequestScript::compile(workload, m_place);
        QVERIFY(!script);
        QCOMPARE(script.problem().path, std::string("body_file"));
    }

    /// A worker has room for the longest request there can be; what no machine has room for must not come that far.
    void aRequestOfPlaceholdersIsAtMostOneGibibyte()
    {
        write("long.csv", "v\n" + QByteArray(20'000'000, 'x') + "\n");
        Workload workload;
        for (int i = 0; i < 53; ++i) // 1,060,000,000 bytes
            workload.body += "{{csv long.csv v}}";
        QVERIFY(RequestScript::compile(workload, m_place).ok());
        workload.headers = {{"X", "{{csv long.csv v}}"}};
        const auto script = RequestScript::compile(workload, m_place);
        QVERIFY(!script);
        QCOMPARE(script.problem().path, std::string("body"));
        QVERIFY(script.problem().message.find("1 GiB") != std::string::npos);
    }

    /// A sparse file that costs no disk.
    void aBodyIsAtMostOneGibibyte()
    {
        QFile file(m_folder->filePath("big"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize((qint64(1) << 30) + 1));
        Workload workload;
        workload.bodyFile = "big";
        QVERIFY(RequestScript::compile(workload, m_place).problem().message.find("1 GiB") != std::string::npos);
    }

    void aPlanHearsOfAllMistakesAtOnce()
    {
        write("ids.csv", "id\n7\n");
        Plan plan;
        plan.folder = m_folder->path().toStdString();
        plan.workloads.resize(2);
        plan.workloads[0].path = "/{{csv ids.csv nr}}";
        plan.workloads[0].headers = {{"X", "{{uuid 1}}"}};
        plan.workloads[0].body = "{{random_int}}";
        plan.workloads[1].requests.resize(2);
        plan.workloads[1].requests[1].path = "/{{csv ids.csv id}}{{sequenze}}";
        plan.workloads[1].requests[1].bodyFile = "none";
        QStringList places;
        for (const Problem& problem : checkScripts(plan))
            places.append(QString::fromStdString(problem.path));
        QCOMPARE(places, (QStringList{"workloads[0].path", "workloads[0].headers.X", "workloads[0].body",
                                      "workloads[1].requests[1].path", "workloads[1].requests[1].body_file"}));
        QVERIFY(checkScripts(Plan{}).empty());
    }

private:
    RequestScript compiled(const Workload& workload) const
    {
        auto script = RequestScript::compile(workload, m_place);
        if (!script)
            qFatal("%s", format(script.problem()).c_str());
        return std::move(script).value();
    }

    void write(const QString& name, const QByteArray& content) const
    {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(file.fileName()));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    ScriptPlace m_place;
};

QTEST_APPLESS_MAIN(TestRequestScript)
#include "tst_request_script.moc"
