#pragma once

#include "core/result/import/formats.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lapbench {

/// The counts that h2load gives in each of its forms.
struct H2loadCounts {
    std::optional<std::uint64_t> started, done, succeeded, failed;
    std::optional<std::uint64_t> errored, timedOut; ///< both are among the failed ones, the latter among the former
    std::string words;                              ///< as they are printed, for the errors
};

/// Completed, failed, unfinished and errors of a run. Requests that failed without ever being sent are completed.
void setH2loadCounts(const H2loadCounts& counts, ImportedRun& run);

/// What the figures of h2load's report and JSON mean.
void setH2loadSemantics(Semantics& semantics);

/// Its JSON and what --log-file writes.
void addH2loadData(Formats& formats);

} // namespace lapbench
