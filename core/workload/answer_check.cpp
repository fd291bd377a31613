#include "core/workload/answer_check.h"

#include <string.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace lapbench {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kShownBytes = 60;
constexpr unsigned kMostLevels = 500;

/// The beginning of a text in quotes, not cut within a character of UTF-8.
std::string shown(std::string_view text)
{
    std::size_t length = std::min(text.size(), kShownBytes);
    while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
        --length;
    return "\"" + std::string(text.substr(0, length)) + (length < text.size() ? ".." : "") + "\"";
}

/// "/a~1b/0" -> "a/b", "0"; ~1 is a slash and ~0 a tilde.
std::vector<std::string> stepsOf(std::string_view pointer)
{
    std::vector<std::string> steps;
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        if (pointer[i] == '/')
            steps.emplace_back();
        else if (!steps.empty() && pointer[i] == '~' && i + 1 < pointer.size())
            steps.back() += pointer[++i] == '1' ? '/' : '~';
        else if (!steps.empty())
            steps.back() += pointer[i];
    }
    return steps;
}

const Json* elementOf(const Json& array, const std::string& step)
{
    std::size_t index = 0;
    const char* end = step.data() + step.size();
    const auto [stop, error] = std::from_chars(step.data(), end, index);
    const bool isIndex = error == std::errc() && stop == end && (step.size() == 1 || step.front() != '0');
    return isIndex && index < array.size() ? &array[index] : nullptr;
}

/// What lies at the end of the steps; null where there is no such thing.
const Json* valueAt(const Json& whole, const std::vector<std::string>& steps)
{
    const Json* value = &whole;
    for (const std::string& step : steps) {
        if (value->is_array()) {
            value = elementOf(*value, step);
        } else if (value->is_object()) {
            const auto member = value->find(step);
            value = member == value->end() ? nullptr : &*member;
        } else {
            value = nullptr;
        }
        if (value == nullptr)
            return nullptr;
    }
    return value;
}

/// Whether lists and objects stand in each other more than `levels` deep. nlohmann_json reads any depth, but compares
/// and writes by recursion, which a hostile answer could use to overrun the stack.
bool nestsDeeper(const Json& value, unsigned levels)
{
    if (!value.is_structured())
        return false;
    return levels == 0 || std::any_of(value.begin(), value.end(),
                                      [levels](const Json& inner) { return nestsDeeper(inner, levels - 1); });
}

Json parsed(std::string_view text)
{
    return Json::parse(text, nullptr, false);
}

} // namespace

AnswerCheck::AnswerCheck(const RequestTemplate& request)
    : m_bytes(request.expectBytes), m_contains(request.expectContains)
{
    for (const auto& [from, to] : request.expectStatus)
        for (int status = std::max(from, 0); status <= std::min(to, 999); ++status)
            m_right[static_cast<std::size_t>(status)] = true;
    for (const auto& [pointer, text] : request.expectJson)
        m_values.push_back({pointer, stepsOf(pointer), text});
}

std::optional<std::string> AnswerCheck::bodyFault(std::string_view body) const
{
    if (!m_contains.empty() && ::memmem(body.data(), body.size(), m_contains.data(), m_contains.size()) == nullptr)
        return "the body does not hold " + shown(m_contains);
    if (!m_values.empty())
        return valuesFault(body);
    return std::nullopt;
}

std::optional<std::string> AnswerCheck::valuesFault(std::string_view body) const
{
    const Json whole = parsed(body);
    if (whole.is_discarded())
        return "the body is no JSON";
    for (const Value& expected : m_values) {
        const Json* value = valueAt(whole, expected.steps);
        if (value == nullptr)
            return "the body has nothing at " + expected.pointer;
        if (nestsDeeper(*value, kMostLevels))
            return "the body nests more than " + std::to_string(kMostLevels) + " levels deep at " +
                   (expected.pointer.empty() ? "its root" : expected.pointer);
        const bool isRight = value->is_string() ? value->get_ref<const std::string&>() == expected.text
                                                : parsed(expected.text) == *value;
        if (!isRight)
            return "the body has " + shown(value->is_string() ? value->get_ref<const std::string&>() : value->dump()) +
                   " at " + (expected.pointer.empty() ? "its root" : expected.pointer) + ", not " +
                   shown(expected.text);
    }
    return std::nullopt;
}

} // namespace lapbench
