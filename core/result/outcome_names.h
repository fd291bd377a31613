#pragma once

#include "core/result/session_result.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace lapbench {

inline constexpr std::array<std::pair<Outcome, std::string_view>, 4> kOutcomeNames = {
    {{Outcome::done, "done"},
     {Outcome::failed, "failed"},
     {Outcome::skipped, "skipped"},
     {Outcome::interrupted, "interrupted"}}};

/// The word for an outcome, as in JSON.
constexpr std::string_view outcomeName(Outcome outcome)
{
    return std::find_if(kOutcomeNames.begin(), kOutcomeNames.end(),
                        [&](const auto& row) { return row.first == outcome; })
        ->second;
}

constexpr std::optional<Outcome> parseOutcome(std::string_view name)
{
    const auto found =
        std::find_if(kOutcomeNames.begin(), kOutcomeNames.end(), [&](const auto& row) { return row.second == name; });
    return found == kOutcomeNames.end() ? std::nullopt : std::optional(found->first);
}

} // namespace lapbench
