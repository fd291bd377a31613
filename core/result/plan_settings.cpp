#include "core/result/plan_settings.h"

#include "core/plan/fields.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace lapbench {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kRuntimes = "runtimes.";
constexpr std::array<std::string_view, 5> kLeftOut = {"schema", "schema_version", "title", "description", "published"};

/// The path as pathOf() writes it: "targets[bun].app" -> "targets[].app", "runtimes.node22.kind" ->
/// "runtimes.NAME.kind".
std::string genericPath(const std::string& path)
{
    std::string generic;
    bool inside = false;
    for (const char c : path) {
        inside = inside && c != ']';
        if (!inside)
            generic += c;
        inside = inside || c == '[';
    }
    if (generic.starts_with(kRuntimes))
        if (const auto end = generic.rfind('.'); end > kRuntimes.size())
            generic = std::string(kRuntimes) + "NAME" + generic.substr(end);
    return generic;
}

const Field* fieldAt(const std::string& path)
{
    const std::string generic = genericPath(path);
    const auto fields = allFields();
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return pathOf(field) == generic; });
    return found == fields.end() ? nullptr : &*found;
}

std::string dumped(const Json& json)
{
    return json.is_string() ? json.get<std::string>() : json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string valueText(const Field* field, const Json& json, const std::string& path)
{
    if (field == nullptr)
        return dumped(json);
    Problems problems;
    const FieldValue value = fieldValueFromJson(*field, json, path, problems);
    return problems.empty() ? formatFieldValue(value) : dumped(json);
}

void flatten(const Json& json, const std::string& path, PlanSettings& settings)
{
    const Field* field = fieldAt(path);
    const bool isList = json.is_array() && !json.empty() &&
                        std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_object(); });
    if (field == nullptr && json.is_object()) {
        for (const auto& [key, value] : json.items()) {
            const std::string below = path.empty() ? key : path + "." + key;
            if (std::find(kLeftOut.begin(), kLeftOut.end(), below) != kLeftOut.end())
                continue;
            if (path == "runtimes")
                settings.parts[below] = dumped(value);
            flatten(value, below, settings);
        }
    } else if (field == nullptr && isList) {
        for (std::size_t i = 0; i < json.size(); ++i) {
            const auto name = json[i].find("name");
            const bool named = name != json[i].end() && name->is_string();
            const std::string below = path + "[" + (named ? name->get<std::string>() : std::to_string(i)) + "]";
            settings.parts[below] = dumped(json[i]);
            flatten(json[i], below, settings);
        }
    } else {
        settings.values[path] = valueText(field, json, path);
    }
}

} // namespace

PlanSettings planSettingsOf(const std::string& planJson)
{
    PlanSettings settings;
    const Json json = Json::parse(planJson, nullptr, false);
    if (json.is_object())
        flatten(json, "", settings);
    return settings;
}

std::string standardAt(const std::string& path)
{
    const Field* field = fieldAt(path);
    return field == nullptr ? std::string() : standardOf(*field);
}

} // namespace lapbench
