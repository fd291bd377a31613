#include "core/base/atomic_file.h"
#include "core/plan/nearest.h"
#include "core/plan/plan_check.h"

#include <algorithm>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSuffix = ".plan.json";
constexpr std::string_view kKind = "kind";

/// Whether the problem is of the same value as one of `roots`, or of something around or inside it.
bool follows(const Problem& problem, const Problems& roots)
{
    return std::any_of(roots.begin(), roots.end(), [&](const Problem& root) {
        // The kind says which of a runtime's other values are wanted.
        if (root.path.starts_with("runtimes.") && root.path.ends_with(".kind") &&
            problem.path.starts_with(std::string_view(root.path).substr(0, root.path.size() - kKind.size())))
            return true;
        const std::string& shorter = root.path.size() < problem.path.size() ? root.path : problem.path;
        const std::string& longer = root.path.size() < problem.path.size() ? problem.path : root.path;
        return longer.starts_with(shorter) &&
               (longer.size() == shorter.size() || longer[shorter.size()] == '.' || longer[shorter.size()] == '[');
    });
}

} // namespace

std::vector<ShippedPlan> shippedPlans(const fs::path& resources)
{
    std::vector<ShippedPlan> plans;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(resources / "plans", error)) {
        const std::string file = entry.path().filename().string();
        if (!file.ends_with(kSuffix))
            continue;
        const auto text = readFile(entry.path());
        if (!text)
            continue;
        const PlanReading reading = parsePlan(text.value(), entry.path().parent_path());
        plans.push_back(
            {file.substr(0, file.size() - kSuffix.size()), reading.plan.title, reading.plan.description, entry.path()});
    }
    std::sort(plans.begin(), plans.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return plans;
}

Result<fs::path> findPlan(const std::string& nameOrFile, const fs::path& resources)
{
    std::error_code ignored;
    if (fs::exists(nameOrFile, ignored))
        return fs::path(nameOrFile);
    const std::vector<ShippedPlan> plans = shippedPlans(resources);
    std::vector<std::string_view> names;
    for (const ShippedPlan& plan : plans) {
        if (plan.name == nameOrFile)
            return plan.file;
        names.push_back(plan.name);
    }
    return Problem{nameOrFile, "is neither a file nor a plan that comes with Lapbench", suggest(nameOrFile, names)};
}

PlanReading readPlan(const fs::path& file, const fs::path& resources)
{
    constexpr std::uint64_t kLargestPlan = 16u << 20;
    const auto text = readFile(file, kLargestPlan);
    if (!text)
        return {{}, {text.problem()}};
    std::error_code ignored;
    PlanReading reading = parsePlan(text.value(), fs::absolute(file, ignored).parent_path());
    if (reading.plan.sourceJson.empty() ||
        std::any_of(reading.problems.begin(), reading.problems.end(),
                    [](const Problem& problem) { return problem.path.starts_with("schema"); }))
        return reading;
    const Problems roots = reading.problems;
    for (Problem& problem : checkPlan(reading.plan, resources))
        if (!follows(problem, roots))
            reading.problems.push_back(std::move(problem));
    return reading;
}

} // namespace lapbench
