#pragma once

#include "core/result/json_reader.h"
#include "core/result/session_result.h"

namespace lapbench {

/// "cold_starts" of a record: for each target its starts with their figures. No key where there were none.
void putColdStarts(nlohmann::ordered_json& record, const std::vector<ColdStarts>& starts);
void readColdStarts(JsonReader& record, std::vector<ColdStarts>& starts);

} // namespace lapbench
