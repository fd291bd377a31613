#include "core/result/import/formats.h"
#include "core/result/import/wrk_report.h"

#include <algorithm>

namespace lapbench {

namespace {

std::vector<ReportSection> ownSections(std::string_view text)
{
    std::vector<ReportSection> sections = wrkSections(text);
    std::erase_if(sections, [](const ReportSection& section) { return !isWrk2(section); });
    return sections;
}

bool knows(std::string_view text)
{
    return !ownSections(text).empty();
}

/// The table of percentiles in milliseconds: value, percentile, count, 1 / (1 - percentile). It tells what the short
/// list leaves out; of two tables that of the recorded latencies counts.
void readSpectrum(const ReportSection& section, ImportedRun& run)
{
    constexpr double kUsPerMs = 1000;
    bool recorded = true, inTable = false;
    for (const std::string_view line : section.lines) {
        if (line.find("Latency Distribution") != std::string_view::npos)
            recorded = line.find("Uncorrected") == std::string_view::npos;
        if (line.find("Detailed Percentile spectrum") != std::string_view::npos)
            inTable = true;
        if (line.find("#[Max") != std::string_view::npos) {
            const std::size_t label = line.find("Total count");
            const std::size_t equals = label == line.npos ? label : line.find('=', label);
            if (recorded && !run.latency.count && equals != line.npos) {
                const std::string_view rest = line.substr(equals + 1);
                run.latency.count = parseWhole(rest.substr(0, rest.find(']')), section.style);
            }
            inTable = false;
        }
        if (!inTable || !recorded)
            continue;
        const auto words = wordsOf(line.substr(0, 256));
        const auto ms = words.size() == 4 ? parseNumber(words[0], section.style) : std::nullopt;
        const auto share = ms ? parseNumber(words[1], section.style) : std::nullopt;
        const auto key = share ? percentileKeyOf(*share * 100) : std::nullopt;
        if (key)
            run.latency.percentilesUs.try_emplace(*key, *ms * kUsPerMs);
        else if (share && *share == 0)
            run.latency.minUs = *ms * kUsPerMs;
    }
}

Result<ImportedRun> readSection(const ReportSection& section)
{
    Result<ImportedRun> read = readWrkReport(section, "wrk2");
    if (!read)
        return read;
    ImportedRun run = std::move(read).value();
    if (run.latency.meanUs)
        readSpectrum(section, run);
    if (const auto rate = optionOf(section.command, "-R", "--rate"))
        if (const auto number = parseScaled(*rate))
            run.rate = *number;
    run.semantics.correction = Correction::intended;
    constexpr double kCalibrationSeconds = 10;
    std::vector<std::string>& notes = run.semantics.notes;
    notes.push_back("wrk2 leaves the first 10 s, in which it calibrates, out of the latencies, and counts them in "
                    "the requests a second.");
    notes.push_back(
        "Above what the server can do, the latencies are the waiting time of requests that were due and not "
        "yet sent.");
    if (run.durationSeconds && *run.durationSeconds <= kCalibrationSeconds)
        run.doubts.push_back("The run was not longer than the 10 s in which wrk2 calibrates itself: its figures may be "
                             "of no use.");
    return run;
}

Result<ImportedRuns> read(std::string_view text)
{
    return readSections(ownSections(text), readSection);
}

} // namespace

void addWrk2(Formats& formats)
{
    formats.text.push_back({"wrk2", "text", knows, read});
}

} // namespace lapbench
