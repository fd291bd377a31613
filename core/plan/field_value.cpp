#include "core/plan/field_value.h"

#include "core/base/units.h"
#include "core/plan/field_scalar.h"
#include "core/plan/fields.h"

namespace lapbench {

using namespace field_scalar;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostElements = 10'000;

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
    if (field.type == FieldType::cores && json.is_string()) {
        auto cores = parseCores(json.get_ref<const std::string&>());
        if (cores)
            return std::move(cores).value();
        problems.push_back(cores.problem());
    } else if (!json.is_array())
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
        const auto element = fromJson(field, json[i]);
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
    if (field.type == FieldType::list || field.type == FieldType::levels || field.type == FieldType::cores)
        return readList(field, json, path, problems);
    if (field.type == FieldType::map)
        return readMap(field, json, path, problems);
    auto value = fromJson(field, json);
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
    if (field.type == FieldType::cores) {
        auto cores = parseCores(texts.empty() ? "" : texts.back());
        return cores ? Result<FieldValue>(FieldValue(std::move(cores).value())) : cores.problem();
    }
    if (field.type == FieldType::levels) {
        std::vector<unsigned> levels;
        for (const std::string& text : texts) {
            const auto number = parseCount(text) ? fromText(field, text) : fromWholeText(field, text);
            if (!number)
                return number.problem();
            levels.push_back(static_cast<unsigned>(std::get<std::uint64_t>(number.value())));
        }
        return FieldValue(std::move(levels));
    }
    const std::string text = texts.empty() ? "" : texts.back();
    if (!field.automatic.empty() && text == field.automatic)
        return FieldValue{};
    return field.type == FieldType::integer ? fromWholeText(field, text) : fromText(field, text);
}

Json fieldValueToJson(const FieldValue& value)
{
    if (const auto* flag = std::get_if<bool>(&value))
        return *flag;
    if (const auto* number = std::get_if<std::uint64_t>(&value))
        return *number;
    if (const auto* share = std::get_if<double>(&value))
        return formatShare(*share);
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

} // namespace lapbench
