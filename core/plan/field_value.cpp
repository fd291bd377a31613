#include "core/plan/field_value.h"

#include "core/base/units.h"
#include "core/plan/fields.h"
#include "core/plan/nearest.h"

#include <charconv>
#include <cmath>

namespace lapbench {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostElements = 10'000;

/// Values may come from files anybody wrote: messages show no more than the beginning.
std::string inQuotes(std::string_view text)
{
    constexpr std::size_t kShown = 60;
    return "\"" + std::string(text.substr(0, kShown)) + (text.size() > kShown ? "..." : "") + "\"";
}

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

std::string expectation(const Field& field)
{
    switch (field.type) {
    case FieldType::duration:
        return "write a text such as \"10s\", with ms, s, m or h";
    case FieldType::count:
        return "write a whole number, or a text such as \"100k\"";
    case FieldType::integer:
        return "write a whole number" +
               (field.automatic.empty() ? std::string() : " or \"" + std::string(field.automatic) + "\"");
    case FieldType::boolean:
        return "write true or false";
    case FieldType::list:
        return "write a list of texts";
    case FieldType::levels:
        return "write a list of whole numbers such as [64, 256]";
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

Result<FieldValue> readWholeText(const Field& field, const std::string& text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return Problem{"", inQuotes(text) + " is not a whole number",
                       field.automatic.empty() ? "allowed: " + formatRange(field)
                                               : "write a number or " + std::string(field.automatic)};
    return withinRange(field, number, text);
}

Result<FieldValue> readSingle(const Field& field, const Json& json)
{
    const bool numeric =
        field.type == FieldType::count || field.type == FieldType::integer || field.type == FieldType::levels;
    if (numeric && json.is_number())
        return readWhole(field, json);
    if (field.type == FieldType::statuses && json.is_number_unsigned())
        return readScalar(field, json.dump());
    if (field.type == FieldType::boolean)
        return json.is_boolean() ? Result<FieldValue>(FieldValue(json.get<bool>())) : wrongType(field, json);
    if (!json.is_string())
        return wrongType(field, json);
    const auto text = json.get<std::string>();
    if (!field.automatic.empty() && text == field.automatic)
        return FieldValue{};
    if (field.type == FieldType::integer || field.type == FieldType::levels)
        return wrongType(field, json);
    return readScalar(field, text);
}

void append(FieldValue& list, const FieldValue& element)
{
    if (auto* texts = std::get_if<std::vector<std::string>>(&list))
        texts->push_back(std::get<std::string>(element));
    else
        std::get<std::vector<unsigned>>(list).push_back(static_cast<unsigned>(std::get<std::uint64_t>(element)));
}

FieldValue readList(const Field& field, const Json& json, const std::string& path, Problems& problems)
{
    FieldValue list =
        field.type == FieldType::list ? FieldValue(std::vector<std::string>{}) : FieldValue(std::vector<unsigned>{});
    const std::size_t before = problems.size();
    if (!json.is_array())
        problems.push_back(wrongType(field, json));
    else if (json.size() > kMostElements)
        problems.push_back({"", "has more than " + std::to_string(kMostElements) + " elements", "shorten it"});
    else if (json.empty() && field.type == FieldType::levels)
        problems.push_back({"", "is empty", expectation(field)});
    if (problems.size() > before) {
        problems.back().path = path;
        return {};
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto element = readSingle(field, json[i]);
        if (element) {
            append(list, element.value());
            continue;
        }
        Problem problem = element.problem();
        problem.path = path + "[" + std::to_string(i) + "]";
        if (!json[i].is_string() && field.type == FieldType::list)
            problem.cure = "write a text";
        problems.push_back(std::move(problem));
    }
    return problems.size() > before ? FieldValue{} : list;
}

FieldValue readMap(const Field& field, const Json& json, const std::string& path, Problems& problems)
{
    TextMap map;
    const std::size_t before = problems.size();
    if (!json.is_object() || json.size() > kMostElements) {
        problems.push_back(wrongType(field, json));
        problems.back().path = path;
        return {};
    }
    for (const auto& [key, value] : json.items()) {
        if (field.separator == '=' && value.is_primitive() && !value.is_string())
            map.emplace_back(key, value.dump());
        else if (!value.is_string() || value.get_ref<const std::string&>().find('\0') != std::string::npos)
            problems.push_back({path + "." + key, "is not a text", "write a text"});
        else
            map.emplace_back(key, value.get<std::string>());
    }
    return problems.size() > before ? FieldValue{} : FieldValue(std::move(map));
}

/// "Name: value" for headers, "/pointer=value" for what an answer holds.
Result<FieldValue> mapFromTexts(const Field& field, const std::vector<std::string>& texts)
{
    TextMap map;
    for (const std::string& text : texts) {
        const std::size_t at = text.find(field.separator);
        if (at == std::string::npos || (at == 0 && field.separator == ':'))
            return field.separator == ':'
                       ? Problem{"", inQuotes(text) + " has no name before a colon", "write 'Name: value'"}
                       : Problem{"", inQuotes(text) + " has no = between pointer and value", "write '/pointer=value'"};
        const std::size_t start = field.separator == ':' ? text.find_first_not_of(" \t", at + 1) : at + 1;
        map.emplace_back(text.substr(0, at), start == std::string::npos ? "" : text.substr(start));
    }
    return FieldValue(std::move(map));
}

std::vector<std::string> splitAtCommas(const std::vector<std::string>& texts)
{
    std::vector<std::string> parts;
    for (const std::string& text : texts) {
        std::size_t from = 0;
        for (std::size_t comma = 0; comma != std::string::npos; from = comma + 1) {
            comma = text.find(',', from);
            parts.push_back(text.substr(from, comma == std::string::npos ? comma : comma - from));
        }
    }
    return parts;
}

} // namespace

FieldValue fieldValueFromJson(const Field& field, const Json& json, const std::string& path, Problems& problems)
{
    if (field.type == FieldType::list || field.type == FieldType::levels)
        return readList(field, json, path, problems);
    if (field.type == FieldType::map)
        return readMap(field, json, path, problems);
    auto value = readSingle(field, json);
    if (value)
        return std::move(value).value();
    Problem problem = value.problem();
    problem.path = path;
    problems.push_back(std::move(problem));
    return {};
}

Result<FieldValue> fieldValueFromText(const Field& field, const std::vector<std::string>& texts)
{
    if (field.type == FieldType::map)
        return mapFromTexts(field, texts);
    if (field.type == FieldType::list)
        return FieldValue(field.separator == ',' ? splitAtCommas(texts) : texts);
    if (field.type == FieldType::boolean) {
        if (field.automatic.empty() || (!texts.empty() && texts.back() == field.automatic))
            return FieldValue(true);
        return Problem{"", inQuotes(texts.empty() ? "" : texts.back()) + " is not " + std::string(field.automatic),
                       "write " + std::string(field.automatic)};
    }
    if (field.type == FieldType::levels) {
        std::vector<unsigned> levels;
        for (const std::string& text : texts) {
            const auto number = parseCount(text) ? readScalar(field, text) : readWholeText(field, text);
            if (!number)
                return number.problem();
            levels.push_back(static_cast<unsigned>(std::get<std::uint64_t>(number.value())));
        }
        return FieldValue(std::move(levels));
    }
    const std::string text = texts.empty() ? "" : texts.back();
    if (!field.automatic.empty() && text == field.automatic)
        return FieldValue{};
    return field.type == FieldType::integer ? readWholeText(field, text) : readScalar(field, text);
}

Json fieldValueToJson(const FieldValue& value)
{
    if (const auto* flag = std::get_if<bool>(&value))
        return *flag;
    if (const auto* number = std::get_if<std::uint64_t>(&value))
        return *number;
    if (const auto* duration = std::get_if<Nanoseconds>(&value))
        return formatDuration(*duration);
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    if (const auto* list = std::get_if<std::vector<std::string>>(&value))
        return *list;
    if (const auto* levels = std::get_if<std::vector<unsigned>>(&value))
        return *levels;
    if (const auto* ranges = std::get_if<StatusRanges>(&value))
        return formatStatusRanges(*ranges);
    if (const auto* map = std::get_if<TextMap>(&value)) {
        Json json = Json::object();
        for (const auto& [key, text] : *map)
            json[key] = text;
        return json;
    }
    return nullptr;
}

std::string formatFieldValue(const FieldValue& value)
{
    const Json json = fieldValueToJson(value);
    if (json.is_null())
        return "";
    if (json.is_string())
        return json.get<std::string>();
    if (!json.is_structured())
        return json.dump();
    std::string text;
    for (const auto& [key, element] : json.items()) {
        const std::string shown = element.is_string() ? element.get<std::string>() : element.dump();
        text += (text.empty() ? "" : ", ") + (json.is_object() ? key + ": " + shown : shown);
    }
    return text;
}

Result<StatusRanges> parseStatusRanges(std::string_view text)
{
    constexpr int kLowest = 100, kHighest = 599;
    const Problem problem{"", inQuotes(text) + " is not a list of status codes",
                          "write codes of 100 to 599 and ranges, such as 200-299,304"};
    StatusRanges ranges;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    while (true) {
        std::pair<int, int> range;
        auto result = std::from_chars(at, end, range.first);
        if (result.ec != std::errc())
            return problem;
        range.second = range.first;
        if (result.ptr != end && *result.ptr == '-') {
            result = std::from_chars(result.ptr + 1, end, range.second);
            if (result.ec != std::errc())
                return problem;
        }
        if (range.first < kLowest || range.second > kHighest || range.first > range.second)
            return problem;
        ranges.push_back(range);
        if (result.ptr == end)
            return ranges;
        if (*result.ptr != ',')
            return problem;
        at = result.ptr + 1;
    }
}

std::string formatStatusRanges(const StatusRanges& ranges)
{
    std::string text;
    for (const auto& [low, high] : ranges)
        text += (text.empty() ? "" : ",") + std::to_string(low) + (high == low ? "" : "-" + std::to_string(high));
    return text;
}

} // namespace lapbench
