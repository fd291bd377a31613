#include "core/result/conditions_json.h"

namespace lapbench {

namespace {

using Json = nlohmann::ordered_json;

/// Goes through every key with its member, so that writing and reading cannot differ.
template <typename Of, typename Visit>
void forEachKey(Of& conditions, Visit visit)
{
    visit("governor", conditions.governor);
    visit("turbo", conditions.turbo);
    visit("on_battery", conditions.onBattery);
    visit("cpu_quota_cores", conditions.cpuQuotaCores);
    visit("memory_limit_bytes", conditions.memoryLimitBytes);
    visit("load_average", conditions.loadAverage);
    visit("busiest_processes", conditions.busiestProcesses);
    visit("cpu_pressure", conditions.cpuPressure);
    visit("memory_pressure", conditions.memoryPressure);
    visit("io_pressure", conditions.ioPressure);
    visit("swap_used_bytes", conditions.swapUsedBytes);
    visit("swapped_pages", conditions.swappedPages);
    visit("throttled_periods", conditions.throttledPeriods);
    visit("thermal_throttles", conditions.thermalThrottles);
    visit("tcp_retransmits", conditions.tcpRetransmits);
    visit("listen_overflows", conditions.listenOverflows);
    visit("listen_drops", conditions.listenDrops);
    visit("steal_seconds", conditions.stealSeconds);
    visit("processor_seconds", conditions.processorSeconds);
}

struct Reading {
    JsonReader& json;

    void operator()(const char* key, std::optional<std::string>& text) const
    {
        if (json.has(key))
            text = json.text(key);
    }
    void operator()(const char* key, std::optional<std::vector<std::string>>& texts) const
    {
        if (json.has(key))
            texts = json.texts(key);
    }
    void operator()(const char* key, std::optional<bool>& flag) const { flag = json.flag(key); }
    void operator()(const char* key, std::optional<double>& number) const { number = json.number(key); }
    void operator()(const char* key, std::optional<std::uint64_t>& count) const { count = json.count(key); }
};

Json conditionsToJson(const Conditions& conditions)
{
    Json json = Json::object();
    forEachKey(conditions, [&](const char* key, const auto& figure) {
        if (figure)
            json[key] = *figure;
    });
    return json;
}

Conditions readConditionsJson(JsonReader json)
{
    Conditions conditions;
    forEachKey(conditions, Reading{json});
    return conditions;
}

} // namespace

void putConditions(Json& record, const std::optional<Conditions>& before, const std::optional<Conditions>& after)
{
    if (!before && !after)
        return;
    Json& json = record["conditions"] = Json::object();
    if (before)
        json["before"] = conditionsToJson(*before);
    if (after)
        json["after"] = conditionsToJson(*after);
}

void readConditionsOf(JsonReader& record, std::optional<Conditions>& before, std::optional<Conditions>& after)
{
    if (!record.has("conditions"))
        return;
    JsonReader json = record.child("conditions");
    if (json.has("before"))
        before = readConditionsJson(json.child("before"));
    if (json.has("after"))
        after = readConditionsJson(json.child("after"));
}

} // namespace lapbench
