#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// Parses a whole JSON text. Problems: no JSON (with the place), nested deeper than 64, a key twice in one
/// object.
Result<nlohmann::ordered_json> parseJsonText(std::string_view text);

/// Reads one JSON object of a result key by key: remembers the first problem with its path, and which keys were asked
/// for, so that the others can be kept. Everything read after a problem is empty. One thread.
class JsonReader {
public:
    using Json = nlohmann::ordered_json;

    /// `problem` is shared by all readers of one file; `json` and `problem` outlive the reader.
    JsonReader(const Json& json, std::string path, std::optional<Problem>& problem);

    bool has(std::string_view key);
    /// The value under `key` of whatever type; null where it is absent.
    const Json* value(std::string_view key);
    std::string text(std::string_view key);
    std::optional<double> number(std::string_view key);
    std::optional<std::uint64_t> count(std::string_view key);
    /// A count that a 32-bit number holds: connections, rounds, ranks.
    std::optional<unsigned> smallCount(std::string_view key);
    std::optional<bool> flag(std::string_view key);
    std::vector<std::string> texts(std::string_view key);
    /// The value under `key` where it is there and of the asked-for type, else null.
    const Json* object(std::string_view key);
    const Json* array(std::string_view key);
    /// A reader of the object under `key`; an empty one where it is absent.
    JsonReader child(std::string_view key);
    /// A reader of element `index` of an array read by array().
    JsonReader element(std::string_view key, const Json& array, std::size_t index);

    /// The keys never asked for, as compact JSON; empty text where there are none.
    std::string unknown() const;
    void fail(std::string_view key, const std::string& message);

private:
    const Json& m_json;
    std::string m_path;
    std::optional<Problem>& m_problem;
    std::set<std::string, std::less<>> m_asked;
};

} // namespace lapbench
