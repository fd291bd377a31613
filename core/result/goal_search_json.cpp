#include "core/result/goal_search_json.h"

namespace lapbench {

namespace {

void putLatency(Json& json, const char* key, const std::optional<double>& us, bool atLeast)
{
    if (us && atLeast)
        json[key] = Json{{"at_least", *us}};
    else
        put(json, key, us);
}

void readLatency(JsonReader& json, std::string_view key, std::optional<double>& us, bool& atLeast)
{
    const Json* value = json.value(key);
    atLeast = value != nullptr && value->is_object();
    us = atLeast ? json.child(key).number("at_least") : json.number(key);
}

Json stepToJson(const GoalStep& step)
{
    Json json{{"rate", step.rate}, {"held", step.held}};
    put(json, "rps", step.rps);
    putLatency(json, "p50_us", step.p50Us, step.p50AtLeast);
    putLatency(json, "p99_us", step.p99Us, step.p99AtLeast);
    putLatency(json, "goal_us", step.goalUs, step.goalAtLeast);
    put(json, "failed_share", step.failedShare);
    if (!step.why.empty())
        json["why"] = step.why;
    return json;
}

} // namespace

Json goalSearchToJson(const GoalSearch& search)
{
    Json json{{"goal", search.goal}};
    put(json, "rate", search.rate);
    if (search.atLeast)
        json["at_least"] = true;
    if (!search.reason.empty())
        json["reason"] = search.reason;
    json["steps"] = Json::array();
    for (const GoalStep& step : search.steps)
        json["steps"].push_back(stepToJson(step));
    return json;
}

GoalSearch readGoalSearch(JsonReader json)
{
    GoalSearch search;
    search.goal = json.text("goal");
    search.rate = json.number("rate");
    search.atLeast = json.flag("at_least").value_or(false);
    search.reason = json.text("reason");
    const Json* list = json.array("steps");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        JsonReader item = json.element("steps", *list, i);
        GoalStep step;
        step.rate = item.number("rate").value_or(0);
        step.held = item.flag("held").value_or(false);
        step.rps = item.number("rps");
        readLatency(item, "p50_us", step.p50Us, step.p50AtLeast);
        readLatency(item, "p99_us", step.p99Us, step.p99AtLeast);
        readLatency(item, "goal_us", step.goalUs, step.goalAtLeast);
        step.failedShare = item.number("failed_share");
        step.why = item.text("why");
        search.steps.push_back(std::move(step));
    }
    return search;
}

} // namespace lapbench
