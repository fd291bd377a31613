#pragma once

#include "core/result/goal_search.h"
#include "core/result/json_reader.h"
#include "core/result/result_json.h"

namespace lapbench {

/// What stands under "search" of a trial. Absent values have no key.
Json goalSearchToJson(const GoalSearch& search);
/// The inverse; keys it does not know are left out.
GoalSearch readGoalSearch(JsonReader json);

} // namespace lapbench
