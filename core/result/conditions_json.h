#pragma once

#include "core/host/conditions.h"
#include "core/result/json_reader.h"

namespace lapbench {

/// "conditions" {"before", "after"} of a record: each figure under its name in snake_case; what is not known has no
/// key.
void putConditions(nlohmann::ordered_json& record, const std::optional<Conditions>& before,
                   const std::optional<Conditions>& after);
/// The inverse; a value of the wrong type is the reader's problem.
void readConditionsOf(JsonReader& record, std::optional<Conditions>& before, std::optional<Conditions>& after);

} // namespace lapbench
