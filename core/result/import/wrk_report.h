#pragma once

#include "core/result/import/report_sections.h"

#include <string_view>
#include <vector>

namespace lapbench {

// What the reports of wrk and of wrk2 have in common: the lines are the same, and so are their traps.

/// The reports of both in `text`; none without the lines that only these two print.
std::vector<ReportSection> wrkSections(std::string_view text);

/// Whether it was wrk2 that wrote the report: its calibration, its histogram, its -nan or its option -R tell.
bool isWrk2(const ReportSection& section);

/// All figures but what only wrk2 prints. Of two distributions of latencies that of the recorded ones counts.
Result<ImportedRun> readWrkReport(const ReportSection& section, std::string_view tool);

} // namespace lapbench
