#include "core/runtimes/catalog.h"
#include "core/runtimes/runtime_program.h"
#include "core/server/supervisor.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <iostream>

using namespace lapbench;
namespace fs = std::filesystem;

/// Installs the runtimes of the demo plan from npm for real, into a folder that stays for the next run and for the
/// end-to-end tests.
class TestRealRuntimes : public QObject {
    Q_OBJECT

    static fs::path home()
    {
        const QByteArray set = qgetenv("LAPBENCH_TEST_HOME");
        return set.isEmpty() ? fs::path(LAPBENCH_TEST_HOME_DEFAULT) : fs::path(set.toStdString());
    }

private slots:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("LAPBENCH_OFFLINE"))
            QSKIP("LAPBENCH_OFFLINE is set");
    }

    void theRuntimesOfTheDemoPlanInstallAndServe_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("script");
        QTest::newRow("Node.js") << "node@22.9.0"
                                 << QByteArray(
                                        "import http from 'node:http'; http.createServer((q, r) => r.end('hello'))"
                                        ".listen(process.env.PORT, '127.0.0.1')");
        QTest::newRow("Deno") << "deno@2.0.2"
                              << QByteArray("Deno.serve({port: Number(Deno.env.get('PORT')), hostname: '127.0.0.1'}, "
                                            "() => new Response('hello'))");
        QTest::newRow("Bun") << "bun@1.1.30"
                             << QByteArray("Bun.serve({port: process.env.PORT, hostname: '127.0.0.1', fetch: () => "
                                           "new Response('hello')})");
    }
    void theRuntimesOfTheDemoPlanInstallAndServe()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, script);
        const auto parsed = parseRuntimeName(name.toStdString());
        QVERIFY(parsed.ok());
        NpmStore store(home());
        const auto runtime =
            store.install(parsed.value(), [](const std::string& line) { std::cout << line << std::endl; });
        QVERIFY2(runtime.ok(), runtime ? "" : format(runtime.problem()).c_str());
        QCOMPARE(versionOf(runtime.value().program).value(), parsed.value().version);

        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "server.mjs";
        std::ofstream(file) << script.toStdString();
        ServerCommand command;
        command.argv = {runtime.value().program.string()};
        if (parsed.value().kind == "deno")
            command.argv.insert(command.argv.end(), {"run", "--allow-net", "--allow-env"});
        command.argv.push_back(file.string());
        auto server = Supervisor::start(command, LAPBENCH_CLI);
        QVERIFY2(server.ok(), server ? "" : format(server.problem()).c_str());
        QVERIFY(!server.value()->exited());
    }

    void aVersionThatDoesNotExistIsSaidToBeMissing()
    {
        NpmStore store(home());
        const auto runtime = store.install({"bun", "0.0.987"}, {});
        QVERIFY(!runtime.ok());
        QVERIFY2(runtime.problem().message.starts_with("there is no such version"), runtime.problem().message.c_str());
        QVERIFY(!store.find("bun", "0.0.987"));
    }
};

QTEST_APPLESS_MAIN(TestRealRuntimes)
#include "tst_real_runtimes.moc"
