#include "core/plan/field_scalar.h"

#include "core/base/units.h"
#include "core/plan/fields.h"
#include "core/plan/nearest.h"

#include <charconv>
#include <cmath>

namespace lapbench::field_scalar {

using Json = nlohmann::ordered_json;

std::string inQuotes(std::string_view text)
{
    constexpr std::size_t kShown = 60;
    return "\"" + std::string(text.substr(0, kShown)) + (text.size() > kShown ? "..." : "") + "\"";
}

namespace {

std::string jsonTypeName(const Json& json)
{
    switch (json.type()) {
    case Json::value_t::null:
        return "null";
    case Json::value_t::object:
        return "an object";
    case Json::value_t::array:
        return "a list";
    case Json::value_t::string:
        return "text";
    case Json::value_t::boolean:
        return "true or false";
    default:
        return "a number";
    }
}

} // namespace

std::string expectation(const Field& field)
{
    switch (field.type) {
    case FieldType::duration:
        return "write a text such as \"10s\", with ms, s, m or h";
    case FieldType::count:
        return "write a whole number, or a text such as \"100k\"";
    case FieldType::share:
        return "write a text such as \"2%\", or a number such as 0.02";
    case FieldType::integer:
        return "write a whole number" +
               (field.automatic.empty() ? std::string() : " or \"" + std::string(field.automatic) + "\"");
    case FieldType::boolean:
        return "write true or false";
    case FieldType::list:
        return "write a list of texts";
    case FieldType::levels:
        return "write a list of whole numbers such as [64, 256]";
    case FieldType::cores:
        return "write a list of whole numbers such as [0, 1], or a text such as \"0-1,4\"";
    case FieldType::map:
        return "write an object of texts such as {\"name\": \"value\"}";
    case FieldType::statuses:
        return "write a text such as \"200-299,304\"";
    default:
        return "write a text";
    }
}

Problem wrongType(const Field& field, const Json& json)
{
    return {"", "is " + jsonTypeName(json), expectation(field)};
}

namespace {

Result<FieldValue> withinRange(const Field& field, std::uint64_t number, const std::string& shown)
{
    const std::string range = "allowed: " + formatRange(field);
    if (number < field.min)
        return Problem{"", shown + " is too small", range};
    if (field.max != 0 && number > field.max)
        return Problem{"", shown + " is too large", range};
    if (field.type == FieldType::duration)
        return FieldValue(Nanoseconds(number));
    return FieldValue(number);
}

Result<FieldValue> shareWithin(const Field& field, double share, const std::string& shown)
{
    const std::string range = "allowed: " + formatRange(field);
    if (share < static_cast<double>(field.min) / kShareUnit)
        return Problem{"", shown + " is too small", range};
    if (share > static_cast<double>(field.max) / kShareUnit)
        return Problem{"", shown + " is too large", range + (share > 1 ? "; 2% is \"2%\" or 0.02" : "")};
    return FieldValue(share);
}

Result<FieldValue> readText(const std::string& text)
{
    if (text.find('\0') != std::string::npos)
        return Problem{"", "holds a NUL character", "leave it out"};
    return FieldValue(text);
}

/// Texts of the types that are one value, from a file or the command line alike.
Result<FieldValue> readScalar(const Field& field, const std::string& text)
{
    switch (field.type) {
    case FieldType::duration: {
        const auto duration = parseDuration(text);
        if (!duration)
            return duration.problem();
        return withinRange(field, static_cast<std::uint64_t>(duration.value().count()), text);
    }
    case FieldType::share: {
        const auto share = parseShare(text);
        if (!share)
            return share.problem();
        return shareWithin(field, share.value(), text);
    }
    case FieldType::levels:
    case FieldType::count: {
        const auto count = parseCount(text);
        if (!count)
            return count.problem();
        return withinRange(field, count.value(), text);
    }
    case FieldType::word:
        for (const std::string_view word : field.words)
            if (word == text)
                return FieldValue(text);
        return Problem{"", inQuotes(text) + " is not one of " + formatType(field), suggest(text, field.words)};
    case FieldType::statuses: {
        auto ranges = parseStatusRanges(text);
        if (!ranges)
            return ranges.problem();
        return FieldValue(std::move(ranges).value());
    }
    default:
        return readText(text);
    }
}

Result<FieldValue> readWhole(const Field& field, const Json& json)
{
    if (json.is_number_unsigned())
        return withinRange(field, json.get<std::uint64_t>(), json.dump());
    if (json.is_number_integer())
        return Problem{"", json.dump() + " is negative",
                       field.min > 0 ? "allowed: " + formatRange(field) : "write 0 or more"};
    constexpr double kMost = 9007199254740992.0;
    const double number = json.get<double>();
    if (number < 0 || number > kMost || number != std::floor(number))
        return Problem{"", json.dump() + " is not a whole number", expectation(field)};
    return withinRange(field, static_cast<std::uint64_t>(number), json.dump());
}

} // namespace

Result<FieldValue> fromWholeText(const Field& field, const std::string& text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return Problem{"", inQuotes(text) + " is not a whole number",
                       field.automatic.empty() ? "allowed: " + formatRange(field)
                                               : "write a number or " + std::string(field.automatic)};
    return withinRange(field, number, text);
}

Result<FieldValue> fromJson(const Field& field, const Json& json)
{
    const bool numeric = field.type == FieldType::count || field.type == FieldType::integer ||
                         field.type == FieldType::levels || field.type == FieldType::cores;
    if (numeric && json.is_number())
        return readWhole(field, json);
    if (field.type == FieldType::share && json.is_number())
        return shareWithin(field, json.get<double>(), json.dump());
    if (field.type == FieldType::statuses && json.is_number_unsigned())
        return readScalar(field, json.dump());
    if (field.type == FieldType::boolean)
        return json.is_boolean() ? Result<FieldValue>(FieldValue(json.get<bool>())) : wrongType(field, json);
    if (!json.is_string())
        return wrongType(field, json);
    const auto text = json.get<std::string>();
    if (!field.automatic.empty() && text == field.automatic)
        return FieldValue{};
    if (field.type == FieldType::integer || field.type == FieldType::levels || field.type == FieldType::cores)
        return wrongType(field, json);
    return readScalar(field, text);
}

Result<FieldValue> fromText(const Field& field, const std::string& text)
{
    return readScalar(field, text);
}

} // namespace lapbench::field_scalar
