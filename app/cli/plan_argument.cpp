#include "app/cli/plan_argument.h"

#include "app/cli/terminal.h"
#include "core/plan/plan_check.h"
#include "core/workload/request_script.h"

#include <utility>

namespace lapbench {

PlanReading readWholePlan(const std::filesystem::path& file, const SessionPlaces& places)
{
    PlanReading reading = readPlan(file, places.resources);
    for (Problem& problem : checkScripts(reading.plan))
        reading.problems.push_back(std::move(problem));
    return reading;
}

std::optional<Plan> readPlanOrComplain(const std::string& name, const SessionPlaces& places)
{
    const auto file = findPlan(name, places.resources);
    if (!file) {
        complain(file.problem());
        return std::nullopt;
    }
    PlanReading reading = readWholePlan(file.value(), places);
    for (const Problem& problem : reading.problems)
        complain(problem);
    if (!reading.ok())
        return std::nullopt;
    return std::move(reading.plan);
}

} // namespace lapbench
