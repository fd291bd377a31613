#pragma once

#include "core/plan/plan.h"
#include "core/result/comparison.h"

#include <optional>
#include <vector>

namespace lapbench {

/// How many rounds a session runs: exactly `fewest` where that is `most`, else until the intervals are narrow enough.
struct RoundRules {
    unsigned fewest = 1, most = 1;
    std::optional<double> untilCi;     ///< as a share, see Plan::untilCi
    std::optional<Nanoseconds> budget; ///< of the whole session
};
RoundRules roundRulesOf(const Plan& plan);

/// How far a session is.
struct RoundsSoFar {
    unsigned done = 0;       ///< rounds, however often each was run
    Nanoseconds elapsed{};   ///< since the session began
    Nanoseconds nextTakes{}; ///< about how long another round takes
};

/// Whether another round begins, and if not, why.
enum class NextRound { begins, narrowEnough, nothingToNarrow, allDone, overBudget };

/// The first round always begins. Else, in this order: all done; the intervals of `comparisons` (so far) narrow enough,
/// or none to be narrowed; one more round would end beyond the budget.
NextRound nextRound(const RoundRules& rules, const RoundsSoFar& soFar, const std::vector<Comparison>& comparisons);

/// Whether another round ends within the budget.
bool fitsBudget(const RoundRules& rules, const RoundsSoFar& soFar);

/// How far the widest interval of requests per second reaches from its ratio, as a share of it; left out are
/// the control, unless nothing else is compared, and those without a ratio, which more rounds do not give one. Nothing
/// where none is left; infinite where one has no interval.
std::optional<double> widestInterval(const std::vector<Comparison>& comparisons);

} // namespace lapbench
