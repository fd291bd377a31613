#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <filesystem>
#include <string>

namespace lapbench {

/// Where a run's result goes when -o does not say: HOME/results/NAME-UTC.lapbench.json, not there yet.
std::filesystem::path newResultPlace(const std::string& name, const std::filesystem::path& home);

/// Whether a result may be written to `place`: nothing is there, or `yes`, or who is asked on the terminal says yes.
Result<void> mayReplace(const std::filesystem::path& place, bool yes);

/// The result whose journal is the newest of this very plan under HOME/results. Problems: there is none.
Result<std::filesystem::path> resultToResume(const Plan& plan, const std::filesystem::path& home);

} // namespace lapbench
