#include "core/result/import/formats.h"
#include "core/result/import/wrk_report.h"

#include <algorithm>

namespace lapbench {

namespace {

std::vector<ReportSection> ownSections(std::string_view text)
{
    std::vector<ReportSection> sections = wrkSections(text);
    std::erase_if(sections, isWrk2);
    return sections;
}

bool knows(std::string_view text)
{
    return !ownSections(text).empty();
}

Result<ImportedRun> readSection(const ReportSection& section)
{
    Result<ImportedRun> read = readWrkReport(section, "wrk");
    if (!read)
        return read;
    ImportedRun run = std::move(read).value();
    run.semantics.correction = Correction::backfilled;
    std::vector<std::string>& notes = run.semantics.notes;
    notes.push_back("wrk always adds made-up samples for the time of a stall before it takes mean, deviation and "
                    "percentiles; only the maximum is as it was measured.");
    notes.push_back("The latency of an answer that came after wrk's timeout (2 s unless set) is dropped.");
    if (!run.errors.empty())
        notes.push_back("wrk counts failed connections without saying why they failed.");
    return run;
}

Result<ImportedRuns> read(std::string_view text)
{
    return readSections(ownSections(text), readSection);
}

} // namespace

void addWrk(Formats& formats)
{
    formats.text.push_back({"wrk", "text", knows, read});
}

} // namespace lapbench
