#include "core/result/json_reader.h"

#include "core/plan/json_scan.h"

#include <cmath>
#include <limits>
#include <utility>

namespace lapbench {

namespace {

const JsonReader::Json& emptyObject()
{
    static const JsonReader::Json empty = JsonReader::Json::object();
    return empty;
}

} // namespace

Result<nlohmann::ordered_json> parseJsonText(std::string_view text)
{
    constexpr int kDeepest = 64;
    if (auto scanned = scanJson(text, kDeepest); !scanned)
        return scanned.problem();
    auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (json.is_discarded())
        return Problem{"", "is no JSON", ""};
    return json;
}

JsonReader::JsonReader(const Json& json, std::string path, std::optional<Problem>& problem)
    : m_json(json.is_object() ? json : emptyObject()), m_path(std::move(path)), m_problem(problem)
{
    if (!json.is_object() && !m_problem)
        m_problem = Problem{m_path, "is no JSON object", ""};
}

const JsonReader::Json* JsonReader::value(std::string_view key)
{
    m_asked.emplace(key);
    const auto found = m_json.find(key);
    return found == m_json.end() ? nullptr : &*found;
}

void JsonReader::fail(std::string_view key, const std::string& message)
{
    if (!m_problem)
        m_problem = Problem{m_path.empty() ? std::string(key) : m_path + "." + std::string(key), message, ""};
}

bool JsonReader::has(std::string_view key)
{
    return value(key) != nullptr;
}

std::string JsonReader::text(std::string_view key)
{
    const Json* found = value(key);
    if (found == nullptr)
        return {};
    if (!found->is_string()) {
        fail(key, "must be a text");
        return {};
    }
    return found->get<std::string>();
}

std::optional<double> JsonReader::number(std::string_view key)
{
    const Json* found = value(key);
    if (found == nullptr)
        return std::nullopt;
    if (!found->is_number() || !std::isfinite(found->get<double>())) {
        fail(key, "must be a number");
        return std::nullopt;
    }
    return found->get<double>();
}

std::optional<std::uint64_t> JsonReader::count(std::string_view key)
{
    const Json* found = value(key);
    if (found == nullptr)
        return std::nullopt;
    if (!found->is_number_unsigned()) {
        fail(key, "must be a whole number, 0 or more");
        return std::nullopt;
    }
    return found->get<std::uint64_t>();
}

std::optional<unsigned> JsonReader::smallCount(std::string_view key)
{
    const auto found = count(key);
    if (found && *found > std::numeric_limits<unsigned>::max()) {
        fail(key, "must be at most " + std::to_string(std::numeric_limits<unsigned>::max()));
        return std::nullopt;
    }
    return found ? std::optional(static_cast<unsigned>(*found)) : std::nullopt;
}

std::optional<bool> JsonReader::flag(std::string_view key)
{
    const Json* found = value(key);
    if (found == nullptr)
        return std::nullopt;
    if (!found->is_boolean()) {
        fail(key, "must be true or false");
        return std::nullopt;
    }
    return found->get<bool>();
}

std::vector<std::string> JsonReader::texts(std::string_view key)
{
    std::vector<std::string> result;
    const Json* list = array(key);
    if (list == nullptr)
        return result;
    for (const Json& item : *list) {
        if (!item.is_string()) {
            fail(key, "must be a list of texts");
            return {};
        }
        result.push_back(item.get<std::string>());
    }
    return result;
}

const JsonReader::Json* JsonReader::object(std::string_view key)
{
    const Json* found = value(key);
    if (found != nullptr && !found->is_object()) {
        fail(key, "must be an object");
        return nullptr;
    }
    return found;
}

const JsonReader::Json* JsonReader::array(std::string_view key)
{
    const Json* found = value(key);
    if (found != nullptr && !found->is_array()) {
        fail(key, "must be a list");
        return nullptr;
    }
    return found;
}

JsonReader JsonReader::child(std::string_view key)
{
    const Json* value = object(key);
    return {value == nullptr ? emptyObject() : *value,
            m_path.empty() ? std::string(key) : m_path + "." + std::string(key), m_problem};
}

JsonReader JsonReader::element(std::string_view key, const Json& array, std::size_t index)
{
    const std::string name = std::string(key) + "[" + std::to_string(index) + "]";
    return {array[index], m_path.empty() ? name : m_path + "." + name, m_problem};
}

std::string JsonReader::unknown() const
{
    Json rest = Json::object();
    for (const auto& [key, value] : m_json.items())
        if (!m_asked.contains(key))
            rest[key] = value;
    return rest.empty() ? std::string() : rest.dump();
}

} // namespace lapbench
