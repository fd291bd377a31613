#include "core/session/json_body.h"

#include "core/plan/json_scan.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace lapbench {

namespace {

using Json = nlohmann::json;
using Pointer = Json::json_pointer;

constexpr int kDeepest = 64;

std::optional<Pointer> parsePointer(const std::string& text)
{
    try {
        return Pointer(text);
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

bool holds(const Json& json, const Pointer& pointer)
{
    try {
        return json.contains(pointer);
    } catch (const Json::exception&) { // a list asked for what is no index
        return false;
    }
}

/// Takes the value out; a value in a list leaves a null, so that those behind it keep their places.
bool takeOut(Json& json, const std::string& text)
{
    const auto pointer = parsePointer(text);
    if (!pointer || !holds(json, *pointer))
        return false;
    if (pointer->empty()) {
        json = nullptr;
        return true;
    }
    Json& parent = json[pointer->parent_pointer()];
    if (parent.is_object())
        parent.erase(pointer->back());
    else
        json[*pointer] = nullptr;
    return true;
}

std::string writeOut(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Both differ; descends to the first place where they do.
Pointer differenceOf(const Json& a, const Json& b)
{
    if (a.is_object() && b.is_object()) {
        for (const auto& [key, value] : a.items()) {
            if (!b.contains(key))
                return Pointer() / key;
            if (value != b[key])
                return Pointer() / key / differenceOf(value, b[key]);
        }
        for (const auto& [key, value] : b.items())
            if (!a.contains(key))
                return Pointer() / key;
    }
    if (a.is_array() && b.is_array() && a.size() == b.size())
        for (std::size_t i = 0; i < a.size(); ++i)
            if (a[i] != b[i])
                return Pointer() / i / differenceOf(a[i], b[i]);
    return Pointer();
}

} // namespace

JsonBody JsonBody::read(const std::string& body, const std::vector<std::string>& ignore)
{
    JsonBody made;
    made.canonical = body;
    // A deep nesting would be read, and then compared by recursion.
    if (!scanJson(body, kDeepest))
        return made;
    Json json = Json::parse(body, nullptr, false);
    if (json.is_discarded() || !json.is_structured())
        return made;
    made.isJson = true;
    for (const std::string& pointer : ignore)
        if (takeOut(json, pointer))
            made.anyIgnored = true;
    made.canonical = writeOut(json);
    return made;
}

std::string firstDifference(const JsonBody& a, const JsonBody& b)
{
    if (!a.isJson || !b.isJson)
        return "body";
    const std::string pointer = differenceOf(Json::parse(a.canonical), Json::parse(b.canonical)).to_string();
    return pointer.empty() ? "body" : pointer;
}

} // namespace lapbench
