#pragma once

#include "core/result/import/imported_run.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// For each line the Markdown heading ("## Node") that it stands under; "" where there is none. Lines in fences are
/// none.
std::vector<std::string_view> headingsOf(const std::vector<std::string_view>& lines);

/// What `method` and `url` tell: url, host as the target where the run has none, and "GET /path" as the workload where
/// the method is told.
void setRequest(ImportedRun& run, std::string_view method, std::string_view url);

/// The step in which a printed time is told, in microseconds: 10 of "3.65ms", 100 of "0.0015 secs". Nothing of text
/// that is no single number with a unit.
std::optional<double> printedStepUs(std::string_view time);

/// Makes `step` the finer of both: where the unit grows with the figure, each is told to the same number of digits.
void takeFiner(std::optional<double>& step, std::optional<double> other);

/// A report that was cut off, as a problem: `what` is missing of the one that begins in `line` (from 0).
Problem cutOff(std::string_view tool, std::size_t line, std::string_view what);

} // namespace lapbench
