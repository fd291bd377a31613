#include "app/gui/export_charts.h"

#include "core/base/atomic_file.h"
#include "core/result/export/export_files.h"
#include "ui/charts/chart_file.h"
#include "ui/charts/result_file.h"
#include "ui/models/article_csv.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QHashSeed>
#include <QLocale>
#include <QSet>

#include <cstdio>
#include <filesystem>

namespace lapbench {

namespace {

namespace fs = std::filesystem;

constexpr int kDone = 0, kBadInput = 2, kUnwritable = 4;
constexpr unsigned kReadableByAll = 0644;

struct ChartOptions {
    QStringList results, formats, charts;
    ArticleLook look;
    int scale = 1;
    bool replace = false;
    QString folder;
};

/// The charts of one result, and what their files' names begin with.
struct ChartSet {
    QString name;
    PictureSource source;
    std::vector<ArticleChart> charts;
};

/// One file to write.
struct ChartFile {
    fs::path path;
    QString format;
    const ChartSet* set = nullptr;
    const ArticleChart* chart = nullptr;
};

int refuse(int code, const QString& sentence)
{
    std::fprintf(stderr, "lapbench: %s\n", qPrintable(sentence));
    return code;
}

int refuse(int code, const Problem& problem)
{
    return refuse(code, QString::fromStdString(format(problem)));
}

QString text(const char* english)
{
    return QApplication::translate("charts", english);
}

/// The words of a list with commas, each once.
QStringList words(const QString& list)
{
    QStringList found = list.split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (QString& word : found)
        word = word.trimmed();
    found.removeDuplicates();
    return found;
}

/// Empty where all is well, else what is wrong.
QString checkWords(const QCommandLineParser& parser, ChartOptions& options)
{
    for (const QString& format : std::as_const(options.formats)) {
        if (format != QLatin1String("svg") && format != QLatin1String("png") && format != QLatin1String("pdf"))
            return text("--format takes svg, png and pdf, with commas between them, and not \"%1\"").arg(format);
    }
    if (options.formats.isEmpty())
        return text("--format takes svg, png and pdf, with commas between them");
    const QString theme = parser.value(QStringLiteral("theme"));
    if (theme != QLatin1String("light") && theme != QLatin1String("dark"))
        return text("--theme takes light or dark for charts, and not \"%1\"").arg(theme);
    options.look.dark = theme == QLatin1String("dark");
    const auto size = parseArticleSize(parser.value(QStringLiteral("size")));
    if (!size)
        return text("--size takes blog, slide or square for charts, and not \"%1\"")
            .arg(parser.value(QStringLiteral("size")));
    options.look.size = *size;
    static const QStringList scales{QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3")};
    options.scale = static_cast<int>(scales.indexOf(parser.value(QStringLiteral("scale")))) + 1;
    if (options.scale == 0)
        return text("--scale takes 1, 2 or 3 for charts, and not \"%1\"").arg(parser.value(QStringLiteral("scale")));
    if (parser.isSet(QStringLiteral("chart")) && options.charts.isEmpty())
        return text("--chart takes names of charts, with commas between them");
    if (options.results.isEmpty())
        return text("--export-charts needs a result; name one or more");
    if (options.folder.isEmpty())
        return text("--export-charts needs -o DIR, the folder for the files");
    return {};
}

/// Ends the program where only help was asked for. Empty where all is well, else what is wrong.
QString readOptions(const QStringList& arguments, ChartOptions& options)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(text("Draws the charts of results into files, without a display"));
    parser.addPositionalArgument(QStringLiteral("result"),
                                 text("A result, a journal, a chart that carries one, or another tool's output"),
                                 QStringLiteral("RESULT.."));
    const auto add = [&parser](const char* name, const QString& help, const char* value, const char* otherwise) {
        parser.addOption({QLatin1String(name), help, QLatin1String(value), QLatin1String(otherwise)});
    };
    const auto help = parser.addHelpOption();
    parser.addOption({exportChartsOption(), text("Draws charts instead of opening the window")});
    add("format", text("svg, png and pdf, with commas between them"), "LIST", "svg");
    add("theme", text("light or dark"), "NAME", "light");
    add("size", text("blog (1200x675), slide (1920x1080) or square (1080x1080)"), "NAME", "blog");
    add("scale", text("1, 2 or 3: pixels of a PNG for each of the size"), "N", "1");
    add("chart", text("Only these charts, with commas between their names"), "LIST", "");
    parser.addOption({QStringLiteral("yes"), text("Replaces files that are there already")});
    add("o", text("Folder for the files; it is made where it is missing"), "DIR", "");
    if (!parser.parse(arguments))
        return parser.errorText();
    if (parser.isSet(help))
        parser.showHelp();
    options.results = parser.positionalArguments();
    options.formats = words(parser.value(QStringLiteral("format")));
    options.charts = words(parser.value(QStringLiteral("chart")));
    options.replace = parser.isSet(QStringLiteral("yes"));
    options.folder = parser.value(QStringLiteral("o"));
    return checkWords(parser, options);
}

/// What the names of a result's charts begin with: its file's name without its ending, as far as it is safe.
QString nameFor(const QString& file)
{
    std::string name = resultName(file.toStdString());
    for (const std::string_view ending : {".svg", ".png", ".txt", ".csv", ".md"})
        if (name.size() > ending.size() && name.ends_with(ending))
            name.resize(name.size() - ending.size());
    return QString::fromStdString(safeFileName(name));
}

QString fileName(const ChartOptions& options, const QString& name, const ArticleChart& chart, const QString& format)
{
    QString file = name + u'-' + chart.id;
    if (options.look.dark && format != QLatin1String("csv"))
        file += QLatin1String("-dark");
    if (format == QLatin1String("png") && options.scale > 1)
        file += QStringLiteral("@%1x").arg(options.scale);
    return file + u'.' + format;
}

/// The files of one chart: each format, and its figures beside them.
QStringList formatsOf(const ChartOptions& options)
{
    return options.formats + QStringList{QStringLiteral("csv")};
}

Result<ChartSet> readCharts(const QString& file, const QStringList& wanted)
{
    const auto result = readResultFile(file.toStdString());
    if (!result)
        return result.problem();
    ChartSet set{nameFor(file), pictureSource(result.value(), QApplication::applicationVersion()),
                 articleCharts(result.value())};
    if (set.charts.empty())
        return Problem{file.toStdString(), "holds no figures that a chart could show", "choose another result"};
    if (wanted.isEmpty())
        return set;
    QStringList known;
    for (const ArticleChart& chart : set.charts)
        known << chart.id;
    for (const QString& id : wanted) {
        if (!known.contains(id))
            return Problem{file.toStdString(), "has no chart \"" + id.toStdString() + "\"",
                           "its charts are " + known.join(QStringLiteral(", ")).toStdString()};
    }
    std::erase_if(set.charts, [&wanted](const ArticleChart& chart) { return !wanted.contains(chart.id); });
    return set;
}

/// Every file in reading order. Results whose files would have the same names get a number each.
std::vector<ChartFile> filesOf(const ChartOptions& options, std::vector<ChartSet>& sets)
{
    std::vector<ChartFile> files;
    QSet<QString> taken;
    for (ChartSet& set : sets) {
        const QString plain = set.name;
        const auto collides = [&] {
            return std::any_of(set.charts.begin(), set.charts.end(), [&](const ArticleChart& chart) {
                return taken.contains(fileName(options, set.name, chart, QStringLiteral("csv")).toLower());
            });
        };
        for (int number = 2; collides(); ++number)
            set.name = plain + QStringLiteral("-%1").arg(number);
        for (const ArticleChart& chart : set.charts) {
            for (const QString& format : formatsOf(options)) {
                const QString name = fileName(options, set.name, chart, format);
                taken.insert(name.toLower());
                files.push_back({fs::path(options.folder.toStdString()) / name.toStdString(), format, &set, &chart});
            }
        }
    }
    return files;
}

QByteArray contentOf(const ChartFile& file, const ChartOptions& options)
{
    if (file.format == QLatin1String("svg"))
        return chartAsSvg(*file.chart, options.look, file.set->source);
    if (file.format == QLatin1String("png"))
        return chartAsPng(*file.chart, options.look, options.scale, file.set->source);
    if (file.format == QLatin1String("pdf"))
        return chartAsPdf(*file.chart, options.look, file.set->source);
    return articleCsv(*file.chart);
}

/// Figures that stand there already as they are to be written, as beside the same chart in another theme, are no loss.
bool wouldBeLost(const ChartFile& file, const ChartOptions& options)
{
    std::error_code error;
    if (!fs::exists(file.path, error))
        return false;
    if (file.format != QLatin1String("csv"))
        return true;
    const auto there = readFile(file.path);
    return !there || there.value() != contentOf(file, options).toStdString();
}

/// All of them or none.
int writeFiles(const std::vector<ChartFile>& files, const ChartOptions& options)
{
    const fs::path folder = options.folder.toStdString();
    std::vector<ExportFile> exports;
    for (const ChartFile& file : files)
        exports.push_back({file.path.filename().string(), {}});
    // What a refusal needs to know comes before the drawing, which takes its time.
    if (const auto found = filesInTheWay(folder, exports); !found)
        return refuse(kUnwritable, found.problem());
    for (const ChartFile& file : files) {
        if (!options.replace && wouldBeLost(file, options))
            return refuse(kBadInput, Problem{file.path.string(), "is there already",
                                             "choose another folder with -o, or replace it with --yes"});
    }
    for (std::size_t i = 0; i < files.size(); ++i)
        exports[i].content = contentOf(files[i], options).toStdString();
    if (const auto written = writeExportFiles(folder, exports, kReadableByAll); !written)
        return refuse(kUnwritable, written.problem());
    for (const ChartFile& file : files)
        std::printf("%s\n", file.path.c_str());
    return std::fflush(stdout) == 0 ? kDone : refuse(kUnwritable, text("stdout cannot be written"));
}

} // namespace

QString exportChartsOption()
{
    return QStringLiteral("export-charts");
}

bool asksForCharts(int argc, char** argv)
{
    const QString option = QStringLiteral("--") + exportChartsOption();
    return std::any_of(argv, argv + argc, [&option](const char* word) { return option == QLatin1String(word); });
}

void fixChartPlatform()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    for (const char* name : {"QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_ENABLE_HIGHDPI_SCALING",
                             "QT_USE_PHYSICAL_DPI", "QT_FONT_DPI", "QT_STYLE_OVERRIDE"})
        qunsetenv(name);
    qputenv("TZ", "UTC"); // a PDF's date is as long as the zone's name
    QLocale::setDefault(QLocale::c());
    // Qt writes the fonts of a PDF in the order of a hash.
    QHashSeed::setDeterministicGlobalSeed();
}

int exportCharts(const QStringList& arguments)
{
    ChartOptions options;
    if (const QString wrong = readOptions(arguments, options); !wrong.isEmpty())
        return refuse(kBadInput, wrong);
    std::vector<ChartSet> sets;
    for (const QString& file : std::as_const(options.results)) {
        auto set = readCharts(file, options.charts);
        if (!set)
            return refuse(kBadInput, set.problem());
        sets.push_back(std::move(set).value());
    }
    return writeFiles(filesOf(options, sets), options);
}

} // namespace lapbench
