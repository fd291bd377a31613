#include "core/plan/field_value.h"

#include <charconv>
#include <optional>

namespace lapbench {

namespace {

using Ranges = std::vector<std::pair<int, int>>;

/// "a-b,c" with numbers of lowest to highest.
std::optional<Ranges> parseRanges(std::string_view text, int lowest, int highest)
{
    Ranges ranges;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    while (true) {
        std::pair<int, int> range;
        auto result = std::from_chars(at, end, range.first);
        if (result.ec != std::errc())
            return std::nullopt;
        range.second = range.first;
        if (result.ptr != end && *result.ptr == '-') {
            result = std::from_chars(result.ptr + 1, end, range.second);
            if (result.ec != std::errc())
                return std::nullopt;
        }
        if (range.first < lowest || range.second > highest || range.first > range.second)
            return std::nullopt;
        ranges.push_back(range);
        if (result.ptr == end)
            return ranges;
        if (*result.ptr != ',')
            return std::nullopt;
        at = result.ptr + 1;
    }
}

std::string quoted(std::string_view text)
{
    constexpr std::size_t kShown = 60;
    return "\"" + std::string(text.substr(0, kShown)) + (text.size() > kShown ? "..." : "") + "\"";
}

} // namespace

Result<StatusRanges> parseStatusRanges(std::string_view text)
{
    auto ranges = parseRanges(text, 100, 599);
    if (!ranges)
        return Problem{"", quoted(text) + " is not a list of status codes",
                       "write codes of 100 to 599 and ranges, such as 200-299,304"};
    return *std::move(ranges);
}

std::string formatStatusRanges(const StatusRanges& ranges)
{
    std::string text;
    for (const auto& [low, high] : ranges)
        text += (text.empty() ? "" : ",") + std::to_string(low) + (high == low ? "" : "-" + std::to_string(high));
    return text;
}

Result<std::vector<unsigned>> parseCores(std::string_view text)
{
    std::vector<unsigned> cores;
    if (text.empty())
        return cores;
    const auto ranges = parseRanges(text, 0, kHighestCore);
    constexpr std::size_t kMost = 2 * (kHighestCore + 1);
    for (const auto& [low, high] : ranges.value_or(Ranges{}))
        for (int core = low; core <= high && cores.size() < kMost; ++core)
            cores.push_back(static_cast<unsigned>(core));
    if (cores.empty())
        return Problem{"", quoted(text) + " is not a list of processors",
                       "write numbers of 0 to " + std::to_string(kHighestCore) + " and ranges, such as 0-1,4"};
    return cores;
}

} // namespace lapbench
