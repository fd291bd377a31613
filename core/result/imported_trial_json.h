#pragma once

#include "core/result/json_reader.h"
#include "core/result/result_json.h"

namespace lapbench {

/// "semantics", "requests", "latency_us" and so on of another tool's trial: what it does not tell has no key.
void putImportedLoad(Json& json, const Trial& trial);
/// The inverse, where the trial has "semantics"; nothing else than `load` and `imported` is set.
void readImportedLoad(JsonReader& json, Trial& trial);

/// Latency in microseconds; `counted`: with how many values it is of.
Json latencyToJson(const LatencySummary& latency, bool counted);
/// `timed`: with when the first of each kind was.
Json errorsToJson(const std::vector<ErrorCount>& errors, bool timed);
void readLatency(JsonReader json, LatencySummary& latency);
void readStatus(JsonReader& json, std::map<int, std::uint64_t>& status);
void readErrors(JsonReader& json, std::vector<ErrorCount>& errors);

} // namespace lapbench
