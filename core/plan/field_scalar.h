#pragma once

#include "core/plan/field_value.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// How one value of an option is read; for field_value.cpp, which makes lists and objects of it. Problems have no path.
namespace lapbench::field_scalar {

/// The beginning of a text for a message, in quotes: values may come from files anybody wrote.
std::string inQuotes(std::string_view text);

/// What to write for an option of this type: "write true or false".
std::string expectation(const Field& field);

/// "is a number", with the expectation.
Problem wrongType(const Field& field, const nlohmann::ordered_json& json);

/// One value, or one element of a list.
Result<FieldValue> fromJson(const Field& field, const nlohmann::ordered_json& json);

/// The same from a word of the command line.
Result<FieldValue> fromText(const Field& field, const std::string& text);

/// As a whole number alone, without "k" and "M".
Result<FieldValue> fromWholeText(const Field& field, const std::string& text);

} // namespace lapbench::field_scalar
