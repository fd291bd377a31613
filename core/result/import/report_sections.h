#pragma once

#include "core/result/import/imported_run.h"
#include "core/result/import/measure_text.h"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// One report of a tool in a text that may hold several, and other things between them. A view of the text.
struct ReportSection {
    std::size_t line = 0;                  ///< of the text, from 0, where it begins
    std::vector<std::string_view> lines;   ///< up to the next report, heading or fence
    std::string_view title;                ///< heading or "=== title ===" it stands under; empty: none
    std::vector<std::string_view> command; ///< what follows the tool's name in a command line above; empty: none
    NumberStyle style = NumberStyle::point;
};

/// Whether a line may begin a report, and how far into it that line is: 0 for the first, more for those that begin it
/// where the ones before were not copied. Nothing for other lines.
using Opening = std::optional<int> (*)(std::string_view line);

/// The reports in `text`, of which `tools` are the names of the program in command lines.
std::vector<ReportSection> sectionsOf(std::string_view text, Opening opening,
                                      std::initializer_list<std::string_view> tools);

/// The runs of all sections. One that cannot be read is a problem where it is the only one, else a doubt of the run
/// before or after it.
Result<ImportedRuns> readSections(const std::vector<ReportSection>& sections,
                                  Result<ImportedRun> (*read)(const ReportSection& section));

/// The value of an option in the words of a command line: "-R1000", "-R 1000", "--rate=1000", "--rate 1000".
std::optional<std::string_view> optionOf(const std::vector<std::string_view>& command, std::string_view shortName,
                                         std::string_view longName);
/// The first word that is a URL; empty: none.
std::string_view urlOf(const std::vector<std::string_view>& command);

/// The key of a percentile that is reported, of its number: "p99_9" of 99.9; nothing for others.
std::optional<std::string> percentileKeyOf(double percent);

/// A doubt where completed / durationSeconds is not the printed rate, by more than 1 % and the step in which the time
/// is printed. Where no rate is printed but both are there, it is computed, which is a doubt too, unless the time is
/// too rounded for that.
void checkRate(ImportedRun& run, double stepSeconds);

} // namespace lapbench
