#pragma once

#include "core/plan/plan_json.h"
#include "core/session/session.h"

#include <filesystem>
#include <optional>
#include <string>

namespace lapbench {

/// readPlan with checkScripts: everything that is wrong with a plan's file.
PlanReading readWholePlan(const std::filesystem::path& file, const SessionPlaces& places);

/// The plan that a user names by its file or by a shipped plan's name. Every problem goes to stderr, and there is no
/// plan then.
std::optional<Plan> readPlanOrComplain(const std::string& name, const SessionPlaces& places);

} // namespace lapbench
