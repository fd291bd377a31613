#pragma once

#include "core/plan/plan.h"
#include "core/session/session.h"

#include <optional>
#include <string>

namespace lapbench {

/// The plan that a user names by its file or by a shipped plan's name. Every problem goes to stderr, and there is no
/// plan then.
std::optional<Plan> readPlanOrComplain(const std::string& name, const SessionPlaces& places);

} // namespace lapbench
