#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace lapbench {

inline constexpr std::string_view kPlanSchema = "lapbench-plan";
inline constexpr int kPlanSchemaVersion = 1;

/// A plan as read, with everything that is wrong with it. `plan` holds what could be read; it may only be run where
/// `problems` is empty.
struct PlanReading {
    Plan plan;
    Problems problems;

    bool ok() const { return problems.empty(); }
};

/// Reads a plan's text: form, keys, types and ranges, all problems at once, each with its place ("targets[1].app").
/// What the values mean together is the matter of checkPlan. Never fails hard, whatever the text. `folder` is where
/// relative names start. Any thread.
PlanReading parsePlan(std::string_view text, const std::filesystem::path& folder);

/// The plan as JSON that parsePlan reads back to an equal plan: options that differ from their default, indented.
/// Scale, folder, source and the control target are not part of it.
std::string formatPlan(const Plan& plan);

} // namespace lapbench
