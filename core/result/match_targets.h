#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// Targets that stand side by side: one of each result, or none of it.
using MatchedTargets = std::vector<std::optional<std::string>>;

/// Matches the targets of several results, each list in the order of its plan: by name; and where a result has no name
/// in common with the first result, its targets against the first target of that.
std::vector<MatchedTargets> matchTargets(const std::vector<std::vector<std::string>>& targets);

} // namespace lapbench
