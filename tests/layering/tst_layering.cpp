#include "tests/layering/include_scan.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace lapbench;

namespace {

/// A made-up tree: headers that may be included, and one file with the include in question.
class Tree {
public:
    Tree()
    {
        for (const char* header :
             {"core/base/x.h",   "core/plan/x.h",    "core/host/x.h",   "core/net/x.h",      "core/workload/x.h",
              "core/stats/x.h",  "core/load/x.h",    "core/server/x.h", "core/runtimes/x.h", "core/services/x.h",
              "core/result/x.h", "core/session/x.h", "ui/bridge/x.h",   "ui/models/x.h",     "ui/charts/x.h",
              "ui/style/x.h",    "ui/views/x.h",     "app/cli/x.h",     "app/cli/args.h",    "app/mpi/x.h",
              "app/gui/x.h",     "tests/support/x.h"})
            write(header, "#pragma once\n");
    }

    void write(const QString& name, const QByteArray& text)
    {
        const QString path = m_dir.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    std::vector<LayerViolation> scan() const { return scanIncludes(m_dir.path().toStdString(), LAPBENCH_QT_INCLUDES); }

private:
    QTemporaryDir m_dir;
};

/// Configures a project; `injected` is CMake code that runs just after project().
struct Configured {
    int exitCode = -1;
    QString output; ///< with every run of white space as one blank, as CMake breaks its lines
};

Configured configure(const QByteArray& injected)
{
    const QTemporaryDir build;
    QFile file(build.filePath("injected.cmake"));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(injected);
    file.close();
    QProcess cmake;
    cmake.setProcessChannelMode(QProcess::MergedChannels);
    cmake.start(LAPBENCH_CMAKE, {"-S", LAPBENCH_SOURCE_DIR, "-B", build.filePath("b"), "-G", LAPBENCH_GENERATOR,
                                 "-DLAPBENCH_GUI=OFF", "-DLAPBENCH_TESTS=OFF", "-DLAPBENCH_CHECK_HEADERS=OFF",
                                 "-DCMAKE_PROJECT_lapbench_INCLUDE=" + file.fileName()});
    if (!cmake.waitForFinished(100'000))
        return {};
    return {cmake.exitCode(), QString::fromUtf8(cmake.readAll()).simplified()};
}

} // namespace

class TestLayering : public QObject {
    Q_OBJECT

private slots:
    void everyIncludeOfTheProjectKeepsTheTable();
    void theModuleOfAQtHeaderIsKnown();
    void anIncludeThatBreaksTheTableIsFound_data();
    void anIncludeThatBreaksTheTableIsFound();
    void anIncludeThatTheTableAllowsIsLeftAlone_data();
    void anIncludeThatTheTableAllowsIsLeftAlone();
    void aFileInAFolderWithoutARuleIsFound();
    void theProjectConfiguresAsItStands();
    void configuringFailsWhenQtIsReached_data();
    void configuringFailsWhenQtIsReached();
};

void TestLayering::everyIncludeOfTheProjectKeepsTheTable()
{
    QVERIFY(QFile::exists(LAPBENCH_SOURCE_DIR "/core/base/result.h"));
    const std::vector<LayerViolation> violations = scanIncludes(LAPBENCH_SOURCE_DIR, LAPBENCH_QT_INCLUDES);
    for (const LayerViolation& violation : violations)
        qWarning("%s", format(violation).c_str());
    QCOMPARE(violations.size(), std::size_t(0));
}

void TestLayering::theModuleOfAQtHeaderIsKnown()
{
    QCOMPARE(qtModuleOf("QString", LAPBENCH_QT_INCLUDES), std::string("QtCore"));
    QCOMPARE(qtModuleOf("QChart", LAPBENCH_QT_INCLUDES), std::string("QtCharts"));
    QCOMPARE(qtModuleOf("QWidget", LAPBENCH_QT_INCLUDES), std::string("QtWidgets"));
    QCOMPARE(qtModuleOf("QNothing", LAPBENCH_QT_INCLUDES), std::string());
}

void TestLayering::anIncludeThatBreaksTheTableIsFound_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("include");

    const auto row = [](const char* name, const char* file, const char* include) {
        QTest::newRow(name) << QString(file) << QByteArray(include);
    };
    row("base knows no plan", "core/base/a.h", "\"core/plan/x.h\"");
    row("base knows no JSON", "core/base/a.cpp", "<nlohmann/json.hpp>");
    row("base knows no curl", "core/base/a.cpp", "<curl/curl.h>");
    row("plan knows no result", "core/plan/a.cpp", "\"core/result/x.h\"");
    row("plan knows no curl", "core/plan/a.cpp", "<curl/curl.h>");
    row("host knows no plan", "core/host/a.cpp", "\"core/plan/x.h\"");
    row("host knows no libcrypto", "core/host/a.cpp", "<openssl/evp.h>");
    row("net knows no plan", "core/net/a.cpp", "\"core/plan/x.h\"");
    row("workload knows no stats", "core/workload/a.cpp", "\"core/stats/x.h\"");
    row("stats know no plan", "core/stats/a.cpp", "\"core/plan/x.h\"");
    row("stats know no JSON", "core/stats/a.cpp", "<nlohmann/json.hpp>");
    row("load knows no server", "core/load/a.cpp", "\"core/server/x.h\"");
    row("load knows no net", "core/load/a.cpp", "\"core/net/x.h\"");
    row("load knows no JSON", "core/load/a.cpp", "<nlohmann/json.hpp>");
    row("the worker knows no curl", "core/load/worker.cpp", "<curl/curl.h>");
    row("a TLS channel knows no OpenSSL", "core/load/curl_tls_channel.cpp", "<openssl/ssl.h>");
    row("the worker knows no llhttp", "core/load/worker.cpp", "<llhttp.h>");
    row("the keep-alive transport knows no llhttp", "core/load/keep_alive_transport.cpp", "<llhttp.h>");
    row("the response reader knows no curl", "core/load/response_reader.cpp", "<curl/curl.h>");
    row("the server knows no load", "core/server/a.cpp", "\"core/load/x.h\"");
    row("the supervisor knows no llhttp", "core/server/supervisor.cpp", "<llhttp.h>");
    row("the server knows no curl", "core/server/a.cpp", "<curl/curl.h>");
    row("the server knows no libcrypto", "core/server/a.cpp", "<openssl/sha.h>");
    row("runtimes know no plan", "core/runtimes/a.cpp", "\"core/plan/x.h\"");
    row("runtimes know no curl", "core/runtimes/a.cpp", "<curl/curl.h>");
    row("services know no result", "core/services/a.cpp", "\"core/result/x.h\"");
    row("the result knows no server", "core/result/a.cpp", "\"core/server/x.h\"");
    row("the result knows no load", "core/result/a.cpp", "\"core/load/x.h\"");
    row("only import reads XML", "core/result/a.cpp", "<pugixml.hpp>");
    row("only stats deflate", "core/result/a.cpp", "<zlib.h>");
    row("the session knows no curl", "core/session/a.cpp", "<curl/curl.h>");
    row("the session knows no app", "core/session/a.cpp", "\"app/cli/x.h\"");
    row("core knows no window", "core/session/a.cpp", "\"ui/models/x.h\"");
    row("core knows no Qt class", "core/session/a.cpp", "<QString>");
    row("core knows no Qt class of unknown module", "core/session/a.cpp", "<QUnheardOf>");
    row("core knows no Qt by its module", "core/base/a.h", "<QtCore/QString>");
    row("core knows no Qt by its old names", "core/base/a.h", "<qstring.h>");
    row("the bridge knows no QtGui", "ui/bridge/a.cpp", "<QColor>");
    row("the bridge knows no charts", "ui/bridge/a.cpp", "\"ui/charts/x.h\"");
    row("models know no widgets", "ui/models/a.cpp", "<QWidget>");
    row("models know no charts", "ui/models/a.cpp", "\"ui/charts/x.h\"");
    row("charts know no widgets", "ui/charts/a.cpp", "<QPushButton>");
    row("charts know no views", "ui/charts/a.cpp", "\"ui/views/x.h\"");
    row("views know no QtCharts", "ui/views/a.cpp", "<QChart>");
    row("views know no QtCharts by module", "ui/views/a.cpp", "<QtCharts/QChartView>");
    row("style knows no QtCharts", "ui/style/a.cpp", "<QChart>");
    row("the window knows no CLI11", "ui/views/a.cpp", "<CLI/CLI.hpp>");
    row("the window knows no app", "ui/views/a.cpp", "\"app/gui/x.h\"");
    row("the command line knows no Qt", "app/cli/a.cpp", "<QCoreApplication>");
    row("the command line knows no window", "app/cli/a.cpp", "\"ui/models/x.h\"");
    row("the command line knows no MPI", "app/cli/a.cpp", "<mpi.h>");
    row("the command line knows no curl", "app/cli/a.cpp", "<curl/curl.h>");
    row("MPI takes only the args of the command line", "app/mpi/a.cpp", "\"app/cli/x.h\"");
    row("MPI knows no Qt", "app/mpi/a.cpp", "<QString>");
    row("the desktop app knows no QtCharts", "app/gui/a.cpp", "<QChart>");
    row("the desktop app knows no command line", "app/gui/a.cpp", "\"app/cli/x.h\"");
    row("no library that nobody named", "core/base/a.cpp", "<boost/asio.hpp>");
    row("no path within the folder", "core/plan/a.cpp", "\"x.h\"");
    row("no path upwards", "core/plan/a.cpp", "\"../base/x.h\"");
    row("no path through the root and up", "core/plan/a.cpp", "\"core/plan/../session/x.h\"");
    row("no header that is not there", "core/plan/a.cpp", "\"core/base/gone.h\"");
    row("no tests in the product", "core/session/a.cpp", "\"tests/support/x.h\"");
    row("tests too include from the root", "tests/core/plan/a.cpp", "\"x.h\"");
}

void TestLayering::anIncludeThatBreaksTheTableIsFound()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, include);
    Tree tree;
    tree.write(file, "#pragma once\n  #  include " + include + "  // spelt with blanks\n");
    const std::vector<LayerViolation> violations = tree.scan();
    QCOMPARE(violations.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(violations[0].file), file);
    QCOMPARE(violations[0].line, 2);
    QCOMPARE(QByteArray::fromStdString(violations[0].include), include.mid(1, include.size() - 2));
}

void TestLayering::anIncludeThatTheTableAllowsIsLeftAlone_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("include");

    const auto row = [](const char* name, const char* file, const char* include) {
        QTest::newRow(name) << QString(file) << QByteArray(include);
    };
    row("the standard library", "core/base/a.h", "<string_view>");
    row("the system", "core/base/a.cpp", "<sys/stat.h>");
    row("the own folder", "core/base/a.cpp", "\"core/base/x.h\"");
    row("JSON in plan", "core/plan/a.cpp", "<nlohmann/json.hpp>");
    row("libcrypto in plan", "core/plan/a.cpp", "<openssl/evp.h>");
    row("curl in net", "core/net/a.cpp", "<curl/curl.h>");
    row("zlib in stats", "core/stats/a.cpp", "<zlib.h>");
    row("curl in the handle", "core/load/curl_handle.h", "<curl/curl.h>");
    row("curl in the multi transport", "core/load/curl_multi_transport.cpp", "<curl/curl.h>");
    row("OpenSSL in the trust of TLS", "core/load/curl_trust.cpp", "<openssl/ssl.h>");
    row("curl in the keep-alive transport", "core/load/keep_alive_transport.cpp", "<curl/curl.h>");
    row("llhttp in the response reader", "core/load/response_reader.cpp", "<llhttp.h>");
    row("llhttp in the built-in server", "core/server/builtin_server.cpp", "<llhttp.h>");
    row("XML in import", "core/result/import/k6.cpp", "<pugixml.hpp>");
    row("all of core in session", "core/session/a.cpp", "\"core/runtimes/x.h\"");
    row("QtCore in models", "ui/models/a.h", "<QAbstractTableModel>");
    row("QtCharts in charts", "ui/charts/a.h", "<QChartView>");
    row("QtSvg in charts", "ui/charts/a.cpp", "<QSvgGenerator>");
    row("widgets in views", "ui/views/a.h", "<QMainWindow>");
    row("charts in views", "ui/views/a.h", "\"ui/charts/x.h\"");
    row("CLI11 in the command line", "app/cli/a.cpp", "<CLI/CLI.hpp>");
    row("the command line's args in MPI", "app/mpi/a.cpp", "\"app/cli/args.h\"");
    row("the window in the desktop app", "app/gui/a.cpp", "\"ui/views/x.h\"");
    row("anything in tests", "tests/core/plan/a.cpp", "<QProcess>");
    row("the test's own moc file", "tests/core/plan/a.cpp", "\"a.moc\"");
}

void TestLayering::anIncludeThatTheTableAllowsIsLeftAlone()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, include);
    Tree tree;
    tree.write(file, "#include " + include + "\n");
    const std::vector<LayerViolation> violations = tree.scan();
    QVERIFY2(violations.empty(), violations.empty() ? "" : format(violations[0]).c_str());
}

void TestLayering::aFileInAFolderWithoutARuleIsFound()
{
    Tree tree;
    tree.write("core/misc/a.h", "#pragma once\n");
    const std::vector<LayerViolation> violations = tree.scan();
    QCOMPARE(violations.size(), std::size_t(1));
    QCOMPARE(violations[0].file, std::string("core/misc/a.h"));
}

void TestLayering::theProjectConfiguresAsItStands()
{
    const Configured configured = configure("");
    QVERIFY2(configured.exitCode == 0, qPrintable(configured.output));
}

void TestLayering::configuringFailsWhenQtIsReached_data()
{
    QTest::addColumn<QByteArray>("library");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("core, through a library it links") << QByteArray("ZLIB::ZLIB") << "lapbench_core must not link";
    QTest::newRow("the command line, through CLI11") << QByteArray("CLI11::CLI11") << "lapbench-cli must not link";
}

void TestLayering::configuringFailsWhenQtIsReached()
{
    QFETCH(QByteArray, library);
    QFETCH(QString, sentence);
    // Qt hangs two links below the library, so that a check of the direct links alone would not see it.
    const Configured configured = configure("find_package(ZLIB REQUIRED)\n"
                                            "find_package(CLI11 REQUIRED)\n"
                                            "add_library(Qt6::Core INTERFACE IMPORTED)\n"
                                            "add_library(between INTERFACE)\n"
                                            "target_link_libraries(between INTERFACE Qt6::Core)\n"
                                            "set_property(TARGET " +
                                            library + " APPEND PROPERTY INTERFACE_LINK_LIBRARIES between)\n");
    QVERIFY2(configured.exitCode != 0, qPrintable(configured.output));
    QVERIFY2(configured.output.contains(sentence + " Qt6::Core"), qPrintable(configured.output));
}

QTEST_GUILESS_MAIN(TestLayering)
#include "tst_layering.moc"
