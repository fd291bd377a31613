#include "app/cli/commands.h"
#include "app/cli/plan_argument.h"
#include "app/cli/terminal.h"
#include "core/base/units.h"
#include "core/plan/fields.h"
#include "core/plan/plan_check.h"
#include "core/plan/schedule.h"
#include "core/result/export/text_table.h"

namespace lapbench {

namespace {

ExitCode check(const std::string& name, const SessionPlaces& places)
{
    auto plan = readPlanOrComplain(name, places);
    if (!plan)
        return ExitCode::badInput;
    applyControl(*plan);
    const auto trials = makeSchedule(*plan);
    printOut(name + ": nothing wrong; " + formatCounted(trials.size(), "trial") + " in " +
             formatCounted(roundsOf(*plan), "round") + (plan->untilCi ? " or more" : "") + ", about " +
             formatRemaining(estimateSession(*plan)) + "\n");
    return ExitCode::done;
}

ExitCode listPlans(const SessionPlaces& places)
{
    const auto plans = shippedPlans(places.resources);
    if (plans.empty()) {
        complain(Problem{places.resources.string(), "there are no plans",
                         "set LAPBENCH_RESOURCES to the folder that holds plans"});
        return ExitCode::badInput;
    }
    TextTable table;
    table.header = {"plan", "measures"};
    table.allLeft = true;
    for (const ShippedPlan& plan : plans)
        table.rows.push_back({plan.name, plan.title.empty() ? plan.name : plan.title});
    printOut(formatAligned(table));
    return ExitCode::done;
}

} // namespace

void addCheck(CLI::App& app, const SessionPlaces& places, Body& body)
{
    const auto plan = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("check", "Tell everything that is wrong with a plan, with the cures");
    command->add_option("plan", *plan, "A plan file, or the name of a plan that comes with Lapbench")->required();
    command->callback([plan, &places, &body] { body = [plan, &places] { return check(*plan, places); }; });
}

void addPlans(CLI::App& app, const SessionPlaces& places, Body& body)
{
    CLI::App* command = app.add_subcommand("plans", "List the plans that come with Lapbench");
    command->callback([&places, &body] { body = [&places] { return listPlans(places); }; });
}

void addFields(CLI::App& app, const SessionPlaces&, Body& body)
{
    const auto markdown = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("fields", "List every option of a plan");
    command->add_flag("--markdown", *markdown, "As Markdown");
    command->callback([markdown, &body] {
        body = [markdown] {
            printOut(*markdown ? fieldsAsMarkdown() : fieldsAsText());
            return ExitCode::done;
        };
    });
}

} // namespace lapbench
