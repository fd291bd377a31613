#include "app/cli/plan_argument.h"

#include "app/cli/terminal.h"
#include "core/plan/plan_check.h"

#include <utility>

namespace lapbench {

std::optional<Plan> readPlanOrComplain(const std::string& name, const SessionPlaces& places)
{
    const auto file = findPlan(name, places.resources);
    if (!file) {
        complain(file.problem());
        return std::nullopt;
    }
    PlanReading reading = readPlan(file.value(), places.resources);
    for (const Problem& problem : reading.problems)
        complain(problem);
    if (!reading.ok())
        return std::nullopt;
    return std::move(reading.plan);
}

} // namespace lapbench
