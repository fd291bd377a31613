#include "app/gui/export_charts.h"
#include "ui/bridge/live_session.h"
#include "ui/style/theme.h"
#include "ui/views/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QTimer>

#include <cstdio>

namespace {

using namespace lapbench;

struct Options {
    QString file = QStringLiteral("json-api");
    double scale = 1;
    bool run = false;
    Theme theme = Theme::system;
    QString page; ///< of --screenshot
    QSize size{1280, 800};
    QString output;
};

/// One sentence on stderr, and the exit code for wrong usage.
int refuse(const QString& sentence)
{
    std::fprintf(stderr, "lapbench: %s\n", qPrintable(sentence));
    return 2;
}

QSize parseSize(const QString& text)
{
    const QStringList parts = text.split(QLatin1Char('x'));
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

/// Empty where all is well, else what is wrong.
QString readOptions(Options& options)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QApplication::translate("main", "Workbench for benchmarking JavaScript runtimes and other HTTP servers"));
    const auto help = parser.addHelpOption(), version = parser.addVersionOption();
    const auto text = [](const char* english) { return QApplication::translate("main", english); };
    parser.addPositionalArgument(QStringLiteral("file"),
                                 text("A plan, a shipped plan's name, a saved result, or a chart that carries one"),
                                 QStringLiteral("[PLAN|RESULT|PICTURE]"));
    const QCommandLineOption scale(QStringLiteral("scale"), text("Shrinks windows and counts, 0 to 1"),
                                   QStringLiteral("F"), QStringLiteral("1"));
    const QCommandLineOption run(QStringLiteral("run"), text("Starts the plan at once"));
    const QCommandLineOption theme(QStringLiteral("theme"), text("light, dark or system"), QStringLiteral("NAME"),
                                   QStringLiteral("system"));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"), text("Draws a page into a file: live"),
                                        QStringLiteral("PAGE"));
    const QCommandLineOption charts(exportChartsOption(),
                                    text("Draws charts of results into files; see its own --help"));
    const QCommandLineOption size(QStringLiteral("size"), text("Size of the window"), QStringLiteral("WxH"),
                                  QStringLiteral("1280x800"));
    const QCommandLineOption output(QStringLiteral("o"), text("File of the screenshot"), QStringLiteral("FILE"));
    parser.addOptions({scale, run, theme, screenshot, size, output, charts});
    if (!parser.parse(QApplication::arguments()))
        return parser.errorText();
    if (parser.isSet(help))
        parser.showHelp();
    if (parser.isSet(version))
        parser.showVersion();

    bool isNumber = false;
    options.scale = parser.value(scale).toDouble(&isNumber);
    if (!isNumber || !(options.scale > 0 && options.scale <= 1))
        return text("--scale takes a number above 0 and at most 1, like 0.2");
    const auto named = parseTheme(parser.value(theme));
    if (!named)
        return text("--theme takes light, dark or system");
    options.theme = *named;
    options.size = parseSize(parser.value(size));
    if (options.size.width() < 400 || options.size.height() < 300 || options.size.width() > 10000 ||
        options.size.height() > 10000)
        return text("--size takes a width and a height in pixels, like 1280x800");
    options.run = parser.isSet(run);
    options.page = parser.value(screenshot);
    options.output = parser.value(output);
    if (!options.page.isEmpty() && options.page != QLatin1String("live"))
        return text("--screenshot knows the page live");
    if (!options.page.isEmpty() && options.output.isEmpty())
        return text("--screenshot needs -o FILE for the picture");
    if (parser.positionalArguments().size() > 1)
        return text("one plan or result at a time");
    if (!parser.positionalArguments().isEmpty())
        options.file = parser.positionalArguments().first();
    return {};
}

int takeScreenshot(MainWindow& window, const Options& options)
{
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.show();
    QApplication::processEvents();
    if (window.grab().save(options.output))
        return 0;
    std::fprintf(stderr, "lapbench: %s: the picture cannot be written; choose another file\n",
                 qPrintable(options.output));
    return 4;
}

/// A picture, --help and --version need no display; the window does.
bool hasDisplay()
{
#ifdef Q_OS_LINUX
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
#else
    return true;
#endif
}

} // namespace

int main(int argc, char** argv)
{
    const bool charts = asksForCharts(argc, argv);
    const bool display = hasDisplay();
    if (!display)
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (charts)
        fixChartPlatform();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("lapbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("Lapbench"));
    QApplication::setApplicationVersion(QStringLiteral(LAPBENCH_VERSION));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/lapbench.svg")));

    if (charts)
        return exportCharts(QApplication::arguments());
    Options options;
    if (const QString wrong = readOptions(options); !wrong.isEmpty())
        return refuse(wrong);
    if (!display && options.page.isEmpty())
        return refuse(QApplication::translate("main",
                                              "there is no display for the window; run the plan in the terminal "
                                              "with lapbench-cli run"));
    applyTheme(application, options.theme);

    SessionPlaces places;
    places.program = findCommandLine().toStdString();
    places.home = defaultHome();
    places.resources = defaultResources(QApplication::applicationFilePath().toStdString());
    MainWindow window(places);
    window.resize(options.size);
    const bool opened = window.open(options.file, options.scale);
    if (!options.page.isEmpty())
        return opened ? takeScreenshot(window, options) : refuse(window.messages());
    window.show();
    if (opened && options.run)
        QTimer::singleShot(0, &window, &MainWindow::startSession);
    return QApplication::exec();
}
