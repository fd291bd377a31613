#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/base/atomic_file.h"
#include "core/result/export/export_files.h"
#include "core/result/export/session_text.h"
#include "core/result/export/trials_csv.h"
#include "core/result/result_json.h"

#include <sys/stat.h>

#include <algorithm>

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

/// One export, step by step.
class Export {
public:
    explicit Export(const ExportOptions& options) : m_options(options) {}

    ExitCode execute()
    {
        auto read = readResultOrJournal(m_options.file);
        if (!read)
            return fail(read.problem(), ExitCode::badInput);
        m_result = std::move(read).value();
        m_name = safeFileName(resultName(m_options.file));
        if (const auto built = build(); !built)
            return fail(built.problem(), ExitCode::badInput);
        if (const ExitCode clear = clearTheWay(); clear != ExitCode::done)
            return clear;
        if (auto written = writeExportFiles(m_options.folder, m_files, modeOfNewFiles()); !written)
            return fail(written.problem(), ExitCode::unwritable);
        return report();
    }

private:
    static ExitCode fail(const Problem& problem, ExitCode code)
    {
        complain(problem);
        return code;
    }

    bool wants(const std::string& format) const
    {
        return std::find(m_options.formats.begin(), m_options.formats.end(), format) != m_options.formats.end();
    }

    Result<void> build()
    {
        if (wants("markdown"))
            m_files.push_back({m_name + ".md", comparisonAsMarkdown(m_result)});
        if (wants("csv")) {
            m_files.push_back({m_name + "-trials.csv", trialsAsCsv(m_result)});
            m_files.push_back({m_name + "-seconds.csv", secondsAsCsv(m_result)});
        }
        if (wants("json")) {
            auto raw = rawResult();
            if (!raw)
                return raw.problem();
            m_files.push_back({m_name + ".lapbench.json", std::move(raw).value()});
        }
        return {};
    }

    /// The file as it is, byte for byte; a journal as the result it would have become.
    Result<std::string> rawResult() const
    {
        return m_result.complete ? readFile(m_options.file) : Result<std::string>(formatResult(m_result));
    }

    ExitCode clearTheWay() const
    {
        const auto found = filesInTheWay(m_options.folder, m_files);
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
    SessionResult m_result;
    std::string m_name; ///< how its files begin
    std::vector<ExportFile> m_files;
};

} // namespace

void addExport(CLI::App& app, const SessionPlaces&, Body& body)
{
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* command = app.add_subcommand("export", "Write a result as files for others");
    command->add_option("result", options->file, "Result, or the journal of a session that did not end")->required();
    command->add_option("--format", options->formats, "One or more of markdown, csv, json")
        ->required()
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"markdown", "csv", "json"}));
    command->add_option("-o,--output", options->folder, "Folder for the files, made where it is missing")->required();
    command->add_flag("--yes", options->yes, "Replace files that are there already");
    command->callback([options, &body] { body = [options] { return Export(*options).execute(); }; });
}

} // namespace lapbench
