#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/plan/plan_json.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

/// Everything that keeps a plan from being run, beyond the form of its values: what targets name, what excludes what,
/// files that are not there. All problems at once. `resources` is the resources folder; empty where there is none.
Problems checkPlan(const Plan& plan, const std::filesystem::path& resources);

/// What is wrong with one workload, its place before each problem ("workloads[0]"; empty: the key alone). The
/// placeholders in it are the matter of checkScripts.
Problems checkWorkload(const Workload& workload, const std::string& place);

/// What is wrong with how the load is made; the same for the place.
Problems checkLoad(const Load& load, const std::string& place);

/// What is wrong with how often the plan is repeated, with the targets that are selected now: too few rounds for
/// until_ci, or nothing to compare.
Problems checkRounds(const Plan& plan);

/// RFC 6901, section 3; the empty text, which is the whole document, included.
bool isJsonPointer(std::string_view text);

/// Where an app is: as it stands where absolute, in the plan's folder, or in `resources`/apps. Nothing where in none.
std::optional<std::filesystem::path> findApp(const Plan& plan, const std::string& app,
                                             const std::filesystem::path& resources);

/// A plan that comes with Lapbench.
struct ShippedPlan {
    std::string name, title, description;
    std::filesystem::path file;
};
/// Those of `resources`/plans, by name; files that cannot be read are left out.
std::vector<ShippedPlan> shippedPlans(const std::filesystem::path& resources);

/// The file that a user means by a file name or a shipped plan's name. Problems: neither, with the nearest name.
Result<std::filesystem::path> findPlan(const std::string& nameOrFile, const std::filesystem::path& resources);

/// Reads a plan's file, parsePlan and checkPlan in one; problems that follow from others are left out.
PlanReading readPlan(const std::filesystem::path& file, const std::filesystem::path& resources);

} // namespace lapbench
