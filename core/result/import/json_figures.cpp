#include "core/result/import/json_figures.h"

#include "core/result/import/measure_text.h"

#include <cmath>

namespace lapbench {

const Json& memberOf(const Json& value, std::string_view name)
{
    static const Json none;
    if (!value.is_object())
        return none;
    const auto found = value.find(name);
    return found == value.end() ? none : *found;
}

std::optional<double> numberOf(const Json& value, std::string_view name)
{
    const Json& member = memberOf(value, name);
    if (member.is_string())
        return parseNumber(member.get_ref<const std::string&>());
    if (!member.is_number())
        return std::nullopt;
    const auto number = member.get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> wholeOf(const Json& value, std::string_view name)
{
    constexpr double kMost = 9007199254740992.0; // 2^53
    const auto number = numberOf(value, name);
    if (!number || *number < 0 || *number > kMost || *number != std::floor(*number))
        return std::nullopt;
    return static_cast<std::uint64_t>(*number);
}

std::string textOf(const Json& value, std::string_view name)
{
    const Json& member = memberOf(value, name);
    return member.is_string() ? member.get<std::string>() : std::string();
}

std::optional<UtcTime> timeOf(const Json& value, std::string_view name)
{
    return parseTimestamp(textOf(value, name));
}

std::optional<UtcTime> parseTimestamp(std::string_view text)
{
    constexpr std::size_t kOffset = 6; // "+02:00"
    if (text.ends_with('Z') || text.size() <= kOffset)
        return parseUtc(text);
    const std::string_view offset = text.substr(text.size() - kOffset);
    const auto hours = parseWhole(offset.substr(1, 2)), minutes = parseWhole(offset.substr(4));
    if ((offset[0] != '+' && offset[0] != '-') || offset[3] != ':' || !hours || !minutes || *hours > 23 ||
        *minutes > 59)
        return std::nullopt;
    const auto local = parseUtc(std::string(text.substr(0, text.size() - kOffset)) + "Z");
    if (!local)
        return std::nullopt;
    const std::chrono::minutes east(*hours * 60 + *minutes);
    return offset[0] == '+' ? *local - east : *local + east;
}

} // namespace lapbench
