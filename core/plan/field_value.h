#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lapbench {

/// What a plan option holds.
enum class FieldType {
    text,     ///< any text without NUL
    path,     ///< a file's name
    duration, ///< "250ms", "10s", "1.5m", "2h"
    count,    ///< a whole number or "100k", "1.5M"
    integer,  ///< a whole number
    share,    ///< "2%" or 0.02
    boolean,
    word,    ///< one of the field's words
    list,    ///< texts
    levels,  ///< whole numbers, at least one
    cores,   ///< numbers of processors: [0, 1] or "0-1"
    map,     ///< texts by name
    statuses ///< "200-299,304"
};

using TextMap = std::vector<std::pair<std::string, std::string>>;
using StatusRanges = std::vector<std::pair<int, int>>;

/// The value of a plan option, whatever its type; monostate: none. Words are held as text.
using FieldValue = std::variant<std::monostate, bool, std::uint64_t, double, Nanoseconds, std::string,
                                std::vector<std::string>, std::vector<unsigned>, TextMap, StatusRanges>;

struct Field;

/// Reads a value from a plan. Everything wrong with it goes into `problems`, under `path`; the value is monostate then.
FieldValue fieldValueFromJson(const Field& field, const nlohmann::ordered_json& json, const std::string& path,
                              Problems& problems);

/// Reads a value from the words after a command-line flag: several for lists and maps ("K: V"), else one.
Result<FieldValue> fieldValueFromText(const Field& field, const std::vector<std::string>& texts);

/// The inverse of fieldValueFromJson; null for monostate.
nlohmann::ordered_json fieldValueToJson(const FieldValue& value);

/// For people and documents: "30s", "64", "200-399"; empty for none.
std::string formatFieldValue(const FieldValue& value);

/// "200-299,304": inclusive ranges within 100 to 599. The problem's path is empty.
Result<StatusRanges> parseStatusRanges(std::string_view text);
std::string formatStatusRanges(const StatusRanges& ranges);

/// Highest number of a processor that is taken.
inline constexpr int kHighestCore = 4095;
/// "0-1,4": the list format of cpuset(7), in its order, a number that stands twice kept twice; empty: none.
Result<std::vector<unsigned>> parseCores(std::string_view text);

} // namespace lapbench
