#pragma once

#include "core/base/result.h"
#include "core/result/session_result.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

using Json = nlohmann::ordered_json;

/// Sets `key` where the value is known: what is not has no key.
template <typename T>
void put(Json& json, const char* key, const std::optional<T>& value)
{
    if (value)
        json[key] = *value;
}

/// One trial as `load --json` prints it and as it stands in a result. Absent values have no key.
Json trialToJson(const Trial& trial);
/// The inverse; unknown keys are kept. Problems name the key.
Result<Trial> trialFromJson(const Json& json);

/// Compact text; bytes that are no UTF-8 (a server's output, a head) become U+FFFD.
std::string dumpJson(const Json& json);

Json hostToJson(const HostInfo& host);
Json warningToJson(const Warning& warning);
/// {"connections": 64, "rate": 5000}, the rate where there is one.
Json levelToJson(const Level& level);
Json cellToJson(const Cell& cell);

/// The result file's text, its integrity checksum included.
std::string formatResult(const SessionResult& result);
/// Problems: no JSON, not a Lapbench result, newer than this version, a key of the
/// wrong type. A file that was changed after it was written is read with the warning "changed".
Result<SessionResult> parseResult(std::string_view text);

/// Reads a result, or the journal of a session that did not end (SessionResult::complete is false then).
Result<SessionResult> readResultOrJournal(const std::filesystem::path& path);

/// 128 random bits in hex.
std::string newResultId();

} // namespace lapbench
