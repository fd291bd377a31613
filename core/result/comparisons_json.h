#pragma once

#include "core/base/result.h"
#include "core/result/json_reader.h"
#include "core/result/result_json.h"

#include <vector>

namespace lapbench {

/// One comparison as it stands in a result and in the progress of a session. Absent values have no key; a round without
/// a ratio is null.
Json comparisonToJson(const Comparison& comparison);
/// The inverse. Problems name the key.
Result<Comparison> comparisonFromJson(const Json& json);
Json rankingToJson(const Ranking& ranking);

/// "comparisons" and "ranking" of a result; a file's own values are kept as they are.
void putComparisons(Json& json, const SessionResult& result);
/// What the file has of the two; what it has not is made from the trials, which are read before.
void readComparisons(JsonReader& json, SessionResult& result);

} // namespace lapbench
