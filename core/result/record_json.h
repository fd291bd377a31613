#pragma once

#include "core/base/result.h"
#include "core/result/json_reader.h"
#include "core/result/result_json.h"

#include <optional>
#include <string_view>

namespace lapbench {

/// Everything of a record but schema, trials, cells and warnings: the part that a result and a journal's first line
/// share.
void putRecordHead(Json& json, const SessionResult& result);
void readRecordHead(JsonReader& json, SessionResult& result);

/// "elapsed_s": how long a session has taken; a problem where it is below 0 or above 1e9 s.
std::optional<double> readElapsed(JsonReader& json);
/// The inverse of levelToJson().
Level readLevel(JsonReader json);
void readWarnings(JsonReader& json, std::vector<Warning>& warnings);

/// Problems: another schema, a version newer than `version`, none at all. Marks nothing as read.
Result<void> checkSchema(const Json& json, std::string_view schema, int version);

/// Whether a line opens a journal.
bool isJournalHead(std::string_view line);

} // namespace lapbench
