#pragma once

#include "core/host/conditions.h"
#include "core/result/json_reader.h"

namespace lapbench {

/// Each figure under its name in snake_case; what is not known has no key.
nlohmann::ordered_json conditionsToJson(const Conditions& conditions);
/// The inverse; a value of the wrong type is the reader's problem.
Conditions readConditionsJson(JsonReader json);

/// "conditions" {"before", "after"} of a record; no key where neither is known.
void putConditions(nlohmann::ordered_json& record, const std::optional<Conditions>& before,
                   const std::optional<Conditions>& after);
void readConditionsOf(JsonReader& record, std::optional<Conditions>& before, std::optional<Conditions>& after);

} // namespace lapbench
