#pragma once

#include "core/result/export/chart_picture.h"
#include "core/result/session_result.h"

#include <string>

namespace lapbench {

/// A result as one self-contained HTML page: verdicts, tables, charts, conditions, doubts beside what they concern,
/// where it comes from and how to repeat it. It fetches nothing and runs nothing, is light or dark as the reader's
/// system is, and prints. Every text of the result stands in it as text. `planFile` is how the command that repeats it
/// names the plan.
std::string reportAsHtml(const SessionResult& result, const Charts& charts, const std::string& planFile);

} // namespace lapbench
