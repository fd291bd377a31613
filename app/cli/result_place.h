#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <filesystem>

namespace lapbench {

/// Where a run's result goes when -o does not say: HOME/results/NAME-UTC.lapbench.json, not there yet.
std::filesystem::path newResultPlace(const Plan& plan, const std::filesystem::path& home);

/// The result whose journal is the newest of this very plan under HOME/results. Problems: there is none.
Result<std::filesystem::path> resultToResume(const Plan& plan, const std::filesystem::path& home);

} // namespace lapbench
