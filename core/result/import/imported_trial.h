#pragma once

#include "core/result/import/imported_run.h"
#include "core/result/session_result.h"

namespace lapbench {

/// A run of another tool as a trial, its names as they are, round 1. Figures that contradict each other or are none
/// (below 0, not finite) are left out, with a warning.
Trial trialOf(ImportedRun run);

} // namespace lapbench
