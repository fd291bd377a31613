#include "ui/bridge/opened_result.h"

#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"
#include "core/result/export/session_text.h"

#include <algorithm>

namespace lapbench {

namespace {

unsigned roundsIn(const SessionResult& result)
{
    unsigned rounds = 1;
    for (const Trial& trial : result.trials)
        rounds = std::max(rounds, trial.round);
    return rounds;
}

Plan planAsRun(const SessionResult& result, Plan plan)
{
    if (!plan.untilCi && (result.complete || !plan.rounds))
        plan.rounds = roundsIn(result);
    for (Target& target : plan.targets)
        target.selected = std::any_of(result.trials.begin(), result.trials.end(),
                                      [&target](const Trial& trial) { return trial.target == target.name; });
    plan.scale = result.scale;
    return plan;
}

Plan planAsShown(const SessionResult& result, const Plan& plan)
{
    Plan whole = plan;
    whole.scale = 1;
    Plan shown = whole;
    if (result.scale < 1 && !applyScale(shown, result.scale))
        shown = whole;
    applyControl(shown);
    if (result.complete && shown.untilCi) {
        shown.untilCi.reset();
        shown.rounds = roundsIn(result);
    }
    return shown;
}

} // namespace

OpenedResult openedResult(SessionResult result, const std::filesystem::path& folder)
{
    OpenedResult opened;
    opened.plan = planAsRun(result, parsePlan(result.planJson, folder).plan);
    if (opened.plan.name.empty())
        opened.plan.title = titleOf(result);
    opened.shown = planAsShown(result, opened.plan);
    opened.result = std::move(result);
    return opened;
}

} // namespace lapbench
