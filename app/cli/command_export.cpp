#include "app/cli/commands.h"
#include "app/cli/drawn_charts.h"
#include "app/cli/result_source.h"
#include "app/cli/signals.h"
#include "app/cli/terminal.h"
#include "core/base/atomic_file.h"
#include "core/result/export/article.h"
#include "core/result/export/export_files.h"
#include "core/result/export/html_report.h"
#include "core/result/export/openmetrics.h"
#include "core/result/export/session_text.h"
#include "core/result/export/trials_csv.h"
#include "core/result/hlog.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace lapbench {

namespace {

namespace fs = std::filesystem;

struct ExportOptions {
    std::string file, folder;
    std::vector<std::string> formats;
    bool yes = false;
};

/// What a new file may be for others, as the user has it for all files.
unsigned modeOfNewFiles()
{
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~static_cast<unsigned>(mask);
}

ExitCode fail(const Problem& problem, ExitCode code)
{
    complain(problem);
    return code;
}

/// One export, step by step.
class Export {
public:
    Export(const ExportOptions& options, const SessionPlaces& places, ResultSource source)
        : m_options(options), m_places(places), m_source(std::move(source)),
          m_name(safeFileName(m_source.foreign ? m_source.file.stem().string() : resultName(options.file)))
    {
        // The tables of a result called "index" would take the place of the article.
        if (m_name == "index")
            m_name += "-result";
    }

    ExitCode execute()
    {
        auto text = m_source.text();
        if (!text)
            return fail(text.problem(), ExitCode::badInput);
        m_text = std::move(text).value();
        if (m_source.foreign) {
            auto output = readFile(m_source.file);
            if (!output)
                return fail(output.problem(), ExitCode::badInput);
            m_output = ExportFile{nameOfOutput(), std::move(output).value()};
        }
        // What a refusal or a question needs to know comes before the charts, which take their time.
        build({});
        if (const ExitCode clear = clearTheWay({}); clear != ExitCode::done)
            return clear;
        if (wants("html") || wants("article")) {
            const auto before = m_files;
            const auto charts = draw();
            if (!charts)
                return fail({m_options.folder, "was not written, as the drawing of the charts was interrupted",
                             "start the export again"},
                            ExitCode::interrupted);
            build(*charts);
            if (const ExitCode clear = clearTheWay(before); clear != ExitCode::done)
                return clear;
        }
        if (auto written = writeExportFiles(m_options.folder, m_files, modeOfNewFiles()); !written)
            return fail(written.problem(), ExitCode::unwritable);
        return report();
    }

private:
    bool wants(const std::string& format) const
    {
        return std::find(m_options.formats.begin(), m_options.formats.end(), format) != m_options.formats.end();
    }

    /// What another tool has written keeps its name, but not that of a file made of it: "notes.md", "index.md".
    std::string nameOfOutput() const
    {
        const std::string name = safeFileName(m_source.file.filename().string());
        const std::string_view rest = std::string_view(name).starts_with(m_name)
                                          ? std::string_view(name).substr(m_name.size())
                                          : std::string_view();
        constexpr std::array<std::string_view, 3> kOwn = {"index.md", "SHA256SUMS", "charts"};
        constexpr std::array<std::string_view, 3> kEndings = {".md", ".html", ".hlog"};
        const bool taken =
            std::ranges::find(kOwn, name) != kOwn.end() || std::ranges::find(kEndings, rest) != kEndings.end();
        return (taken ? "output-" : "") + name;
    }

    /// Absent where Ctrl-C or a signal ended it.
    std::optional<Charts> draw() const
    {
        SessionControl control;
        const StopSignals signals(control);
        const ChartWish wish{.dark = wants("html"), .png = wants("article")};
        Charts charts = drawCharts(m_places.program, m_source, wish, control.stopFlag());
        if (control.stopping())
            return std::nullopt;
        if (!charts.missing.empty())
            complain(charts.missing);
        return charts;
    }

    void add(ExportFile file)
    {
        if (std::none_of(m_files.begin(), m_files.end(), [&](const ExportFile& one) { return one.name == file.name; }))
            m_files.push_back(std::move(file));
    }

    void build(const Charts& charts)
    {
        const SessionResult& result = m_source.result;
        m_files.clear();
        if (wants("markdown"))
            add({m_name + ".md", comparisonAsMarkdown(result)});
        if (wants("csv")) {
            add({m_name + "-trials.csv", trialsAsCsv(result)});
            add({m_name + "-seconds.csv", secondsAsCsv(result)});
        }
        if (wants("json"))
            add({m_name + ".lapbench.json", m_text});
        if (wants("html"))
            add({m_name + ".html", reportAsHtml(result, charts, m_name + ".plan.json")});
        if (wants("hlog"))
            add({m_name + ".hlog", formatHlog(result)});
        if (wants("openmetrics"))
            add({m_name + ".openmetrics.txt", formatOpenMetrics(result)});
        if (wants("article"))
            for (ExportFile& file : articleFiles(result, {m_name, m_text, charts, m_output}))
                add(std::move(file));
    }

    /// `known`: files that were looked for already.
    ExitCode clearTheWay(const std::vector<ExportFile>& known) const
    {
        std::vector<ExportFile> files;
        std::ranges::copy_if(m_files, std::back_inserter(files), [&](const ExportFile& file) {
            return std::none_of(known.begin(), known.end(),
                                [&](const ExportFile& other) { return other.name == file.name; });
        });
        const auto found = filesInTheWay(m_options.folder, files);
        if (!found)
            return fail(found.problem(), ExitCode::unwritable);
        std::error_code ignored;
        for (const std::string& name : found.value())
            if (fs::equivalent(fs::path(m_options.folder) / name, m_options.file, ignored))
                return fail({m_options.file, "is the result itself and would be replaced by its export",
                             "name another folder with -o"},
                            ExitCode::badInput);
        if (found.value().empty() || m_options.yes)
            return ExitCode::done;
        const std::string first = (fs::path(m_options.folder) / found.value().front()).string();
        const std::size_t more = found.value().size() - 1;
        const std::string there = "is there already" + (more > 0 ? ", and " + std::to_string(more) + " more" : "");
        if (!canAsk())
            return fail({first, there, "give --yes to replace what is there, or another -o"}, ExitCode::badInput);
        if (!askYesNo(first + " " + there + ". Replace?"))
            return fail({first, "was kept", "give another -o"}, ExitCode::badInput);
        return ExitCode::done;
    }

    ExitCode report() const
    {
        std::string text;
        for (const ExportFile& file : m_files)
            text += "Wrote " + (fs::path(m_options.folder) / file.name).string() + "\n";
        return printOut(text) ? ExitCode::done
                              : fail({"stdout", "cannot be written", "the files are in " + m_options.folder},
                                     ExitCode::unwritable);
    }

    const ExportOptions& m_options;
    const SessionPlaces& m_places;
    const ResultSource m_source;
    std::string m_name;                 ///< how its files begin
    std::string m_text;                 ///< of the result's file
    std::optional<ExportFile> m_output; ///< of another tool
    std::vector<ExportFile> m_files;
};

ExitCode exportResult(const ExportOptions& options, const SessionPlaces& places)
{
    auto source = readSource(options.file);
    if (!source)
        return fail(source.problem(), ExitCode::badInput);
    return Export(options, places, std::move(source).value()).execute();
}

} // namespace

void addExport(CLI::App& app, const SessionPlaces& places, Body& body)
{
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* command = app.add_subcommand("export", "Write a result as files for others");
    command
        ->add_option("result", options->file, "Result, journal of a session that did not end, or another tool's output")
        ->required();
    command
        ->add_option("--format", options->formats,
                     "One or more of markdown, csv, json, html, hlog, openmetrics, article")
        ->required()
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"markdown", "csv", "json", "html", "hlog", "openmetrics", "article"}));
    command->add_option("-o,--output", options->folder, "Folder for the files, made where it is missing")->required();
    command->add_flag("--yes", options->yes, "Replace files that are there already");
    command->callback(
        [options, &places, &body] { body = [options, &places] { return exportResult(*options, places); }; });
}

} // namespace lapbench
